// served_files.h: a source of the file server with made-up files, without a compiler, and the two
// ends of a connection without sockets.
#pragma once
#include "support/test_support.h"

#include <stdio.h>
#include <string.h>

#include "dev/serve/serve_fetch.h"
#include "dev/serve/serve_session.h"
#include "foundation/os/file.h"
#include "resource/blob/content_hash.h"

#define SERVED_TOKEN "a token of many characters"

// Puts a file into the source's list and folder. `name` 0: the catalog.
static inline void served_put(ct_serve_source *s, uint64_t name, const void *bytes,
                              uint32_t size_bytes) {
    char file_name[CT_RESOURCE_FILE_NAME_BYTES], path[CT_PATH_BYTES];
    const ct_serve_file file = {.id = {{name != 0 ? 7 : 0}, {name}},
                                .base = {name},
                                .hash = ct_content_hash(bytes, size_bytes),
                                .size_bytes = size_bytes,
                                .kind = name != 0 ? CT_SERVE_FILE_KIND_DATA
                                                  : CT_SERVE_FILE_KIND_CATALOG};
    ct_serve_file_name(&file, file_name);
    ct_path_join(path, s->folder, file_name);
    assert_true(ct_file_write(path, bytes, size_bytes, false, NULL));
    ct_array_push(&s->files, file);
}

static inline void served_put_text(ct_serve_source *s, uint64_t name, const char *text) {
    served_put(s, name, text, (uint32_t)strlen(text));
}

// Ends a list that was put: the next revision.
static inline void served_publish(ct_serve_source *s) {
    ct_hash_map_clear(&s->positions);
    for (uint32_t i = 0; i < s->files.count; ++i)
        ct_hash_map_set(&s->positions,
                        ct_serve_content_key(s->files.items[i].hash, s->files.items[i].size_bytes),
                        i);
    ++s->revision;
}

// A source with a small file, one of several parts, and a catalog.
static inline void served_init(ct_serve_source *s) {
    static uint8_t large[3 * CT_SERVE_PART_BYTES / 2];
    for (uint32_t i = 0; i < sizeof(large); ++i)
        large[i] = (uint8_t)(i * 31 + i / 251);
    ct_serve_source_init(s, test_heap(), "game", test_scratch_folder());
    served_put_text(s, 1, "one");
    served_put(s, 2, large, sizeof(large));
    served_put_text(s, 0, "catalog");
    served_publish(s);
}

// The `open` of hosts; `user` is the source.
static inline const ct_serve_source *served_open(void *user, const char *project, bool is_engine,
                                                 ct_error *error) {
    if (!is_engine && strcmp(project, "game") == 0)
        return user;
    ct_error_set(error, "the file server has no project \"%s\"; it has \"game\"", project);
    return NULL;
}

// Both ends of a connection, and what lies between them.
typedef struct served_link {
    ct_serve_host host;
    ct_serve_session session;
    ct_serve_cache cache;
    ct_serve_fetch fetch;
    uint64_t now_ns;
    bool is_fetch_over;
    ct_error fetch_error, session_error;
    // Called with what the server sends, may change it; NULL is fine.
    void (*tamper)(uint8_t *bytes, uint32_t count);
} served_link;

static inline void served_connect(served_link *l, ct_serve_source *source, const char *root,
                                  const char *server_token, const char *token,
                                  const char *project) {
    *l = (served_link){.host = {.token = server_token, .user = source, .open = served_open}};
    ct_error error = {0};
    assert_true(ct_serve_cache_open(&l->cache, test_heap(), root, "here:1", project, &error));
    ct_serve_session_init(&l->session, test_heap(), &l->host);
    const ct_serve_fetch_desc desc = {
        .allocator = test_heap(), .token = token, .project = project, .cache = &l->cache};
    ct_serve_fetch_init(&l->fetch, &desc);
}

static inline void served_disconnect(served_link *l) {
    ct_serve_fetch_free(&l->fetch);
    ct_serve_session_free(&l->session);
    ct_serve_cache_close(&l->cache);
}

// Moves what one end sends to the other.
static inline bool served_carry(ct_serve_channel *from, ct_serve_channel *to,
                                void (*tamper)(uint8_t *, uint32_t), ct_error *error) {
    const uint32_t count = ct_serve_channel_unsent(from);
    uint8_t *const bytes = from->out.items + from->sent;
    if (tamper && count > 0)
        tamper(bytes, count);
    const bool result = count == 0 || ct_serve_channel_receive(to, bytes, count, error);
    from->out.count = from->sent = 0;
    return result;
}

// Lets both ends talk until neither says more, the engine is done or over.
static inline void served_talk(served_link *l) {
    for (uint32_t i = 0; i < 400 && !l->is_fetch_over; ++i) {
        ct_serve_fetch_send(&l->fetch, l->now_ns);
        if (served_carry(&l->fetch.channel, &l->session.channel, NULL, &l->session_error))
            ct_serve_session_handle(&l->session, &l->session_error);
        ct_serve_session_send(&l->session, l->now_ns);
        l->is_fetch_over =
            !served_carry(&l->session.channel, &l->fetch.channel, l->tamper, &l->fetch_error) ||
            !ct_serve_fetch_handle(&l->fetch, l->now_ns, &l->fetch_error);
        l->now_ns += 50000000;
    }
}
