#include "foundation/crash/crash_peek.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// Writing to a pipe from unmapped memory is an error, not a fault.
static int pipe_ends[2];
static pid_t pipe_owner; // a forked child would mix its bytes with those of its parent

enum { PAGE_BYTES = 4096 };

void ct_crash_peek_init(void) {
    pipe_owner = pipe2(pipe_ends, O_CLOEXEC | O_NONBLOCK) == 0 ? getpid() : 0;
}

// Within one page, which is mapped as a whole or not at all.
static bool copy_piece(char *target, const char *source, uint32_t bytes) {
    if (pipe_owner != getpid()) {
        memcpy(target, source, bytes);
        return true;
    }
    // Sanitizers that watch write() would complain about bytes after the text.
    const long written = syscall(SYS_write, pipe_ends[1], source, bytes);
    return written == (long)bytes && read(pipe_ends[0], target, bytes) == (ssize_t)bytes;
}

uint32_t ct_crash_peek(void *target, const void *source, uint32_t bytes) {
    uint32_t done = 0;
    while (done < bytes) {
        const uintptr_t at = (uintptr_t)source + done;
        const uint32_t in_page = PAGE_BYTES - (uint32_t)(at & (PAGE_BYTES - 1));
        const uint32_t piece = bytes - done < in_page ? bytes - done : in_page;
        if (!copy_piece((char *)target + done, (const char *)at, piece))
            break;
        done += piece;
    }
    return done;
}

void ct_crash_text_add_peeked(ct_crash_text *t, const char *text, uint32_t most) {
    if (!text)
        return;
    char piece[64];
    for (uint32_t done = 0; done < most;) {
        const uint32_t wanted = most - done < sizeof(piece) ? most - done : sizeof(piece);
        // Without the pipe, only bytes of the text may be touched.
        const uint32_t asked = pipe_owner == getpid() ? wanted : 1;
        const uint32_t got = ct_crash_peek(piece, text + done, asked);
        if (got == 0) {
            ct_crash_text_add(t, "(no text at ");
            ct_crash_text_add_hex(t, (uint64_t)(uintptr_t)(text + done));
            ct_crash_text_add(t, ")");
            return;
        }
        const uint32_t length = (uint32_t)strnlen(piece, got);
        ct_crash_text_add_bytes(t, piece, length);
        if (length < got)
            return;
        done += got;
    }
    ct_crash_text_add(t, "...");
}
