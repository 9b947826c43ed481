// os_linux_local_socket.c: what comes on a connection, where it arrived, and who listens.
#include "foundation/error.h"
#include "foundation/os/local_socket.h"
#include "foundation/os/os_linux.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

enum { STATE_LISTENS = 0x0a }; // in the kernel's tables

int64_t ct_socket_peek(int socket, void *data, uint64_t size_bytes) {
    CT_ASSERT(size_bytes > 0, "socket %d: the buffer has 0 bytes", socket);
    ssize_t got = -1;
    do {
        got = recv(socket, data, size_bytes, MSG_PEEK | MSG_DONTWAIT);
    } while (got < 0 && errno == EINTR);
    if (got > 0)
        return got;
    return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? 0 : -1;
}

bool ct_socket_pair(int sockets[2], ct_error *error) {
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, sockets) == 0 ||
           ct_os_linux_error(error, "make", "a pair of sockets");
}

int ct_socket_duplicate(int socket) {
    return fcntl(socket, F_DUPFD_CLOEXEC, 0);
}

bool ct_socket_local_address(int socket, ct_address *address) {
    struct sockaddr_storage here = {0};
    socklen_t size = sizeof(here);
    return getsockname(socket, (struct sockaddr *)&here, &size) == 0 &&
           ct_address_of_system(&here, size, address);
}

// Counts the listeners at a port in a table of TCP, and those of them that belong to `user`.
static void count_listeners(const char *table, uint16_t port, uint32_t user, uint32_t *num,
                            uint32_t *num_own) {
    char line[512];
    FILE *const file = fopen(table, "re");
    while (file && fgets(line, sizeof(line), file)) {
        unsigned int local_port = 0, state = 0, owner = 0;
        const bool is_row =
            sscanf(line, " %*u: %*[0-9A-F]:%x %*[0-9A-F]:%*x %x %*x:%*x %*x:%*x %*x %u",
                   &local_port, &state, &owner) == 3;
        if (is_row && state == STATE_LISTENS && local_port == port) {
            ++*num;
            *num_own += owner == user;
        }
    }
    if (file)
        fclose(file);
}

bool ct_socket_is_listener_of(uint16_t port, uint32_t user) {
    uint32_t num = 0, num_own = 0;
    count_listeners("/proc/net/tcp", port, user, &num, &num_own);
    count_listeners("/proc/net/tcp6", port, user, &num, &num_own);
    return num > 0 && num == num_own;
}
