// os_linux_local_socket.c: what comes on a connection, where it arrived, and pairs.
#include "foundation/error.h"
#include "foundation/os/local_socket.h"
#include "foundation/os/os_linux.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

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
