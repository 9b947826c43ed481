#include "dev/profiler_console.h"

#include <inttypes.h>
#include <string.h>

#include "dev/console_server.h"
#include "dev/profiler_stream.h"
#include "foundation/error.h"
#include "foundation/memory/proxy_allocator.h"
#include "foundation/os/file.h"
#include "foundation/profiler/profiler_file.h"

enum {
    MAX_SUBSCRIBERS = 16,
    MAX_FRAMES_AT_ONCE = 64,
    MAX_FRAME_BYTES = 4 << 20, // of one that is streamed; larger ones are lost
};

typedef struct subscriber {
    ct_console_client_id client;
    ct_profiler_reader reader;
    ct_profiler_stream stream;
    bool is_waiting; // the stream's message has not been taken yet
    uint64_t num_too_large;
} subscriber;

static struct {
    ct_allocator *allocator; // NULL: not initialised
    bool is_recording;       // by `start`
    subscriber subscribers[MAX_SUBSCRIBERS];
    uint32_t num_subscribers;
} console;

// --- Life cycle ----------------------------------------------------------------------------------

static void begin_recording(void) {
    ct_profiler_start(&(ct_profiler_desc){.allocator = console.allocator});
}

static void remove_subscriber(uint32_t i) {
    subscriber *const s = &console.subscribers[i];
    ct_profiler_reader_free(&s->reader);
    ct_profiler_stream_free(&s->stream);
    *s = console.subscribers[--console.num_subscribers];
    ct_profiler_stop();
}

void ct_profiler_console_init(ct_allocator *a) {
    CT_ASSERT(!console.allocator, "a process can have only one profiler console%s", "");
    console.allocator = a;
}

void ct_profiler_console_shutdown(void) {
    while (console.num_subscribers > 0)
        remove_subscriber(console.num_subscribers - 1);
    if (console.is_recording)
        ct_profiler_stop();
    console.is_recording = false;
    console.allocator = NULL;
}

// --- The command ---------------------------------------------------------------------------------

static bool start(ct_string_builder *result, ct_error *error) {
    if (console.is_recording)
        return ct_error_set(error, "already recording");
    begin_recording();
    console.is_recording = true;
    ct_string_builder_add(result, "recording");
    return true;
}

static bool stop(ct_string_builder *result, ct_error *error) {
    if (!console.is_recording)
        return ct_error_set(error, "not recording: use \"profiler start\" first");
    console.is_recording = false;
    ct_profiler_stop();
    ct_string_builder_add(result,
                          ct_profiler_is_on() ? "stopped; other recordings continue" : "stopped");
    return true;
}

static bool dump(const char *file, ct_string_builder *result, ct_error *error) {
    uint64_t num_frames = 0;
    char path[CT_PATH_BYTES];
    if (!ct_file_absolute_path(file, path, error) ||
        !ct_profiler_dump(console.allocator, path, &num_frames, error))
        return false;
    ct_string_builder_addf(result, "wrote %" PRIu64 " frames to %s", num_frames, path);
    return true;
}

static subscriber *subscriber_of(ct_console_client_id client) {
    for (uint32_t i = 0; i < console.num_subscribers; ++i) {
        if (console.subscribers[i].client.value == client.value)
            return &console.subscribers[i];
    }
    return NULL;
}

static bool subscribe(const ct_console_target *target, ct_string_builder *result, ct_error *error) {
    if (!target->server || subscriber_of(target->client))
        return ct_error_set(error, "this connection is already subscribed, or cannot subscribe");
    if (console.num_subscribers == MAX_SUBSCRIBERS)
        return ct_error_set(error, "too many subscribers: %d connections are already subscribed",
                            MAX_SUBSCRIBERS);
    begin_recording();
    subscriber *const s = &console.subscribers[console.num_subscribers++];
    *s = (subscriber){.client = target->client};
    ct_profiler_reader_init_at_end(&s->reader, console.allocator);
    ct_profiler_stream_init(&s->stream, console.allocator);
    ct_string_builder_add(result, "subscribed");
    return true;
}

static bool unsubscribe(const ct_console_target *target, ct_string_builder *result,
                        ct_error *error) {
    const subscriber *const s = subscriber_of(target->client);
    if (!s)
        return ct_error_set(error, "this connection is not subscribed");
    remove_subscriber((uint32_t)(s - console.subscribers));
    ct_string_builder_add(result, "unsubscribed");
    return true;
}

bool ct_console_run_profiler(ct_console_target *target, uint32_t num_arguments,
                             const char *const *arguments, ct_string_builder *result,
                             ct_error *error) {
    if (!console.allocator)
        return ct_error_set(error, "this program cannot record profiler frames");
    const char *const what = arguments[0];
    if (num_arguments == 2 && strcmp(what, "dump") == 0)
        return dump(arguments[1], result, error);
    if (num_arguments == 1 && strcmp(what, "start") == 0)
        return start(result, error);
    if (num_arguments == 1 && strcmp(what, "stop") == 0)
        return stop(result, error);
    if (num_arguments == 1 && strcmp(what, "subscribe") == 0)
        return subscribe(target, result, error);
    if (num_arguments == 1 && strcmp(what, "unsubscribe") == 0)
        return unsubscribe(target, result, error);
    return ct_error_set(error,
                        "found \"%.64s\" and %u more arguments; expected start, stop, dump FILE, "
                        "subscribe or unsubscribe",
                        what, num_arguments - 1);
}

// --- The stream ----------------------------------------------------------------------------------

// Makes the next message; false when there is nothing to send.
static bool prepare(subscriber *s) {
    const ct_profiler_frame *frame;
    while (!s->is_waiting && (frame = ct_profiler_reader_next(&s->reader))) {
        if (frame->size_bytes > MAX_FRAME_BYTES) {
            ++s->num_too_large;
            continue;
        }
        ct_profiler_stream_encode(&s->stream, frame, s->reader.num_missed + s->num_too_large);
        s->is_waiting = true;
    }
    return s->is_waiting;
}

static void send_frames(ct_console_server *server, subscriber *s) {
    for (uint32_t i = 0; i < MAX_FRAMES_AT_ONCE && prepare(s); ++i) {
        if (!ct_console_server_send(server, s->client, ct_string_builder_text(&s->stream.json),
                                    s->stream.binary.items, s->stream.binary.count))
            return; // it will be tried again
        s->is_waiting = false;
    }
}

void ct_profiler_console_send(ct_console_server *server) {
    for (uint32_t i = console.num_subscribers; i > 0; --i) {
        subscriber *const s = &console.subscribers[i - 1];
        if (ct_console_server_has_client(server, s->client))
            send_frames(server, s);
        else
            remove_subscriber(i - 1);
    }
}
