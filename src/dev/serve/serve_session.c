#include "dev/serve/serve_session.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/os/os.h"

// No more is read from files while that much waits to be sent.
enum { MAX_UNSENT_BYTES = 1 << 20 };

static const uint64_t compiling_ns = 1000000000;

void ct_serve_session_init(ct_serve_session *s, ct_allocator *a, const ct_serve_host *host) {
    *s = (ct_serve_session){.host = host, .file = -1};
    ct_serve_channel_init(&s->channel, a, CT_SERVE_MAX_HELLO_BYTES);
    ct_array_init(&s->gets, a);
}

static void close_file(ct_serve_session *s) {
    if (s->file >= 0)
        ct_os_file_close(s->file);
    s->file = -1;
    s->offset = 0;
}

void ct_serve_session_free(ct_serve_session *s) {
    ct_allocator *const a = s->gets.allocator;
    close_file(s);
    ct_serve_channel_free(&s->channel);
    ct_array_free(&s->gets);
    if (s->part)
        ct_free_sized(a, s->part, CT_SERVE_PART_BYTES);
}

void ct_serve_session_refuse(ct_serve_session *s, const char *message) {
    if (s->state == CT_SERVE_SESSION_STATE_REFUSED)
        return;
    s->state = CT_SERVE_SESSION_STATE_REFUSED;
    s->gets.count = 0;
    close_file(s);
    ct_serve_send_text(&s->channel, "refused", "message", message);
}

// --- Messages ------------------------------------------------------------------------------------

static bool take_hello(ct_serve_session *s, const ct_sjson *doc, ct_error *error) {
    const char *const token = s->host->token;
    const ct_serve_nonce own = ct_serve_nonce_make();
    ct_serve_nonce theirs;
    bool has_token = false;
    // The answer first: it names this end's protocol, whatever the other's is.
    ct_serve_send_hello(&s->channel, &own, token != NULL, CT_VERSION_STRING " (" CT_BUILD_NAME ")");
    if (!ct_serve_read_hello(doc, "engine", &theirs, &has_token, error))
        return false;
    if (token && !has_token)
        return ct_error_set(error, "the file server needs a token: give the engine --token");
    if (!token && has_token)
        return ct_error_set(error, "the file server has no token: leave out --token, or start the "
                                   "server with it");
    s->state = token ? CT_SERVE_SESSION_STATE_PROOF : CT_SERVE_SESSION_STATE_OPEN;
    if (token)
        s->keys = ct_serve_keys_make(token, &theirs, &own);
    return true;
}

static bool take_proof(ct_serve_session *s, const ct_sjson *doc, ct_error *error) {
    ct_serve_key proof;
    if (!ct_serve_read_proof(doc, &proof, error))
        return false;
    if (!ct_serve_key_equal(&proof, &s->keys.client_proof))
        return ct_error_set(error, "the token is wrong; expected the one of `cuttle serve`");
    ct_serve_send_proof(&s->channel, &s->keys.server_proof);
    ct_serve_channel_seal_out(&s->channel, &s->keys.from_server);
    s->state = CT_SERVE_SESSION_STATE_OPEN;
    return ct_serve_channel_seal_in(&s->channel, &s->keys.from_client, error);
}

static bool take_open(ct_serve_session *s, const ct_sjson *doc, ct_error *error) {
    const ct_sjson_value root = ct_sjson_root(doc);
    const char *const project = ct_sjson_string(doc, ct_sjson_find(doc, root, "project"), "");
    const bool is_engine = ct_sjson_bool(doc, ct_sjson_find(doc, root, "engine"), false);
    s->source = s->host->open(s->host->user, project, is_engine, error);
    if (!s->source)
        return false;
    ct_serve_send_opened(&s->channel, s->source->name);
    ct_serve_channel_set_limit(&s->channel, CT_SERVE_MAX_REQUEST_BYTES);
    s->state = CT_SERVE_SESSION_STATE_SERVING;
    return true;
}

static bool take_gets(ct_serve_session *s, const ct_message *message, ct_error *error) {
    const uint64_t count = message->binary_bytes / CT_SERVE_GET_BYTES;
    if (message->binary_bytes % CT_SERVE_GET_BYTES != 0 ||
        count + s->gets.count > CT_SERVE_MAX_GETS)
        return ct_error_set(error,
                            "%llu bytes of wanted files while %u wait; expected a multiple of "
                            "%d, and at most %d files",
                            (unsigned long long)message->binary_bytes, s->gets.count,
                            CT_SERVE_GET_BYTES, CT_SERVE_MAX_GETS);
    for (uint64_t i = 0; i < count; ++i) {
        const uint8_t *const place = message->binary + i * CT_SERVE_GET_BYTES;
        ct_array_push(&s->gets,
                      (ct_serve_get){ct_serve_read_u64(place), ct_serve_read_u32(place + 8)});
    }
    return true;
}

static bool take(ct_serve_session *s, const ct_message *message, const ct_sjson *doc,
                 const char *type, ct_error *error) {
    switch (s->state) {
    case CT_SERVE_SESSION_STATE_HELLO:
        if (strcmp(type, "hello") == 0)
            return take_hello(s, doc, error);
        break;
    case CT_SERVE_SESSION_STATE_PROOF:
        if (strcmp(type, "proof") == 0)
            return take_proof(s, doc, error);
        break;
    case CT_SERVE_SESSION_STATE_OPEN:
        if (strcmp(type, "open") == 0)
            return take_open(s, doc, error);
        break;
    case CT_SERVE_SESSION_STATE_SERVING:
        if (strcmp(type, "get") == 0)
            return take_gets(s, message, error);
        if (strcmp(type, "ping") == 0) {
            ct_serve_send_text(&s->channel, "pong", NULL, NULL);
            return true;
        }
        break;
    case CT_SERVE_SESSION_STATE_REFUSED:
        return true;
    }
    return ct_error_set(error, "unexpected message \"%.32s\"", type);
}

static bool handle_next(ct_serve_session *s, const ct_message *message, ct_error *error) {
    const char *type = NULL;
    ct_sjson *const doc = ct_serve_parse(s->gets.allocator, message, &type, error);
    const bool result = doc && take(s, message, doc, type, error);
    ct_sjson_free(doc);
    return result;
}

bool ct_serve_session_handle(ct_serve_session *s, ct_error *error) {
    // Pongs are small, but a flood of pings whose answers are not read must not fill the memory.
    while (s->state != CT_SERVE_SESSION_STATE_REFUSED &&
           ct_serve_channel_unsent(&s->channel) <= 2 * MAX_UNSENT_BYTES) {
        ct_message message;
        const ct_message_result result = ct_serve_channel_next(&s->channel, &message, error);
        if (result == CT_MESSAGE_RESULT_NONE)
            return true;
        if (result == CT_MESSAGE_RESULT_ERROR || !handle_next(s, &message, error)) {
            ct_serve_session_refuse(s, error->message);
            return false;
        }
    }
    return true;
}

// --- Sending -------------------------------------------------------------------------------------

static void send_list(ct_serve_session *s) {
    char json[96];
    ct_byte_array list;
    ct_array_init(&list, s->gets.allocator);
    ct_serve_manifest_write(s->source->files.items, s->source->files.count, &list);
    snprintf(json, sizeof(json), "{\"type\": \"files\", \"revision\": %u, \"binary_size\": %u}",
             s->source->revision, list.count);
    ct_serve_channel_send(&s->channel, json, list.items, list.count);
    ct_array_free(&list);
    s->revision = s->source->revision;
}

static void send_problems(ct_serve_session *s) {
    ct_string_builder json;
    ct_string_builder_init(&json, s->gets.allocator);
    ct_serve_problems_write(&s->source->problems, &json);
    ct_serve_channel_send(&s->channel, ct_string_builder_text(&json), NULL, 0);
    ct_string_builder_free(&json);
    s->problems_revision = s->source->problems_revision;
}

static void send_gone(ct_serve_session *s) {
    char json[96];
    snprintf(json, sizeof(json), "{\"type\": \"gone\", \"hash\": \"%016" PRIx64 "\", \"size\": %u}",
             s->gets.items[0].hash, s->gets.items[0].size_bytes);
    ct_serve_channel_send(&s->channel, json, NULL, 0);
    close_file(s);
    ct_array_erase(&s->gets, 0, 1);
}

// Opens the first wanted file. One that is replaced later stays open as it is.
static bool open_first(ct_serve_session *s) {
    const ct_serve_get *const get = &s->gets.items[0];
    const ct_serve_file *const file = ct_serve_source_find(s->source, get->hash, get->size_bytes);
    if (file && s->file < 0)
        s->file = ct_serve_source_open(s->source, file, NULL);
    return s->file >= 0;
}

// Sends the next piece of the first wanted file. What is read may be another content, when a
// compiler wrote since: the engine sees that by the hash.
static void send_part(ct_serve_session *s) {
    const ct_serve_get *const get = &s->gets.items[0];
    if (s->file < 0 && !open_first(s)) {
        send_gone(s);
        return;
    }
    if (!s->part)
        s->part = ct_alloc(s->gets.allocator, CT_SERVE_PART_BYTES);
    const uint32_t left = get->size_bytes - s->offset;
    const uint32_t bytes = left < CT_SERVE_PART_BYTES ? left : CT_SERVE_PART_BYTES;
    if (ct_os_file_read_at(s->file, s->offset, s->part, bytes) != bytes) {
        send_gone(s);
        return;
    }
    char json[160];
    snprintf(json, sizeof(json),
             "{\"type\": \"part\", \"hash\": \"%016" PRIx64
             "\", \"size\": %u, \"offset\": %u, \"binary_size\": %u}",
             get->hash, get->size_bytes, s->offset, bytes);
    ct_serve_channel_send(&s->channel, json, s->part, bytes);
    s->offset += bytes;
    if (s->offset == get->size_bytes) {
        close_file(s);
        ct_array_erase(&s->gets, 0, 1);
    }
}

// Says that there is no list yet, or refuses when there will be none.
static void send_waiting(ct_serve_session *s, uint64_t now_ns) {
    if (s->source->is_broken) {
        char message[CT_ERROR_MESSAGE_BYTES];
        snprintf(message, sizeof(message), "the project does not compile: %.900s",
                 s->source->problem.message);
        ct_serve_session_refuse(s, message);
    } else if (now_ns - s->told_ns >= compiling_ns) {
        ct_serve_send_text(&s->channel, "compiling", NULL, NULL);
        s->told_ns = now_ns;
    }
}

void ct_serve_session_send(ct_serve_session *s, uint64_t now_ns) {
    if (s->state != CT_SERVE_SESSION_STATE_SERVING)
        return;
    if (s->source->revision == 0) {
        send_waiting(s, now_ns);
        return;
    }
    // Before the list, so that an engine knows what is wrong when it starts.
    if (s->problems_revision != s->source->problems_revision &&
        ct_serve_channel_unsent(&s->channel) < MAX_UNSENT_BYTES)
        send_problems(s);
    if (s->revision != s->source->revision &&
        ct_serve_channel_unsent(&s->channel) < MAX_UNSENT_BYTES)
        send_list(s);
    while (s->gets.count > 0 && ct_serve_channel_unsent(&s->channel) < MAX_UNSENT_BYTES)
        send_part(s);
}

bool ct_serve_session_has_work(const ct_serve_session *s) {
    return ct_serve_channel_unsent(&s->channel) > 0 || s->gets.count > 0;
}
