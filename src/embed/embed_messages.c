#include <string.h>

#include "embed/embed_private.h"
#include "foundation/log.h"

enum {
    MAX_WAITING = 4096,
    MAX_WAITING_BYTES = 64 << 20,
    MAX_SENT_BYTES = 16 << 20, // as on the console
};

void ct_embed_messages_init(ct_embed_messages *m, ct_allocator *a) {
    *m = (ct_embed_messages){0};
    ct_ring_init(&m->texts, a, sizeof(ct_string_builder));
    ct_string_builder_init(&m->received, a);
}

void ct_embed_messages_free(ct_embed_messages *m) {
    ct_string_builder text;
    while (ct_ring_pop(&m->texts, &text))
        ct_string_builder_free(&text);
    ct_ring_free(&m->texts);
    ct_string_builder_free(&m->received);
}

void ct_embed_messages_add(ct_embed_messages *m, const char *json, uint32_t bytes) {
    if (m->texts.count == MAX_WAITING || m->bytes + bytes > MAX_WAITING_BYTES) {
        if (!m->has_overflowed)
            ct_log_warning("embed", "unread_messages",
                           "the program does not receive its messages: %u wait, further ones are "
                           "dropped",
                           m->texts.count);
        m->has_overflowed = true;
        return;
    }
    ct_string_builder text;
    ct_string_builder_init(&text, m->received.allocator);
    ct_string_builder_add_bytes(&text, json, bytes);
    ct_ring_push(&m->texts, &text);
    m->bytes += bytes;
}

// Handles a message at the frame boundary that is now.
static bool handle(cuttle_engine *engine, const char *json, ct_error *error) {
    if (!json)
        return ct_error_set(error, "the message is NULL; expected a JSON object");
    if (engine->has_ended)
        return ct_error_set(error, "the game has quit, and takes no messages");
    const size_t bytes = strlen(json);
    if (bytes > MAX_SENT_BYTES)
        return ct_error_set(error, "the message has %zu bytes; expected at most %d", bytes,
                            (int)MAX_SENT_BYTES);
    ct_string_builder answer CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&answer, engine->allocator);
    if (!ct_dev_handle(engine->dev, engine->app, json, (uint32_t)bytes, &answer, error))
        return false;
    if (answer.length != 0)
        ct_embed_messages_add(&engine->messages, ct_string_builder_text(&answer), answer.length);
    return true;
}

bool cuttle_engine_send(cuttle_engine *engine, const char *json, cuttle_engine_error *error) {
    if (!ct_embed_begin_call(engine, error))
        return false;
    ct_error found = {0};
    const bool is_done = handle(engine, json, &found);
    return ct_embed_end_call(engine, is_done, &found, error);
}

const char *cuttle_engine_receive(cuttle_engine *engine) {
    if (!ct_embed_begin_call(engine, NULL))
        return NULL;
    ct_embed_messages *const m = &engine->messages;
    ct_string_builder next;
    const bool has_next = ct_ring_pop(&m->texts, &next);
    ct_string_builder_free(&m->received);
    if (has_next) {
        m->received = next;
        m->bytes -= next.length;
        m->has_overflowed = false;
    }
    ct_embed_end_call(engine, true, NULL, NULL);
    return has_next ? ct_string_builder_text(&m->received) : NULL;
}
