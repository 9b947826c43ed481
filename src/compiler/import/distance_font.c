#include "compiler/import/distance_font.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "compiler/import/import_ask.h"
#include "foundation/os/file.h"
#include "foundation/os/message.h"
#include "foundation/os/os.h"

// A file to write.
typedef struct output_file {
    const char *path;
    const uint8_t *bytes;
    uint64_t num_bytes;
    char temporary[CT_PATH_BYTES]; // "" until it is written
} output_file;

typedef struct distance_font {
    ct_allocator *allocator;
    const ct_distance_font_desc *desc;
    ct_distance_font_report *report;
    char input[CT_PATH_BYTES], input_folder[CT_PATH_BYTES]; // absolute
    char output[CT_PATH_BYTES], output_folder[CT_PATH_BYTES];
    CT_ARRAY(output_file) files;
    ct_string_array sources; // the pages of the input, absolute
} distance_font;

static bool fail(distance_font *f, const char *file, const char *message) {
    ct_import_add_error(&f->report->errors, file, 0, 0, message);
    return false;
}

// --- Places --------------------------------------------------------------------------------------

static bool is_same_file(const char *first, const char *second) {
    const ct_file_info a = ct_os_file_info(first), b = ct_os_file_info(second);
    return a.kind == CT_FILE_KIND_FILE && b.kind == CT_FILE_KIND_FILE && a.inode == b.inode &&
           a.changed_ns == b.changed_ns && a.size_bytes == b.size_bytes;
}

static bool check_input(distance_font *f) {
    const char *const input = f->desc->input;
    const ct_file_kind kind = ct_os_file_info(input).kind;
    ct_error error = {0};
    if (kind == CT_FILE_KIND_NONE)
        return fail(f, input, "the file does not exist");
    if (kind != CT_FILE_KIND_FILE)
        return fail(f, input, "this is not a file; expected an AngelCode font: a .fnt file");
    if (!ct_os_absolute_path(input, f->input, &error))
        return fail(f, input, error.message);
    ct_path_folder(f->input_folder, f->input);
    return true;
}

static bool check_output(distance_font *f) {
    const char *const output = f->desc->output;
    ct_error error = {0};
    if (strcasecmp(ct_path_extension(output), "fnt") != 0)
        return fail(f, output, "the name of the output must end in .fnt");
    if (!ct_file_absolute_path(output, f->output, &error))
        return fail(f, output, error.message);
    if (ct_os_file_info(f->output).kind == CT_FILE_KIND_FOLDER)
        return fail(f, output, "this is a folder; expected the name of a .fnt file");
    if (is_same_file(f->output, f->input))
        return fail(f, output, "the output is the input; give it another name");
    ct_path_folder(f->output_folder, f->output);
    return true;
}

// --- The worker's answer -------------------------------------------------------------------------

// Adds a file whose bytes are the next of the binary. False when it does not have so many.
static bool take_file(distance_font *f, const ct_sjson *doc, ct_sjson_value v,
                      const ct_message *message, uint64_t *at) {
    const char *const name = ct_sjson_string(doc, ct_sjson_find(doc, v, "name"), "");
    const double size = ct_sjson_number(doc, ct_sjson_find(doc, v, "size"), -1);
    if (!*name || strchr(name, '/') ||
        !(size >= 0 && size <= (double)(message->binary_bytes - *at)))
        return false;
    ct_array_push(&f->files,
                  (output_file){.path = ct_import_place(f->allocator, f->output_folder, name),
                                .bytes = message->binary + *at,
                                .num_bytes = (uint64_t)size});
    *at += (uint64_t)size;
    return true;
}

static bool take_message(distance_font *f, const ct_message *message) {
    ct_allocator *const a = f->allocator;
    const ct_sjson *const doc =
        ct_sjson_parse(a, message->json, message->json_bytes, "answer", NULL, NULL);
    if (!doc)
        return false;
    const ct_sjson_value sources = ct_sjson_find(doc, ct_sjson_root(doc), "sources");
    for (ct_sjson_value v = ct_sjson_first(doc, sources); v.entry; v = ct_sjson_next(doc, v)) {
        const char *const place = ct_import_place(a, f->input_folder, ct_sjson_string(doc, v, ""));
        ct_array_push(&f->sources, ct_copy_string(a, place));
    }
    const ct_sjson_value files = ct_sjson_find(doc, ct_sjson_root(doc), "files");
    uint64_t at = 0;
    for (ct_sjson_value v = ct_sjson_first(doc, files); v.entry; v = ct_sjson_next(doc, v)) {
        if (!take_file(f, doc, v, message, &at))
            return false;
    }
    return f->files.count > 0;
}

static void take_warnings(distance_font *f, const ct_compile_answer *answer) {
    for (uint32_t i = 0; i < answer->warnings.count; ++i) {
        const ct_compile_fault *const w = &answer->warnings.items[i];
        ct_import_add_error(&f->report->warnings,
                            ct_import_place(f->allocator, f->input_folder, w->file), w->line,
                            w->column, w->message);
    }
}

// --- Writing -------------------------------------------------------------------------------------

// A new page must not take the place of a page of the input.
static bool check_files(distance_font *f) {
    for (uint32_t i = 0; i < f->files.count; ++i) {
        const char *const path = f->files.items[i].path;
        if (ct_os_file_info(path).kind == CT_FILE_KIND_FOLDER)
            return fail(f, path, "there is a folder with the name of a new page");
        for (uint32_t k = 0; k < f->sources.count; ++k) {
            if (is_same_file(path, f->sources.items[k]))
                return fail(f, path,
                            "this page of the input would be replaced by a new page; give the "
                            "output another name");
        }
    }
    return true;
}

// Writes a file beside its place; each has a name of its own until all are complete.
static bool write_temporary(output_file *file, uint32_t number, ct_error *error) {
    char path[CT_PATH_BYTES], temporary[CT_PATH_BYTES];
    if (!ct_file_temporary_path(file->path, path, error))
        return false;
    if (snprintf(temporary, sizeof(temporary), "%s.%u", path, number) >= (int)sizeof(temporary))
        return ct_error_set(error, "the path is too long");
    if (!ct_file_write(temporary, file->bytes, file->num_bytes, false, error))
        return false;
    memcpy(file->temporary, temporary, sizeof(temporary));
    return true;
}

static bool write_temporaries(distance_font *f) {
    for (uint32_t i = 0; i < f->files.count; ++i) {
        ct_error error = {0};
        if (!write_temporary(&f->files.items[i], i, &error))
            return fail(f, f->files.items[i].path, error.message);
    }
    return true;
}

static bool rename_all(distance_font *f) {
    for (uint32_t i = 0; i < f->files.count; ++i) {
        output_file *const file = &f->files.items[i];
        ct_error error = {0};
        if (!ct_os_file_rename(file->temporary, file->path, &error))
            return fail(f, file->path, error.message);
        file->temporary[0] = '\0';
        ct_array_push(&f->report->files, ct_copy_string(f->allocator, file->path));
    }
    return true;
}

static bool write_files(distance_font *f) {
    const bool is_good = check_files(f) && write_temporaries(f) && rename_all(f);
    for (uint32_t i = 0; i < f->files.count; ++i) {
        if (f->files.items[i].temporary[0])
            ct_os_file_remove(f->files.items[i].temporary, NULL);
    }
    return is_good;
}

// --- The whole -----------------------------------------------------------------------------------

static bool write_answer(distance_font *f, const ct_compile_answer *answer) {
    ct_message_reader reader;
    ct_message message;
    ct_error error = {0};
    ct_message_reader_init(&reader, f->allocator, CT_WORKER_MAX_MESSAGE_BYTES);
    ct_message_reader_add(&reader, answer->blob.items, answer->blob.count);
    bool is_good = ct_message_reader_next(&reader, &message, &error) == CT_MESSAGE_RESULT_MESSAGE &&
                   take_message(f, &message);
    is_good = is_good ? write_files(f) : fail(f, f->input, "the worker's answer is damaged");
    ct_message_reader_free(&reader);
    return is_good;
}

bool ct_distance_font_run(ct_allocator *a, const ct_distance_font_desc *desc,
                          ct_distance_font_report *report) {
    distance_font f = {.allocator = a, .desc = desc, .report = report};
    *report = (ct_distance_font_report){0};
    ct_array_init(&report->files, a);
    ct_array_init(&report->warnings, a);
    ct_array_init(&report->errors, a);
    ct_array_init(&f.files, a);
    ct_array_init(&f.sources, a);
    if (!check_input(&f) || !check_output(&f))
        return false;
    const ct_compile_distance_font font = {.output = ct_path_file_name(f.output),
                                           .format = desc->format,
                                           .page_format = desc->page_format,
                                           .scale = desc->scale,
                                           .spread = desc->spread};
    const ct_compile_request request = {.type = CT_COMPILE_DISTANCE_FONT,
                                        .name = "",
                                        .path = ct_path_file_name(f.input),
                                        .project_folder = f.input_folder,
                                        .platform = "",
                                        .font = &font};
    ct_compile_answer answer;
    if (!ct_import_ask(a, desc->worker_path, &request, f.input, &answer, &report->errors))
        return false;
    take_warnings(&f, &answer);
    const bool is_good = write_answer(&f, &answer);
    ct_compile_answer_free(&answer);
    return is_good;
}
