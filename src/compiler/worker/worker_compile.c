#include "compiler/worker/worker_compile.h"
#include "compiler/plugin/worker_plugin_compile.h"
#include "compiler/plugin/worker_plugins.h"
#include "compiler/protocol/compiler_types.h"
#include "compiler/types/describe/worker_describe.h"
#include "compiler/types/font/angelcode_convert.h"
#include "foundation/container/hash_map.h"
#include "foundation/error.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/sjson/sjson.h"
#include "foundation/string/string_builder.h"
#include "project/project_setting.h"
#include "project/source_component.h"
#include "project/source_file.h"
#include "project/source_variants.h"
#include "resource/blob/content_hash.h"
#include "resource/blob/platform.h"
#include "resource/resource_variant.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// More errors or warnings of one resource are counted, not told: their places cost time and nobody
// reads them.
enum { MAX_ERRORS = 100 };

// A file that the job has read. The same content for the whole job, however often it is asked for.
typedef struct job_file {
    const char *path;
    const char *text; // NULL: it could not be read
    uint64_t size_bytes;
    const ct_sjson *doc; // once parsed
    bool is_bad_sjson;
    char problem[CT_ERROR_MESSAGE_BYTES]; // why text is NULL
} job_file;

typedef struct job {
    ct_compile compile; // first, so that functions of compile.h find the rest
    ct_compile_answer *answer;
    ct_source_roots roots;
    CT_ARRAY(job_file *) files;
    ct_hash_map known_references; // by type, name and file
    uint32_t num_errors;          // those that were not told included
    uint32_t num_warnings;        // the same
    ct_sjson *settings;           // of settings.config, once asked for
    bool has_asked_settings;
    bool is_free;  // files are read wherever they lie: nothing is compiled
    bool is_other; // what is read belongs to other resources
    ct_compile_other_reference other_reference;
    void *other_user;
    const ct_compile_output *output;
} job;

static job *job_of(const ct_compile *c) {
    return (job *)(uintptr_t)c;
}

// --- Errors and warnings -------------------------------------------------------------------------

// Where an error or a warning stands: at a value, or where the source has lines of its own. {0} is
// the source as a whole.
typedef struct fault_place {
    const ct_sjson *doc; // NULL: not at a value
    ct_sjson_value at;
    const char *file; // NULL or empty: the source's
    uint32_t line, column;
} fault_place;

static void add_error(job *j, const char *file, uint32_t line, uint32_t column,
                      const char *message) {
    ++j->num_errors;
    if (j->answer->errors.count < MAX_ERRORS)
        ct_compile_answer_error(
            j->answer, &(ct_compile_fault){.file = file && file[0] ? file : j->compile.path,
                                           .line = line,
                                           .column = column,
                                           .message = message});
}

static void add_warning(job *j, const char *file, uint32_t line, uint32_t column,
                        const char *message) {
    if (j->num_warnings++ < MAX_ERRORS)
        ct_compile_answer_warning(
            j->answer, &(ct_compile_fault){.file = file && file[0] ? file : j->compile.path,
                                           .line = line,
                                           .column = column,
                                           .message = message});
}

// Formats a message and finds its place, which takes time, if there is room to tell it.
static void add_fault(ct_compile *c, bool is_error, fault_place place, const char *format,
                      va_list arguments) {
    job *const j = job_of(c);
    char message[CT_ERROR_MESSAGE_BYTES];
    if (j->is_other && !is_error)
        return;
    vsnprintf(message, sizeof(message), format, arguments);
    if (place.doc) {
        place.file = ct_sjson_file(place.doc);
        if (place.at.entry && (is_error ? j->num_errors : j->num_warnings) < MAX_ERRORS)
            ct_sjson_position(place.doc, place.at, &place.line, &place.column);
    }
    (is_error ? add_error : add_warning)(j, place.file, place.line, place.column, message);
}

bool ct_compile_error(ct_compile *c, const ct_sjson *doc, ct_sjson_value at, const char *format,
                      ...) {
    va_list arguments;
    va_start(arguments, format);
    add_fault(c, true, (fault_place){.doc = doc, .at = at}, format, arguments);
    va_end(arguments);
    return false;
}

bool ct_compile_error_at(ct_compile *c, const char *file, uint32_t line, uint32_t column,
                         const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add_fault(c, true, (fault_place){.file = file, .line = line, .column = column}, format,
              arguments);
    va_end(arguments);
    return false;
}

void ct_compile_warning(ct_compile *c, const ct_sjson *doc, ct_sjson_value at, const char *format,
                        ...) {
    va_list arguments;
    va_start(arguments, format);
    add_fault(c, false, (fault_place){.doc = doc, .at = at}, format, arguments);
    va_end(arguments);
}

void ct_compile_warning_at(ct_compile *c, const char *file, uint32_t line, uint32_t column,
                           const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add_fault(c, false, (fault_place){.file = file, .line = line, .column = column}, format,
              arguments);
    va_end(arguments);
}

// Says of how many errors and warnings there was no more room to tell.
static void add_untold_counts(job *j) {
    char message[64];
    const ct_compile_fault fault = {.file = j->compile.path, .message = message};
    if (j->num_errors > j->answer->errors.count) {
        snprintf(message, sizeof(message), "and %u more errors",
                 j->num_errors - j->answer->errors.count);
        ct_compile_answer_error(j->answer, &fault);
    }
    if (j->num_warnings > j->answer->warnings.count) {
        snprintf(message, sizeof(message), "and %u more warnings",
                 j->num_warnings - j->answer->warnings.count);
        ct_compile_answer_warning(j->answer, &fault);
    }
}

uint32_t ct_compile_error_count(const ct_compile *c) {
    return job_of(c)->num_errors;
}

const char *ct_compile_text(ct_compile *c, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    CT_ASSERT(length >= 0, "the format \"%s\" cannot be written", format);
    char *const text = ct_alloc(c->allocator, (uint64_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

// --- Files ---------------------------------------------------------------------------------------

// A user's own files, which may lie outside of the model's folder too.
static char *read_freely(const job *j, const char *path, ct_source_content *content,
                         ct_error *error) {
    char place[CT_PATH_BYTES];
    *content = (ct_source_content){0};
    char *data = NULL;
    if (ct_path_try_join(place, j->roots.project, path) &&
        ct_os_file_info(place).kind == CT_FILE_KIND_FILE)
        data = ct_file_read(j->compile.allocator, place, &content->size_bytes, error);
    else
        ct_error_set(error, "the file \"%s\" is not there", path);
    if (data)
        content->hash = ct_content_hash(data, content->size_bytes);
    return data;
}

// Reads `path` once per job and notes it as an include.
static job_file *file_of(job *j, const char *path) {
    for (uint32_t i = 0; i < j->files.count; ++i)
        if (strcmp(j->files.items[i]->path, path) == 0)
            return j->files.items[i];
    job_file *const file = CT_NEW(j->compile.allocator, job_file);
    file->path = ct_copy_string(j->compile.allocator, path);
    ct_source_content content;
    ct_error error = {0};
    file->text = j->is_free
                     ? read_freely(j, path, &content, &error)
                     : ct_source_read(j->compile.allocator, &j->roots, path, &content, &error);
    if (!file->text)
        snprintf(file->problem, sizeof(file->problem), "%s", error.message);
    file->size_bytes = content.size_bytes;
    ct_compile_answer_include(j->answer, path, content.hash);
    j->answer->includes.items[j->answer->includes.count - 1].stamp = content.stamp;
    ct_array_push(&j->files, file);
    return file;
}

// The file at a path that a source names, or NULL after an error at `at`.
static job_file *named_file(ct_compile *c, const char *path, const ct_sjson *doc,
                            ct_sjson_value at) {
    if (!ct_path_is_canonical(path)) {
        ct_compile_error(
            c, doc, at,
            "\"%s\" is not a project path; expected parts of a-z, 0-9, _, - and . separated by /",
            path);
        return NULL;
    }
    job_file *const file = file_of(job_of(c), path);
    if (file->text)
        return file;
    char file_path[CT_PATH_BYTES];
    const job *const j = job_of(c);
    const bool is_there = j->is_free || !ct_source_locate(&j->roots, path, file_path) ||
                          ct_os_file_info(file_path).kind != CT_FILE_KIND_NONE;
    const char *const nearest = is_there ? NULL : ct_source_nearest(c->allocator, &j->roots, path);
    ct_compile_error(c, doc, at, "%s%s%s%s", file->problem, nearest ? " (did you mean \"" : "",
                     nearest ? nearest : "", nearest ? "\"?)" : "");
    return NULL;
}

const char *ct_compile_read(ct_compile *c, const char *path, uint64_t *size_bytes,
                            const ct_sjson *doc, ct_sjson_value at) {
    const job_file *const file = named_file(c, path, doc, at);
    *size_bytes = file ? file->size_bytes : 0;
    return file ? file->text : NULL;
}

const char *ct_compile_find(ct_compile *c, const char *path, uint64_t *size_bytes) {
    const job_file *const file = file_of(job_of(c), path);
    *size_bytes = file->size_bytes;
    return file->text;
}

// Parses a file that was read; its error is told once.
static const ct_sjson *parsed(ct_compile *c, job_file *file) {
    if (file->doc || file->is_bad_sjson)
        return file->doc;
    ct_error error = {0};
    // Programs that save make the file empty first. Compiled at that moment it would be good data.
    if (file->size_bytes == 0)
        ct_error_set_at(&error, file->path, 1, 1, "the file is empty; expected at least a comment");
    else
        file->doc =
            ct_sjson_parse(c->allocator, file->text, file->size_bytes, file->path, NULL, &error);
    file->is_bad_sjson = !file->doc;
    if (!file->doc)
        add_error(job_of(c), file->path, error.line, error.column, error.message);
    return file->doc;
}

const ct_sjson *ct_compile_read_sjson(ct_compile *c, const char *path, const ct_sjson *doc,
                                      ct_sjson_value at) {
    job_file *const file = named_file(c, path, doc, at);
    return file ? parsed(c, file) : NULL;
}

// --- Sources of other resources ------------------------------------------------------------------

// Looks for a variant with the properties of `mask` (bits of the resource's own, the first highest)
// and with the platform or without.
static job_file *find_variant(job *j, const char *type, const char *name, uint32_t mask,
                              bool with_platform) {
    const ct_compile *const c = &j->compile;
    ct_string_builder path;
    ct_string_builder_init(&path, c->allocator);
    ct_string_builder_add(&path, name);
    bool is_platform_due = with_platform;
    for (uint32_t i = 0; i < c->num_properties; ++i) {
        if (!(mask >> (c->num_properties - 1 - i) & 1))
            continue;
        if (is_platform_due && strcmp(c->source_platform, c->properties[i]) < 0) {
            ct_string_builder_addf(&path, ".%s", c->source_platform);
            is_platform_due = false;
        }
        ct_string_builder_addf(&path, ".%s", c->properties[i]);
    }
    if (is_platform_due)
        ct_string_builder_addf(&path, ".%s", c->source_platform);
    ct_string_builder_addf(&path, ".%s", type);
    return file_of(j, ct_string_builder_text(&path));
}

// The first variant that is there, behind that of path `behind` unless it is NULL; or NULL.
static job_file *first_variant(job *j, const char *type, const char *name, const char *behind) {
    const uint32_t num_masks = 1u << j->compile.num_properties;
    for (uint32_t pass = 0; ct_resource_name_is_canonical(name) && pass < 2; ++pass) {
        for (uint32_t i = num_masks; i-- > 0;) {
            job_file *const file = find_variant(j, type, name, i, pass == 0);
            if (behind && strcmp(file->path, behind) == 0)
                behind = NULL;
            else if (!behind && file->text)
                return file;
        }
    }
    return NULL;
}

const ct_sjson *ct_compile_read_resource(ct_compile *c, const char *type, const char *name,
                                         const ct_sjson *doc, ct_sjson_value at) {
    job_file *const file = first_variant(job_of(c), type, name, NULL);
    if (file)
        return parsed(c, file);
    return ct_compile_read_sjson(c, ct_compile_text(c, "%s.%s", name, type), doc, at);
}

const ct_sjson *ct_compile_read_base(ct_compile *c, const char *type, const char *name,
                                     const ct_sjson *doc, ct_sjson_value at) {
    const char *const path = ct_sjson_file(doc);
    job_file *const file = first_variant(job_of(c), type, name, path);
    if (file)
        return parsed(c, file);
    const size_t length = strlen(name);
    if (strncmp(path, name, length) != 0 || path[length] != '.')
        return ct_compile_read_resource(c, type, name, doc, at);
    if (strcmp(path + length + 1, type) == 0)
        return doc; // none is behind the one for all: it inherits itself
    ct_compile_error(c, doc, at,
                     "%s \"%s\" has no other variant that this one could inherit; expected %s.%s",
                     type, name, name, type);
    return NULL;
}

const char *const *ct_compile_list_variants(ct_compile *c, const char *type, const char *name,
                                            uint32_t *count) {
    job *const j = job_of(c);
    const char *const path = ct_compile_text(c, "%s" CT_SOURCE_VARIANTS "%s", name, type);
    ct_string_array paths;
    ct_array_init(&paths, c->allocator);
    const uint64_t hash = ct_source_list_variants(&j->roots, path, &paths);
    ct_compile_answer_include(j->answer, path, hash);
    *count = paths.count;
    return (const char *const *)(void *)paths.items;
}

// --- Settings ------------------------------------------------------------------------------------

// Not an include as a whole: only the values that were asked for are.
static void read_settings(job *j) {
    ct_source_content content;
    ct_allocator *const a = j->compile.allocator;
    char *const text = ct_source_read(a, &j->roots, CT_SETTINGS_SOURCE, &content, NULL);
    ct_error error = {0};
    j->has_asked_settings = true;
    if (!text)
        return;
    j->settings = ct_sjson_parse(a, text, content.size_bytes, CT_SETTINGS_SOURCE, NULL, &error);
    if (!j->settings)
        add_error(j, error.file, error.line, error.column, error.message);
}

ct_sjson_value ct_compile_setting(ct_compile *c, const char *path, const ct_sjson **doc) {
    job *const j = job_of(c);
    if (!j->has_asked_settings)
        read_settings(j);
    *doc = j->settings;
    const ct_sjson_value value = ct_setting_find(j->settings, path);
    ct_compile_answer_include(j->answer, ct_compile_text(c, CT_SETTING_PREFIX "%s", path),
                              ct_setting_hash(j->settings, value));
    return value;
}

// --- Component types of plugins ------------------------------------------------------------------

void ct_compile_component_type(ct_compile *c, const char *name) {
    job *const j = job_of(c);
    const char *const path = ct_compile_text(c, CT_SOURCE_COMPONENT "%s", name);
    for (uint32_t i = 0; i < j->answer->includes.count; ++i)
        if (strcmp(j->answer->includes.items[i].path, path) == 0)
            return;
    ct_compile_answer_include(j->answer, path, ct_worker_plugins_component(name));
}

// --- Other resources -----------------------------------------------------------------------------

void ct_compile_begin_other(ct_compile *c, ct_compile_other_reference reference, void *user) {
    job *const j = job_of(c);
    CT_ASSERT(!j->is_other, "another resource is being read already");
    j->is_other = true;
    j->other_reference = reference;
    j->other_user = user;
}

void ct_compile_end_other(ct_compile *c) {
    job_of(c)->is_other = false;
}

static bool is_other_reference(const job *j, const char *type, const char *name) {
    if (j->is_other && j->other_reference)
        j->other_reference(j->other_user, type, name);
    return j->is_other;
}

const void *ct_compile_former(ct_compile *c) {
    const job *const j = job_of(c);
    const ct_compile_output *const output = j->output;
    const ct_resource_type *const type = ct_resource_type_named(c->type);
    char path[CT_PATH_BYTES];
    uint64_t bytes = 0;
    if (!type || !output->folder || !output->former ||
        !ct_path_try_join(path, output->folder, output->former))
        return NULL;
    char *const file = ct_file_read(c->allocator, path, &bytes, NULL);
    void *const blob = file ? ct_alloc_aligned(c->allocator, bytes, CT_BLOB_ALIGN) : NULL;
    if (blob)
        memcpy(blob, file, bytes);
    ct_free(c->allocator, file);
    return blob && ct_blob_check_header(blob, bytes, type->id, type->version, NULL) ? blob : NULL;
}

// --- References ----------------------------------------------------------------------------------

// One place per file and resource is enough to say that it is missing, and places are slow to count
// in large files.
static bool is_known_reference(job *j, const char *type, const char *name, const char *file) {
    const uint64_t key = ct_string_id64_of(type).value * 3 + ct_string_id64_of(name).value * 5 +
                         ct_string_id64_of(file).value * 7;
    if (ct_hash_map_find(&j->known_references, key))
        return true;
    ct_hash_map_set(&j->known_references, key, 1);
    return false;
}

void ct_compile_reference(ct_compile *c, const char *type, const char *name, const ct_sjson *doc,
                          ct_sjson_value at) {
    job *const j = job_of(c);
    const char *const file = doc ? ct_sjson_file(doc) : c->path;
    if (is_other_reference(j, type, name))
        return;
    if (is_known_reference(j, type, name, file))
        return;
    ct_compile_referred reference = {.type = type, .name = name, .file = file};
    if (doc && at.entry)
        ct_sjson_position(doc, at, &reference.line, &reference.column);
    ct_compile_answer_reference(j->answer, &reference);
}

void ct_compile_reference_at(ct_compile *c, const char *type, const char *name, uint32_t line,
                             uint32_t column) {
    job *const j = job_of(c);
    if (is_other_reference(j, type, name) || is_known_reference(j, type, name, c->path))
        return;
    ct_compile_answer_reference(
        j->answer,
        &(ct_compile_referred){
            .type = type, .name = name, .file = c->path, .line = line, .column = column});
}

static void listen_reference(void *user, const char *type, const char *name, const ct_sjson *doc,
                             ct_sjson_value at) {
    ct_compile_reference(user, type, name, doc, at);
}

static void listen_error(void *user, const ct_error *error) {
    add_error(job_of(user), error->file, error->line, error->column, error->message);
}

ct_schema_listener ct_compile_listener(ct_compile *c) {
    return (ct_schema_listener){.user = c,
                                .reference = listen_reference,
                                .error = listen_error,
                                .project = c->project_folder};
}

// --- The job -------------------------------------------------------------------------------------

// Sets what the compile function sees of its source. False when there is nothing to compile.
static bool read_source(job *j) {
    ct_compile *const c = &j->compile;
    job_file *const file = file_of(j, c->path);
    if (!file->text) {
        add_error(j, c->path, 0, 0, file->problem);
        return false;
    }
    c->text = file->text;
    c->text_bytes = file->size_bytes;
    if (strcmp(c->type, "lua") == 0)
        return true;
    c->doc = parsed(c, file);
    return c->doc != NULL;
}

static void run_function(job *j, ct_compile_function function) {
    ct_compile *const c = &j->compile;
    CT_ERROR_CONTEXT("compiling", c->path);
    const ct_resource_type *const resource_type = ct_resource_type_named(c->type);
    CT_ASSERT(resource_type, "%s can be compiled but is not a resource type", c->type);
    const ct_platform *const platform = ct_platform_named(c->platform);
    CT_ASSERT(platform, "there is no platform \"%s\"", c->platform);
    ct_blob_writer_init(&c->blob, j->answer->allocator, platform->byte_order, c->type,
                        resource_type->version);
    ct_blob_writer_init_plain(&c->stream, j->answer->allocator, platform->byte_order);
    const bool is_complete = function(c);
    if (is_complete && j->num_errors == 0) {
        ct_blob_writer_finish(&c->blob);
        j->answer->blob = c->blob.bytes;
        j->answer->stream = c->stream.bytes;
        return;
    }
    ct_blob_writer_free(&c->blob);
    ct_blob_writer_free(&c->stream);
    if (j->num_errors == 0)
        add_error(j, c->path, 0, 0, "the compiler failed without an error message");
}

// Answers a request of `cuttle import`: the source is a model, wherever it lies.
static void run_description(job *j, const ct_compile_request *request) {
    ct_compile *const c = &j->compile;
    const char *const up = request->up_axis ? request->up_axis : "";
    const ct_mesh_up_axis up_axis = strcmp(up, "z") == 0   ? CT_MESH_UP_AXIS_Z
                                    : strcmp(up, "y") == 0 ? CT_MESH_UP_AXIS_Y
                                                           : CT_MESH_UP_AXIS_FILE;
    const ct_worker_describe_desc desc = {.up_axis = up_axis,
                                          .scale = request->scale > 0 ? (float)request->scale : 1,
                                          .images = request->images,
                                          .num_images = request->num_images};
    CT_ERROR_CONTEXT("describing", c->path);
    j->is_free = true;
    ct_byte_array description;
    ct_array_init(&description, j->answer->allocator);
    // Read before anything is refused: every answer names the file it is about.
    const job_file *const file = file_of(j, c->path);
    if (!file->text)
        add_error(j, c->path, 0, 0, file->problem);
    else if (ct_worker_describe(c, &desc, &description) && j->num_errors == 0)
        j->answer->blob = description;
    else if (j->num_errors == 0)
        add_error(j, c->path, 0, 0, "the import failed without an error message");
    if (j->num_errors > 0)
        ct_array_free(&description);
}

// Answers a request of `cuttle font`: the source is an AngelCode font, wherever it lies.
static void run_distance_font(job *j, const ct_compile_request *request) {
    ct_compile *const c = &j->compile;
    CT_ERROR_CONTEXT("converting", c->path);
    j->is_free = true;
    ct_byte_array converted;
    ct_array_init(&converted, j->answer->allocator);
    const job_file *const file = file_of(j, c->path);
    if (!file->text)
        add_error(j, c->path, 0, 0, file->problem);
    else if (ct_angelcode_convert(c, request->font, &converted) && j->num_errors == 0)
        j->answer->blob = converted;
    if (j->num_errors > 0)
        ct_array_free(&converted);
}

// Answers a request for what plugins add.
static void run_plugins(job *j) {
    ct_byte_array description;
    ct_array_init(&description, j->answer->allocator);
    file_of(j, j->compile.path); // every answer names the file it is about
    ct_worker_plugins_describe(&description);
    j->answer->blob = description;
}

// Absolute folders without links, as ct_source_roots wants them.
static const char *absolute_folder(ct_allocator *a, const char *folder) {
    char path[CT_PATH_BYTES];
    return folder ? ct_copy_string(a, ct_os_absolute_path(folder, path, NULL) ? path : folder)
                  : NULL;
}

void ct_worker_compile(ct_allocator *a, const ct_compile_request *request,
                       ct_compile_answer *answer) {
    CT_TEMP_ALLOCATOR(scratch, a);
    ct_compile_answer_init(answer, a);
    job j = {
        .compile = {.allocator = scratch,
                    .type = request->type,
                    .name = request->name,
                    .path = request->path,
                    .platform = request->platform,
                    .source_platform =
                        request->source_platform ? request->source_platform : request->platform,
                    .properties = request->properties,
                    .num_properties = request->num_properties,
                    .listing = request->listing,
                    .num_listed = request->num_listed},
        .answer = answer,
        .output = &request->output,
        .roots = {.project = absolute_folder(scratch, request->project_folder),
                  .core = absolute_folder(scratch, request->core_folder)},
        .known_references = {.allocator = scratch},
    };
    j.compile.project_folder = j.roots.project;
    ct_array_init(&j.files, scratch);
    ct_worker_plugins_use(a, request->plugins, request->num_plugins);
    const ct_compiler_type *const type = ct_compiler_type_named(request->type);
    const bool is_of_plugin = !type && ct_worker_plugins_has_type(request->type);
    const bool is_plugins = strcmp(request->type, CT_COMPILE_PLUGINS) == 0;
    const bool is_import = strcmp(request->type, CT_COMPILE_IMPORT) == 0;
    const bool is_font = strcmp(request->type, CT_COMPILE_DISTANCE_FONT) == 0 && request->font;
    const bool has_source = !is_import && !is_font && !is_plugins && read_source(&j);
    if (is_plugins)
        run_plugins(&j);
    else if (is_import)
        run_description(&j, request);
    else if (is_font)
        run_distance_font(&j, request);
    else if (!ct_platform_named(request->platform) ||
             request->num_properties > CT_VARIANT_MAX_PROPERTIES)
        add_error(&j, request->path, 0, 0, "this worker does not compile for this platform");
    else if (is_of_plugin && has_source)
        run_function(&j, ct_worker_plugin_compile);
    else if (!is_of_plugin && (!type || !type->function))
        add_error(&j, request->path, 0, 0, "this worker does not compile this type");
    else if (has_source)
        run_function(&j, type->function);
    ct_compile_answer_limit(answer, request->path, CT_WORKER_MAX_DATA_BYTES);
    add_untold_counts(&j);
}
