// serve_server.h: the file server's sockets: takes engines in and moves bytes.
//
// At most 128 connections, each with bounded queues. One that has not named a project after 5
// seconds, is silent for a minute, or reads nothing of what is sent for 30 seconds is closed; the
// others do not notice. When all 128 are taken, the oldest that has not named a project makes room
// for a new one: engines that know the token get in however many others connect. Without a token only programs of the server's own user and of root on this
// machine may connect. One thread.
#pragma once
#include "dev/serve/serve_session.h"

typedef struct ct_serve_server ct_serve_server;

// How long a connection may do nothing, in nanoseconds; 0: the times above.
typedef struct ct_serve_limits {
    uint64_t hello_ns, silence_ns, reading_ns;
} ct_serve_limits;

typedef struct ct_serve_server_desc {
    ct_allocator *allocator;
    const char *address; // IPv4 or IPv6, or a name; NULL: 127.0.0.1
    uint16_t port;       // 0: the system chooses
    ct_serve_host host;  // `token` NULL: none, which only an address in 127.0.0.0/8 may have
    ct_serve_limits limits;
} ct_serve_server_desc;

// Listens. The desc's strings are borrowed for the server's life. Returns NULL with `error` when
// the port is taken, the token too short, or the address could be reached from elsewhere and there
// is no token.
ct_serve_server *ct_serve_server_create(const ct_serve_server_desc *desc, ct_error *error);

// Closes all connections; NULL is fine.
void ct_serve_server_destroy(ct_serve_server *s);

// Returns the port that the server listens at.
uint16_t ct_serve_server_port(const ct_serve_server *s);

// Returns how many connections are open.
uint32_t ct_serve_server_num_connections(const ct_serve_server *s);

// Waits up to `timeout_ns` for something to do, and does it: takes connections, answers messages,
// sends lists that have changed and parts of files.
void ct_serve_server_step(ct_serve_server *s, uint64_t timeout_ns);
