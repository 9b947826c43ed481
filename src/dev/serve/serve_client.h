// serve_client.h: keeps the data of a running engine that of a file server.
//
// A service thread connects, fetches what the cache does not have and makes the engine's data
// folder from it. When the server's data changes, it fetches the difference and queues the changed
// resources, which the update thread swaps at a frame boundary as hot reload does; no further data
// is placed before that. Errors and warnings that the server finds in the sources are logged there,
// too, each once while it lasts. When the server goes away, the engine goes on with what it has; the thread
// says so once and tries again, with pauses from half a second to half a minute. When the server is
// away at the start, the engine starts with the list that it had last (serve_record.h), if the cache
// has all of it, and catches up later. The update thread waits for the network only in
// ct_serve_client_start.
#pragma once
#include "foundation/os/path.h"
#include "resource/load/resource_manager.h"

typedef struct ct_serve_client ct_serve_client;

// How far the first fetch has come.
typedef struct ct_serve_progress {
    bool is_connected, is_compiling; // the server compiles, so that there is no list yet
    uint32_t num_fetched, num_to_fetch;
    uint64_t fetched_bytes, to_fetch_bytes;
} ct_serve_progress;

typedef struct ct_serve_client_desc {
    ct_allocator *allocator;  // safe to use on any thread
    const char *host;         // address or name
    uint16_t port;            // 0: CT_SERVE_PORT
    const char *project;      // "": the server's only one; NULL: its engine's programs
    const char *token;        // NULL: none
    const char *cache_folder; // NULL: the user's (serve_cache.h)
    uint64_t timeout_ns;      // how long the server may be silent at the start; 0: 10 seconds
    bool needs_server;        // do not start with what was fetched before
    // Called some times a second while ct_serve_client_start waits, from its thread. May be NULL.
    void (*progress)(void *user, const ct_serve_progress *progress);
    void *user;
} ct_serve_client_desc;

// Fetches everything and waits for it. A server that cannot be reached for 3 seconds, or is silent
// for the desc's timeout, is away: starts with what was fetched last, with a warning that says when
// that was. The desc's strings are copied. Returns NULL with `error` when the server refuses, has
// other versions, is away and there is no such data, or data cannot be stored.
ct_serve_client *ct_serve_client_start(const ct_serve_client_desc *desc, ct_error *error);

// Ends the thread and frees the client; NULL is fine. What was fetched stays in the cache.
void ct_serve_client_destroy(ct_serve_client *c);

// Returns the folder of the data, or of the engine's programs; the other the folder that takes the
// place of the project's, which has the project's name. Absolute, borrowed.
const char *ct_serve_client_data_folder(const ct_serve_client *c);
const char *ct_serve_client_project_folder(const ct_serve_client *c);

// Swaps what changed on the server since the last call, and logs what is new of the problems in the
// sources. Call it at a frame boundary on the update
// thread; never waits for the network. Returns how many resources were swapped.
uint32_t ct_serve_client_apply(ct_serve_client *c, ct_resource_manager *resources);
