// local_socket.h: what a server asks about connections beyond sending and receiving: what comes next on
// one, at which address it arrived, which user listens at a port of this machine; and pairs of sockets.
//
// Sockets are numbers as in os.h. Nothing here blocks. Any thread.
#pragma once
#include "foundation/os/address.h"

// Copies up to `size_bytes` (at least 1) of what was received without taking it. Returns how many bytes
// there are; 0 when nothing has come, -1 when the connection has ended.
int64_t ct_socket_peek(int socket, void *data, uint64_t size_bytes);

// Makes two sockets that are connected to each other and do not block. Close both. Returns false with
// `error` when the process has no more files.
bool ct_socket_pair(int sockets[2], ct_error *error);

// Returns a second number for the same socket, to be closed on its own; -1 when the process has no more files.
int ct_socket_duplicate(int socket);

// Sets `address` to the one of this machine at which a TCP connection arrived. Returns false when it has
// none: it has ended, or is one of a pair.
bool ct_socket_local_address(int socket, ct_address *address);

// Returns whether a program of the user `user` listens at a TCP port of this machine such that it gets connections
// to `address` (NULL: to any), and every program that listens at that port, at whichever address, is of that user.
// Reads the system's table of connections.
bool ct_socket_is_listener_of(const ct_address *address, uint16_t port, uint32_t user);
