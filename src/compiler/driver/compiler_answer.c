#include "compiler/protocol/compiler_protocol.h"
#include "foundation/container/hash_map.h"
#include "foundation/error.h"
#include "resource/blob/content_hash.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// --- Filling -------------------------------------------------------------------------------------

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

static void free_strings(ct_compile_answer *answer) {
    ct_allocator *const a = answer->allocator;
    for (uint32_t i = 0; i < answer->includes.count; ++i)
        ct_free(a, (char *)(uintptr_t)answer->includes.items[i].path);
    for (uint32_t i = 0; i < answer->references.count; ++i) {
        const ct_compile_referred *const r = &answer->references.items[i];
        ct_free(a, (char *)(uintptr_t)r->type);
        ct_free(a, (char *)(uintptr_t)r->name);
        ct_free(a, (char *)(uintptr_t)r->file);
    }
    for (uint32_t i = 0; i < answer->errors.count; ++i)
        free_fault(a, &answer->errors.items[i]);
    for (uint32_t i = 0; i < answer->warnings.count; ++i)
        free_fault(a, &answer->warnings.items[i]);
    ct_free(a, answer->write_problem);
}

void ct_compile_answer_free(ct_compile_answer *answer) {
    if (answer->record)
        ct_free(answer->record_allocator, answer->record);
    else
        free_strings(answer);
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

// In place. Returns the text, which must be ours to change.
static char *make_utf8(const char *text) {
    unsigned char *s = (unsigned char *)(uintptr_t)text;
    while (*s) {
        const uint32_t count = character_bytes(s);
        if (count == 0)
            *s = '?';
        s += count ? count : 1;
    }
    return (char *)(uintptr_t)text;
}

static char *copy_as_utf8(ct_allocator *a, const char *text) {
    return make_utf8(ct_copy_string(a, text));
}

void ct_compile_answer_include(ct_compile_answer *answer, const char *path, uint64_t content_hash) {
    ct_array_push(&answer->includes,
                  (ct_compile_include){.path = copy_as_utf8(answer->allocator, path),
                                       .content_hash = content_hash});
}

void ct_compile_answer_reference(ct_compile_answer *answer, const ct_compile_referred *reference) {
    ct_allocator *const a = answer->allocator;
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
    snprintf(message, sizeof(message), "makes %" PRIu64 " bytes of data; the limit is %u", bytes,
             max_bytes);
    ct_array_free(&answer->blob);
    ct_array_free(&answer->stream);
    ct_compile_answer_error(answer, &(ct_compile_fault){.file = path, .message = message});
}

// --- The record ----------------------------------------------------------------------------------

// The binary of an answer, as it lies: a blob.

#define RECORD_TYPE "compile_answer"
enum { RECORD_VERSION = 4 };

typedef struct record_include {
    ct_blob_string path;
    uint64_t content_hash;
    ct_file_stamp stamp;
} record_include;

typedef struct record_reference {
    ct_blob_string name, type;
    uint32_t include; // where it stands
    uint32_t line, column;
} record_reference;

typedef struct record_fault {
    ct_blob_string file;
    uint32_t line, column;
    ct_blob_string message;
} record_fault;

typedef struct answer_record {
    ct_blob_header header;
    ct_blob_array includes;       // record_include
    ct_blob_array references;     // record_reference
    ct_blob_array errors;         // record_fault
    ct_blob_array warnings;       // record_fault
    ct_blob_array blob, stream;   // bytes, of what was not written to files
    ct_blob_string write_problem; // {0, 0}: none
    ct_compile_written written_data, written_stream;
} answer_record;

// --- Writing -------------------------------------------------------------------------------------

// A text that follows itself, like the file of many references, is written once.
typedef struct text_writer {
    ct_blob_writer *w;
    const char *last; // NULL: none
    uint32_t offset;
} text_writer;

static void patch_text(text_writer *t, uint32_t at, const char *text) {
    const uint32_t bytes = (uint32_t)strlen(text);
    if (!t->last || strcmp(t->last, text) != 0)
        t->offset = ct_blob_write_bytes(t->w, text, bytes + 1);
    t->last = text;
    ct_blob_patch_u32(t->w, at, t->offset);
    ct_blob_patch_u32(t->w, at + 4, bytes);
}

static uint32_t begin_array(ct_blob_writer *w, uint32_t field, uint32_t count) {
    ct_blob_writer_align(w, 8);
    const uint32_t first = ct_blob_writer_offset(w);
    ct_blob_patch_array(w, field, count > 0 ? first : 0, count);
    return first;
}

static void write_stamp(ct_blob_writer *w, ct_file_stamp stamp) {
    ct_blob_write_u64(w, stamp.size_bytes);
    ct_blob_write_u64(w, (uint64_t)stamp.modified_ns);
    ct_blob_write_u64(w, (uint64_t)stamp.changed_ns);
    ct_blob_write_u64(w, stamp.inode);
}

static void write_includes(ct_blob_writer *w, uint32_t field, const ct_compile_answer *answer) {
    const uint32_t first = begin_array(w, field, answer->includes.count);
    text_writer text = {.w = w};
    for (uint32_t i = 0; i < answer->includes.count; ++i) {
        ct_blob_write_array_field(w); // path
        ct_blob_write_u64(w, answer->includes.items[i].content_hash);
        write_stamp(w, answer->includes.items[i].stamp);
    }
    for (uint32_t i = 0; i < answer->includes.count; ++i)
        patch_text(&text, first + i * (uint32_t)sizeof(record_include),
                   answer->includes.items[i].path);
}

// Positions of includes by path, as far as the references need them.
static void find_includes(const ct_compile_answer *answer, ct_hash_map *by_path) {
    if (answer->references.count == 0)
        return;
    ct_hash_map_reserve(by_path, answer->includes.count);
    for (uint32_t i = 0; i < answer->includes.count; ++i) {
        const char *const path = answer->includes.items[i].path;
        ct_hash_map_set(by_path, ct_content_hash(path, strlen(path)), i);
    }
}

static uint32_t include_of(const ct_hash_map *by_path, const ct_compile_referred *r) {
    const uint64_t *const at = ct_hash_map_find(by_path, ct_content_hash(r->file, strlen(r->file)));
    CT_ASSERT(at, "%s has references, so it must be an include", r->file);
    return (uint32_t)*at;
}

static void write_references(ct_blob_writer *w, uint32_t field, const ct_compile_answer *answer) {
    const uint32_t first = begin_array(w, field, answer->references.count);
    text_writer names = {.w = w}, types = {.w = w};
    ct_hash_map by_path = {.allocator = answer->allocator};
    find_includes(answer, &by_path);
    for (uint32_t i = 0; i < answer->references.count; ++i) {
        ct_blob_write_array_field(w); // name
        ct_blob_write_array_field(w); // type
        ct_blob_write_u32(w, include_of(&by_path, &answer->references.items[i]));
        ct_blob_write_u32(w, answer->references.items[i].line);
        ct_blob_write_u32(w, answer->references.items[i].column);
    }
    for (uint32_t i = 0; i < answer->references.count; ++i) {
        const uint32_t at = first + i * (uint32_t)sizeof(record_reference);
        patch_text(&names, at + offsetof(record_reference, name), answer->references.items[i].name);
        patch_text(&types, at + offsetof(record_reference, type), answer->references.items[i].type);
    }
    ct_hash_map_free(&by_path);
}

static void write_faults(ct_blob_writer *w, uint32_t field, const ct_compile_fault *faults,
                         uint32_t count) {
    const uint32_t first = begin_array(w, field, count);
    text_writer files = {.w = w}, messages = {.w = w};
    for (uint32_t i = 0; i < count; ++i) {
        ct_blob_write_array_field(w); // file
        ct_blob_write_u32(w, faults[i].line);
        ct_blob_write_u32(w, faults[i].column);
        ct_blob_write_array_field(w); // message
    }
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t at = first + i * (uint32_t)sizeof(record_fault);
        patch_text(&files, at + offsetof(record_fault, file), faults[i].file);
        patch_text(&messages, at + offsetof(record_fault, message), faults[i].message);
    }
}

static void write_bytes(ct_blob_writer *w, uint32_t field, const ct_byte_array *bytes) {
    begin_array(w, field, bytes->count);
    ct_blob_write_bytes(w, bytes->items, bytes->count);
}

static void write_record(const ct_compile_answer *answer, ct_blob_writer *w) {
    for (uint32_t at = sizeof(ct_blob_header); at < offsetof(answer_record, written_data); at += 8)
        ct_blob_write_array_field(w);
    ct_blob_write_u64(w, answer->written_data.hash);
    write_stamp(w, answer->written_data.stamp);
    ct_blob_write_u64(w, answer->written_stream.hash);
    write_stamp(w, answer->written_stream.stamp);
    write_includes(w, offsetof(answer_record, includes), answer);
    write_references(w, offsetof(answer_record, references), answer);
    write_faults(w, offsetof(answer_record, errors), answer->errors.items, answer->errors.count);
    write_faults(w, offsetof(answer_record, warnings), answer->warnings.items,
                 answer->warnings.count);
    write_bytes(w, offsetof(answer_record, blob), &answer->blob);
    write_bytes(w, offsetof(answer_record, stream), &answer->stream);
    if (answer->write_problem)
        ct_blob_patch_string(w, offsetof(answer_record, write_problem), answer->write_problem,
                             (uint32_t)strlen(answer->write_problem));
}

void ct_compile_answer_write(const ct_compile_answer *answer, ct_byte_array *out) {
    ct_blob_writer w;
    ct_blob_writer_init(&w, out->allocator, CT_BYTE_ORDER_LITTLE, RECORD_TYPE, RECORD_VERSION);
    write_record(answer, &w);
    ct_blob_writer_finish(&w);
    char json[40];
    const int length = snprintf(json, sizeof(json), "{\"binary_size\": %u}", w.bytes.count);
    ct_message_write(out, json, (uint32_t)length, w.bytes.items, w.bytes.count);
    ct_blob_writer_free(&w);
}

// --- Reading -------------------------------------------------------------------------------------

// Reads a record that is all there; `is_good` turns false at what does not lie inside.
typedef struct record_reader {
    const answer_record *record;
    bool is_good;
} record_reader;

static const char *text_of(record_reader *r, ct_blob_string text) {
    if (r->is_good && ct_blob_check_string(&r->record->header, text, "text", NULL))
        return ct_blob_at(r->record, text.offset);
    r->is_good = false;
    return "";
}

// The items of an array, and how many can be read.
static const void *items_of(record_reader *r, ct_blob_array array, uint64_t item_bytes,
                            uint32_t align, uint32_t *count) {
    r->is_good = r->is_good &&
                 ct_blob_check_array(&r->record->header, array, item_bytes, align, "array", NULL);
    *count = r->is_good ? array.count : 0;
    return ct_blob_at(r->record, *count > 0 ? array.offset : 0);
}

static void read_includes(record_reader *r, ct_compile_answer *answer) {
    uint32_t count = 0;
    const record_include *const items =
        items_of(r, r->record->includes, sizeof(record_include), 8, &count);
    ct_array_reserve(&answer->includes, count);
    for (uint32_t i = 0; i < count; ++i)
        ct_array_push(&answer->includes, (ct_compile_include){.path = text_of(r, items[i].path),
                                                              .content_hash = items[i].content_hash,
                                                              .stamp = items[i].stamp});
}

static void read_references(record_reader *r, ct_compile_answer *answer) {
    uint32_t count = 0;
    const record_reference *items =
        items_of(r, r->record->references, sizeof(record_reference), 4, &count);
    ct_array_reserve(&answer->references, count);
    for (uint32_t i = 0; i < count; ++i) {
        const char *const name = text_of(r, items[i].name);
        const char *const type = make_utf8(text_of(r, items[i].type));
        r->is_good = r->is_good && items[i].include < answer->includes.count;
        if (!r->is_good)
            return;
        ct_array_push(&answer->references,
                      (ct_compile_referred){.type = type,
                                            .name = name,
                                            .file = answer->includes.items[items[i].include].path,
                                            .include = items[i].include,
                                            .line = items[i].line,
                                            .column = items[i].column,
                                            .id = ct_resource_id_of(type, name)});
    }
}

static void add_error(ct_compile_answer *answer, ct_compile_fault fault) {
    ct_array_push(&answer->errors, fault);
}

static void add_warning(ct_compile_answer *answer, ct_compile_fault fault) {
    ct_array_push(&answer->warnings, fault);
}

// A worker that was damaged may say anything: texts that people read are made UTF-8.
static void read_faults(record_reader *r, ct_blob_array faults, ct_compile_answer *answer,
                        void (*add)(ct_compile_answer *answer, ct_compile_fault fault)) {
    uint32_t count = 0;
    const record_fault *const items = items_of(r, faults, sizeof(record_fault), 4, &count);
    for (uint32_t i = 0; i < count; ++i)
        add(answer, (ct_compile_fault){.file = make_utf8(text_of(r, items[i].file)),
                                       .line = items[i].line,
                                       .column = items[i].column,
                                       .message = make_utf8(text_of(r, items[i].message))});
}

static void read_bytes(record_reader *r, ct_blob_array bytes, ct_byte_array *target) {
    uint32_t count = 0;
    const uint8_t *const items = items_of(r, bytes, 1, 1, &count);
    ct_array_push_many(target, items, count);
}

// True when there is an include, and either an error or data that is held or written; a stream only
// beside data.
static bool is_complete(const ct_compile_answer *answer) {
    const bool has_data = answer->blob.count > 0 || answer->written_data.hash != 0;
    const bool has_stream = answer->stream.count > 0 || answer->written_stream.hash != 0;
    const bool has_problem = answer->errors.count > 0 || answer->write_problem;
    return answer->includes.count > 0 && has_data != has_problem && (has_data || !has_stream) &&
           answer->written_data.stamp.size_bytes <= CT_WORKER_MAX_DATA_BYTES &&
           answer->written_stream.stamp.size_bytes <= CT_WORKER_MAX_DATA_BYTES;
}

static bool read_record(ct_compile_answer *answer, const answer_record *record) {
    record_reader r = {.record = record, .is_good = true};
    answer->written_data = record->written_data;
    answer->written_stream = record->written_stream;
    read_includes(&r, answer);
    read_references(&r, answer);
    read_faults(&r, record->errors, answer, add_error);
    read_faults(&r, record->warnings, answer, add_warning);
    read_bytes(&r, record->blob, &answer->blob);
    read_bytes(&r, record->stream, &answer->stream);
    if (record->write_problem.offset != 0)
        answer->write_problem = make_utf8(text_of(&r, record->write_problem));
    return r.is_good && is_complete(answer);
}

bool ct_compile_answer_read(ct_allocator *a, ct_allocator *record_allocator,
                            const ct_message *message, ct_compile_answer *answer, ct_error *error) {
    ct_compile_answer_init(answer, a);
    answer->record_allocator = record_allocator;
    if (message->binary_bytes < sizeof(answer_record))
        return ct_error_set(error, "an answer needs a record of at least %zu bytes",
                            sizeof(answer_record));
    answer->record = ct_alloc_aligned(record_allocator, message->binary_bytes, CT_BLOB_ALIGN);
    answer->record_bytes = message->binary_bytes;
    memcpy(answer->record, message->binary, message->binary_bytes);
    if (ct_blob_check_header(answer->record, message->binary_bytes, ct_string_id64_of(RECORD_TYPE),
                             RECORD_VERSION, error)) {
        if (read_record(answer, answer->record))
            return true;
        ct_error_set(error, "an answer needs includes, and either errors or data");
    }
    ct_compile_answer_free(answer);
    return false;
}

// Moves a text that lies in the record to a copy of that, which is made for the first.
static void detach_text(const ct_compile_answer *answer, char **copy, const char **text) {
    const uintptr_t offset = (uintptr_t)*text - (uintptr_t)answer->record;
    if (offset >= answer->record_bytes)
        return;
    if (!*copy) {
        *copy = ct_alloc(answer->allocator, answer->record_bytes);
        memcpy(*copy, answer->record, answer->record_bytes);
    }
    *text = *copy + offset;
}

static void detach_faults(const ct_compile_answer *answer, char **copy, ct_compile_fault *faults,
                          uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        detach_text(answer, copy, &faults[i].file);
        detach_text(answer, copy, &faults[i].message);
    }
}

void ct_compile_answer_detach(ct_compile_answer *answer) {
    char *copy = NULL;
    for (uint32_t i = 0; i < answer->includes.count; ++i)
        detach_text(answer, &copy, &answer->includes.items[i].path);
    for (uint32_t i = 0; i < answer->references.count; ++i) {
        ct_compile_referred *r = &answer->references.items[i];
        detach_text(answer, &copy, &r->type);
        detach_text(answer, &copy, &r->name);
        detach_text(answer, &copy, &r->file);
    }
    detach_faults(answer, &copy, answer->errors.items, answer->errors.count);
    detach_faults(answer, &copy, answer->warnings.items, answer->warnings.count);
    const char *problem = answer->write_problem;
    detach_text(answer, &copy, &problem);
    answer->write_problem = (char *)(uintptr_t)problem;
    ct_free(answer->record_allocator, answer->record);
    answer->record = NULL;
}
