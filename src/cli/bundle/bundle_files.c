#include "cli/bundle/bundle_files.h"

#include <stdio.h>
#include <string.h>

#include "cli/bundle/bundle_icon.h"
#include "cli/bundle/bundle_plugins.h"
#include "cli/bundle/elf_libraries.h"
#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/string/string_builder.h"
#include "foundation/string/utf8.h"

enum { TITLE_BYTES = 512 };

// The Debian 12 packages of what the player may need. What is not here goes without.
static const struct {
    const char *library, *package;
} packages[] = {
    {"libc.so.6", "libc6"},
    {"libm.so.6", "libc6"},
    {"ld-linux-x86-64.so.2", "libc6"},
    {"libgcc_s.so.1", "libgcc-s1"},
    {"libmimalloc.so.2", "libmimalloc2.0"},
    {"libunwind.so.8", "libunwind8"},
    {"libdw.so.1", "libdw1"},
    {"libzstd.so.1", "libzstd1"},
    {"libxxhash.so.0", "libxxhash0"},
    {"libBulletDynamics.so.3.24", "libbullet3.24"},
    {"libBulletCollision.so.3.24", "libbullet3.24"},
    {"libLinearMath.so.3.24", "libbullet3.24"},
    {"libstdc++.so.6", "libstdc++6"},
    {"libsodium.so.23", "libsodium23"},
    {"libenet.so.7", "libenet7"},
};

// Loaded while it runs: without them there is no window, no picture or no text.
static const char loaded_later[] =
    "# Loaded at run time.\n"
    "libSDL2-2.0.so.0         libsdl2-2.0-0      windows, keyboard, mouse, controllers\n"
    "libcurl.so.4             libcurl4           requests over HTTP (Http)\n"
    "libfreetype.so.6         libfreetype6       glyphs that fonts do not hold ready\n"
    "libharfbuzz.so.0         libharfbuzz0b      text\n"
    "libopenal.so.1           libopenal1         sound\n"
    "libvorbis.so.0           libvorbis0a        sound that is stored as Vorbis\n"
    "libwebsockets.so.17      libwebsockets17    connections of WebSocket\n"
    "libvulkan.so.1           libvulkan1         drawing; beside it a driver of the graphics "
    "card, or mesa-vulkan-drivers\n";

void ct_bundle_name(const char *project, char name[64]) {
    char folder[CT_PATH_BYTES];
    if (!ct_os_absolute_path(project, folder, NULL))
        ct_path_join(folder, "", project);
    uint32_t length = 0;
    for (const char *s = ct_path_file_name(folder); *s != '\0' && length < 63; ++s) {
        const char lower = *s >= 'A' && *s <= 'Z' ? (char)(*s - 'A' + 'a') : *s;
        const bool is_fine = (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9');
        name[length++] = is_fine || lower == '-' ? lower : '_';
    }
    name[length] = '\0';
    if (length == 0 || name[0] == '-')
        snprintf(name, 64, "game");
}

// --- Writing -------------------------------------------------------------------------------------

static bool write_in(const ct_bundle_files_desc *desc, const char *name, const void *data,
                     uint64_t bytes, bool is_executable, ct_error *error) {
    char path[CT_PATH_BYTES];
    return (ct_path_try_join(path, desc->folder, name) ||
            ct_error_set(error, "the path %s/%s is too long", desc->folder, name)) &&
           ct_file_write(path, data, bytes, true, error) &&
           (!is_executable || ct_os_file_make_executable(path, error));
}

static bool write_text(const ct_bundle_files_desc *desc, const char *name, const char *text,
                       bool is_executable, ct_error *error) {
    return write_in(desc, name, text, strlen(text), is_executable, error);
}

static bool write_script(const ct_bundle_files_desc *desc, ct_error *error) {
    return write_text(desc, desc->name,
                      "#!/bin/sh\n"
                      "# Starts the game from any location of this folder.\n"
                      "here=$(dirname \"$(readlink -f \"$0\")\")\n"
                      "exec \"$here/bin/cuttle-player\" --data \"$here/data\" \"$@\"\n",
                      true, error);
}

// Writes the title as the value of a key: backslashes doubled, no control characters, whole
// characters only.
static void escape_title(const char *title, char text[TITLE_BYTES]) {
    uint32_t length = 0;
    while (*title != '\0' && length + 5 < TITLE_BYTES) {
        const uint32_t bytes = ct_utf8_length(title, strlen(title));
        if (bytes > 1)
            memcpy(text + length, title, bytes);
        else
            text[length] = bytes == 0 ? '?' : (unsigned char)*title < ' ' ? ' ' : *title;
        length += bytes > 1 ? bytes : 1;
        if (*title == '\\')
            text[length++] = '\\';
        title += bytes > 1 ? bytes : 1;
    }
    text[length] = '\0';
}

// Adds a shell script as one argument of Exec: quoted, with a backslash before its quotes, dollars
// and backslashes, and every backslash doubled as in all values.
static void add_argument(ct_string_builder *text, const char *script) {
    ct_string_builder_add(text, "\"");
    for (const char *c = script; *c != '\0'; ++c) {
        if (strchr("\"`$\\", *c))
            ct_string_builder_add(text, "\\\\");
        ct_string_builder_add_bytes(text, *c == '\\' ? "\\\\" : c, *c == '\\' ? 2 : 1);
    }
    ct_string_builder_add(text, "\"");
}

// The desktop file finds the script beside itself, where links lead to it, too. Its own place is
// %k: a path, or a URI with an escape for what is no letter. Where it is neither, as with `gio
// launch`, the script is looked for in the current folder. A percent sign, which is for Exec's own
// codes, is \o045 to sed.
static bool write_desktop(const ct_bundle_files_desc *desc, ct_error *error) {
    char name[80], script[512], title[TITLE_BYTES];
    ct_string_builder text;
    escape_title(desc->title[0] != '\0' ? desc->title : desc->name, title);
    snprintf(name, sizeof(name), "%s.desktop", desc->name);
    snprintf(script, sizeof(script),
             "case $0 in file://*) file=$(env printf \"$(echo \"/${0#file://*/}\" | "
             "sed 's/\\o045/\\\\x/g')\");; *) file=$0;; esac; "
             "exec \"$(dirname \"$(readlink -f \"$file\")\")/%s\"",
             desc->name);
    ct_string_builder_init(&text, desc->allocator);
    ct_string_builder_addf(&text, "[Desktop Entry]\nType=Application\nName=%s\nExec=sh -c ", title);
    add_argument(&text, script);
    ct_string_builder_addf(&text, " %%k\nIcon=%s\nTerminal=false\nCategories=Game;\n", desc->name);
    const bool result = write_text(desc, name, ct_string_builder_text(&text), true, error);
    ct_string_builder_free(&text);
    return result;
}

static bool write_icon(const ct_bundle_files_desc *desc, ct_error *error) {
    char name[80];
    uint64_t bytes = 0;
    char *const data = ct_bundle_icon_read(desc->allocator, desc->project, &bytes, error);
    snprintf(name, sizeof(name), "%s.png", desc->name);
    const bool result = data && write_in(desc, name, data, bytes, false, error);
    ct_free(desc->allocator, data);
    return result;
}

// --- The player ----------------------------------------------------------------------------------

static const char *package_of(const char *library) {
    for (uint32_t i = 0; i < CT_COUNT_OF(packages); ++i) {
        if (strcmp(packages[i].library, library) == 0)
            return packages[i].package;
    }
    return "";
}

// Adds the libraries that a program or library needs, without those that the text has.
static bool add_libraries(const ct_bundle_files_desc *desc, const void *program, uint64_t bytes,
                          ct_string_builder *text, ct_error *error) {
    ct_library_names names;
    ct_array_init(&names, desc->allocator);
    const bool is_read = ct_elf_libraries(program, bytes, &names, error);
    for (uint32_t i = 0; i < names.count; ++i) {
        char line[CT_PATH_BYTES];
        snprintf(line, sizeof(line), "%-24s %s\n", names.items[i], package_of(names.items[i]));
        if (!text->text || !strstr(text->text, line))
            ct_string_builder_add(text, line);
    }
    ct_array_free(&names);
    return is_read;
}

// Copies the library of a plugin to its place, and adds it with what it needs.
static bool write_plugin(const ct_bundle_files_desc *desc, const char *library,
                         ct_string_builder *text, ct_error *error) {
    char from[CT_PATH_BYTES], to[CT_PATH_BYTES], folder[CT_PATH_BYTES];
    if (!ct_bundle_plugin_check(library, desc->name, error))
        return false;
    if (!ct_path_try_join(from, desc->project, library) ||
        !ct_path_try_join(to, desc->folder, library))
        return ct_error_set(error, "the path of the plugin's library %s is too long", library);
    ct_path_folder(folder, to);
    uint64_t bytes = 0;
    char *const data = ct_file_read(desc->allocator, from, &bytes, error);
    const bool result = data && ct_folder_create(folder, error) &&
                        write_in(desc, library, data, bytes, false, error);
    ct_string_builder_addf(text, "%-24s " CT_BUNDLE_PLUGIN "\n", library);
    ct_error why = {0};
    const bool is_read = result && add_libraries(desc, data, bytes, text, &why);
    ct_free(desc->allocator, data);
    return is_read ||
           (result && ct_error_set_at(error, from, 0, 0, "the plugin's library: %s", why.message));
}

static bool write_plugins(const ct_bundle_files_desc *desc, ct_string_builder *text,
                          ct_error *error) {
    if (desc->num_plugins > 0)
        ct_string_builder_add(text,
                              "# The plugins of the game, and what they need beside these.\n");
    for (uint32_t i = 0; i < desc->num_plugins; ++i)
        if (!write_plugin(desc, desc->plugins[i], text, error))
            return false;
    return true;
}

static bool write_libraries(const ct_bundle_files_desc *desc, const void *player, uint64_t bytes,
                            ct_error *error) {
    ct_string_builder text;
    ct_string_builder_init(&text, desc->allocator);
    ct_string_builder_add(&text,
                          "# The libraries that bin/cuttle-player needs, and their Debian 12 "
                          "packages.\n");
    bool result = add_libraries(desc, player, bytes, &text, error);
    ct_string_builder_add(&text, loaded_later);
    result = result && write_plugins(desc, &text, error) &&
             write_text(desc, "libraries.txt", ct_string_builder_text(&text), false, error);
    ct_string_builder_free(&text);
    return result;
}

static bool write_player(const ct_bundle_files_desc *desc, ct_error *error) {
    char executable[CT_PATH_BYTES], folder[CT_PATH_BYTES], path[CT_PATH_BYTES];
    ct_os_executable_path(executable);
    ct_path_folder(folder, executable);
    if (!ct_path_try_join(path, folder, "cuttle-player"))
        return ct_error_set(error, "the path of the player is too long");
    if (ct_os_file_info(path).kind != CT_FILE_KIND_FILE)
        return ct_error_set(error,
                            "cannot find the player \"%s\"; expected it beside this program: "
                            "`cmake --build <build folder> --target cuttle-player` builds it",
                            path);
    uint64_t bytes = 0;
    char *const player = ct_file_read(desc->allocator, path, &bytes, error);
    char bin[CT_PATH_BYTES];
    const bool result = player && ct_path_try_join(bin, desc->folder, "bin") &&
                        ct_folder_create(bin, error) &&
                        write_in(desc, "bin/cuttle-player", player, bytes, true, error) &&
                        write_libraries(desc, player, bytes, error);
    ct_free(desc->allocator, player);
    return result;
}

bool ct_bundle_files_write(const ct_bundle_files_desc *desc, ct_error *error) {
    return write_player(desc, error) && write_script(desc, error) && write_desktop(desc, error) &&
           write_icon(desc, error);
}
