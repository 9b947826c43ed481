// dap_game.h: a game that a session has launched: `cuttle run` as a process, and what it prints.
#pragma once
#include "foundation/container/array.h"
#include "foundation/os/os.h"

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
