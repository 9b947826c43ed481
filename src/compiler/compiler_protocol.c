#include "compiler/compiler_protocol.h"
#include "foundation/error.h"
#include "foundation/sjson_writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Answers -------------------------------------------------------------------------------------

void ct_compile_answer_init(ct_compile_answer *answer, ct_allocator *a) {
    *answer = (ct_compile_answer){.allocator = a};
    ct_array_init(&answer->includes, a);
    ct_array_init(&answer->references, a);
    ct_array_init(&answer->errors, a);
    ct_array_init(&answer->warnings, a);
    ct_array_init(&answer->blob, a);
    ct_array_init(&answer->stream, a);
}

static void free_fault(ct_allocator *a, const ct_compile_fault *fault) {
    ct_free(a, (char *)(uintptr_t)fault->file);
    ct_free(a, (char *)(uintptr_t)fault->message);
}

void ct_compile_answer_free(ct_compile_answer *answer) {
    ct_allocator *a = answer->allocator;
    for (uint32_t i = 0; i < answer->includes.count; ++i)
        ct_free(a, (char *)(uintptr_t)answer->includes.items[i].path);
    for (uint32_t i = 0; i < answer->references.count; ++i) {
        const ct_compile_referred *r = &answer->references.items[i];
        ct_free(a, (char *)(uintptr_t)r->type);
        ct_free(a, (char *)(uintptr_t)r->name);
        ct_free(a, (char *)(uintptr_t)r->file);
    }
    for (uint32_t i = 0; i < answer->errors.count; ++i)
        free_fault(a, &answer->errors.items[i]);
    for (uint32_t i = 0; i < answer->warnings.count; ++i)
        free_fault(a, &answer->warnings.items[i]);
    ct_array_free(&answer->includes);
    ct_array_free(&answer->references);
    ct_array_free(&answer->errors);
    ct_array_free(&answer->warnings);
    ct_array_free(&answer->blob);
    ct_array_free(&answer->stream);
}

// The number of bytes of the valid UTF-8 character at `s`, or 0. Control characters other than tab
// and line end count as invalid: no message needs them.
static uint32_t character_bytes(const unsigned char *s) {
    if (s[0] < 0x80)
        return s[0] >= 0x20 || s[0] == '\t' || s[0] == '\n';
    const uint32_t count = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4)
        return 0;
    for (uint32_t i = 1; i < count; ++i)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    const bool is_overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    const bool is_surrogate = s[0] == 0xed && s[1] >= 0xa0;
    const bool is_too_big = s[0] == 0xf4 && s[1] >= 0x90;
    return is_overlong || is_surrogate || is_too_big ? 0 : count;
}

static char *copy_as_utf8(ct_allocator *a, const char *text) {
    char *copy = ct_copy_string(a, text);
    unsigned char *s = (unsigned char *)copy;
    while (*s) {
        const uint32_t count = character_bytes(s);
        if (count == 0)
            *s = '?';
        s += count ? count : 1;
    }
    return copy;
}

void ct_compile_answer_include(ct_compile_answer *answer, const char *path, uint64_t content_hash) {
    ct_array_push(&answer->includes,
                  (ct_compile_include){.path = copy_as_utf8(answer->allocator, path),
                                       .content_hash = content_hash});
}

void ct_compile_answer_reference(ct_compile_answer *answer, const ct_compile_referred *reference) {
    ct_allocator *a = answer->allocator;
    ct_array_push(&answer->references, (ct_compile_referred){
                                           .type = copy_as_utf8(a, reference->type),
                                           .name = copy_as_utf8(a, reference->name),
                                           .file = copy_as_utf8(a, reference->file),
                                           .line = reference->line,
                                           .column = reference->column,
                                       });
}

static ct_compile_fault copy_fault(ct_allocator *a, const ct_compile_fault *fault) {
    return (ct_compile_fault){
        .file = copy_as_utf8(a, fault->file),
        .line = fault->line,
        .column = fault->column,
        .message = copy_as_utf8(a, fault->message),
    };
}

void ct_compile_answer_error(ct_compile_answer *answer, const ct_compile_fault *fault) {
    ct_array_push(&answer->errors, copy_fault(answer->allocator, fault));
}

void ct_compile_answer_warning(ct_compile_answer *answer, const ct_compile_fault *fault) {
    ct_array_push(&answer->warnings, copy_fault(answer->allocator, fault));
}

void ct_compile_answer_limit(ct_compile_answer *answer, const char *path, uint32_t max_bytes) {
    const uint64_t bytes = (uint64_t)answer->blob.count + answer->stream.count;
    if (bytes <= max_bytes)
        return;
    char message[96];
    snprintf(message, sizeof(message), "makes %" PRIu64 " bytes of data; at most %u are taken",
             bytes, max_bytes);
    ct_array_free(&answer->blob);
    ct_array_free(&answer->stream);
    ct_compile_answer_error(answer, &(ct_compile_fault){.file = path, .message = message});
}

// --- Writing -------------------------------------------------------------------------------------

void ct_compile_request_write(const ct_compile_request *request, ct_byte_array *out) {
    ct_string_builder text;
    ct_string_builder_init(&text, out->allocator);
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, &text, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_member_string(&w, "type", request->type);
    ct_sjson_member_string(&w, "name", request->name);
    ct_sjson_member_string(&w, "path", request->path);
    ct_sjson_member_string(&w, "project", request->project_folder);
    if (request->core_folder)
        ct_sjson_member_string(&w, "core", request->core_folder);
    ct_sjson_member_string(&w, "platform", request->platform);
    if (request->source_platform)
        ct_sjson_member_string(&w, "source_platform", request->source_platform);
    if (request->num_properties > 0) {
        ct_sjson_write_key(&w, "properties");
        ct_sjson_begin_array(&w);
        for (uint32_t i = 0; i < request->num_properties; ++i)
            ct_sjson_write_string(&w, request->properties[i]);
        ct_sjson_end_array(&w);
    }
    if (request->up_axis)
        ct_sjson_member_string(&w, "up_axis", request->up_axis);
    if (request->scale > 0)
        ct_sjson_member_number(&w, "scale", request->scale);
    if (request->num_listed > 0) {
        ct_sjson_write_key(&w, "listing");
        ct_sjson_begin_array(&w);
        for (uint32_t i = 0; i < request->num_listed; ++i) {
            ct_sjson_write_string(&w, request->listing[i].type);
            ct_sjson_write_string(&w, request->listing[i].name);
        }
        ct_sjson_end_array(&w);
    }
    ct_sjson_end_object(&w);
    ct_message_write(out, ct_string_builder_text(&text), text.length, NULL, 0);
    ct_string_builder_free(&text);
}

static void write_include(ct_sjson_writer *w, const ct_compile_include *include) {
    char hash[20];
    snprintf(hash, sizeof(hash), "%016llx", (unsigned long long)include->content_hash);
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "path", include->path);
    ct_sjson_member_string(w, "hash", hash);
    ct_sjson_end_object(w);
}

static void write_place(ct_sjson_writer *w, const char *file, uint32_t line, uint32_t column) {
    ct_sjson_member_string(w, "file", file);
    ct_sjson_member_number(w, "line", line);
    ct_sjson_member_number(w, "column", column);
}

static void write_reference(ct_sjson_writer *w, const ct_compile_referred *reference) {
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "type", reference->type);
    ct_sjson_member_string(w, "name", reference->name);
    write_place(w, reference->file, reference->line, reference->column);
    ct_sjson_end_object(w);
}

static void write_fault(ct_sjson_writer *w, const ct_compile_fault *fault) {
    ct_sjson_begin_object(w);
    write_place(w, fault->file, fault->line, fault->column);
    ct_sjson_member_string(w, "message", fault->message);
    ct_sjson_end_object(w);
}

// Left out when there are none, as of most.
static void write_warnings(ct_sjson_writer *w, const ct_compile_answer *answer) {
    if (answer->warnings.count == 0)
        return;
    ct_sjson_write_key(w, "warnings");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < answer->warnings.count; ++i)
        write_fault(w, &answer->warnings.items[i]);
    ct_sjson_end_array(w);
}

void ct_compile_answer_write(const ct_compile_answer *answer, ct_byte_array *out) {
    ct_string_builder text;
    ct_string_builder_init(&text, out->allocator);
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, &text, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_write_key(&w, "includes");
    ct_sjson_begin_array(&w);
    for (uint32_t i = 0; i < answer->includes.count; ++i)
        write_include(&w, &answer->includes.items[i]);
    ct_sjson_end_array(&w);
    ct_sjson_write_key(&w, "references");
    ct_sjson_begin_array(&w);
    for (uint32_t i = 0; i < answer->references.count; ++i)
        write_reference(&w, &answer->references.items[i]);
    ct_sjson_end_array(&w);
    ct_sjson_write_key(&w, "errors");
    ct_sjson_begin_array(&w);
    for (uint32_t i = 0; i < answer->errors.count; ++i)
        write_fault(&w, &answer->errors.items[i]);
    ct_sjson_end_array(&w);
    write_warnings(&w, answer);
    if (answer->stream.count > 0)
        ct_sjson_member_number(&w, "stream_size", answer->stream.count);
    const uint64_t binary_bytes = (uint64_t)answer->blob.count + answer->stream.count;
    if (binary_bytes > 0)
        ct_sjson_member_number(&w, "binary_size", (double)binary_bytes);
    ct_sjson_end_object(&w);
    ct_byte_array binary = answer->blob;
    if (answer->stream.count > 0) {
        ct_array_init(&binary, out->allocator);
        ct_array_reserve(&binary, (uint32_t)binary_bytes);
        ct_array_push_many(&binary, answer->blob.items, answer->blob.count);
        ct_array_push_many(&binary, answer->stream.items, answer->stream.count);
    }
    ct_message_write(out, ct_string_builder_text(&text), text.length, binary.items, binary.count);
    if (answer->stream.count > 0)
        ct_array_free(&binary);
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

static uint32_t number_of(member_reader *r, ct_sjson_value object, const char *key) {
    const double number = ct_sjson_number(r->doc, ct_sjson_find(r->doc, object, key), -1);
    if (!(number >= 0 && number <= UINT32_MAX)) {
        r->complete = false;
        return 0;
    }
    return (uint32_t)number;
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

static void read_properties(ct_allocator *a, const ct_sjson *doc, ct_sjson_value list,
                            ct_compile_request *request) {
    const uint32_t count = ct_sjson_count(doc, list);
    const char **properties = CT_NEW_ARRAY(a, const char *, count);
    ct_sjson_value v = ct_sjson_first(doc, list);
    for (uint32_t i = 0; i < count; ++i, v = ct_sjson_next(doc, v))
        properties[i] = ct_sjson_string(doc, v, "");
    request->properties = properties;
    request->num_properties = count;
}

bool ct_compile_request_read(ct_allocator *a, const ct_message *message,
                             ct_compile_request *request, ct_error *error) {
    const ct_sjson *doc =
        ct_sjson_parse(a, message->json, message->json_bytes, "request", NULL, error);
    if (!doc)
        return false;
    const ct_sjson_value root = ct_sjson_root(doc);
    member_reader r = {.doc = doc, .complete = true};
    *request = (ct_compile_request){
        .type = text_of(&r, root, "type"),
        .name = text_of(&r, root, "name"),
        .path = text_of(&r, root, "path"),
        .project_folder = text_of(&r, root, "project"),
        .core_folder = ct_sjson_string(doc, ct_sjson_find(doc, root, "core"), NULL),
        .platform = text_of(&r, root, "platform"),
        .source_platform = ct_sjson_string(doc, ct_sjson_find(doc, root, "source_platform"), NULL),
        .up_axis = ct_sjson_string(doc, ct_sjson_find(doc, root, "up_axis"), NULL),
        .scale = ct_sjson_number(doc, ct_sjson_find(doc, root, "scale"), 0),
    };
    read_listing(a, doc, ct_sjson_find(doc, root, "listing"), request);
    read_properties(a, doc, ct_sjson_find(doc, root, "properties"), request);
    if (!r.complete)
        return ct_error_set(error, "a request needs type, name, path, project and platform");
    return true;
}

static void read_includes(member_reader *r, ct_compile_answer *answer) {
    const ct_sjson_value list = ct_sjson_find(r->doc, ct_sjson_root(r->doc), "includes");
    for (ct_sjson_value v = ct_sjson_first(r->doc, list); v.entry; v = ct_sjson_next(r->doc, v))
        ct_compile_answer_include(answer, text_of(r, v, "path"),
                                  strtoull(text_of(r, v, "hash"), NULL, 16));
}

static void read_references(member_reader *r, ct_compile_answer *answer) {
    const ct_sjson_value list = ct_sjson_find(r->doc, ct_sjson_root(r->doc), "references");
    for (ct_sjson_value v = ct_sjson_first(r->doc, list); v.entry; v = ct_sjson_next(r->doc, v))
        ct_compile_answer_reference(answer,
                                    &(ct_compile_referred){.type = text_of(r, v, "type"),
                                                           .name = text_of(r, v, "name"),
                                                           .file = text_of(r, v, "file"),
                                                           .line = number_of(r, v, "line"),
                                                           .column = number_of(r, v, "column")});
}

// Adds the members of the list `key` by `add`.
static void read_faults(member_reader *r, const char *key, ct_compile_answer *answer,
                        void (*add)(ct_compile_answer *answer, const ct_compile_fault *fault)) {
    const ct_sjson_value list = ct_sjson_find(r->doc, ct_sjson_root(r->doc), key);
    for (ct_sjson_value v = ct_sjson_first(r->doc, list); v.entry; v = ct_sjson_next(r->doc, v))
        add(answer, &(ct_compile_fault){.file = text_of(r, v, "file"),
                                        .line = number_of(r, v, "line"),
                                        .column = number_of(r, v, "column"),
                                        .message = text_of(r, v, "message")});
}

// The binary is the blob, then the stream.
static void read_binary(member_reader *r, const ct_message *message, ct_compile_answer *answer) {
    const ct_sjson_value size = ct_sjson_find(r->doc, ct_sjson_root(r->doc), "stream_size");
    const uint32_t stream_bytes =
        size.entry ? number_of(r, ct_sjson_root(r->doc), "stream_size") : 0;
    if (stream_bytes > message->binary_bytes) {
        r->complete = false;
        return;
    }
    const uint32_t blob_bytes = (uint32_t)message->binary_bytes - stream_bytes;
    ct_array_push_many(&answer->blob, message->binary, blob_bytes);
    ct_array_push_many(&answer->stream, (const uint8_t *)message->binary + blob_bytes,
                       stream_bytes);
}

bool ct_compile_answer_read(ct_allocator *a, const ct_message *message, ct_compile_answer *answer,
                            ct_error *error) {
    ct_sjson *doc = ct_sjson_parse(a, message->json, message->json_bytes, "answer", NULL, error);
    if (!doc)
        return false;
    ct_compile_answer_init(answer, a);
    member_reader r = {.doc = doc, .complete = true};
    read_includes(&r, answer);
    read_references(&r, answer);
    read_faults(&r, "errors", answer, ct_compile_answer_error);
    read_faults(&r, "warnings", answer, ct_compile_answer_warning);
    read_binary(&r, message, answer);
    ct_sjson_free(doc);
    if (answer->includes.count == 0 || (answer->blob.count == 0) == (answer->errors.count == 0) ||
        (answer->blob.count == 0 && answer->stream.count > 0))
        r.complete = false;
    if (r.complete)
        return true;
    ct_compile_answer_free(answer);
    return ct_error_set(error, "an answer needs includes, and either errors or a blob");
}
