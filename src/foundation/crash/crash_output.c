#include "foundation/crash/crash_output.h"
#include "foundation/crash/crash_text.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MESSAGE_BYTES = 1 << 20, CONSOLES_MS = 500, FILE_MS = 10000, PASS_ON_MS = 50 };

// Returns false when nothing can be written any more.
static bool wait_writable(int file, int limit_ms) {
    struct pollfd wanted = {.fd = file, .events = POLLOUT};
    return poll(&wanted, 1, limit_ms) > 0 && (wanted.revents & POLLOUT);
}

static bool write_file(int file, const char *bytes, uint32_t count) {
    while (count > 0) {
        const ssize_t written = write(file, bytes, count);
        if (written > 0) {
            bytes += written;
            count -= (uint32_t)written;
        } else if (written < 0 && errno == EAGAIN) {
            if (!wait_writable(file, FILE_MS))
                return false;
        } else if (written < 0 && errno != EINTR) {
            return false;
        }
    }
    return true;
}

static void write_report_file(const ct_crash_output *out, const char *report, uint32_t bytes) {
    char line[CT_CRASH_MAX_CONSOLES + 8192];
    ct_crash_text t = ct_crash_text_over(line, sizeof(line));
    const int file = open(out->report_file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    const bool is_written = file >= 0 && write_file(file, report, bytes);
    const char *const reason = is_written ? "" : strerrordesc_np(errno);
    ct_crash_text_add(&t,
                      is_written ? "This report is in " : "This report could not be written to ");
    ct_crash_text_add(&t, out->report_file);
    ct_crash_text_add(&t, is_written ? "" : ": ");
    ct_crash_text_add(&t, reason ? reason : "unknown error");
    ct_crash_text_add(&t, "\n");
    if (file >= 0)
        close(file);
    if (out->standard_error >= 0)
        write_file(out->standard_error, t.bytes, t.length);
}

// --- Consoles ------------------------------------------------------------------------------------

static int64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

// A message as docs/formats/console_protocol.md has it; returns its bytes.
static uint32_t frame_message(char *message, uint32_t capacity, const char *report,
                              uint32_t bytes) {
    enum { HEADER_BYTES = 8 };
    ct_crash_text json = ct_crash_text_over(message + HEADER_BYTES, capacity - HEADER_BYTES);
    ct_crash_text_add(&json, "{\"type\": \"message\", \"level\": \"error\", \"system\": \"crash\", "
                             "\"message\": ");
    // Escapes may make it too long; then its end is cut off.
    while (!ct_crash_text_add_json(&json, report, bytes))
        bytes /= 2;
    ct_crash_text_add(&json, "}");
    memset(message, 0, HEADER_BYTES); // kind 0, then the length, big-endian
    for (uint32_t i = 0; i < 4; ++i)
        message[4 + i] = (char)(json.length >> (24 - 8 * i));
    return HEADER_BYTES + json.length;
}

static void send_message(int socket, const char *message, uint32_t bytes, int64_t end_ms) {
    while (bytes > 0) {
        const ssize_t sent = send(socket, message, bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
        const int64_t left_ms = end_ms - now_ms();
        if (sent > 0) {
            message += sent;
            bytes -= (uint32_t)sent;
        } else if (errno != EINTR &&
                   (errno != EAGAIN || left_ms <= 0 || !wait_writable(socket, (int)left_ms))) {
            return;
        }
    }
    // Closing a socket with unread bytes makes its other end discard what it has not read yet.
    char unread[4096];
    shutdown(socket, SHUT_WR);
    while (recv(socket, unread, sizeof(unread), MSG_DONTWAIT) > 0) {
    }
}

// Of a local socket, the other end is a thread of the program that crashes: it passes messages on to a page of a
// browser. Waits until it has taken all; returns whether the socket is a local one.
static bool wait_for_other_end(int socket, int64_t end_ms) {
    int domain = 0, untaken = 0;
    socklen_t bytes = sizeof(domain);
    if (getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &domain, &bytes) != 0 || domain != AF_UNIX)
        return false;
    while (ioctl(socket, SIOCOUTQ, &untaken) == 0 && untaken > 0 && now_ms() < end_ms)
        poll(NULL, 0, 1);
    return true;
}

void ct_crash_write_output(const ct_crash_output *out, const char *report, uint32_t bytes) {
    static char message[MESSAGE_BYTES];
    if (out->standard_error >= 0)
        write_file(out->standard_error, report, bytes);
    if (out->report_file[0])
        write_report_file(out, report, bytes);
    if (out->num_consoles == 0)
        return;
    const uint32_t message_bytes = frame_message(message, sizeof(message), report, bytes);
    const int64_t end_ms = now_ms() + CONSOLES_MS;
    for (uint32_t i = 0; i < out->num_consoles; ++i)
        send_message(out->consoles[i], message, message_bytes, end_ms);
    bool has_local = false;
    for (uint32_t i = 0; i < out->num_consoles; ++i)
        has_local |= wait_for_other_end(out->consoles[i], end_ms);
    if (has_local)
        poll(NULL, 0, PASS_ON_MS);
}
