#include "foundation/crash/crash_symbols.h"
#include "foundation/crash/crash_raw_frame.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>

struct ct_crash_symbols {
    int never_defined; // libdw's Dwfl under another name
};

static Dwfl *dwfl_of(ct_crash_symbols *s) {
    return (Dwfl *)s;
}

// Our own files contain their debug information; a search for that of others may use the network.
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
    Dwfl *const dwfl = dwfl_begin(&dwfl_callbacks);
    if (!dwfl)
        return NULL;
    if (dwfl_linux_proc_report(dwfl, (pid_t)pid) == 0 && dwfl_report_end(dwfl, NULL, NULL) == 0)
        return (ct_crash_symbols *)dwfl;
    dwfl_end(dwfl);
    return NULL;
}

// The position of a frame in the source.
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

// Returns where the inlined function `die` was called from.
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

// Adds the line of the function at `address`, whose symbol is `function`, after the lines of
// functions that are inlined there. Prefers the compiler's name for it (without ".isra.0").
static void add_calls(ct_crash_text *t, Dwfl_Module *module, uint64_t address, const char *function,
                      place at, const char *indent) {
    Dwarf_Addr bias = 0;
    Dwarf_Die *const unit = dwfl_module_addrdie(module, address, &bias);
    Dwarf_Die *scopes = NULL;
    const int count = unit ? dwarf_getscopes(unit, address - bias, &scopes) : 0;
    for (int i = 0; i < count; ++i) {
        const int tag = dwarf_tag(&scopes[i]);
        const char *const name = dwarf_diename(&scopes[i]);
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
    Dwfl_Module *const module = s ? dwfl_addrmodule(dwfl_of(s), address) : NULL;
    const char *const function = module ? dwfl_module_addrname(module, address) : NULL;
    if (!function) {
        ct_crash_add_raw_frame(t, pid, address, indent);
        return;
    }
    Dwfl_Line *const line = dwfl_module_getsrc(module, address);
    int number = 0;
    const char *const file = line ? dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL) : NULL;
    if (file) {
        const place inner = {file, (uint64_t)number};
        add_calls(t, module, address, function, inner, indent);
        return;
    }
    ct_crash_text_add(t, indent);
    ct_crash_text_add(t, function);
    ct_crash_add_raw_frame(t, pid, address, " in ");
}
