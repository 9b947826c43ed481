// serve_fetch.h: the engine's side of a connection to a file server, without its socket.
//
// Bytes that arrive go in, messages to be sent come out of the channel. It asks for the contents of
// the server's list that the cache does not have, a bounded number at a time, checks each by hash
// and size, and stores it. A content that arrives damaged, or is gone on the server, is asked for
// again a few times while the list has it. One thread.
#pragma once
#include "dev/serve/serve_cache.h"
#include "dev/serve/serve_problems.h"
#include "dev/serve/serve_protocol.h"
#include "foundation/container/hash_map.h"

typedef struct ct_serve_fetch_desc {
    ct_allocator *allocator;
    const char *token;   // NULL: none
    const char *project; // NULL: the server's own programs
    const ct_serve_cache *cache;
} ct_serve_fetch_desc;

typedef enum ct_serve_fetch_state {
    CT_SERVE_FETCH_STATE_HELLO, // waits for one
    CT_SERVE_FETCH_STATE_PROOF,
    CT_SERVE_FETCH_STATE_OPENING,
    CT_SERVE_FETCH_STATE_FETCHING,
} ct_serve_fetch_state;

// A content of the list that is not in the cache.
typedef struct ct_serve_content {
    uint64_t hash;
    uint32_t size_bytes;
} ct_serve_content;

typedef CT_ARRAY(ct_serve_content) ct_serve_content_array;

typedef struct ct_serve_fetch {
    ct_serve_fetch_desc desc;
    ct_serve_channel channel;
    ct_serve_fetch_state state;
    bool is_final; // the error that ended it will come again: a refusal, or versions that differ
    bool is_compiling;
    ct_serve_nonce nonce;
    ct_serve_keys keys;
    ct_serve_file_array files; // the list that came last
    uint32_t revision;         // of it; 0: none has come
    ct_hash_map needed;        // keys of the list's contents
    ct_hash_map stored;        // keys of contents that the cache is known to have
    ct_hash_map asked;         // keys of contents that were asked for and have not come
    ct_hash_map failures;      // keys to the number of times that a content did not come right
    ct_serve_content_array missing, again;
    uint64_t again_ns;          // when those of `again` are asked for
    ct_serve_problems problems; // in the server's sources: the list that came last
    uint32_t num_problem_lists; // that have come
    ct_byte_array part;         // of the content that arrives
    ct_serve_content arriving;
    uint32_t num_fetched, num_to_fetch; // of the current list
    uint64_t fetched_bytes, to_fetch_bytes;
} ct_serve_fetch;

// Makes one side and queues its first message. The desc's strings and cache are borrowed.
void ct_serve_fetch_init(ct_serve_fetch *f, const ct_serve_fetch_desc *desc);
void ct_serve_fetch_free(ct_serve_fetch *f);

// Handles the messages that the channel has; `now_ns` is ct_os_time_ns. Returns false with `error`
// when the connection is of no more use.
bool ct_serve_fetch_handle(ct_serve_fetch *f, uint64_t now_ns, ct_error *error);

// Queues requests for missing contents.
void ct_serve_fetch_send(ct_serve_fetch *f, uint64_t now_ns);

// Returns whether a list has come and the cache has all of it.
bool ct_serve_fetch_is_complete(const ct_serve_fetch *f);
