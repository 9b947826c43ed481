// served_server.h: a file server in a thread of this process, and engines that connect to it.
#pragma once
#include "dev/serve/served_files.h"

#include <stdatomic.h>

#include "dev/serve/serve_client.h"
#include "dev/serve/serve_server.h"
#include "foundation/log.h"

static const uint64_t connect_limit_ns = 10000000000ull;
static const uint64_t patience_ns = 60000000000ull; // no test waits so long when all is well

typedef struct served_server {
    ct_serve_source source;
    const char *root;
    ct_serve_server *server; // of the thread, while that runs
    uint16_t port;
    const char *token;
    ct_serve_limits limits; // of the server
    ct_thread thread;
    atomic_bool is_stopping;
    atomic_uint num_connections;
} served_server;

static inline void served_serve(void *data) {
    served_server *const f = data;
    while (!atomic_load(&f->is_stopping)) {
        ct_serve_server_step(f->server, 5000000);
        atomic_store(&f->num_connections, ct_serve_server_num_connections(f->server));
    }
}

static inline void served_start(served_server *f) {
    ct_error error = {0};
    const ct_serve_server_desc desc = {
        .allocator = test_heap(),
        .port = f->port,
        .host = {.token = f->token, .user = &f->source, .open = served_open},
        .limits = f->limits};
    f->server = ct_serve_server_create(&desc, &error);
    assert_non_null(f->server);
    f->port = ct_serve_server_port(f->server);
    atomic_store(&f->is_stopping, false);
    f->thread = ct_thread_start("server", served_serve, f);
}

static inline void served_stop(served_server *f) {
    atomic_store(&f->is_stopping, true);
    ct_thread_join(f->thread);
    ct_serve_server_destroy(f->server);
    f->server = NULL;
}

// `timeout_ns` 0: the usual.
static inline ct_serve_client *served_start_client(const served_server *f, const char *token,
                                                   uint64_t timeout_ns, ct_error *error) {
    const ct_serve_client_desc desc = {.allocator = test_heap(),
                                       .host = "127.0.0.1",
                                       .port = f->port,
                                       .project = "game",
                                       .token = token,
                                       .cache_folder = f->root,
                                       .timeout_ns = timeout_ns};
    return ct_serve_client_start(&desc, error);
}

// Waits until file 1 of an engine's data folder has this text.
static inline bool served_wait_for_file(const ct_serve_client *c, const char *text) {
    char path[CT_PATH_BYTES];
    ct_path_join(path, ct_serve_client_data_folder(c), "0000000000000007-0000000000000001");
    const uint64_t end_ns = ct_os_time_ns() + patience_ns;
    bool result = false;
    while (!result && ct_os_time_ns() < end_ns) {
        uint64_t size_bytes = 0;
        char *const bytes = ct_file_read(test_heap(), path, &size_bytes, NULL);
        result = bytes && strcmp(bytes, text) == 0;
        ct_free(test_heap(), bytes);
        ct_os_sleep_ns(5000000);
    }
    return result;
}

static inline void served_wait_for_connections(served_server *f, uint32_t count) {
    const uint64_t end_ns = ct_os_time_ns() + patience_ns;
    while (atomic_load(&f->num_connections) != count && ct_os_time_ns() < end_ns)
        ct_os_sleep_ns(1000000);
    assert_int_equal(atomic_load(&f->num_connections), count);
}
