#include "compiler/protocol/compiler_protocol.h"
#include "foundation/error.h"
#include "foundation/os/path.h"
#include "foundation/sjson/sjson_writer.h"
#include "resource/resource_variant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Writing -------------------------------------------------------------------------------------

// A JSON number cannot hold 64 bits.
static void write_hash(ct_sjson_writer *w, const char *key, uint64_t hash) {
    char text[20];
    if (hash == 0)
        return;
    snprintf(text, sizeof(text), "%016llx", (unsigned long long)hash);
    ct_sjson_member_string(w, key, text);
}

static void write_output(ct_sjson_writer *w, const ct_compile_output *output) {
    if (output->data)
        ct_sjson_member_string(w, "data", output->data);
    if (output->stream)
        ct_sjson_member_string(w, "stream", output->stream);
    write_hash(w, "data_hash", output->data_hash);
    write_hash(w, "stream_hash", output->stream_hash);
}

static bool is_name_of_path(const char *name, const char *path) {
    const uint32_t length = ct_data_name_base_length(path);
    return strncmp(name, path, length) == 0 && name[length] == 0;
}

static void write_images(ct_sjson_writer *w, const ct_compile_request *request) {
    if (request->num_images == 0)
        return;
    ct_sjson_write_key(w, "images");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < request->num_images; ++i) {
        ct_sjson_write_string(w, request->images[i].key);
        ct_sjson_write_string(w, request->images[i].path);
    }
    ct_sjson_end_array(w);
}

static void write_font(ct_sjson_writer *w, const ct_compile_distance_font *font) {
    if (!font)
        return;
    ct_sjson_write_key(w, "font");
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "output", font->output);
    if (font->format)
        ct_sjson_member_string(w, "format", font->format);
    ct_sjson_member_string(w, "page_format", font->page_format);
    ct_sjson_member_number(w, "scale", font->scale);
    ct_sjson_member_number(w, "spread", font->spread);
    ct_sjson_end_object(w);
}

static void write_resource(ct_sjson_writer *w, const ct_compile_request *request) {
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "path", request->path);
    if (strcmp(request->type, ct_path_extension(request->path)) != 0)
        ct_sjson_member_string(w, "type", request->type);
    if (!is_name_of_path(request->name, request->path))
        ct_sjson_member_string(w, "name", request->name);
    if (request->num_properties > 0) {
        ct_sjson_write_key(w, "properties");
        ct_sjson_begin_array(w);
        for (uint32_t i = 0; i < request->num_properties; ++i)
            ct_sjson_write_string(w, request->properties[i]);
        ct_sjson_end_array(w);
    }
    if (request->up_axis)
        ct_sjson_member_string(w, "up_axis", request->up_axis);
    if (request->scale > 0)
        ct_sjson_member_number(w, "scale", request->scale);
    write_images(w, request);
    write_font(w, request->font);
    if (request->output.folder)
        write_output(w, &request->output);
    ct_sjson_end_object(w);
}

static void write_listing(ct_sjson_writer *w, const ct_compile_request *request) {
    if (request->num_listed == 0)
        return;
    ct_sjson_write_key(w, "listing");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < request->num_listed; ++i) {
        ct_sjson_write_string(w, request->listing[i].type);
        ct_sjson_write_string(w, request->listing[i].name);
    }
    ct_sjson_end_array(w);
}

static void write_plugins(ct_sjson_writer *w, const ct_compile_request *request) {
    if (request->num_plugins == 0)
        return;
    ct_sjson_write_key(w, "plugins");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < request->num_plugins; ++i) {
        ct_sjson_write_string(w, request->plugins[i].name);
        ct_sjson_write_string(w, request->plugins[i].library);
    }
    ct_sjson_end_array(w);
}

void ct_compile_request_write(const ct_compile_request *requests, uint32_t count,
                              ct_byte_array *out) {
    ct_string_builder text;
    ct_string_builder_init(&text, out->allocator);
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, &text, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_member_string(&w, "project", requests[0].project_folder);
    if (requests[0].core_folder)
        ct_sjson_member_string(&w, "core", requests[0].core_folder);
    ct_sjson_member_string(&w, "platform", requests[0].platform);
    if (requests[0].source_platform)
        ct_sjson_member_string(&w, "source_platform", requests[0].source_platform);
    if (requests[0].output.folder)
        ct_sjson_member_string(&w, "folder", requests[0].output.folder);
    write_listing(&w, &requests[0]);
    write_plugins(&w, &requests[0]);
    ct_sjson_write_key(&w, "resources");
    ct_sjson_begin_array(&w);
    for (uint32_t i = 0; i < count; ++i)
        write_resource(&w, &requests[i]);
    ct_sjson_end_array(&w);
    ct_sjson_end_object(&w);
    ct_message_write(out, ct_string_builder_text(&text), text.length, NULL, 0);
    ct_string_builder_free(&text);
}

// --- Reading -------------------------------------------------------------------------------------

// Reads text members; `complete` turns false when one that is needed is missing.
typedef struct member_reader {
    const ct_sjson *doc;
    bool complete;
} member_reader;

static const char *text_of(member_reader *r, ct_sjson_value object, const char *key) {
    const ct_sjson_value v = ct_sjson_find(r->doc, object, key);
    if (ct_sjson_type_of(r->doc, v) != CT_SJSON_TYPE_STRING)
        r->complete = false;
    return ct_sjson_string(r->doc, v, "");
}

// NULL when it is not there.
static const char *optional_text(const member_reader *r, ct_sjson_value object, const char *key) {
    return ct_sjson_string(r->doc, ct_sjson_find(r->doc, object, key), NULL);
}

static uint64_t hash_of(const member_reader *r, ct_sjson_value object, const char *key) {
    return strtoull(ct_sjson_string(r->doc, ct_sjson_find(r->doc, object, key), "0"), NULL, 16);
}

static void read_listing(ct_allocator *a, const ct_sjson *doc, ct_sjson_value list,
                         ct_compile_request *request) {
    const uint32_t count = ct_sjson_count(doc, list) / 2;
    ct_compile_listed *listing = CT_NEW_ARRAY(a, ct_compile_listed, count);
    ct_sjson_value v = ct_sjson_first(doc, list);
    for (uint32_t i = 0; i < count; ++i) {
        listing[i].type = ct_sjson_string(doc, v, "");
        v = ct_sjson_next(doc, v);
        listing[i].name = ct_sjson_string(doc, v, "");
        v = ct_sjson_next(doc, v);
    }
    request->listing = listing;
    request->num_listed = count;
}

static void read_plugins(ct_allocator *a, const ct_sjson *doc, ct_sjson_value list,
                         ct_compile_request *request) {
    const uint32_t count = ct_sjson_count(doc, list) / 2;
    ct_compile_plugin *const plugins = CT_NEW_ARRAY(a, ct_compile_plugin, count);
    ct_sjson_value v = ct_sjson_first(doc, list);
    for (uint32_t i = 0; i < count; ++i) {
        plugins[i].name = ct_sjson_string(doc, v, "");
        v = ct_sjson_next(doc, v);
        plugins[i].library = ct_sjson_string(doc, v, "");
        v = ct_sjson_next(doc, v);
    }
    request->plugins = plugins;
    request->num_plugins = count;
}

static void read_images(ct_allocator *a, const ct_sjson *doc, ct_sjson_value list,
                        ct_compile_request *request) {
    const uint32_t count = ct_sjson_count(doc, list) / 2;
    ct_compile_image *const images = CT_NEW_ARRAY(a, ct_compile_image, count);
    ct_sjson_value v = ct_sjson_first(doc, list);
    for (uint32_t i = 0; i < count; ++i) {
        images[i].key = ct_sjson_string(doc, v, "");
        v = ct_sjson_next(doc, v);
        images[i].path = ct_sjson_string(doc, v, "");
        v = ct_sjson_next(doc, v);
    }
    request->images = images;
    request->num_images = count;
}

static void read_properties(ct_allocator *a, const ct_sjson *doc, ct_sjson_value list,
                            ct_compile_request *request) {
    const uint32_t count = ct_sjson_count(doc, list);
    const char **const properties = CT_NEW_ARRAY(a, const char *, count);
    ct_sjson_value v = ct_sjson_first(doc, list);
    for (uint32_t i = 0; i < count; ++i, v = ct_sjson_next(doc, v))
        properties[i] = ct_sjson_string(doc, v, "");
    request->properties = properties;
    request->num_properties = count;
}

// The name of a resource, which says it where its path does not.
static const char *name_of(member_reader *r, ct_allocator *a, ct_sjson_value object,
                           const char *path) {
    const ct_sjson_value v = ct_sjson_find(r->doc, object, "name");
    const uint32_t length = ct_data_name_base_length(path);
    char *name = NULL;
    if (v.entry)
        return text_of(r, object, "name");
    name = ct_alloc(a, length + 1);
    memcpy(name, path, length);
    name[length] = 0;
    return name;
}

// The id that the files of a resource are named after.
static ct_resource_id data_id_of(const ct_compile_request *request) {
    char name[CT_PATH_BYTES];
    int length = snprintf(name, sizeof(name), "%s", request->name);
    for (uint32_t i = 0; i < request->num_properties && length < (int)sizeof(name); ++i)
        length +=
            snprintf(name + length, sizeof(name) - (size_t)length, ".%s", request->properties[i]);
    return ct_resource_id_of(request->type, name);
}

static void name_outputs(ct_allocator *a, ct_compile_request *request) {
    const ct_resource_id id = data_id_of(request);
    char *const data = ct_alloc(a, CT_RESOURCE_FILE_NAME_BYTES);
    char *const stream = ct_alloc(a, CT_RESOURCE_FILE_NAME_BYTES);
    ct_resource_file_name(id, data);
    ct_resource_stream_name(id, stream);
    request->output.data = request->output.former = data;
    request->output.stream = stream;
}

// The name of a file right in the folder of outputs; `otherwise` where none is given.
static const char *output_name(member_reader *r, ct_sjson_value object, const char *key,
                               const char *otherwise) {
    if (!ct_sjson_find(r->doc, object, key).entry)
        return otherwise;
    const char *const name = text_of(r, object, key);
    if (name[0] == 0 || strchr(name, '/') || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        r->complete = false;
    return name;
}

static uint32_t count_of(member_reader *r, ct_sjson_value object, const char *key) {
    const double number = ct_sjson_number(r->doc, ct_sjson_find(r->doc, object, key), 0);
    if (!(number >= 1 && number <= UINT16_MAX))
        r->complete = false;
    return number >= 1 && number <= UINT16_MAX ? (uint32_t)number : 1;
}

static const ct_compile_distance_font *read_font(member_reader *r, ct_allocator *a,
                                                 ct_sjson_value object) {
    if (!object.entry)
        return NULL;
    ct_compile_distance_font *const font = CT_NEW(a, ct_compile_distance_font);
    font->output = text_of(r, object, "output");
    font->format = optional_text(r, object, "format");
    font->page_format = text_of(r, object, "page_format");
    font->scale = count_of(r, object, "scale");
    font->spread = count_of(r, object, "spread");
    return font;
}

// Sets what is of one resource; the rest is that of the whole message.
static void read_resource(member_reader *r, ct_allocator *a, ct_sjson_value object,
                          ct_compile_request *request) {
    request->path = text_of(r, object, "path");
    request->type = ct_sjson_find(r->doc, object, "type").entry ? text_of(r, object, "type")
                                                                : ct_path_extension(request->path);
    request->name = name_of(r, a, object, request->path);
    request->up_axis = optional_text(r, object, "up_axis");
    request->scale = ct_sjson_number(r->doc, ct_sjson_find(r->doc, object, "scale"), 0);
    read_properties(a, r->doc, ct_sjson_find(r->doc, object, "properties"), request);
    read_images(a, r->doc, ct_sjson_find(r->doc, object, "images"), request);
    request->font = read_font(r, a, ct_sjson_find(r->doc, object, "font"));
    if (!request->output.folder)
        return;
    name_outputs(a, request);
    request->output.data = output_name(r, object, "data", request->output.data);
    request->output.stream = output_name(r, object, "stream", request->output.stream);
    request->output.data_hash = hash_of(r, object, "data_hash");
    request->output.stream_hash = hash_of(r, object, "stream_hash");
}

const ct_compile_request *ct_compile_request_read(ct_allocator *a, const ct_message *message,
                                                  uint32_t *count, ct_error *error) {
    const ct_sjson *const doc =
        ct_sjson_parse(a, message->json, message->json_bytes, "request", NULL, error);
    if (!doc)
        return NULL;
    const ct_sjson_value root = ct_sjson_root(doc);
    member_reader r = {.doc = doc, .complete = true};
    ct_compile_request common = {
        .project_folder = text_of(&r, root, "project"),
        .core_folder = optional_text(&r, root, "core"),
        .platform = text_of(&r, root, "platform"),
        .source_platform = optional_text(&r, root, "source_platform"),
        .output.folder = optional_text(&r, root, "folder"),
    };
    read_listing(a, doc, ct_sjson_find(doc, root, "listing"), &common);
    read_plugins(a, doc, ct_sjson_find(doc, root, "plugins"), &common);
    const ct_sjson_value list = ct_sjson_find(doc, root, "resources");
    *count = ct_sjson_type_of(doc, list) == CT_SJSON_TYPE_ARRAY ? ct_sjson_count(doc, list) : 0;
    ct_compile_request *requests = CT_NEW_ARRAY(a, ct_compile_request, *count);
    ct_sjson_value v = ct_sjson_first(doc, list);
    for (uint32_t i = 0; i < *count; ++i, v = ct_sjson_next(doc, v)) {
        requests[i] = common;
        read_resource(&r, a, v, &requests[i]);
    }
    if (r.complete && *count > 0)
        return requests;
    ct_error_set(error, "a request needs project, platform and resources with paths (with a "
                        "folder, data and stream are file names in it)");
    return NULL;
}
