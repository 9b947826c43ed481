#include "foundation/crash_symbols.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// --- Mappings ------------------------------------------------------------------------------------

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
        // Only paths hold slashes, and they come last.
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

// Adds `path+0xoffset` when `address` lies in a mapped file.
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

// --- Symbols -------------------------------------------------------------------------------------

struct ct_crash_symbols {
    int never_defined; // libdw's Dwfl under another name
};

static Dwfl *dwfl_of(ct_crash_symbols *s) {
    return (Dwfl *)s;
}

// Our own files carry their debug information; looking for that of others may ask the network.
static int find_no_debug_file(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
                              const char *file, const char *link, GElf_Word checksum,
                              char **found) {
    (void)module, (void)user, (void)name, (void)base, (void)file, (void)link, (void)checksum;
    (void)found;
    return -1;
}

static const Dwfl_Callbacks dwfl_callbacks = {
    .find_elf = dwfl_linux_proc_find_elf,
    .find_debuginfo = find_no_debug_file,
};

ct_crash_symbols *ct_crash_symbols_open(int64_t pid) {
    Dwfl *dwfl = dwfl_begin(&dwfl_callbacks);
    if (!dwfl)
        return NULL;
    if (dwfl_linux_proc_report(dwfl, (pid_t)pid) == 0 && dwfl_report_end(dwfl, NULL, NULL) == 0)
        return (ct_crash_symbols *)dwfl;
    dwfl_end(dwfl);
    return NULL;
}

// Where a frame stands in the source.
typedef struct place {
    const char *file; // NULL: unknown
    uint64_t line;
} place;

static void add_line(ct_crash_text *t, const char *indent, const char *function, place at,
                     const char *remark) {
    ct_crash_text_add(t, indent);
    ct_crash_text_add(t, function);
    ct_crash_text_add(t, " (");
    ct_crash_text_add(t, at.file);
    ct_crash_text_add(t, ":");
    ct_crash_text_add_number(t, at.line);
    ct_crash_text_add(t, ")");
    ct_crash_text_add(t, remark);
    ct_crash_text_add(t, "\n");
}

// Where the inlined function `die` was called from.
static place call_place(Dwarf_Die *unit, Dwarf_Die *die) {
    Dwarf_Attribute attribute;
    Dwarf_Word file = 0, line = 0;
    Dwarf_Files *files = NULL;
    size_t count = 0;
    if (dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attribute), &file) != 0 ||
        dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attribute), &line) != 0 ||
        dwarf_getsrcfiles(unit, &files, &count) != 0 || file >= count)
        return (place){0};
    return (place){dwarf_filesrc(files, file, NULL, NULL), line};
}

// Adds the line of the function at `address`, whose symbol is `function`, behind those of functions
// that are inlined there. The compiler's name for it (without ".isra.0") is preferred.
static void add_calls(ct_crash_text *t, Dwfl_Module *module, uint64_t address, const char *function,
                      place at, const char *indent) {
    Dwarf_Addr bias = 0;
    Dwarf_Die *unit = dwfl_module_addrdie(module, address, &bias);
    Dwarf_Die *scopes = NULL;
    const int count = unit ? dwarf_getscopes(unit, address - bias, &scopes) : 0;
    for (int i = 0; i < count; ++i) {
        const int tag = dwarf_tag(&scopes[i]);
        const char *name = dwarf_diename(&scopes[i]);
        if (tag == DW_TAG_subprogram) {
            function = name ? name : function;
            break;
        }
        const place caller =
            tag == DW_TAG_inlined_subroutine ? call_place(unit, &scopes[i]) : (place){0};
        if (!name || !caller.file)
            continue;
        add_line(t, indent, name, at, " inlined");
        at = caller;
    }
    add_line(t, indent, function, at, "");
    free(scopes);
}

void ct_crash_symbols_add_frame(ct_crash_text *t, ct_crash_symbols *s, int64_t pid,
                                uint64_t address, const char *indent) {
    Dwfl_Module *module = s ? dwfl_addrmodule(dwfl_of(s), address) : NULL;
    const char *function = module ? dwfl_module_addrname(module, address) : NULL;
    if (!function) {
        ct_crash_add_raw_frame(t, pid, address, indent);
        return;
    }
    Dwfl_Line *line = dwfl_module_getsrc(module, address);
    int number = 0;
    const char *file = line ? dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL) : NULL;
    if (file) {
        const place inner = {file, (uint64_t)number};
        add_calls(t, module, address, function, inner, indent);
        return;
    }
    ct_crash_text_add(t, indent);
    ct_crash_text_add(t, function);
    ct_crash_add_raw_frame(t, pid, address, " in ");
}
