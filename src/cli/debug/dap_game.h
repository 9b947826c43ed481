// dap_game.h: the game of a session: `cuttle run` as a process, what it prints, and the connection to its
// console.
//
// A game that was launched prints its log to its standard error and sends it over its console, which also
// says where a message comes from. The line printed is held for a moment; when the console sends the same
// one, in either order, it is dropped. What only was printed (a driver, a crash report) comes out late.
#pragma once
#include "foundation/container/array.h"
#include "foundation/os/message.h"
#include "foundation/os/os.h"
#include "foundation/string/string_builder.h"

// --- The process ---------------------------------------------------------------------------------

// One of the two streams of a game's output.
typedef struct ct_dap_stream {
    int socket; // -1: ended
    ct_byte_array bytes;
    uint32_t num_taken; // bytes of lines already returned
} ct_dap_stream;

typedef struct ct_dap_game {
    ct_process process;       // {0}: not running
    ct_dap_stream streams[2]; // output, errors
    bool was_started, has_ended;
    int exit_code; // once it has ended; -N: of signal N
    uint64_t ended_ns;
    uint64_t deadline_ns; // when to kill it; 0: not asked to end
} ct_dap_game;

// Makes a game that is not running.
void ct_dap_game_init(ct_dap_game *g, ct_allocator *a);

// Kills it when it runs, with all that it has started, and frees everything.
void ct_dap_game_free(ct_dap_game *g);

// Starts `words` (NULL last) in a process group of its own; `environment` as in ct_process_desc. Returns
// false with `error`.
bool ct_dap_game_start(ct_dap_game *g, const char *const *words, const char *const *environment,
                       ct_error *error);

// Reads a stream. Call it when its socket is readable.
void ct_dap_game_read(ct_dap_game *g, uint32_t stream);

// Sets `line` to the next line of a stream without its end; the last one of a stream that has ended, and
// parts of one that is very long, may have had none. Borrowed until the next call. Returns false without
// one.
bool ct_dap_game_next_line(ct_dap_game *g, uint32_t stream, const char **line, uint32_t *bytes);

// Looks whether the process has ended, and kills one whose deadline has passed. Returns true once: when it
// has ended and its output is read, or has been quiet for long enough since (what the game has started may
// hold the streams open).
bool ct_dap_game_ends(ct_dap_game *g, uint64_t now_ns);

// Sets the time at which it is killed, unless an earlier one is set.
void ct_dap_game_limit(ct_dap_game *g, uint64_t deadline_ns);

// Ends it at once, politely for a short time.
void ct_dap_game_stop(ct_dap_game *g);

// --- Lines that arrive twice ---------------------------------------------------------------------

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

// --- The connection ------------------------------------------------------------------------------

typedef struct ct_dap_link {
    ct_allocator *allocator;
    int socket; // -1: not connected
    ct_message_reader reader;
    ct_byte_array unsent;
    uint32_t num_sent; // bytes of `unsent`
} ct_dap_link;

// Makes a link that is not connected.
void ct_dap_link_init(ct_dap_link *l, ct_allocator *a);

// Closes the connection, if there is one.
void ct_dap_link_close(ct_dap_link *l);

// Connects. Returns false with `error`.
bool ct_dap_link_connect(ct_dap_link *l, const char *host, uint16_t port, ct_error *error);

// Sends a message, now or later (ct_dap_link_flush). Nothing without a connection.
void ct_dap_link_send(ct_dap_link *l, const char *json, uint32_t bytes);

// Sends as much as the socket takes. A failure shows when the socket is read.
void ct_dap_link_flush(ct_dap_link *l);

// Receives what has arrived. Returns false with `error` when the connection has ended; messages that came
// before are still there.
bool ct_dap_link_receive(ct_dap_link *l, ct_error *error);

// Takes the next message that is whole, borrowed until the next call. An ERROR has `error`.
ct_message_result ct_dap_link_next(ct_dap_link *l, ct_message *message, ct_error *error);
