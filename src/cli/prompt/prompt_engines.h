// prompt_engines.h: the engines that a prompt talks to: connections that come, go and come back.
//
// Engines are in a list, numbered from 1 for people. Engines that were named stay in it and are
// tried again every second, unless they refused the connection. When none was named, the ports 64000 to 64015 of this machine are
// searched every second for engines that run, and an engine that has ended leaves the list. One
// thread.
#pragma once
#include "foundation/os/message.h"
#include "foundation/os/os.h"
#include "foundation/sjson/sjson.h"
#include "foundation/string/string_builder.h"

enum { CT_PROMPT_MAX_ENGINES = 16, CT_PROMPT_NAME_BYTES = 280 };

typedef struct ct_prompt_engine {
    char name[CT_PROMPT_NAME_BYTES]; // "64000" on this machine, else "host:port"
    char host[256];
    uint16_t port;
    int socket;      // -1: not connected
    bool is_refused; // it said why it ends the connection: it is not tried again
    ct_message_reader reader;
    bool is_awaited; // an answer is due
} ct_prompt_engine;

// Events of engines. Called on the prompt's thread; `message` and `doc`, its JSON,
// are borrowed for the call.
typedef struct ct_prompt_engines_events {
    void *user;
    void (*came)(void *user, ct_prompt_engine *engine);
    // engine->is_awaited: an answer was due.
    void (*went)(void *user, ct_prompt_engine *engine, const char *reason);
    void (*said)(void *user, ct_prompt_engine *engine, const ct_message *message,
                 const ct_sjson *doc);
} ct_prompt_engines_events;

typedef struct ct_prompt_engines {
    ct_allocator *allocator;
    ct_prompt_engines_events events;
    ct_prompt_engine list[CT_PROMPT_MAX_ENGINES];
    uint32_t count;
    bool is_searching; // for engines on this machine: none was named
    const char *token; // that engines which were named get first; borrowed; NULL: none
    uint64_t next_try_ns;
} ct_prompt_engines;

// Starts with an empty list, which searches this machine until an engine is added. `events` is
// copied.
void ct_prompt_engines_init(ct_prompt_engines *e, ct_allocator *a,
                            const ct_prompt_engines_events *events);

// Ends all connections and empties the list, without events.
void ct_prompt_engines_free(ct_prompt_engines *e);

// Adds an engine by its address and ends the search on this machine; the next look connects to it.
// Returns false with `error` when the list is full or has the address.
bool ct_prompt_engines_add(ct_prompt_engines *e, const char *host, uint16_t port, ct_error *error);

// Connects to the engines that are not connected, when it is time: once a second, and at once after
// an engine was added.
void ct_prompt_engines_look(ct_prompt_engines *e);

// Waits up to `timeout_ns` for messages of engines, or for standard input when `with_input`, and
// calls the events. Returns whether standard input can be read.
bool ct_prompt_engines_wait(ct_prompt_engines *e, uint64_t timeout_ns, bool with_input);

// Sends a message. Returns false when the engine is not connected (any more).
bool ct_prompt_engine_send(ct_prompt_engines *e, ct_prompt_engine *engine,
                           const ct_string_builder *json);

// Searches this machine for engines, as a new list does. Returns how many it found, and sets
// `*port` to the port of the first; without any, `*port` stays.
uint32_t ct_prompt_engines_search(uint16_t *port);

// Returns the number of engines that are connected.
uint32_t ct_prompt_engines_num_connected(const ct_prompt_engines *e);

// Returns the number of engines from which an answer is due.
uint32_t ct_prompt_engines_num_awaited(const ct_prompt_engines *e);
