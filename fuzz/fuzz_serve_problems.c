// Lists of compile errors from a file server: any JSON gives a list or an error, and what was
// written is read again. The first byte chooses whether the rest is JSON, the inside of such a
// list, or the texts of problems, with a zero byte between them.
#include "dev/serve/serve_problems.h"
#include "foundation/log.h"
#include "foundation/memory/memory.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Reads JSON; asserts that a list that was read is the same when it is written and read again.
static void read_json(const char *json, uint64_t bytes, ct_serve_problems *p) {
    const ct_sjson_limits limits = {.max_depth = 8};
    ct_error error = {0};
    ct_sjson *const doc = ct_sjson_parse(ct_memory_heap(), json, bytes, "message", &limits, &error);
    const bool is_read = doc && ct_serve_problems_read(doc, p, &error);
    CT_ASSERT(is_read || (error.message[0] != '\0' && p->items.count == 0), "no reason, or %u left",
              p->items.count);
    ct_sjson_free(doc);
}

// Sends a list through its message; text that is not UTF-8 may change, once.
static void send(const ct_serve_problems *from, ct_serve_problems *to) {
    ct_string_builder json;
    ct_string_builder_init(&json, ct_memory_heap());
    ct_serve_problems_write(from, &json);
    read_json(ct_string_builder_text(&json), json.length, to);
    CT_ASSERT(to->items.count == from->items.count && to->num_left_out == from->num_left_out,
              "%u problems are sent, and %u arrive", from->items.count, to->items.count);
    ct_string_builder_free(&json);
}

static void read_inside(const uint8_t *data, size_t size, ct_serve_problems *p) {
    ct_string_builder json;
    ct_string_builder_init(&json, ct_memory_heap());
    ct_string_builder_add(&json, "{\"num_left_out\": 0, \"problems\": [{\"level\": \"error\", "
                                 "\"file\": \"a\", \"line\": 1, \"column\": 1, ");
    ct_string_builder_add_bytes(&json, (const char *)data, (uint32_t)size);
    ct_string_builder_add(&json, "}]}");
    read_json(ct_string_builder_text(&json), json.length, p);
    ct_string_builder_free(&json);
}

static void make_problems(const uint8_t *data, size_t size, ct_serve_problems *p) {
    while (size > 0) {
        const uint8_t *const end = memchr(data, 0, size);
        const size_t length = end ? (size_t)(end - data) : size;
        ct_error error;
        ct_error_set_at(&error, data[0] & 1 ? "a.lua" : NULL, data[0], (uint32_t)length, "%.*s",
                        (int)length, (const char *)data);
        ct_serve_problems_add(p, &error, data[0] & 2);
        data += length + (end != NULL);
        size -= length + (end != NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    ct_memory_init();
    ct_log_init(ct_memory_heap()); // without sinks: what is logged is formatted, and not shown
    ct_serve_problems first, second, third;
    ct_serve_problem_log log;
    ct_serve_problems_init(&first, ct_memory_heap());
    ct_serve_problems_init(&second, ct_memory_heap());
    ct_serve_problems_init(&third, ct_memory_heap());
    ct_serve_problem_log_init(&log, ct_memory_heap());
    if (data[0] % 3 == 0)
        read_json((const char *)data + 1, size - 1, &first);
    else if (data[0] % 3 == 1)
        read_inside(data + 1, size - 1, &first);
    else
        make_problems(data + 1, size - 1, &first);
    send(&first, &second);
    send(&second, &third);
    ct_serve_problem_log_take(&log, &second);
    CT_ASSERT(ct_serve_problem_log_take(&log, &second) == 0, "%u problems are logged again",
              second.items.count);
    ct_serve_problem_log_free(&log);
    ct_serve_problems_free(&first);
    ct_serve_problems_free(&second);
    ct_serve_problems_free(&third);
    ct_log_shutdown();
    ct_memory_shutdown();
    return 0;
}
