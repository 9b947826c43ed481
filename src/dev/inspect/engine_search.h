// engine_search.h: finds the other games of this user on this machine: those whose consoles listen at the
// ports 64000 to 64063.
//
// A thread, which is started for a question and ends with its answer, connects to each port and asks which game is
// there; so no frame waits. A console that does not answer in half a second is listed by its port alone; what
// belongs to another user, or is no console, is left out. Update thread.
#pragma once
#include "dev/console_server.h"
#include "dev/protocol/protocol_request.h"

enum { CT_ENGINE_SEARCH_FIRST_PORT = 64000, CT_ENGINE_SEARCH_NUM_PORTS = 64 };

typedef struct ct_engine_search ct_engine_search;

// Makes a search that has not begun; `a` must be safe from any thread.
ct_engine_search *ct_engine_search_create(ct_allocator *a);

// Waits for the thread, at most some seconds, and frees it; NULL is fine.
void ct_engine_search_destroy(ct_engine_search *s);

// Has the answer of the message of a request sent to its client when the search is through; `own_port` is
// left out. Returns false with r->error when too many wait.
bool ct_engine_search_ask(ct_engine_search *s, ct_console_request *r, uint16_t own_port);

// Sends the answers of a search that is through. Call it each frame.
void ct_engine_search_update(ct_engine_search *s, ct_console_server *server);
