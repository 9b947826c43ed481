// os_linux_peer.c: which user has the other end of a connection, and which users listen.
#include "foundation/error.h"
#include "foundation/os/local_socket.h"
#include "foundation/os/os.h"
#include "foundation/os/os_linux.h"

#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { STATE_LISTENS = 0x0a }; // in the kernel's tables

// One end of a connection.
typedef struct tcp_end {
    ct_address address;
    uint16_t port;
    uint32_t interface; // of a link-local address, else 0
} tcp_end;

// The owner of an end. Inode 0: no process holds it any more, and `user` is meaningless.
typedef struct tcp_owner {
    uint32_t user;
    unsigned long inode;
} tcp_owner;

static bool read_end(const struct sockaddr_storage *from, socklen_t size, tcp_end *end) {
    const struct sockaddr_in *const ipv4 = (const void *)from;
    const struct sockaddr_in6 *const ipv6 = (const void *)from;
    end->port = ntohs(from->ss_family == AF_INET ? ipv4->sin_port : ipv6->sin6_port);
    end->interface = from->ss_family == AF_INET ? 0 : ipv6->sin6_scope_id;
    return ct_address_of_system(from, size, &end->address);
}

static bool is_ipv4(const ct_address *address) {
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    return memcmp(address->bytes, mapped, sizeof(mapped)) == 0;
}

// --- Asking for one connection -------------------------------------------------------------------

// What the kernel says about a connection.
typedef enum diag_result {
    DIAG_RESULT_UNKNOWN, // it does not answer such questions
    DIAG_RESULT_ABSENT,
    DIAG_RESULT_FOUND,
} diag_result;

// The kernel finds a connection by its ends in one step, however many there are.
static int send_question(const tcp_end *local, const tcp_end *remote) {
    struct {
        struct nlmsghdr header;
        struct inet_diag_req_v2 request;
    } question = {.header = {.nlmsg_len = sizeof(question),
                             .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                             .nlmsg_flags = NLM_F_REQUEST},
                  .request = {.sdiag_family = is_ipv4(&local->address) ? AF_INET : AF_INET6,
                              .sdiag_protocol = IPPROTO_TCP,
                              .idiag_states = ~0u,
                              .id = {.idiag_sport = htons(local->port),
                                     .idiag_dport = htons(remote->port),
                                     .idiag_if = local->interface,
                                     .idiag_cookie = {INET_DIAG_NOCOOKIE, INET_DIAG_NOCOOKIE}}}};
    const uint32_t begin = is_ipv4(&local->address) ? 12 : 0;
    memcpy(question.request.id.idiag_src, local->address.bytes + begin, 16 - begin);
    memcpy(question.request.id.idiag_dst, remote->address.bytes + begin, 16 - begin);
    const int kernel =
        socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_SOCK_DIAG);
    if (kernel >= 0 && send(kernel, &question, sizeof(question), 0) == sizeof(question))
        return kernel;
    if (kernel >= 0)
        close(kernel);
    return -1;
}

// Reads the answer, which is there once the question was sent.
static diag_result read_answer(int kernel, const tcp_end *remote, tcp_owner *owner) {
    union {
        struct nlmsghdr header;
        uint8_t bytes[4096];
    } answer;
    const ssize_t bytes = recv(kernel, &answer, sizeof(answer), 0);
    if (bytes < (ssize_t)sizeof(answer.header) || answer.header.nlmsg_len > (size_t)bytes)
        return DIAG_RESULT_UNKNOWN;
    if (answer.header.nlmsg_type == NLMSG_ERROR &&
        answer.header.nlmsg_len >= NLMSG_LENGTH(sizeof(struct nlmsgerr))) {
        const struct nlmsgerr *const error = NLMSG_DATA(&answer.header);
        return error->error == -ENOENT ? DIAG_RESULT_ABSENT : DIAG_RESULT_UNKNOWN;
    }
    const struct inet_diag_msg *const found = NLMSG_DATA(&answer.header);
    if (answer.header.nlmsg_type != SOCK_DIAG_BY_FAMILY ||
        answer.header.nlmsg_len < NLMSG_LENGTH(sizeof(*found)))
        return DIAG_RESULT_UNKNOWN;
    if (found->idiag_state == STATE_LISTENS || found->id.idiag_dport != htons(remote->port))
        return DIAG_RESULT_ABSENT; // a listener at that port
    *owner = (tcp_owner){.user = found->idiag_uid, .inode = found->idiag_inode};
    return DIAG_RESULT_FOUND;
}

// Finds the end at `local` that is connected to `remote`.
static diag_result find_end(const tcp_end *local, const tcp_end *remote, tcp_owner *owner) {
    const int kernel = send_question(local, remote);
    if (kernel < 0)
        return DIAG_RESULT_UNKNOWN;
    const diag_result result = read_answer(kernel, remote, owner);
    close(kernel);
    return result;
}

// As find_end, with UNKNOWN where the kernel cannot know: without the module for TCP, all are absent. Then so is
// our own end, at `remote`.
static diag_result ask_kernel(const tcp_end *local, const tcp_end *remote, tcp_owner *owner) {
    static atomic_bool has_answered;
    tcp_owner own;
    const diag_result result = find_end(local, remote, owner);
    if (result == DIAG_RESULT_FOUND ||
        (result == DIAG_RESULT_ABSENT && find_end(remote, local, &own) == DIAG_RESULT_FOUND))
        atomic_store(&has_answered, true);
    return result == DIAG_RESULT_ABSENT && !atomic_load(&has_answered) ? DIAG_RESULT_UNKNOWN
                                                                       : result;
}

// --- The tables of all connections ---------------------------------------------------------------

// A row of /proc/net/tcp and tcp6. Addresses are in hexadecimal, in memory order.
typedef struct tcp_row {
    char local[33], remote[33];
    unsigned int local_port, remote_port, state, user;
    unsigned long inode;
} tcp_row;

static bool read_row(const char *line, tcp_row *row) {
    return sscanf(line, " %*u: %32[0-9A-F]:%x %32[0-9A-F]:%x %x %*x:%*x %*x:%*x %*x %u %*u %lu",
                  row->local, &row->local_port, row->remote, &row->remote_port, &row->state,
                  &row->user, &row->inode) == 7;
}

// Whether the text is the address, in a table of tcp or, mapped, of tcp6.
static bool is_address(const char *text, const ct_address *address) {
    uint32_t words[4];
    char whole[33];
    memcpy(words, address->bytes, sizeof(words));
    snprintf(whole, sizeof(whole), "%08X%08X%08X%08X", words[0], words[1], words[2], words[3]);
    return strcmp(text, whole) == 0 || (is_ipv4(address) && strcmp(text, whole + 24) == 0);
}

static bool find_row(const char *table, const tcp_end *local, const tcp_end *remote,
                     tcp_owner *owner) {
    char line[512];
    tcp_row row;
    bool is_found = false;
    FILE *const file = fopen(table, "re");
    while (file && !is_found && fgets(line, sizeof(line), file))
        is_found = read_row(line, &row) && row.local_port == local->port &&
                   row.remote_port == remote->port && is_address(row.local, &local->address) &&
                   is_address(row.remote, &remote->address);
    if (file)
        fclose(file);
    if (is_found)
        *owner = (tcp_owner){.user = row.user, .inode = row.inode};
    return is_found;
}

bool ct_socket_peer_user(int socket, uint32_t *user, ct_error *error) {
    struct sockaddr_storage here = {0}, there = {0};
    socklen_t here_size = sizeof(here), there_size = sizeof(there);
    tcp_end local, remote;
    tcp_owner owner;
    if (getsockname(socket, (struct sockaddr *)&here, &here_size) != 0 ||
        getpeername(socket, (struct sockaddr *)&there, &there_size) != 0 ||
        !read_end(&here, here_size, &local) || !read_end(&there, there_size, &remote))
        return ct_error_set(error, "cannot identify the other end of the connection");
    const diag_result result = ask_kernel(&remote, &local, &owner);
    const bool is_found =
        result == DIAG_RESULT_FOUND ||
        (result == DIAG_RESULT_UNKNOWN && (find_row("/proc/net/tcp", &remote, &local, &owner) ||
                                           find_row("/proc/net/tcp6", &remote, &local, &owner)));
    if (!is_found || owner.inode == 0)
        return ct_error_set(error, "the other end of the connection is closed, or not on this "
                                   "machine (/proc/net/tcp)");
    *user = owner.user;
    return true;
}

uint32_t ct_os_user(void) {
    return geteuid();
}

// --- Listeners -----------------------------------------------------------------------------------

// What is found of the listeners at a port.
typedef struct listeners {
    uint16_t port;
    const ct_address *address; // or NULL
    uint32_t user;
    bool has_other; // of another user
    bool is_heard;  // the address, by one of `user`
} listeners;

// Whether a listener at the address of a row hears connections to `address`.
static bool hears(const char *local, const ct_address *address) {
    const size_t length = strlen(local);
    const bool is_any =
        strspn(local, "0") == length && (length > 8 || (address && is_ipv4(address)));
    return !address || is_any || is_address(local, address);
}

static void look_at_listeners(const char *table, listeners *l) {
    char line[512];
    tcp_row row;
    FILE *const file = fopen(table, "re");
    while (file && fgets(line, sizeof(line), file)) {
        if (!read_row(line, &row) || row.state != STATE_LISTENS || row.local_port != l->port)
            continue;
        l->has_other |= row.user != l->user;
        l->is_heard |= row.user == l->user && hears(row.local, l->address);
    }
    if (file)
        fclose(file);
}

bool ct_socket_is_listener_of(const ct_address *address, uint16_t port, uint32_t user) {
    listeners l = {.port = port, .address = address, .user = user};
    look_at_listeners("/proc/net/tcp", &l);
    look_at_listeners("/proc/net/tcp6", &l);
    return l.is_heard && !l.has_other;
}
