// dap_link.h: the connection to the console of a game.
#pragma once
#include "foundation/os/message.h"

typedef struct ct_dap_link {
    ct_allocator *allocator;
    int socket; // -1: not connected
    ct_message_reader reader;
    ct_byte_array unsent;
    uint32_t num_sent; // bytes of `unsent`
} ct_dap_link;

// Makes a link that is not connected.
void ct_dap_link_init(ct_dap_link *l, ct_allocator *a);

// Closes the connection, if there is one.
void ct_dap_link_close(ct_dap_link *l);

// Connects. Returns false with `error`.
bool ct_dap_link_connect(ct_dap_link *l, const char *host, uint16_t port, ct_error *error);

// Sends a message, now or later (ct_dap_link_flush). Nothing without a connection.
void ct_dap_link_send(ct_dap_link *l, const char *json, uint32_t bytes);

// Sends as much as the socket takes. A failure shows when the socket is read.
void ct_dap_link_flush(ct_dap_link *l);

// Receives what has arrived. Returns false with `error` when the connection has ended; messages that came
// before are still there.
bool ct_dap_link_receive(ct_dap_link *l, ct_error *error);

// Takes the next message that is whole, borrowed until the next call. An ERROR has `error`.
ct_message_result ct_dap_link_next(ct_dap_link *l, ct_message *message, ct_error *error);
