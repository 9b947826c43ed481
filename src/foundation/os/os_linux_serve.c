// os_linux_serve.c: servers for other machines, and many sockets at once.
#include "foundation/error.h"
#include "foundation/os/os.h"
#include "foundation/os/os_linux.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

bool ct_socket_is_loopback(const char *address) {
    struct in_addr v4;
    struct in6_addr v6;
    if (inet_pton(AF_INET, address, &v4) == 1)
        return (ntohl(v4.s_addr) >> 24) == 127;
    if (inet_pton(AF_INET6, address, &v6) == 1)
        return IN6_IS_ADDR_LOOPBACK(&v6) || (IN6_IS_ADDR_V4MAPPED(&v6) && v6.s6_addr[12] == 127);
    return strcmp(address, "localhost") == 0;
}

static uint16_t port_of(const struct sockaddr_storage *address) {
    return ntohs(address->ss_family == AF_INET6
                     ? ((const struct sockaddr_in6 *)(const void *)address)->sin6_port
                     : ((const struct sockaddr_in *)(const void *)address)->sin_port);
}

// Returns the listening socket, or -1 with errno.
static int listen_to(const struct addrinfo *address) {
    const int listener = socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (listener < 0)
        return -1;
    const int on = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (bind(listener, address->ai_addr, address->ai_addrlen) == 0 &&
        listen(listener, SOMAXCONN) == 0)
        return listener;
    const int failure = errno;
    close(listener);
    errno = failure;
    return -1;
}

int ct_socket_listen_at(const char *address, uint16_t port, uint16_t *bound_port, ct_error *error) {
    char port_text[8], where[300];
    snprintf(port_text, sizeof(port_text), "%u", port);
    snprintf(where, sizeof(where), "%s, port %u", address, port);
    const struct addrinfo wanted = {.ai_flags = AI_PASSIVE | AI_NUMERICSERV,
                                    .ai_family = AF_UNSPEC,
                                    .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    const int failure = getaddrinfo(address, port_text, &wanted, &found);
    if (failure != 0) {
        ct_error_set(error, "cannot listen at %s: %s", where, gai_strerror(failure));
        return -1;
    }
    const int listener = listen_to(found);
    if (listener < 0)
        ct_os_linux_error(error, "listen at", where);
    freeaddrinfo(found);
    struct sockaddr_storage bound = {0};
    socklen_t size = sizeof(bound);
    if (listener >= 0 && getsockname(listener, (struct sockaddr *)&bound, &size) == 0)
        *bound_port = port_of(&bound);
    return listener;
}

uint32_t ct_socket_poll_many(ct_socket_poll *sockets, uint32_t count, uint64_t timeout_ns) {
    CT_ASSERT(count <= CT_SOCKET_WAIT_MAX, "cannot wait for %u sockets at once", count);
    struct pollfd wanted[CT_SOCKET_WAIT_MAX];
    for (uint32_t i = 0; i < count; ++i)
        wanted[i] = (struct pollfd){.fd = sockets[i].socket,
                                    .events = (short)((sockets[i].wants_to_read ? POLLIN : 0) |
                                                      (sockets[i].wants_to_send ? POLLOUT : 0))};
    const struct timespec left = ct_os_linux_left(ct_os_linux_deadline(timeout_ns));
    const int ready = ppoll(wanted, count, &left, NULL);
    for (uint32_t i = 0; i < count; ++i) {
        const short found = ready > 0 ? wanted[i].revents : 0;
        sockets[i].is_readable = (found & (POLLIN | POLLHUP | POLLERR | POLLNVAL)) != 0;
        sockets[i].can_send = (found & POLLOUT) != 0;
    }
    return ready > 0 ? (uint32_t)ready : 0;
}

bool ct_os_file_link(const char *existing, const char *path, ct_error *error) {
    return link(existing, path) == 0 || ct_os_linux_error(error, "link", path);
}

bool ct_os_process_replace(const char *const *arguments, ct_error *error) {
    execv(arguments[0], (char *const *)(void *)arguments);
    return ct_os_linux_error(error, "start", arguments[0]);
}
