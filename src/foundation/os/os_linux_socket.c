// os_linux_socket.c: TCP servers on this machine, and connections from it.
#include "foundation/error.h"
#include "foundation/os/os.h"
#include "foundation/os/os_linux.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// Messages are small and wait for answers: the system must not delay one to join it with others.
static void send_without_delay(int socket) {
    const int on = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

// --- Listening -----------------------------------------------------------------------------------

// Returns the listening socket, or -1 with errno.
static int listen_at(uint16_t port) {
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (listener < 0)
        return -1;
    const int on = 1; // connections of an earlier run that are still closing do not block the port
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    const struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    if (bind(listener, (const struct sockaddr *)&address, sizeof(address)) == 0 &&
        listen(listener, SOMAXCONN) == 0)
        return listener;
    const int failure = errno;
    close(listener);
    errno = failure;
    return -1;
}

static uint16_t port_of(int listener) {
    struct sockaddr_in address = {0};
    socklen_t size = sizeof(address);
    getsockname(listener, (struct sockaddr *)&address, &size);
    return ntohs(address.sin_port);
}

int ct_socket_listen(uint16_t port, uint16_t attempts, uint16_t *bound_port, ct_error *error) {
    CT_ASSERT(attempts > 0, "listening at port %u needs at least one attempt", port);
    const uint32_t last = port == 0 ? 0 : (uint32_t)port + attempts - 1;
    for (uint32_t i = port; i <= last && i <= UINT16_MAX; ++i) {
        const int listener = listen_at((uint16_t)i);
        if (listener >= 0) {
            *bound_port = port_of(listener);
            return listener;
        }
        if (errno != EADDRINUSE)
            break;
    }
    char where[64];
    snprintf(where, sizeof(where), "127.0.0.1, ports %u to %u", port, last);
    ct_os_linux_error(error, "listen at", where);
    return -1;
}

int ct_socket_accept(int listener) {
    int client = -1;
    do {
        client = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    } while (client < 0 && (errno == EINTR || errno == ECONNABORTED));
    if (client >= 0)
        send_without_delay(client);
    return client;
}

// --- Connecting ----------------------------------------------------------------------------------

// Waits for a connection that is being made. Returns 0 or the error's number.
static int finish_connect(int socket, uint64_t deadline) {
    struct pollfd wanted = {.fd = socket, .events = POLLOUT};
    int ready = 0;
    do {
        const struct timespec left = ct_os_linux_left(deadline);
        ready = ppoll(&wanted, 1, &left, NULL);
    } while (ready < 0 && errno == EINTR);
    if (ready == 0)
        return ETIMEDOUT;
    int failure = 0;
    socklen_t size = sizeof(failure);
    if (ready < 0 || getsockopt(socket, SOL_SOCKET, SO_ERROR, &failure, &size) != 0)
        return errno;
    return failure;
}

// Returns the connected socket, or -1 with errno.
static int connect_to(const struct addrinfo *address, uint64_t deadline) {
    const int type = address->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC;
    const int connection = socket(address->ai_family, type, address->ai_protocol);
    if (connection < 0)
        return -1;
    int failure = 0;
    if (connect(connection, address->ai_addr, address->ai_addrlen) != 0)
        failure =
            errno == EINPROGRESS || errno == EINTR ? finish_connect(connection, deadline) : errno;
    if (failure == 0) {
        ct_socket_set_blocking(connection, true);
        send_without_delay(connection);
        return connection;
    }
    close(connection);
    errno = failure;
    return -1;
}

int ct_socket_connect(const char *host, uint16_t port, uint64_t timeout_ns, ct_error *error) {
    const uint64_t deadline = ct_os_linux_deadline(timeout_ns);
    char port_text[8], where[300];
    snprintf(port_text, sizeof(port_text), "%u", port);
    snprintf(where, sizeof(where), "%s:%u", host, port);
    const struct addrinfo wanted = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct addrinfo *addresses = NULL;
    const int failure = getaddrinfo(host, port_text, &wanted, &addresses);
    if (failure != 0) {
        ct_error_set(error, "cannot connect to %s: %s", where, gai_strerror(failure));
        return -1;
    }
    int connection = -1;
    for (const struct addrinfo *i = addresses; i && connection < 0; i = i->ai_next)
        connection = connect_to(i, deadline);
    const int last_failure = errno;
    freeaddrinfo(addresses);
    errno = last_failure;
    if (connection < 0)
        ct_os_linux_error(error, "connect to", where);
    return connection;
}

// --- Traffic -------------------------------------------------------------------------------------

void ct_socket_close(int socket) {
    const int result = close(socket);
    CT_ASSERT(result == 0 || errno != EBADF, "socket %d is closed twice", socket);
}

void ct_socket_end_sending(int socket) {
    shutdown(socket, SHUT_WR); // fails only when the other end is gone
}

void ct_socket_set_blocking(int socket, bool blocking) {
    const int flags = fcntl(socket, F_GETFL);
    CT_ASSERT(flags >= 0, "%d is not a socket", socket);
    fcntl(socket, F_SETFL, blocking ? flags & ~O_NONBLOCK : flags | O_NONBLOCK);
}

static size_t size_at_once(uint64_t size_bytes) {
    return size_bytes > INT_MAX ? INT_MAX : (size_t)size_bytes;
}

// What a failed send or receive means: 0 would block, -1 the connection has ended.
static int64_t result_of_failure(void) {
    return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : -1;
}

int64_t ct_socket_send(int socket, const void *data, uint64_t size_bytes) {
    ssize_t sent = -1;
    do {
        sent = send(socket, data, size_at_once(size_bytes), MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent >= 0 ? sent : result_of_failure();
}

int64_t ct_socket_receive(int socket, void *data, uint64_t size_bytes) {
    CT_ASSERT(size_bytes > 0, "socket %d: the receive buffer has 0 bytes", socket);
    ssize_t got = -1;
    do {
        got = recv(socket, data, size_at_once(size_bytes), 0);
    } while (got < 0 && errno == EINTR);
    if (got == 0)
        return -1; // the other side has closed it
    return got > 0 ? got : result_of_failure();
}

uint32_t ct_socket_wait(const int *sockets, uint32_t count, bool *readable, uint64_t timeout_ns) {
    CT_ASSERT(count <= CT_SOCKET_WAIT_MAX, "cannot wait for %u sockets at once", count);
    struct pollfd wanted[CT_SOCKET_WAIT_MAX];
    for (uint32_t i = 0; i < count; ++i)
        wanted[i] = (struct pollfd){.fd = sockets[i], .events = POLLIN};
    const uint64_t deadline = ct_os_linux_deadline(timeout_ns);
    int ready = 0;
    do {
        const struct timespec left = ct_os_linux_left(deadline);
        ready = ppoll(wanted, count, &left, NULL);
    } while (ready < 0 && errno == EINTR);
    CT_REQUIRE(ready >= 0, "poll: %s", strerrordesc_np(errno));
    for (uint32_t i = 0; i < count; ++i)
        readable[i] = wanted[i].revents != 0;
    return (uint32_t)ready;
}

void ct_socket_wait_either(int socket, bool *readable, bool *writable) {
    struct pollfd wanted = {.fd = socket, .events = POLLIN | POLLOUT};
    int ready = 0;
    do {
        ready = ppoll(&wanted, 1, NULL, NULL);
    } while (ready < 0 && errno == EINTR);
    CT_REQUIRE(ready == 1, "poll: %s", strerrordesc_np(errno));
    const bool has_ended = wanted.revents & (POLLHUP | POLLERR | POLLNVAL);
    *readable = has_ended || (wanted.revents & POLLIN);
    *writable = has_ended || (wanted.revents & POLLOUT);
}
