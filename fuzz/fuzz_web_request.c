// What the web's part of the console reads: the first bytes of a connection, paths, the headers Host and Origin,
// and the messages that go over the bridge, whole and in parts.
//
// The first byte picks what the rest is.
#include <stdlib.h>
#include <string.h>

#include "dev/web/web_bridge.h"
#include "dev/web/web_path.h"
#include "dev/web/web_request.h"
#include "dev/web/web_response.h"
#include "foundation/error.h"
#include "foundation/memory/memory.h"
#include "foundation/string/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static ct_allocator *heap;

static void require(bool is_true) {
    if (!is_true)
        abort();
}

// More bytes never change a decision.
static void check_start(const uint8_t *data, size_t size) {
    ct_web_start decided = CT_WEB_START_UNKNOWN;
    for (size_t i = 0; i <= size && i <= 2 * CT_WEB_START_BYTES; ++i) {
        const ct_web_start start = ct_web_start_of(data, i);
        require(decided == CT_WEB_START_UNKNOWN || start == decided);
        require(i < CT_WEB_START_BYTES || start != CT_WEB_START_UNKNOWN);
        decided = start;
    }
}

// A path names a file below a folder, whatever it says.
static void check_path(const uint8_t *data, size_t size) {
    char file[CT_PATH_BYTES];
    const ct_web_area area = ct_web_area_of((const char *)data, size, file);
    if (area != CT_WEB_AREA_PAGES && area != CT_WEB_AREA_PROJECT)
        return;
    require(strlen(file) < CT_PATH_BYTES && file[0] != '/' && file[0] != '\0');
    for (const char *part = file; part; part = strchr(part, '/')) {
        part += part != file;
        require(*part != '.' && *part != '/' && *part != '\0');
    }
    require(!strchr(file, '\\') && ct_web_content_type(file)[0] != '\0');
}

// What is allowed is a name of this machine, and what is written of it keeps to its bounds.
static void check_headers(const uint8_t *data, size_t size) {
    ct_web_place place = {.port = 64000};
    require(ct_address_parse("192.168.1.5", &place.address));
    char *const text = strndup((const char *)data, size);
    char headers[CT_WEB_HEADERS_BYTES], page[CT_WEB_RESPONSE_BYTES];
    ct_host host;
    ct_error reason = {0};
    ct_web_listener at;
    if (ct_web_check_host(&place, text, &host, &reason)) {
        ct_address address;
        require(host.port == 64000);
        require(strcmp(host.name, "localhost") == 0 || ct_address_parse(host.name, &address));
        require(ct_web_write_headers(CT_WEB_AREA_PAGES, &host, headers) < sizeof(headers));
        require(!strstr(headers, "\r\n\r\n"));
    } else {
        require(reason.message[0] != '\0');
    }
    if (ct_web_origin_of(&place, text, &at, &reason) == CT_WEB_ORIGIN_OWN)
        require(at.has_address && ct_address_equal(&at.address, &place.address) &&
                at.port == place.port);
    const ct_web_answer answer = {.status = 403, .title = text, .text = text};
    const uint32_t bytes = ct_web_write_answer(&answer, page);
    require(bytes == strlen(page) && !strstr(page, "<script"));
    free(text);
}

// A message of a page in parts is what the console's reader takes as one message.
static void check_inbox(const uint8_t *data, size_t size) {
    ct_web_inbox in;
    ct_error reason = {0};
    ct_web_inbox_init(&in, heap);
    const bool is_binary = size > 0 && data[0] & 1;
    const size_t step = size > 1 ? data[1] % 64 + 1 : 1;
    ct_web_close code = CT_WEB_CLOSE_NONE;
    size_t at = 0;
    do {
        const size_t part = size - at < step ? size - at : step;
        code = ct_web_inbox_add(&in, is_binary, data + at, part, at + part == size, &reason);
        at += part;
    } while (code == CT_WEB_CLOSE_NONE && at < size);
    require((code == CT_WEB_CLOSE_NONE) == in.is_whole);
    require(in.is_whole || reason.message[0] != '\0');
    if (in.is_whole) {
        ct_message_reader reader;
        ct_message message;
        ct_message_reader_init(&reader, heap, CT_WEB_MAX_MESSAGE_BYTES);
        ct_message_reader_add(&reader, in.framed.items, in.framed.count);
        require(ct_message_reader_next(&reader, &message, &reason) == CT_MESSAGE_RESULT_MESSAGE);
        require(reader.consumed_bytes == reader.bytes.count);
        ct_message_reader_free(&reader);
    }
    ct_web_inbox_free(&in);
}

// Whatever the console's end of the pair says: text for a page is valid, in parts that belong together.
static void check_outbox(const uint8_t *data, size_t size) {
    ct_web_outbox out;
    ct_web_outbox_init(&out, heap);
    const uint32_t capacity = size > 0 ? data[0] + 8u : 8;
    uint8_t part[256 + 8];
    ct_byte_array text;
    ct_array_init(&text, heap);
    for (size_t at = 0; at < size;) {
        const size_t step = size - at < 97 ? size - at : 97;
        ct_web_chunk chunk;
        ct_error error = {0};
        ct_web_outbox_add(&out, data + at, step);
        at += step;
        while (ct_web_outbox_next(&out, part, capacity, &chunk, &error)) {
            require(chunk.bytes <= capacity && chunk.is_first == (text.count == 0));
            ct_array_push_many(&text, part, chunk.bytes);
            if (!chunk.is_last)
                continue;
            require(chunk.is_binary || ct_utf8_is_valid((const char *)text.items, text.count));
            text.count = 0;
        }
        if (error.message[0] != '\0')
            break;
    }
    require(ct_utf8_is_valid(out.last_error, strlen(out.last_error)));
    ct_array_free(&text);
    ct_web_outbox_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static void (*const checks[])(const uint8_t *, size_t) = {
        check_start, check_path, check_headers, check_inbox, check_outbox};
    ct_memory_init();
    heap = ct_memory_heap();
    if (size > 0)
        checks[data[0] % CT_COUNT_OF(checks)](data + 1, size - 1);
    ct_memory_shutdown(); // asserts that nothing is left
    return 0;
}
