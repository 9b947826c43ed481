#include "foundation/crash/crash_helper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_FILES = CT_CRASH_MAX_CONSOLES + 1, HELPER_SOCKET = 3 };

static struct {
    ct_crash_record *record; // shared
    int socket;              // our end
    pid_t owner;             // the process that the helper belongs to
    pid_t pid;
} helper;

// An order is one byte; it says whether the first of the files sent with it is standard error.
static const char order_with_standard_error = 'e', order_without = 'n', answer_done = 'd';

// Ancillary data as the kernel wants it: aligned like its header.
typedef union file_list {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(MAX_FILES * sizeof(int))];
} file_list;

// --- The helper ----------------------------------------------------------------------------------

// Receives the next order; false when the other process has ended.
static bool receive_order(ct_crash_output *out) {
    file_list list;
    char order = 0;
    struct iovec byte = {.iov_base = &order, .iov_len = 1};
    struct msghdr message = {.msg_iov = &byte,
                             .msg_iovlen = 1,
                             .msg_control = list.bytes,
                             .msg_controllen = sizeof(list.bytes)};
    ssize_t got = 0;
    do {
        got = recvmsg(HELPER_SOCKET, &message, MSG_CMSG_CLOEXEC);
    } while (got < 0 && errno == EINTR);
    if (got <= 0)
        return false;
    int files[MAX_FILES];
    uint32_t count = 0;
    const struct cmsghdr *const header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_type == SCM_RIGHTS) {
        count = (uint32_t)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        memcpy(files, CMSG_DATA(header), count * sizeof(int));
    }
    const uint32_t first = order == order_with_standard_error && count > 0 ? 1 : 0;
    out->standard_error = first ? files[0] : -1;
    out->num_consoles = count - first;
    memcpy(out->consoles, files + first, out->num_consoles * sizeof(int));
    return true;
}

static void write_report(ct_crash_record *record, ct_crash_output *out) {
    static char report[CT_CRASH_REPORT_BYTES];
    static char report_file[CT_CRASH_PATH_BYTES];
    memcpy(report_file, record->report_file, sizeof(report_file) - 1);
    out->report_file = report_file;
    ct_crash_text t = ct_crash_text_over(report, sizeof(report));
    ct_crash_symbols *const symbols = ct_crash_symbols_open(record->pid);
    ct_crash_record_format(record, symbols, &t);
    if (ct_crash_record_claim(record))
        ct_crash_write_output(out, t.bytes, t.length);
}

// The terminal's signals are for the game; this process ends after it.
static void ignore_signals(void) {
    static const int ignored[] = {SIGINT,  SIGTERM, SIGHUP,  SIGPIPE, SIGQUIT, SIGTTOU,
                                  SIGTTIN, SIGTSTP, SIGUSR1, SIGUSR2, SIGALRM};
    for (uint32_t i = 0; i < CT_COUNT_OF(ignored); ++i)
        signal(ignored[i], SIG_IGN);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

// Releases everything that belongs to the parent: files, ports, its current folder.
static bool keep_only(int socket) {
    const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nowhere < 0 || chdir("/") != 0)
        return false;
    // A number out of the way of those that are set below.
    const int kept = fcntl(socket, F_DUPFD_CLOEXEC, HELPER_SOCKET + 1);
    for (int i = 0; i < HELPER_SOCKET; ++i)
        dup2(nowhere, i);
    if (kept < 0 || dup2(kept, HELPER_SOCKET) < 0)
        return false;
    closefrom(HELPER_SOCKET + 1);
    return true;
}

_Noreturn static void run_helper(ct_crash_record *record, int socket) {
    ignore_signals();
    prctl(PR_SET_NAME, "cuttle-crash");
    if (!keep_only(socket))
        _exit(1);
    ct_crash_output out;
    while (receive_order(&out)) {
        write_report(record, &out);
        if (send(HELPER_SOCKET, &answer_done, 1, MSG_NOSIGNAL) != 1)
            break;
    }
    _exit(0);
}

// --- The process ---------------------------------------------------------------------------------

bool ct_crash_helper_start(void) {
    ct_crash_record *const record = mmap(NULL, sizeof(ct_crash_record), PROT_READ | PROT_WRITE,
                                         MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (record == MAP_FAILED)
        return false;
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
        munmap(record, sizeof(*record));
        return false;
    }
    // No signal comes to the helper before it ignores them.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t pid = fork();
    if (pid == 0)
        run_helper(record, pair[1]);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(pair[1]);
    if (pid < 0) {
        close(pair[0]);
        munmap(record, sizeof(*record));
        return false;
    }
    helper.record = record;
    helper.socket = pair[0];
    helper.pid = pid;
    helper.owner = getpid();
    return true;
}

ct_crash_record *ct_crash_helper_record(void) {
    return helper.owner == getpid() ? helper.record : NULL;
}

int64_t ct_crash_helper_pid(void) {
    return helper.owner == getpid() ? helper.pid : 0;
}

static bool is_open(int file) {
    return fcntl(file, F_GETFD) >= 0;
}

static bool send_order(const ct_crash_output *out) {
    int files[MAX_FILES];
    uint32_t count = 0;
    const bool has_standard_error = out->standard_error >= 0 && is_open(out->standard_error);
    if (has_standard_error)
        files[count++] = out->standard_error;
    for (uint32_t i = 0; i < out->num_consoles; ++i)
        if (is_open(out->consoles[i]))
            files[count++] = out->consoles[i];
    file_list list;
    memset(&list, 0, sizeof(list));
    char order = has_standard_error ? order_with_standard_error : order_without;
    struct iovec byte = {.iov_base = &order, .iov_len = 1};
    struct msghdr message = {.msg_iov = &byte, .msg_iovlen = 1};
    if (count > 0) {
        list.header = (struct cmsghdr){.cmsg_len = CMSG_LEN(count * sizeof(int)),
                                       .cmsg_level = SOL_SOCKET,
                                       .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(&list.header), files, count * sizeof(int));
        message.msg_control = list.bytes;
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
    }
    return sendmsg(helper.socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == 1;
}

ct_crash_helper_result ct_crash_helper_wait(uint32_t limit_ms) {
    struct pollfd wanted = {.fd = helper.socket, .events = POLLIN};
    int ready = 0;
    do {
        ready = poll(&wanted, 1, (int)limit_ms);
    } while (ready < 0 && errno == EINTR);
    if (ready <= 0)
        return CT_CRASH_HELPER_RESULT_LATE;
    char answer = 0;
    const bool is_done = recv(helper.socket, &answer, 1, MSG_DONTWAIT) == 1;
    return is_done ? CT_CRASH_HELPER_RESULT_DONE : CT_CRASH_HELPER_RESULT_NONE;
}

ct_crash_helper_result ct_crash_helper_report(const ct_crash_output *out, uint32_t limit_ms) {
    if (!ct_crash_helper_record() || !send_order(out))
        return CT_CRASH_HELPER_RESULT_NONE;
    return ct_crash_helper_wait(limit_ms);
}

void ct_crash_helper_end(void) {
    if (helper.owner != getpid())
        return;
    helper.owner = 0;
    kill(helper.pid, SIGKILL);
    while (waitpid(helper.pid, NULL, 0) < 0 && errno == EINTR) {
    }
    close(helper.socket);
}
