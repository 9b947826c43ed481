#include "cli/new/new_plugin.h"

#include <stdio.h>
#include <string.h>

#include "cli/new/new_project.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/sjson/sjson_document.h"
#include "foundation/string/string_builder.h"

enum { MAX_NAME_BYTES = 31 };

#define SETTINGS "settings.config"

static bool check_name(const char *name, ct_error *error) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    const size_t bytes = strlen(name);
    return (bytes > 0 && bytes <= MAX_NAME_BYTES && name[0] >= 'a' && name[0] <= 'z' &&
            strspn(name, letters) == bytes) ||
           ct_error_set(error,
                        "\"%.64s\" is not the name of a plugin; expected a-z, 0-9 and _, at "
                        "most %d of them, a letter first",
                        name, MAX_NAME_BYTES);
}

// --- The template --------------------------------------------------------------------------------

// wind_field: WindField.
static void module_name(const char *name, char module[MAX_NAME_BYTES + 1]) {
    bool is_start = true;
    for (; *name; ++name) {
        if (*name != '_')
            *module++ =
                is_start && *name >= 'a' && *name <= 'z' ? (char)(*name - 'a' + 'A') : *name;
        is_start = *name == '_';
    }
    *module = 0;
}

// Appends `text` with the names put in.
static void fill(ct_string_builder *out, const char *text, uint64_t bytes, const char *name) {
    static const char name_mark[] = "@NAME@", module_mark[] = "@MODULE@";
    char module[MAX_NAME_BYTES + 1];
    module_name(name, module);
    for (uint64_t at = 0; at < bytes;) {
        if (bytes - at >= strlen(name_mark) &&
            memcmp(text + at, name_mark, strlen(name_mark)) == 0) {
            ct_string_builder_add(out, name);
            at += strlen(name_mark);
        } else if (bytes - at >= strlen(module_mark) &&
                   memcmp(text + at, module_mark, strlen(module_mark)) == 0) {
            ct_string_builder_add(out, module);
            at += strlen(module_mark);
        } else {
            ct_string_builder_add_char(out, text[at++]);
        }
    }
}

static bool write_file(ct_allocator *a, const char *folder, const ct_new_project_file *file,
                       const char *name, ct_error *error) {
    char file_name[CT_PATH_BYTES], path[CT_PATH_BYTES];
    if (strncmp(file->path, "NAME.", 5) == 0)
        snprintf(file_name, sizeof(file_name), "%s%s", name, file->path + 4);
    else
        snprintf(file_name, sizeof(file_name), "%s", file->path);
    ct_path_join(path, folder, file_name);
    ct_string_builder text;
    ct_string_builder_init(&text, a);
    fill(&text, (const char *)file->bytes, file->size_bytes, name);
    const char *const filled = ct_string_builder_text(&text);
    const bool is_written = ct_file_write(path, filled, strlen(filled), false, error);
    ct_string_builder_free(&text);
    return is_written;
}

// --- The settings --------------------------------------------------------------------------------

static bool list_plugin(ct_sjson_document *doc, const char *name, ct_error *error) {
    char value[256];
    const ct_sjson_node root = ct_sjson_document_root(doc);
    ct_sjson_node plugins = ct_sjson_document_find(doc, root, "plugins");
    if (!plugins.index) {
        snprintf(value, sizeof(value), "{\n    %s = { linux = \"plugins/%s/%s.so\" }\n}", name,
                 name, name);
        plugins = ct_sjson_document_insert_member(doc, root, (ct_sjson_node){0}, "plugins", value,
                                                  strlen(value), error);
        return plugins.index != 0;
    }
    if (ct_sjson_document_type(doc, plugins) != CT_SJSON_TYPE_OBJECT)
        return ct_sjson_document_error(doc, plugins, error,
                                       "`plugins` is not an object of plugins");
    snprintf(value, sizeof(value), "{ linux = \"plugins/%s/%s.so\" }", name, name);
    return ct_sjson_document_insert_member(doc, plugins, (ct_sjson_node){0}, name, value,
                                           strlen(value), error)
               .index != 0;
}

// Appends the settings with the plugin in them to `text`.
static bool change_settings(ct_allocator *a, const char *path, const char *name,
                            ct_string_builder *text, ct_error *error) {
    ct_sjson_document *const doc = ct_sjson_document_read(a, path, SETTINGS, NULL, error);
    if (!doc)
        return false;
    const bool is_listed = list_plugin(doc, name, error);
    if (is_listed)
        ct_sjson_document_write(doc, text);
    ct_sjson_document_free(doc);
    return is_listed;
}

// --- All of it -----------------------------------------------------------------------------------

static bool write_all(ct_allocator *a, const char *folder, const char *settings,
                      const ct_string_builder *text, const char *name, ct_error *error) {
    bool is_fine = ct_folder_create(folder, error);
    for (uint32_t i = 0; i < ct_plugin_project_num_files && is_fine; ++i)
        is_fine = write_file(a, folder, &ct_plugin_project_files[i], name, error);
    const char *const changed = ct_string_builder_text(text);
    return is_fine && ct_file_replace(settings, changed, strlen(changed), true, error);
}

bool ct_new_plugin(ct_allocator *a, const char *folder, const char *name, ct_error *error) {
    char settings[CT_PATH_BYTES], plugins[CT_PATH_BYTES], target[CT_PATH_BYTES];
    if (!check_name(name, error))
        return false;
    ct_path_join(settings, folder, SETTINGS);
    ct_path_join(plugins, folder, "plugins");
    ct_path_join(target, plugins, name);
    if (ct_os_file_info(settings).kind != CT_FILE_KIND_FILE)
        return ct_error_set(error, "\"%s\" is no project: it has no " SETTINGS, folder);
    if (ct_os_file_info(target).kind != CT_FILE_KIND_NONE)
        return ct_error_set(error, "\"%s\" exists; nothing was written", target);
    ct_string_builder text;
    ct_string_builder_init(&text, a);
    const bool is_made = change_settings(a, settings, name, &text, error) &&
                         write_all(a, target, settings, &text, name, error);
    ct_string_builder_free(&text);
    return is_made;
}
