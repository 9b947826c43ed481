// nodes_process.h: a program that a plan starts, and its log: a node, or the file server.
//
// It leads a process group of its own, so that it ends with all that it has started, and gets no
// Ctrl-C of the terminal. Output and errors go to its log, which is read again for the address at
// which it listens. {0} does not run.
#pragma once
#include "foundation/os/os.h"
#include "foundation/os/path.h"
#include "foundation/string/string_builder.h"

typedef struct ct_nodes_process {
    ct_process process; // {0}: does not run
    char log[CT_PATH_BYTES];
    uint64_t log_offset; // of the first line that was not read
    uint16_t port;       // that the log names; 0: not yet
    int exit_code;       // of a program that has ended; -N: by signal N
} ct_nodes_process;

// Starts a program: `words` end with NULL, the first is looked up in PATH. Creates or empties the
// file `log`. Returns false with `error`.
bool ct_nodes_process_start(ct_nodes_process *p, const char *const *words, const char *log,
                            ct_error *error);

// Returns whether the program has ended by now, or never ran; then `exit_code` is set and the rest
// of its group is killed. Waits up to `timeout_ns`.
bool ct_nodes_process_has_ended(ct_nodes_process *p, uint64_t timeout_ns);

// Kills the program and its group; fine when it does not run.
void ct_nodes_process_kill(ct_nodes_process *p);

// Asks the program to end, as Ctrl-C does, and kills it when it has not ended after `limit_ns`;
// fine when it does not run.
void ct_nodes_process_end(ct_nodes_process *p, uint64_t limit_ns);

// Writes how a program has ended: "ended with exit code 3", "ended by signal 11".
void ct_nodes_process_describe_end(const ct_nodes_process *p, char *text, uint32_t bytes);

// Reads the lines that the log got and sets `port` by the first that has one. Returns whether the
// port is known.
bool ct_nodes_process_find_port(ct_nodes_process *p);

// Returns the port in a line of a log with `listening on HOST:PORT`, as engines print it, or
// `serving at HOST:PORT`, as the file server does; 0 without one.
uint16_t ct_nodes_port_in(const char *line);

// Appends the last `num_lines` lines of the file `log`, each after four blanks. Appends nothing
// when it cannot be read.
void ct_nodes_add_log_tail(ct_string_builder *out, const char *log, uint32_t num_lines);

// Writes to `report` the path of the crash report that the file `log` names. Returns false without
// one.
bool ct_nodes_find_crash_report(ct_allocator *a, const char *log, char report[CT_PATH_BYTES]);
