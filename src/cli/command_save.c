#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "foundation/error.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/sjson/sjson_writer.h"
#include "foundation/string/utf8.h"
#include "save/save_store.h"
#include "save/save_value.h"
#include "script/app/script_user_folder.h"

static const ct_command_option options[] = {
    {"json", NULL, "print one JSON object to standard output"},
};

// --- Show ----------------------------------------------------------------------------------------

static bool show(ct_allocator *a, const char *path, bool is_json, ct_error *error) {
    uint64_t bytes;
    ct_error inner = {0};
    char *const data = ct_file_read_input(a, path, &bytes, error);
    if (!data)
        return false;
    ct_save_file *const file = ct_save_file_read(a, data, bytes, false, &inner);
    ct_free(a, data);
    if (!file)
        return ct_error_set(error, "%s: %.600s", path, inner.message);
    ct_string_builder text;
    ct_sjson_writer w;
    ct_string_builder_init(&text, a);
    ct_sjson_writer_init(&w, &text, is_json ? CT_SJSON_STYLE_PRETTY_JSON : CT_SJSON_STYLE_SJSON);
    ct_sjson_begin_object(&w);
    ct_save_file_print(file, &w);
    ct_sjson_end_object(&w);
    fputs(ct_string_builder_text(&text), stdout);
    ct_string_builder_free(&text);
    ct_save_file_free(file);
    return true;
}

// --- List ----------------------------------------------------------------------------------------

enum { SHOWN_BYTES = 2048 };

typedef struct listing {
    ct_allocator *allocator;
    const char *folder;
    ct_sjson_writer *json; // NULL: lines
    bool is_damaged;
} listing;

// Prints a text of a file or of a path as one line that a terminal does not obey.
static void print_text(const char *text, uint32_t bytes) {
    char part[SHOWN_BYTES], shown[SHOWN_BYTES];
    for (uint32_t at = 0; at < bytes && at < SHOWN_BYTES;) {
        const uint32_t count = (uint32_t)strnlen(text + at, bytes - at);
        snprintf(part, sizeof(part), "%.*s", (int)count, text + at);
        ct_utf8_write_printable(shown, sizeof(shown), part);
        fputs(shown, stdout);
        at += count;
        if (at < bytes)
            fputs("\\x00", stdout);
        ++at; // the zero
    }
}

static void print_value(const void *info, const char *key) {
    ct_save_value v;
    if (!ct_save_find(info, key, &v))
        return;
    if (v.type == CT_SAVE_STRING) {
        printf("  %s \"", key);
        print_text(v.text, v.count);
        printf("\"");
    } else if (v.type == CT_SAVE_NUMBER) {
        printf("  %s %.10g", key, v.number);
    }
}

static void print_problem(const char *what, const char *text) {
    if (!text[0])
        return;
    printf("  %s: ", what);
    print_text(text, (uint32_t)strlen(text));
}

static void print_line(const char *name, const ct_save_file *file, const char *warning,
                       const char *error) {
    printf("%s", name);
    if (file) {
        const void *const info = ct_save_file_find(file, CT_SAVE_SECTION_INFO, 0)->data;
        print_value(info, "title");
        print_value(info, "version");
        print_value(info, "time_played");
    }
    print_problem("warning", warning);
    print_problem("error", error);
    printf("\n");
}

static void write_slot(ct_sjson_writer *w, const char *name, const ct_save_file *file,
                       const char *warning, const char *error) {
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "slot", name);
    if (file) {
        ct_save_reader r = {ct_save_file_find(file, CT_SAVE_SECTION_INFO, 0)->data};
        ct_sjson_write_key(w, "info");
        ct_save_print(&r, w);
    }
    if (warning[0])
        ct_sjson_member_string(w, "warning", warning);
    if (error[0])
        ct_sjson_member_string(w, "error", error);
    ct_sjson_end_object(w);
}

static void list_slot(void *user, const char *name) {
    listing *const l = user;
    char warning[512];
    ct_error error = {0};
    ct_save_file *const file =
        ct_save_store_read(l->allocator, l->folder, name, true, warning, sizeof(warning), &error);
    if (l->json)
        write_slot(l->json, name, file, warning, error.message);
    else
        print_line(name, file, warning, error.message);
    l->is_damaged |= !file;
    ct_save_file_free(file);
}

// The folder itself, or that of the game with this name.
static bool find_folder(const char *operand, char folder[CT_PATH_BYTES], ct_error *error) {
    if (ct_os_file_info(operand).kind == CT_FILE_KIND_FOLDER) {
        snprintf(folder, CT_PATH_BYTES, "%s", operand);
        return true;
    }
    if (strchr(operand, '/') || !ct_script_user_folder(folder, operand) ||
        !ct_path_try_join(folder, folder, "saves") ||
        ct_os_file_info(folder).kind != CT_FILE_KIND_FOLDER)
        return ct_error_set(error,
                            "found neither a folder \"%.200s\" nor saved games of a game with this "
                            "name",
                            operand);
    return true;
}

static bool list_json(listing *l, ct_error *error) {
    ct_string_builder text;
    ct_sjson_writer w;
    ct_string_builder_init(&text, l->allocator);
    ct_sjson_writer_init(&w, &text, CT_SJSON_STYLE_PRETTY_JSON);
    l->json = &w;
    ct_sjson_begin_object(&w);
    ct_sjson_member_string(&w, "folder", l->folder);
    ct_sjson_write_key(&w, "slots");
    ct_sjson_begin_array(&w);
    const bool is_listed = ct_save_store_list(l->allocator, l->folder, list_slot, l, error);
    ct_sjson_end_array(&w);
    ct_sjson_end_object(&w);
    if (is_listed)
        fputs(ct_string_builder_text(&text), stdout);
    ct_string_builder_free(&text);
    return is_listed;
}

static bool list(ct_allocator *a, const char *operand, bool is_json, ct_error *error) {
    char folder[CT_PATH_BYTES];
    if (!find_folder(operand, folder, error))
        return false;
    listing l = {.allocator = a, .folder = folder};
    const bool is_listed =
        is_json ? list_json(&l, error) : ct_save_store_list(a, folder, list_slot, &l, error);
    return is_listed && (!l.is_damaged || ct_error_set(error, "some saved games are damaged"));
}

// --- The command ---------------------------------------------------------------------------------

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    const char *const what = arguments->operands[0];
    const bool is_json = ct_command_option_of(&ct_command_save, arguments, "json") != NULL;
    ct_error error = {0};
    bool is_done;
    if (strcmp(what, "show") == 0) {
        is_done = show(a, arguments->operands[1], is_json, &error);
    } else if (strcmp(what, "list") == 0) {
        is_done = list(a, arguments->operands[1], is_json, &error);
    } else {
        fprintf(stderr, "cuttle save: found \"%.100s\"; expected show or list\n", what);
        return CT_EXIT_USAGE;
    }
    if (!is_done) {
        char shown[SHOWN_BYTES];
        ct_utf8_write_printable(shown, sizeof(shown), error.message);
        fprintf(stderr, "cuttle save: %s\n", shown);
    }
    return is_done ? CT_EXIT_OK : CT_EXIT_FAILED;
}

const ct_command ct_command_save = {
    .name = "save",
    .operands = "show FILE | list FOLDER|GAME",
    .least_operands = 2,
    .most_operands = 2,
    .summary = "print a saved game, or list the saved games of a game",
    .description =
        "show prints a file that SaveSystem wrote as SJSON: what the slot says about itself,\n"
        "the game's data, and the worlds with all units and components. A damaged file is an\n"
        "error that says where. list prints the slots in a folder, or of the game whose folder\n"
        "below $XDG_DATA_HOME/cuttle has this name. With --json, list prints `folder` and "
        "`slots`:\n"
        "of each its name `slot`, its `info`, and a `warning` or an `error`.\n"
        "Example: cuttle save show ~/.local/share/cuttle/mygame/saves/auto.save",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
