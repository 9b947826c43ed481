// os_linux_datagram.c: UDP sockets.
#include "foundation/error.h"
#include "foundation/os/datagram.h"
#include "foundation/os/os.h"
#include "foundation/os/os_linux.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct sockaddr_in system_address(const ct_datagram_address *address) {
    return (struct sockaddr_in){
        .sin_family = AF_INET,
        .sin_port = htons(address->port),
        .sin_addr.s_addr = htonl(address->ip),
    };
}

static ct_datagram_address address_of(const struct sockaddr_in *address) {
    return (ct_datagram_address){.ip = ntohl(address->sin_addr.s_addr),
                                 .port = ntohs(address->sin_port)};
}

static bool set_option(int socket, int option, int value) {
    return setsockopt(socket, SOL_SOCKET, option, &value, sizeof(value)) == 0;
}

static bool prepare(int socket, const ct_datagram_desc *desc) {
    const struct sockaddr_in address = system_address(&desc->address);
    if (desc->can_broadcast && !set_option(socket, SO_BROADCAST, 1))
        return false;
    if (desc->is_shared && !set_option(socket, SO_REUSEADDR, 1))
        return false;
    if (desc->receive_buffer_bytes > 0) // a wish: what the system gives is enough
        set_option(socket, SO_RCVBUF,
                   desc->receive_buffer_bytes < INT32_MAX ? (int)desc->receive_buffer_bytes
                                                          : INT32_MAX);
    return bind(socket, (const struct sockaddr *)&address, sizeof(address)) == 0;
}

int ct_datagram_open(const ct_datagram_desc *desc, ct_datagram_address *bound, ct_error *error) {
    char text[CT_DATAGRAM_ADDRESS_BYTES];
    const int opened = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (opened < 0 || !prepare(opened, desc)) {
        ct_os_linux_error(error, "open a UDP socket at",
                          ct_datagram_address_print(&desc->address, text));
        if (opened >= 0)
            close(opened);
        return -1;
    }
    if (bound)
        *bound = ct_datagram_bound(opened);
    return opened;
}

ct_datagram_address ct_datagram_bound(int socket) {
    struct sockaddr_in address = {0};
    socklen_t size = sizeof(address);
    const int result = getsockname(socket, (struct sockaddr *)&address, &size);
    CT_ASSERT(result == 0, "%d is not a socket", socket);
    return address_of(&address);
}

bool ct_datagram_send(int socket, const ct_datagram_address *to, const void *bytes, uint32_t size) {
    CT_ASSERT(size <= CT_DATAGRAM_MAX_BYTES, "a datagram of %u bytes", size);
    const struct sockaddr_in address = system_address(to);
    ssize_t sent = -1;
    do {
        sent = sendto(socket, bytes, size, MSG_NOSIGNAL, (const struct sockaddr *)&address,
                      sizeof(address));
    } while (sent < 0 && errno == EINTR);
    CT_ASSERT(sent >= 0 || errno != EBADF, "sending through a closed socket %d", socket);
    return sent == (ssize_t)size;
}

int64_t ct_datagram_receive(int socket, ct_datagram_address *from, void *bytes, uint32_t capacity) {
    CT_ASSERT(capacity > 0, "socket %d: the receive buffer has 0 bytes", socket);
    struct sockaddr_in address = {0};
    socklen_t address_size = sizeof(address);
    ssize_t got = -1;
    // What the other end's machine refused (ECONNREFUSED) is reported here, once; what came since
    // lies behind it.
    do {
        address_size = sizeof(address);
        got = recvfrom(socket, bytes, capacity, MSG_TRUNC, (struct sockaddr *)&address,
                       &address_size);
    } while (got < 0 && (errno == EINTR || errno == ECONNREFUSED));
    CT_ASSERT(got >= 0 || errno != EBADF, "receiving from a closed socket %d", socket);
    if (got < 0)
        return -1;
    *from = address_of(&address);
    return got;
}

// --- Text ----------------------------------------------------------------------------------------

// Reads a number up to `most` without sign, spaces or leading zeros; returns the end, or NULL.
static const char *read_number(const char *text, uint32_t most, uint32_t *number) {
    const bool has_leading_zero = text[0] == '0' && text[1] >= '0' && text[1] <= '9';
    if (text[0] < '0' || text[0] > '9' || has_leading_zero)
        return NULL;
    *number = 0;
    for (; *text >= '0' && *text <= '9'; ++text) {
        *number = *number * 10 + (uint32_t)(*text - '0');
        if (*number > most)
            return NULL;
    }
    return text;
}

// Reads "10.0.0.2"; returns the end, or NULL.
static const char *read_ip(const char *text, uint32_t *ip) {
    *ip = 0;
    for (int i = 0; i < 4; ++i) {
        uint32_t part = 0;
        if (i > 0 && *text++ != '.')
            return NULL;
        text = read_number(text, 255, &part);
        if (!text)
            return NULL;
        *ip = *ip << 8 | part;
    }
    return text;
}

bool ct_datagram_address_parse(const char *text, uint16_t default_port,
                               ct_datagram_address *address, ct_error *error) {
    uint32_t ip = 0, port = default_port;
    const char *rest = read_ip(text, &ip);
    if (!rest || (*rest != 0 && *rest != ':'))
        return ct_error_set(error,
                            "\"%.64s\" is not an address: write four numbers and a port, "
                            "such as 10.0.0.2:4000",
                            text);
    if (*rest == ':') {
        rest = read_number(rest + 1, UINT16_MAX, &port);
        if (!rest || *rest != 0 || port == 0)
            return ct_error_set(error,
                                "\"%.64s\" has no valid port: write 1 to 65535 after the "
                                "colon",
                                text);
    }
    if (port == 0)
        return ct_error_set(error,
                            "\"%.64s\" has no port: write one after a colon, such as "
                            "%.64s:4000",
                            text, text);
    *address = (ct_datagram_address){.ip = ip, .port = (uint16_t)port};
    return true;
}

const char *ct_datagram_address_print(const ct_datagram_address *address,
                                      char text[CT_DATAGRAM_ADDRESS_BYTES]) {
    snprintf(text, CT_DATAGRAM_ADDRESS_BYTES, "%u.%u.%u.%u:%u", address->ip >> 24,
             address->ip >> 16 & 255, address->ip >> 8 & 255, address->ip & 255, address->port);
    return text;
}
