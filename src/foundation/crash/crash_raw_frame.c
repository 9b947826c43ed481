#include "foundation/crash/crash_raw_frame.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { READ_BYTES = 2048, MAPPING_PATH_BYTES = 512 };

typedef struct mapping_reader {
    int file;
    uint32_t position, count;
    char bytes[READ_BYTES];
} mapping_reader;

// A line of /proc/<pid>/maps.
typedef struct mapping {
    uint64_t start, end;
    char path[MAPPING_PATH_BYTES];
} mapping;

// The next byte, or -1 at the end.
static int next_byte(mapping_reader *r) {
    if (r->position == r->count) {
        ssize_t got = 0;
        do {
            got = read(r->file, r->bytes, sizeof(r->bytes));
        } while (got < 0 && errno == EINTR);
        if (got <= 0)
            return -1;
        r->position = 0;
        r->count = (uint32_t)got;
    }
    return (unsigned char)r->bytes[r->position++];
}

// Reads a hexadecimal number and the byte after it.
static uint64_t next_hex(mapping_reader *r) {
    uint64_t value = 0;
    for (;;) {
        const int c = next_byte(r);
        if (c >= '0' && c <= '9')
            value = value * 16 + (uint64_t)(c - '0');
        else if (c >= 'a' && c <= 'f')
            value = value * 16 + (uint64_t)(c - 'a' + 10);
        else
            return value;
    }
}

// `55d0a000-55d0b000 r-xp 00001000 08:01 123   /usr/bin/name`; false at the end.
static bool next_mapping(mapping_reader *r, mapping *m) {
    m->start = next_hex(r);
    m->end = next_hex(r);
    int c = next_byte(r);
    uint32_t length = 0;
    for (; c >= 0 && c != '\n'; c = next_byte(r)) {
        // Only paths contain slashes, and they come last.
        if ((c == '/' || length > 0) && length + 1 < sizeof(m->path))
            m->path[length++] = (char)c;
    }
    m->path[length] = 0;
    return m->end != 0;
}

static int open_mappings(int64_t pid) {
    char path[64];
    ct_crash_text t = ct_crash_text_over(path, sizeof(path));
    ct_crash_text_add(&t, "/proc/");
    ct_crash_text_add_number(&t, (uint64_t)pid);
    ct_crash_text_add(&t, "/maps");
    return open(path, O_RDONLY | O_CLOEXEC);
}

// Adds `path+0xoffset` when `address` is in a mapped file.
static bool add_module(ct_crash_text *t, int64_t pid, uint64_t address) {
    mapping_reader reader = {.file = open_mappings(pid)};
    if (reader.file < 0)
        return false;
    mapping m;
    char module[MAPPING_PATH_BYTES] = "";
    uint64_t base = 0; // of the file that `module` names
    bool is_found = false;
    while (!is_found && next_mapping(&reader, &m)) {
        if (strcmp(m.path, module) != 0) {
            memcpy(module, m.path, strlen(m.path) + 1);
            base = m.start;
        }
        is_found = address >= m.start && address < m.end && m.path[0];
    }
    close(reader.file);
    if (is_found) {
        ct_crash_text_add(t, module);
        ct_crash_text_add(t, "+");
        ct_crash_text_add_hex(t, address - base);
    }
    return is_found;
}

void ct_crash_add_raw_frame(ct_crash_text *t, int64_t pid, uint64_t address, const char *indent) {
    ct_crash_text_add(t, indent);
    if (!add_module(t, pid, address))
        ct_crash_text_add_hex(t, address);
    ct_crash_text_add(t, "\n");
}
