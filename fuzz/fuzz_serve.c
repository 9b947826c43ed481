// File server and engine read whatever the other end sends: any bytes give messages, refusals or an
// error, and neither end stores or sends what it must not. The first byte chooses the end, whether
// it has been greeted before, and whether the rest is raw bytes or parts of messages that are framed
// here: members of a JSON object, a zero byte, binary data, a zero byte, and so on.
#include "dev/serve/serve_fetch.h"
#include "dev/serve/serve_session.h"
#include "foundation/memory/memory.h"
#include "foundation/os/file.h"
#include "resource/blob/content_hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { IS_SERVER = 1, IS_GREETED = 2, IS_FRAMED = 4, HAS_TOKEN = 8, PIECE_BYTES = 61 };

static const char token[] = "a token of many characters";

// Both ends, and the folders they work in.
typedef struct ends {
    ct_serve_source source;
    ct_serve_host host;
    ct_serve_session session;
    ct_serve_cache cache;
    ct_serve_fetch fetch;
    bool is_over;
    uint64_t now_ns;
} ends;

static const ct_serve_source *open_source(void *user, const char *project, bool is_engine,
                                          ct_error *error) {
    if (!is_engine && strcmp(project, "game") == 0)
        return user;
    ct_error_set(error, "no project \"%.64s\"", project);
    return NULL;
}

// Two files, of which one is not on the disk.
static void make_source(ends *e, const char *folder) {
    char path[CT_PATH_BYTES];
    ct_serve_source_init(&e->source, ct_memory_heap(), "game", folder);
    const ct_serve_file files[] = {
        {.id = {{1}, {2}}, .hash = ct_content_hash("data", 4), .size_bytes = 4},
        {.hash = ct_content_hash("catalog", 7),
         .size_bytes = 7,
         .kind = CT_SERVE_FILE_KIND_CATALOG}};
    ct_array_push_many(&e->source.files, files, 2);
    for (uint32_t i = 0; i < 2; ++i)
        ct_hash_map_set(&e->source.positions,
                        ct_serve_content_key(files[i].hash, files[i].size_bytes), i);
    e->source.revision = 1;
    ct_path_join(path, folder, "catalog");
    ct_file_write(path, "catalog", 7, false, NULL);
}

static char root[CT_PATH_BYTES]; // of what is on the disk, until the program ends

static void remove_root(void) {
    ct_folder_remove(root, NULL);
}

static void start(ends *e, bool has_token) {
    ct_error error = {0};
    if (root[0] == '\0') {
        snprintf(root, sizeof(root), "/tmp/cuttle_fuzz_serve_%lld", (long long)ct_os_process_id());
        atexit(remove_root);
    }
    CT_REQUIRE(ct_serve_cache_open(&e->cache, ct_memory_heap(), root, "here", "game", &error), "%s",
               error.message);
    make_source(e, root);
    e->host =
        (ct_serve_host){.token = has_token ? token : NULL, .user = &e->source, .open = open_source};
    ct_serve_session_init(&e->session, ct_memory_heap(), &e->host);
    const ct_serve_fetch_desc desc = {.allocator = ct_memory_heap(),
                                      .token = e->host.token,
                                      .project = "game",
                                      .cache = &e->cache};
    ct_serve_fetch_init(&e->fetch, &desc);
}

static void stop(ends *e) {
    ct_serve_fetch_free(&e->fetch);
    ct_serve_session_free(&e->session);
    ct_serve_source_free(&e->source);
    ct_serve_cache_close(&e->cache);
}

static bool carry(ct_serve_channel *from, ct_serve_channel *to) {
    const uint32_t count = ct_serve_channel_unsent(from);
    const bool result =
        count == 0 || ct_serve_channel_receive(to, from->out.items + from->sent, count, NULL);
    from->out.count = from->sent = 0;
    return result;
}

// Lets the ends greet each other, and the engine ask for what it does not have.
static void greet(ends *e) {
    ct_error error = {0};
    for (uint32_t i = 0; i < 4; ++i) {
        ct_serve_fetch_send(&e->fetch, 0);
        carry(&e->fetch.channel, &e->session.channel);
        ct_serve_session_handle(&e->session, &error);
        if (i < 3)
            ct_serve_session_send(&e->session, 0);
        carry(&e->session.channel, &e->fetch.channel);
        ct_serve_fetch_handle(&e->fetch, 0, &error);
    }
    CT_ASSERT(error.message[0] == '\0', "the ends do not greet each other: %s", error.message);
}

static void take(ends *e, bool is_server, const uint8_t *bytes, uint32_t count) {
    ct_error error = {0};
    e->now_ns += 100000000;
    if (is_server) {
        e->is_over = !ct_serve_channel_receive(&e->session.channel, bytes, count, &error) ||
                     !ct_serve_session_handle(&e->session, &error);
        ct_serve_session_send(&e->session, e->now_ns);
        CT_ASSERT(ct_serve_channel_unsent(&e->session.channel) < 4 << 20, "%u bytes wait",
                  ct_serve_channel_unsent(&e->session.channel));
    } else {
        e->is_over = !ct_serve_channel_receive(&e->fetch.channel, bytes, count, &error) ||
                     !ct_serve_fetch_handle(&e->fetch, e->now_ns, &error);
        ct_serve_fetch_send(&e->fetch, e->now_ns);
        e->fetch.channel.out.count = e->fetch.channel.sent = 0;
    }
    CT_ASSERT(!e->is_over || error.message[0], "an error without a message%s", "");
}

// The bytes up to the next zero.
static uint32_t part_of(const uint8_t *data, size_t size) {
    const uint8_t *const end = memchr(data, 0, size);
    return (uint32_t)(end ? (size_t)(end - data) : size);
}

static void take_framed(ends *e, bool is_server, const uint8_t *data, size_t size) {
    while (size > 0 && !e->is_over) {
        const uint32_t members = part_of(data, size);
        const size_t skipped = members + (members < size);
        const uint32_t binary = part_of(data + skipped, size - skipped);
        char json[4096];
        ct_byte_array framed;
        ct_array_init(&framed, ct_memory_heap());
        const int count =
            binary > 0
                ? snprintf(json, sizeof(json), "{%.*s \"binary_size\": %u}",
                           (int)(members < 3000 ? members : 3000), (const char *)data, binary)
                : snprintf(json, sizeof(json), "{%.*s}", (int)(members < 3000 ? members : 3000),
                           (const char *)data);
        ct_message_write(&framed, json, (uint32_t)count, data + skipped, binary);
        take(e, is_server, framed.items, framed.count);
        ct_array_free(&framed);
        const size_t used = skipped + binary + (skipped + binary < size);
        data += used;
        size -= used;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    ct_memory_init();
    ends e = {0};
    const uint8_t choice = data[0];
    const bool is_server = choice & IS_SERVER;
    start(&e, choice & HAS_TOKEN);
    if (choice & IS_GREETED)
        greet(&e);
    if (choice & IS_FRAMED)
        take_framed(&e, is_server, data + 1, size - 1);
    for (size_t at = 1; !(choice & IS_FRAMED) && at < size && !e.is_over; at += PIECE_BYTES)
        take(&e, is_server, data + at,
             (uint32_t)(size - at < PIECE_BYTES ? size - at : PIECE_BYTES));
    stop(&e);
    ct_memory_shutdown(); // asserts that nothing is left
    return 0;
}
