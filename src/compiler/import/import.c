#include "compiler/import/import.h"

#include <stdio.h>
#include <string.h>

#include "compiler/import/import_character.h"
#include "compiler/import/import_images.h"
#include "compiler/import/import_merge.h"
#include "compiler/import/import_record.h"
#include "compiler/import/import_write.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"
#include "foundation/string/string_id.h"
#include "resource/blob/content_hash.h"
#include "resource/types/component_resource.h"
#include "resource/types/resource_types.h"

const char *const ct_import_action_names[] = {"unchanged", "created", "updated", "removed", "kept"};

enum {
    MAX_FOLDER_BYTES = 512, // of a path in the project
    // The rest of what fits into a path, less what the names of temporary files have on top.
    MAX_PROJECT_BYTES = CT_PATH_BYTES - MAX_FOLDER_BYTES - 64,
};

typedef struct import {
    ct_allocator *allocator;
    const ct_import_desc *desc;
    ct_import_report *report;
    char project[CT_PATH_BYTES]; // absolute
    ct_import_model model;
    ct_import_sources sources;
    ct_import_record record;
    const char *record_path; // project path
    ct_import_writes writes;
    ct_hash_map taken; // paths of this import, by their hash
} import;

static bool fail(import *m, const char *file, const char *message) {
    ct_error error = {0};
    ct_error_set_at(&error, file, 0, 0, "%s", message);
    ct_array_push(&m->report->errors, error);
    return false;
}

static bool fail_with(import *m, const ct_error *error) {
    ct_array_push(&m->report->errors, *error);
    return false;
}

static const char *text(const import *m, const char *format, const char *a, const char *b) {
    const int length = snprintf(NULL, 0, format, a, b);
    char *const out = ct_alloc(m->allocator, (uint64_t)length + 1);
    snprintf(out, (size_t)length + 1, format, a, b);
    return out;
}

static void change(import *m, const char *path, ct_import_action action) {
    ct_array_push(&m->report->changes, (ct_import_change){path, action});
}

static void note(import *m, const char *path, const char *what) {
    ct_array_push(&m->report->notes, (char *)(uintptr_t)text(m, "%s: %s", path, what));
}

// False when it is too long for a path: then nothing is there.
static bool absolute(const import *m, const char *path, char out[CT_PATH_BYTES]) {
    return ct_path_try_join(out, m->project, path);
}

// The bytes of a project's file; NULL when it is not there or cannot be read.
static char *file_bytes(const import *m, const char *path, uint64_t *size_bytes) {
    char place[CT_PATH_BYTES];
    if (!absolute(m, path, place) || ct_os_file_info(place).kind != CT_FILE_KIND_FILE)
        return NULL;
    return ct_file_read(m->allocator, place, size_bytes, NULL);
}

static bool is_there(const import *m, const char *path) {
    char place[CT_PATH_BYTES];
    return absolute(m, path, place) && ct_os_file_info(place).kind != CT_FILE_KIND_NONE;
}

// --- Places --------------------------------------------------------------------------------------

static const char *path_in_folder(const import *m, const char *stem, const char *extension) {
    const char *const folder = m->desc->folder;
    const char *const name = text(m, *extension ? "%s.%s" : "%s%s", stem, extension);
    return *folder ? text(m, "%s/%s", folder, name) : name;
}

static bool is_taken(const import *m, const char *path) {
    return ct_hash_map_find(&m->taken, ct_string_id64_of(path).value) != NULL;
}

static bool holds_same(const import *m, const char *path, const ct_import_output *o) {
    uint64_t size_bytes = 0;
    const char *const bytes = file_bytes(m, path, &size_bytes);
    return bytes && size_bytes == o->size_bytes && memcmp(bytes, o->bytes, size_bytes) == 0;
}

// A path that neither this import nor anybody else has taken; the same image by anybody is good.
static const char *free_path(import *m, const ct_import_output *o) {
    char numbered[CT_PATH_BYTES];
    const uint64_t stem_id =
        ct_string_id64_of(text(m, "%s.%s", o->stem, o->extension)).value ^ 1; // not a path's
    for (uint64_t number = ct_hash_map_get(&m->taken, stem_id, 1);; ++number) {
        snprintf(numbered, sizeof(numbered), number > 1 ? "%.200s_%llu" : "%.200s", o->stem,
                 (unsigned long long)number);
        const char *const path = path_in_folder(m, numbered, o->extension);
        if (is_taken(m, path) || (is_there(m, path) && !(o->bytes && holds_same(m, path, o))))
            continue;
        ct_hash_map_set(&m->taken, stem_id, number + 1);
        return path;
    }
}

// A file that the model finds by its path must be able to stand there.
static bool place_fixed(import *m, ct_import_output *o) {
    o->path = path_in_folder(m, o->stem, "");
    if (ct_resource_type_named(ct_path_extension(o->path)))
        return fail(m, o->path,
                    "the model uses this file, but its name would make it a source of the project; "
                    "give it another name");
    if (strlen(o->path) >= MAX_FOLDER_BYTES || is_taken(m, o->path))
        return fail(m, o->path, "two files of the model would have this path in the project");
    o->is_foreign = !ct_import_record_find(&m->record, o->key) && is_there(m, o->path);
    if (o->is_foreign && !holds_same(m, o->path, o))
        return fail(m, o->path,
                    "another file already has this path; move it, or import to another folder");
    return true;
}

// A file of the last import stays where it is; images of the project are used where they lie.
static void place_known(const import *m, ct_import_output *o) {
    const ct_import_record_file *const known = ct_import_record_find(&m->record, o->key);
    if (known && !known->is_foreign) {
        o->path = known->path;
    } else if (o->found) {
        o->path = o->found;
        o->is_foreign = true;
    } else if (known && holds_same(m, known->path, o)) {
        o->path = known->path;
        o->is_foreign = true;
    }
}

static bool place_all(import *m) {
    ct_import_output_array *const list = &m->sources.outputs;
    for (uint32_t i = 0; i < list->count; ++i) {
        ct_import_output *o = &list->items[i];
        if (o->is_fixed && !place_fixed(m, o))
            return false;
        if (!o->is_fixed)
            place_known(m, o);
        if (o->path)
            ct_hash_map_set(&m->taken, ct_string_id64_of(o->path).value, 1);
    }
    // Those of the record first, so that new ones do not take their places.
    for (uint32_t i = 0; i < list->count; ++i) {
        ct_import_output *const o = &list->items[i];
        if (o->path)
            continue;
        o->path = free_path(m, o);
        o->is_foreign = is_there(m, o->path);
        ct_hash_map_set(&m->taken, ct_string_id64_of(o->path).value, 1);
    }
    if (!m->sources.is_in_place)
        m->sources.model_path = list->items[0].path;
    m->sources.id_space = m->record.id_space ? m->record.id_space : m->sources.model_path;
    return true;
}

// --- One file ------------------------------------------------------------------------------------

static void create(import *m, const ct_import_output *o) {
    const void *const bytes = o->bytes ? (const void *)o->bytes : o->text;
    ct_import_writes_add(&m->writes, o->path, bytes, o->bytes ? o->size_bytes : strlen(o->text));
    change(m, o->path, CT_IMPORT_ACTION_CREATED);
}

static bool update_media(import *m, const ct_import_output *o, const ct_import_record_file *known) {
    uint64_t size_bytes = 0;
    const char *const bytes = file_bytes(m, o->path, &size_bytes);
    if (!bytes)
        return fail(m, o->path, "the file cannot be read");
    const uint64_t hash = ct_content_hash(bytes, size_bytes);
    if (size_bytes == o->size_bytes && memcmp(bytes, o->bytes, size_bytes) == 0) {
        change(m, o->path, CT_IMPORT_ACTION_UNCHANGED);
    } else if (known && !o->is_foreign && (hash ? hash : 1) == known->hash) {
        ct_import_writes_add(&m->writes, o->path, o->bytes, o->size_bytes);
        change(m, o->path, CT_IMPORT_ACTION_UPDATED);
    } else if (o->is_fixed) {
        return fail(m, o->path,
                    "was changed by hand since the last import and differs from the model to "
                    "import; import the project's file, or remove it");
    } else {
        note(m, o->path, "was changed by hand and is kept");
        change(m, o->path, CT_IMPORT_ACTION_KEPT);
    }
    return true;
}

static bool update_source(import *m, const ct_import_output *o,
                          const ct_import_record_file *known) {
    uint64_t size_bytes = 0;
    ct_error error = {0};
    const char *const bytes = file_bytes(m, o->path, &size_bytes);
    if (!bytes)
        return fail(m, o->path, "the file cannot be read");
    ct_sjson_document *const doc =
        ct_sjson_document_parse(m->allocator, bytes, size_bytes, o->path, NULL, &error);
    const ct_sjson *const base = ct_import_record_source(m->allocator, &m->record, known);
    ct_string_array notes;
    ct_array_init(&notes, m->allocator);
    if (!doc || !base || !ct_import_merge(m->allocator, doc, base, o->source, &notes, &error))
        return fail_with(m, &error);
    ct_string_builder out;
    ct_string_builder_init(&out, m->allocator);
    ct_sjson_document_write(doc, &out);
    const char *const merged = ct_string_builder_text(&out);
    const bool is_same = out.length == size_bytes && memcmp(merged, bytes, size_bytes) == 0;
    if (!is_same)
        ct_import_writes_add(&m->writes, o->path, merged, out.length);
    for (uint32_t i = 0; i < notes.count; ++i)
        note(m, o->path, notes.items[i]);
    change(m, o->path,
           !is_same          ? CT_IMPORT_ACTION_UPDATED
           : notes.count > 0 ? CT_IMPORT_ACTION_KEPT
                             : CT_IMPORT_ACTION_UNCHANGED);
    return true;
}

static bool update(import *m, const ct_import_output *o) {
    const ct_import_record_file *known = ct_import_record_find(&m->record, o->key);
    const bool is_there_now = is_there(m, o->path);
    if (known && (known->hash != 0) != (o->bytes != NULL))
        known = NULL; // a damaged record: the file is a person's
    if (is_there_now && !known && !o->bytes)
        return fail(m, o->path, "already exists and is not from the last import");
    if (is_there_now)
        return o->bytes ? update_media(m, o, known) : update_source(m, o, known);
    if (known && !o->is_fixed) {
        note(m, o->path, "was removed by hand and is not restored");
        change(m, o->path, CT_IMPORT_ACTION_KEPT);
        return true;
    }
    create(m, o);
    return true;
}

// --- What the model no longer has ----------------------------------------------------------------

static bool is_as_written(const import *m, const ct_import_record_file *file) {
    uint64_t size_bytes = 0;
    const char *const bytes = file_bytes(m, file->path, &size_bytes);
    if (!bytes)
        return false;
    if (file->hash != 0) {
        const uint64_t hash = ct_content_hash(bytes, size_bytes);
        return (hash ? hash : 1) == file->hash;
    }
    ct_error error;
    const ct_sjson *const now =
        ct_sjson_parse(m->allocator, bytes, size_bytes, file->path, NULL, &error);
    return now && ct_import_is_same(now, ct_sjson_root(now), m->record.doc, file->wrote);
}

static void remove_vanished(import *m) {
    ct_hash_map wanted = {.allocator = m->allocator};
    for (uint32_t i = 0; i < m->sources.outputs.count; ++i)
        ct_hash_map_set(&wanted, ct_string_id64_of(m->sources.outputs.items[i].key).value, 1);
    for (uint32_t i = 0; i < m->record.files.count; ++i) {
        const ct_import_record_file *const file = &m->record.files.items[i];
        const bool is_wanted = ct_hash_map_find(&wanted, ct_string_id64_of(file->key).value);
        if (is_wanted || file->is_foreign || is_taken(m, file->path) || !is_there(m, file->path))
            continue;
        // A model that is imported from where it lies is not the import's to remove.
        if (m->sources.is_in_place && strncmp(file->key, "file ", 5) == 0)
            continue;
        if (is_as_written(m, file)) {
            ct_import_writes_remove(&m->writes, file->path);
            change(m, file->path, CT_IMPORT_ACTION_REMOVED);
        } else {
            note(m, file->path, "is no longer in the model, but was changed by hand and is kept");
            change(m, file->path, CT_IMPORT_ACTION_KEPT);
        }
    }
}

// --- The run -------------------------------------------------------------------------------------

// Sets the project path of the model when it lies in the project, under a path that sources can
// name.
static const char *path_in_project(import *m, const char *model) {
    char real[CT_PATH_BYTES];
    const size_t length = strlen(m->project);
    if (!ct_os_absolute_path(model, real, NULL) || strncmp(real, m->project, length) != 0 ||
        real[length] != '/' || !ct_path_is_canonical(real + length + 1))
        return NULL;
    return text(m, "%s%s", real + length + 1, "");
}

// The valid name of the model, without its extension.
static const char *model_name(import *m) {
    char name[CT_PATH_BYTES];
    snprintf(name, sizeof(name), "%s", ct_path_file_name(m->desc->model));
    char *const dot = strrchr(name, '.');
    if (dot)
        *dot = 0;
    return ct_import_valid_name(m->allocator, name, "model");
}

static bool check_folder(import *m) {
    const char *const folder = m->desc->folder;
    ct_error error = {0};
    if (!ct_os_absolute_path(m->desc->project_folder, m->project, &error))
        return fail_with(m, &error);
    if (strlen(m->project) > MAX_PROJECT_BYTES) {
        ct_error_set_at(&error, m->project, 0, 0,
                        "the project path has %zu bytes; import supports at most %d",
                        strlen(m->project), (int)MAX_PROJECT_BYTES);
        return fail_with(m, &error);
    }
    if (*folder && (!ct_path_is_canonical(folder) || strlen(folder) > MAX_FOLDER_BYTES / 2))
        return fail(
            m, folder,
            "is not a project folder; expected parts of a-z, 0-9, _, - and . separated by /");
    return strcmp(folder, "core") != 0 && strncmp(folder, "core/", 5) != 0
               ? true
               : fail(m, folder, "belongs to the engine; expected a folder of the project");
}

// Takes back what an import of the model that was killed has left behind.
static bool prepare_writes(import *m, const char *name) {
    ct_error error = {0};
    m->record_path = path_in_folder(m, name, "import");
    return (ct_import_writes_init(&m->writes, m->allocator, m->project, m->record_path, &error) &&
            (m->desc->is_dry_run || ct_import_writes_recover(&m->writes, &error))) ||
           fail_with(m, &error);
}

static bool read_record(import *m) {
    char place[CT_PATH_BYTES];
    ct_error error = {0};
    if (!absolute(m, m->record_path, place))
        return fail(m, m->record_path, "the path is too long");
    return ct_import_record_read(m->allocator, place, m->record_path, &m->record, &error) ||
           fail_with(m, &error);
}

// What was given now, or before.
static ct_import_space space_of(const import *m) {
    const ct_import_space *now = &m->desc->space, *before = &m->record.space;
    return (ct_import_space){.up_axis = now->up_axis ? now->up_axis : before->up_axis,
                             .scale = now->scale > 0 ? now->scale : before->scale};
}

// The skeleton that was given now, or before; NULL for the model's own.
static const char *skeleton_of(const import *m) {
    static const char extension[] = ".skeleton";
    const char *const given = m->desc->skeleton ? m->desc->skeleton : m->record.skeleton;
    if (!given || !*given)
        return NULL;
    char *const name = ct_copy_string(m->allocator, given);
    const size_t length = strlen(name), end = sizeof(extension) - 1;
    if (length > end && strcmp(name + length - end, extension) == 0)
        name[length - end] = 0;
    return name;
}

// Checks that clips fit to the skeleton that they are for.
static bool check_skeleton(import *m) {
    if (!m->sources.skeleton)
        return true;
    char place[CT_PATH_BYTES];
    ct_error error = {0};
    const char *const path = text(m, "%s%s", m->sources.skeleton, ".skeleton");
    if (!ct_path_is_canonical(path))
        return fail(m, m->sources.skeleton,
                    "is no name of a skeleton; expected one of the project, such as "
                    "characters/fox");
    if (!is_there(m, path) || !absolute(m, path, place))
        return fail(m, path, "does not exist; expected a skeleton of the project for --skeleton");
    const ct_sjson *const doc = ct_sjson_read(m->allocator, place, path, &error);
    if (!doc)
        return fail_with(m, &error);
    return ct_import_character_check(&m->sources, doc, path, &error) ||
           fail(m, m->desc->model, error.message);
}

// Parts of a mesh beyond those that can have a material would be drawn without.
static bool check_materials(import *m) {
    for (uint32_t i = 0; i < m->model.num_nodes; ++i) {
        const ct_import_node *const n = &m->model.nodes[i];
        if (n->num_parts <= CT_MESH_MAX_MATERIALS)
            continue;
        ct_error error = {0};
        ct_error_set_at(&error, m->desc->model, 0, 0,
                        "node \"%.200s\" has %u materials; a mesh can have at most %d: join "
                        "materials, or split the node",
                        n->key, n->num_parts, CT_MESH_MAX_MATERIALS);
        return fail_with(m, &error);
    }
    return true;
}

static bool plan(import *m) {
    if (!place_all(m))
        return false;
    ct_import_sources_write(&m->sources);
    for (uint32_t i = 0; i < m->sources.outputs.count; ++i) {
        if (!update(m, &m->sources.outputs.items[i]))
            return false;
    }
    remove_vanished(m);
    ct_string_builder out;
    ct_string_builder_init(&out, m->allocator);
    ct_import_record_write(&m->sources, &out);
    uint64_t size_bytes = 0;
    const char *const bytes = file_bytes(m, m->record_path, &size_bytes);
    if (!bytes || size_bytes != out.length || memcmp(bytes, out.text, size_bytes) != 0)
        ct_import_writes_add(&m->writes, m->record_path, out.text, out.length);
    return true;
}

static void take_texts(import *m) {
    for (uint32_t i = 0; i < m->model.num_warnings; ++i)
        ct_array_push(&m->report->warnings, (char *)(uintptr_t)m->model.warnings[i]);
    for (uint32_t i = 0; i < m->sources.warnings.count; ++i)
        ct_array_push(&m->report->warnings, m->sources.warnings.items[i]);
    for (uint32_t i = 0; i < m->model.num_uses && !m->sources.skeleton; ++i)
        ct_array_push(&m->report->uses, (char *)(uintptr_t)m->model.uses[i]);
}

bool ct_import_run(ct_allocator *a, const ct_import_desc *desc, ct_import_report *report) {
    *report = (ct_import_report){0};
    ct_array_init(&report->changes, a);
    ct_array_init(&report->notes, a);
    ct_array_init(&report->warnings, a);
    ct_array_init(&report->uses, a);
    ct_array_init(&report->errors, a);
    import *m = CT_NEW(a, import);
    *m = (import){.allocator = a, .desc = desc, .report = report, .taken = {.allocator = a}};
    const char *const name = model_name(m);
    if (!check_folder(m) || !prepare_writes(m, name) || !read_record(m))
        return false;
    const ct_import_space space = space_of(m);
    const char *const path = path_in_project(m, desc->model);
    const ct_import_known_images known = ct_import_images_known(a, &m->record);
    const ct_import_question question = {.worker_path = desc->worker_path,
                                         .model = desc->model,
                                         .project = path ? m->project : NULL,
                                         .path = path,
                                         .space = space,
                                         .known = &known};
    if (!ct_import_model_ask(a, &question, &m->model, &report->errors) || !check_materials(m))
        return false;
    if (path)
        ct_import_images_match(a, &known, &m->model);
    ct_import_sources_list(a, &m->model, desc->folder, name, path, skeleton_of(m), &m->sources);
    m->sources.space = space;
    if (!check_skeleton(m) || !plan(m))
        return false;
    take_texts(m);
    ct_error error = {0};
    return desc->is_dry_run || ct_import_writes_run(&m->writes, &error) || fail_with(m, &error);
}
