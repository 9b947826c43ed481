// What driver and workers read from each other: requests, answers, and whatever a damaged worker
// sends in the place of answers. The first byte says which. Answers that are read are used as the
// driver does: all texts, the id of every reference, and written once more, which must read back
// the same. Damage behind the checksum is mended first, so that it reaches what is behind that.
#include <string.h>

#include "compiler/protocol/compiler_protocol.h"
#include "foundation/error.h"
#include "foundation/memory/memory.h"
#include "foundation/memory/temp_allocator.h"
#include "resource/blob/content_hash.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    ct_memory_init();
    return 0;
}

// --- Requests ------------------------------------------------------------------------------------

static uint64_t length_of(const char *text) {
    return text ? strlen(text) : 0;
}

static void check_request(const ct_compile_request *r) {
    uint64_t bytes = length_of(r->type) + length_of(r->name) + length_of(r->path) +
                     length_of(r->core_folder) + length_of(r->up_axis);
    for (uint32_t i = 0; i < r->num_properties; ++i)
        bytes += length_of(r->properties[i]);
    for (uint32_t i = 0; i < r->num_listed; ++i)
        bytes += length_of(r->listing[i].type) + length_of(r->listing[i].name);
    CT_ASSERT(bytes < UINT32_MAX && r->project_folder && r->platform, "a request of %llu bytes",
              (unsigned long long)bytes);
    const ct_compile_output *o = &r->output;
    if (o->folder)
        CT_ASSERT(o->data[0] && !strchr(o->data, '/') && strcmp(o->data, "..") != 0 &&
                      o->stream[0] && !strchr(o->stream, '/') && strcmp(o->stream, "..") != 0,
                  "files \"%s\" and \"%s\" of \"%s\"", o->data, o->stream, o->folder);
}

static void read_request(ct_allocator *a, const ct_message *message) {
    uint32_t count = 0;
    ct_error error = {0};
    const ct_compile_request *requests = ct_compile_request_read(a, message, &count, &error);
    if (!requests) {
        CT_ASSERT(error.message[0], "an error without a message%s", "");
        return;
    }
    CT_ASSERT(count > 0, "a request for nothing%s", "");
    for (uint32_t i = 0; i < count; ++i)
        check_request(&requests[i]);
    ct_byte_array again;
    ct_array_init(&again, a);
    ct_compile_request_write(requests, count, &again);
}

// --- Answers -------------------------------------------------------------------------------------

static void check_answer(const ct_compile_answer *answer) {
    uint64_t bytes = length_of(answer->write_problem);
    CT_ASSERT(answer->includes.count > 0, "an answer without its source%s", "");
    for (uint32_t i = 0; i < answer->includes.count; ++i)
        bytes += strlen(answer->includes.items[i].path);
    for (uint32_t i = 0; i < answer->references.count; ++i) {
        const ct_compile_referred *r = &answer->references.items[i];
        bytes += strlen(r->type) + strlen(r->name) + strlen(r->file);
        CT_ASSERT(ct_resource_id_equal(r->id, ct_resource_id_of(r->type, r->name)),
                  "the id of %s %s", r->type, r->name);
    }
    for (uint32_t i = 0; i < answer->errors.count; ++i)
        bytes += strlen(answer->errors.items[i].file) + strlen(answer->errors.items[i].message);
    CT_ASSERT(bytes < UINT64_MAX, "%llu", (unsigned long long)bytes);
}

static bool read_answer(ct_allocator *a, const ct_message *message, ct_compile_answer *answer) {
    ct_error error = {0};
    if (ct_compile_answer_read(a, ct_memory_heap(), message, answer, &error))
        return true;
    CT_ASSERT(error.message[0], "an error without a message%s", "");
    return false;
}

static void use_answer(const ct_message *message) {
    ct_allocator *heap = ct_memory_heap();
    CT_TEMP_ALLOCATOR(scratch, heap);
    ct_compile_answer answer, again;
    if (!read_answer(heap, message, &answer))
        return;
    check_answer(&answer);
    ct_byte_array bytes;
    ct_message_reader reader;
    ct_message second;
    ct_error error = {0};
    ct_array_init(&bytes, heap);
    ct_compile_answer_write(&answer, &bytes);
    ct_message_reader_init(&reader, heap, CT_WORKER_MAX_MESSAGE_BYTES);
    ct_message_reader_add(&reader, bytes.items, bytes.count);
    const ct_message_result result = ct_message_reader_next(&reader, &second, &error);
    CT_ASSERT(result == CT_MESSAGE_RESULT_MESSAGE && read_answer(scratch, &second, &again),
              "an answer does not read back: %s", error.message);
    CT_ASSERT(again.includes.count == answer.includes.count &&
                  again.references.count == answer.references.count &&
                  again.errors.count == answer.errors.count &&
                  again.warnings.count == answer.warnings.count &&
                  again.blob.count == answer.blob.count &&
                  again.written_data.hash == answer.written_data.hash,
              "an answer reads back as another one%s", "");
    ct_message_reader_free(&reader);
    ct_compile_answer_detach(&again);
    check_answer(&again);
    ct_compile_answer_free(&answer);
    ct_array_free(&bytes);
}

// The input as the binary, with the header that a whole blob of its size has.
static void use_record(ct_allocator *a, const uint8_t *data, size_t size) {
    ct_compile_answer empty;
    ct_byte_array bytes;
    ct_array_init(&bytes, a);
    ct_compile_answer_init(&empty, a);
    ct_compile_answer_write(&empty, &bytes);
    ct_message_reader reader;
    ct_message message;
    ct_error error = {0};
    ct_message_reader_init(&reader, a, CT_WORKER_MAX_MESSAGE_BYTES);
    ct_message_reader_add(&reader, bytes.items, bytes.count);
    ct_message_reader_next(&reader, &message, &error);
    uint8_t *record = ct_alloc(a, sizeof(ct_blob_header) + size);
    ct_blob_header header;
    memcpy(&header, message.binary, sizeof(header)); // magic, version and type
    header.size_bytes = sizeof(header) + size;
    header.checksum = ct_content_hash(data, size);
    memcpy(record, &header, sizeof(header));
    if (size > 0)
        memcpy(record + sizeof(header), data, size);
    use_answer(&(ct_message){
        .json = "{}", .json_bytes = 2, .binary = record, .binary_bytes = header.size_bytes});
}

// As it comes from the socket: several messages, cut where the first byte says.
static void receive(const uint8_t *data, size_t size) {
    ct_message_reader reader;
    ct_message message;
    ct_error error = {0};
    ct_message_reader_init(&reader, ct_memory_heap(), 1 << 20);
    const size_t piece = size > 0 ? data[0] + 1u : 1;
    ct_message_result result = CT_MESSAGE_RESULT_NONE;
    for (size_t at = 1; at < size && result != CT_MESSAGE_RESULT_ERROR; at += piece) {
        ct_message_reader_add(&reader, data + at, piece < size - at ? piece : size - at);
        while ((result = ct_message_reader_next(&reader, &message, &error)) ==
               CT_MESSAGE_RESULT_MESSAGE)
            use_answer(&message);
    }
    ct_message_reader_free(&reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    CT_TEMP_ALLOCATOR(a, ct_memory_heap());
    char *json = ct_alloc(a, size + 1);
    memcpy(json, data + 1, size - 1);
    json[size - 1] = 0;
    if (data[0] % 3 == 0)
        read_request(a, &(ct_message){.json = json, .json_bytes = (uint32_t)size - 1});
    else if (data[0] % 3 == 1)
        use_record(a, data + 1, size - 1);
    else
        receive(data + 1, size - 1);
    return 0;
}
