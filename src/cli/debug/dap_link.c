#include "cli/debug/dap_link.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/os/os.h"

enum { MAX_MESSAGE_BYTES = 64 << 20, RECEIVE_BYTES = 65536 };
static const uint64_t connect_limit_ns = 500000000;

void ct_dap_link_init(ct_dap_link *l, ct_allocator *a) {
    memset(l, 0, sizeof(*l));
    l->allocator = a;
    l->socket = -1;
    ct_array_init(&l->unsent, a);
}

void ct_dap_link_close(ct_dap_link *l) {
    if (l->socket >= 0) {
        ct_socket_close(l->socket);
        ct_message_reader_free(&l->reader);
    }
    ct_array_free(&l->unsent);
    l->socket = -1;
    l->num_sent = 0;
}

bool ct_dap_link_connect(ct_dap_link *l, const char *host, uint16_t port, ct_error *error) {
    l->socket = ct_socket_connect(host, port, connect_limit_ns, error);
    if (l->socket < 0)
        return false;
    ct_socket_set_blocking(l->socket, false);
    ct_message_reader_init(&l->reader, l->allocator, MAX_MESSAGE_BYTES);
    return true;
}

void ct_dap_link_send(ct_dap_link *l, const char *json, uint32_t bytes) {
    if (l->socket < 0)
        return;
    ct_message_write(&l->unsent, json, bytes, NULL, 0);
    ct_dap_link_flush(l);
}

void ct_dap_link_flush(ct_dap_link *l) {
    while (l->socket >= 0 && l->num_sent < l->unsent.count) {
        const int64_t sent =
            ct_socket_send(l->socket, l->unsent.items + l->num_sent, l->unsent.count - l->num_sent);
        if (sent <= 0)
            return;
        l->num_sent += (uint32_t)sent;
    }
    l->unsent.count = l->num_sent = 0;
}

bool ct_dap_link_receive(ct_dap_link *l, ct_error *error) {
    char bytes[RECEIVE_BYTES];
    const int64_t count = ct_socket_receive(l->socket, bytes, sizeof(bytes));
    if (count > 0)
        ct_message_reader_add(&l->reader, bytes, (uint64_t)count);
    return count >= 0 || ct_error_set(error, "the game has closed the connection");
}

ct_message_result ct_dap_link_next(ct_dap_link *l, ct_message *message, ct_error *error) {
    return l->socket >= 0 ? ct_message_reader_next(&l->reader, message, error)
                          : CT_MESSAGE_RESULT_NONE;
}
