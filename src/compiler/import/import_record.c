#include "compiler/import/import_record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/os/os.h"
#include "foundation/os/path.h"
#include "foundation/sjson/sjson_writer.h"
#include "foundation/string/string_id.h"
#include "resource/blob/content_hash.h"

// --- Reading -------------------------------------------------------------------------------------

static bool read_file(ct_import_record *r, ct_sjson_value v, ct_error *error) {
    const ct_sjson *const doc = r->doc;
    const char *const hash = ct_sjson_string(doc, ct_sjson_find(doc, v, "hash"), NULL);
    const ct_import_record_file file = {
        .key = ct_sjson_string(doc, ct_sjson_find(doc, v, "key"), NULL),
        .path = ct_sjson_string(doc, ct_sjson_find(doc, v, "path"), NULL),
        .hash = hash ? strtoull(hash, NULL, 16) : 0,
        .wrote = ct_sjson_find(doc, v, "wrote"),
        .is_foreign = ct_sjson_bool(doc, ct_sjson_find(doc, v, "foreign"), false),
    };
    const bool is_source = ct_sjson_type_of(doc, file.wrote) == CT_SJSON_TYPE_OBJECT;
    if (!file.key || !file.path || !ct_path_is_canonical(file.path) ||
        is_source == (file.hash != 0))
        return ct_sjson_error(doc, v, error,
                              "expected key, a project path and either hash or wrote, as an import "
                              "writes them; restore the record from version control");
    ct_array_push(&r->files, file);
    ct_hash_map_set(&r->by_key, ct_string_id64_of(file.key).value, r->files.count);
    return true;
}

static bool read_space(ct_import_record *r, ct_error *error) {
    const ct_sjson *const doc = r->doc;
    const ct_sjson_value root = ct_sjson_root(doc), up = ct_sjson_find(doc, root, "up_axis"),
                         scale = ct_sjson_find(doc, root, "scale");
    r->space.up_axis = ct_sjson_string(doc, up, NULL);
    r->space.scale = ct_sjson_number(doc, scale, 0);
    const char *const axis = r->space.up_axis ? r->space.up_axis : "";
    if (up.entry && strcmp(axis, "file") != 0 && strcmp(axis, "y") != 0 && strcmp(axis, "z") != 0)
        return ct_sjson_error(doc, up, error, "expected up_axis to be \"file\", \"y\" or \"z\"");
    if (scale.entry &&
        !(r->space.scale >= CT_IMPORT_LEAST_SCALE && r->space.scale <= CT_IMPORT_MOST_SCALE))
        return ct_sjson_error(doc, scale, error, "expected scale to be a number from %g to %g",
                              CT_IMPORT_LEAST_SCALE, CT_IMPORT_MOST_SCALE);
    return true;
}

bool ct_import_record_read(ct_allocator *a, const char *path, const char *name,
                           ct_import_record *record, ct_error *error) {
    *record = (ct_import_record){.by_key = {.allocator = a}};
    ct_array_init(&record->files, a);
    if (ct_os_file_info(path).kind == CT_FILE_KIND_NONE)
        return true;
    const ct_sjson *const doc = record->doc = ct_sjson_read(a, path, name, error);
    if (!doc)
        return false;
    const ct_sjson_value root = ct_sjson_root(doc), version = ct_sjson_find(doc, root, "version");
    if (ct_sjson_number(doc, version, 0) != CT_IMPORT_RECORD_VERSION)
        return ct_sjson_error(doc, version.entry ? version : root, error,
                              "expected version = %d, the one this import reads",
                              CT_IMPORT_RECORD_VERSION);
    if (!read_space(record, error))
        return false;
    const char *const model = ct_sjson_string(doc, ct_sjson_find(doc, root, "model"), NULL);
    record->skeleton = ct_sjson_string(doc, ct_sjson_find(doc, root, "skeleton"), NULL);
    record->id_space = ct_sjson_string(doc, ct_sjson_find(doc, root, "id_space"), model);
    const ct_sjson_value files = ct_sjson_find(doc, root, "files");
    for (ct_sjson_value v = ct_sjson_first(doc, files); v.entry; v = ct_sjson_next(doc, v)) {
        if (!read_file(record, v, error))
            return false;
    }
    return true;
}

const ct_import_record_file *ct_import_record_find(const ct_import_record *record,
                                                   const char *key) {
    const uint64_t at = ct_hash_map_get(&record->by_key, ct_string_id64_of(key).value, 0);
    return at ? &record->files.items[at - 1] : NULL;
}

const ct_sjson *ct_import_record_source(ct_allocator *a, const ct_import_record *record,
                                        const ct_import_record_file *file) {
    ct_string_builder text;
    ct_sjson_writer w;
    ct_error error;
    ct_string_builder_init(&text, a);
    ct_sjson_writer_init(&w, &text, CT_SJSON_STYLE_JSON);
    ct_sjson_write_value(&w, record->doc, file->wrote);
    return ct_sjson_parse(a, text.text, text.length, file->path, NULL, &error);
}

// --- Writing -------------------------------------------------------------------------------------

static void write_output(ct_sjson_writer *w, const ct_import_output *o) {
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "key", o->key);
    ct_sjson_member_string(w, "path", o->path);
    if (o->bytes) {
        char hash[20];
        const uint64_t value = ct_content_hash(o->bytes, o->size_bytes);
        snprintf(hash, sizeof(hash), "%016" PRIx64, value ? value : 1);
        ct_sjson_member_string(w, "hash", hash);
        if (o->is_foreign)
            ct_sjson_member_bool(w, "foreign", true);
    } else {
        ct_sjson_write_key(w, "wrote");
        ct_sjson_write_value(w, o->source, ct_sjson_root(o->source));
    }
    ct_sjson_end_object(w);
}

void ct_import_record_write(const ct_import_sources *sources, ct_string_builder *out) {
    const ct_import_output_array *const outputs = &sources->outputs;
    ct_string_builder_add(out, "// What the last `cuttle import` of this model wrote: by it the "
                               "next one knows what a person has\n// changed since. Keep it with "
                               "the sources.\n");
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, out, CT_SJSON_STYLE_SJSON);
    ct_sjson_begin_object(&w);
    ct_sjson_member_number(&w, "version", CT_IMPORT_RECORD_VERSION);
    ct_sjson_member_string(&w, "model", sources->model_path);
    ct_sjson_member_string(&w, "id_space", sources->id_space);
    if (sources->space.up_axis)
        ct_sjson_member_string(&w, "up_axis", sources->space.up_axis);
    if (sources->space.scale > 0)
        ct_sjson_member_number(&w, "scale", sources->space.scale);
    if (sources->skeleton)
        ct_sjson_member_string(&w, "skeleton", sources->skeleton);
    ct_sjson_write_key(&w, "files");
    ct_sjson_begin_array(&w);
    for (uint32_t i = 0; i < outputs->count; ++i) {
        // By their paths the next import finds images that have moved.
        if (!outputs->items[i].is_foreign || !outputs->items[i].is_fixed)
            write_output(&w, &outputs->items[i]);
    }
    ct_sjson_end_array(&w);
    ct_sjson_end_object(&w);
}
