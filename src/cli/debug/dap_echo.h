// dap_echo.h: lines that arrive twice.
//
// A game that was launched prints its log to its standard error and sends it over its console, which also
// says where a message comes from. The line printed is held for a moment; when the console sends the same
// one, in either order, it is dropped. What only was printed (a driver, a crash report) comes out late.
#pragma once
#include "foundation/container/array.h"
#include "foundation/string/string_builder.h"

enum { CT_DAP_ECHO_MAX_LINES = 4096 }; // of each kind; the oldest go first

typedef struct ct_dap_line {
    char *text; // owned
    uint64_t time_ns;
} ct_dap_line;

typedef CT_ARRAY(ct_dap_line) ct_dap_line_array;

typedef struct ct_dap_echo {
    ct_dap_line_array printed; // not sent over the console so far
    ct_dap_line_array sent;    // not printed so far
} ct_dap_echo;

// Makes an empty one; its memory is from `a`.
void ct_dap_echo_init(ct_dap_echo *e, ct_allocator *a);

// Frees all lines.
void ct_dap_echo_free(ct_dap_echo *e);

// Takes a line that the game printed. Copied.
void ct_dap_echo_printed(ct_dap_echo *e, const char *line, uint32_t bytes, uint64_t now_ns);

// Takes a log message of the console, as the log prints it: `level` and `system` as in the protocol.
void ct_dap_echo_sent(ct_dap_echo *e, const char *level, const char *system, const char *message,
                      uint32_t bytes, uint64_t now_ns);

// Sets `line`, cleared before, to the next line that was printed only and has waited long enough; all are
// when `is_end`. Returns false without one.
bool ct_dap_echo_next(ct_dap_echo *e, uint64_t now_ns, bool is_end, ct_string_builder *line);
