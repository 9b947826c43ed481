// worker_main.c: the process that compiles: takes requests from the driver until it hangs up.
#include "compiler/plugin/worker_plugins.h"
#include "compiler/worker/worker_compile.h"
#include "compiler/worker/worker_output.h"
#include "foundation/crash/crash.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/memory/memory.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/os/os.h"

#include <stdio.h>

enum { RECEIVE_BYTES = 65536 };
// Answers wait for those that follow soon: each message wakes the driver.
enum { MAX_WAITING_BYTES = 65536 };
static const uint64_t max_waiting_ns = 4000000;
// A blow-up inside an import library ends this worker, not the machine.
static const uint64_t memory_limit_bytes = 8ull << 30;

static bool send_all(int socket, const ct_byte_array *bytes) {
    for (uint32_t sent = 0; sent < bytes->count;) {
        const int64_t count = ct_socket_send(socket, bytes->items + sent, bytes->count - sent);
        if (count < 0)
            return false;
        sent += (uint32_t)count;
    }
    return true;
}

static void answer_request(ct_allocator *heap, const ct_compile_request *request,
                           ct_byte_array *out) {
    ct_compile_answer answer;
    ct_worker_compile(heap, request, &answer);
    ct_worker_write_output(&request->output, &answer);
    ct_compile_answer_write(&answer, out);
    ct_compile_answer_free(&answer);
}

// Compiles what `message` asks for. False when it is no request or the driver has gone.
static bool serve(ct_allocator *heap, int socket, const ct_message *message) {
    CT_TEMP_ALLOCATOR(scratch, heap);
    uint32_t count = 0;
    ct_error error = {0};
    const ct_compile_request *requests = ct_compile_request_read(scratch, message, &count, &error);
    if (!requests) {
        ct_log_report("compiler", &error);
        return false;
    }
    ct_byte_array waiting;
    ct_array_init(&waiting, heap);
    bool result = true;
    uint64_t sent_ns = ct_os_time_ns();
    for (uint32_t i = 0; result && i < count; ++i) {
        answer_request(heap, &requests[i], &waiting);
        const uint64_t now_ns = ct_os_time_ns();
        if (i + 1 < count && waiting.count < MAX_WAITING_BYTES && now_ns - sent_ns < max_waiting_ns)
            continue;
        result = send_all(socket, &waiting);
        waiting.count = 0;
        sent_ns = now_ns;
    }
    ct_array_free(&waiting);
    return result;
}

// Serves until the driver hangs up, or something that is no request arrives. True for the former.
static bool serve_all(ct_allocator *heap, int socket, ct_message_reader *reader) {
    static char received[RECEIVE_BYTES];
    for (;;) {
        ct_message message;
        ct_error error = {0};
        const ct_message_result result = ct_message_reader_next(reader, &message, &error);
        if (result == CT_MESSAGE_RESULT_ERROR) {
            ct_log_report("compiler", &error);
            return false;
        }
        if (result == CT_MESSAGE_RESULT_MESSAGE) {
            if (!serve(heap, socket, &message))
                return false;
            continue;
        }
        const int64_t count = ct_socket_receive(socket, received, sizeof(received));
        if (count < 0)
            return true;
        ct_message_reader_add(reader, received, (uint64_t)count);
    }
}

int main(void) {
    ct_crash_init(); // first: its helper is a copy of what there is
    ct_memory_init();
    ct_allocator *const heap = ct_memory_heap();
    ct_log_init(heap);
    const ct_log_sink sink = ct_log_terminal_sink(CT_LOG_LEVEL_WARNING);
    ct_log_add_sink(&sink);
    ct_os_limit_memory(memory_limit_bytes);
    ct_os_refuse_large_writes();
    // What a library prints must not mix with the driver's own output, which a machine may read.
    if (!freopen("/dev/null", "w", stdout))
        ct_log_warning("compiler", "no_null_device", "standard output stays open");
    ct_message_reader reader;
    ct_message_reader_init(&reader, heap, CT_WORKER_MAX_MESSAGE_BYTES);
    ct_socket_set_blocking(CT_WORKER_SOCKET, true);
    const bool was_fine = serve_all(heap, CT_WORKER_SOCKET, &reader);
    ct_message_reader_free(&reader);
    ct_worker_plugins_end();
    ct_log_shutdown();
    ct_memory_shutdown();
    return was_fine ? 0 : 1;
}
