// console_entrance.h: the addresses that the console listens at, which users may connect there, and which protocol a
// connection speaks.
//
// One port takes raw connections, HTTP and WebSocket (docs/decisions/0063-tools-in-the-browser.md). The first
// bytes decide, and are not taken: the start of a request goes to the web thread, which is started for the
// first one; all else is a raw client. A client may send nothing and only listen, so one that is silent for
// 2 seconds is raw, too. Connections of this machine's own user and of root are trusted. All others need the
// token, at the one address where they are heard at all. Update thread.
#pragma once
#include "foundation/types.h"

typedef struct ct_console_entrance ct_console_entrance;

typedef struct ct_console_entrance_desc {
    ct_allocator *allocator;
    uint16_t port;              // the first to try; 0: any
    const char *address;        // to listen at, too, as ct_console_check_address has it; NULL: none
    const char *token;          // copied; NULL: none
    const char *pages_folder;   // of the engine's pages; copied; NULL: without pages
    const char *project_folder; // copied; NULL: none
} ct_console_entrance_desc;

// Listens at 127.0.0.1 and, where one is given, at the address, both with the first port of 64 that is free
// there. Returns NULL with `error`.
ct_console_entrance *ct_console_entrance_open(const ct_console_entrance_desc *desc,
                                              ct_error *error);

// Notes that the game ends: the server closes its clients next, and pages get a close that says why.
void ct_console_entrance_note_end(ct_console_entrance *e);

// Stops listening and ends all connections of HTTP; NULL is fine. Pages get what was sent last when the
// sockets of their clients are closed before.
void ct_console_entrance_close(ct_console_entrance *e);

// Returns the port that it listens at.
uint16_t ct_console_entrance_port(const ct_console_entrance *e);

// Returns the token, or NULL. Borrowed.
const char *ct_console_entrance_token(const ct_console_entrance *e);

// A connection that may become a client. Its socket does not block.
typedef struct ct_console_arrival {
    int socket;
    bool needs_token; // it is not this machine's own user
    bool is_decided;  // it speaks the raw protocol: a page's end
} ct_console_arrival;

// Takes the next connection. Refuses those that are not allowed with a reason, and goes on to the next.
// `*num_left` is how many connections may still be taken, refused ones included, and is lowered: users that may
// not connect can come by the thousand. Returns false when it is 0, or no more are waiting.
bool ct_console_entrance_accept(ct_console_entrance *e, uint32_t *num_left,
                                ct_console_arrival *arrival);

// What an undecided connection is.
typedef enum ct_console_speech {
    CT_CONSOLE_SPEECH_UNDECIDED, // ask again
    CT_CONSOLE_SPEECH_RAW,
    CT_CONSOLE_SPEECH_WEB, // its socket was taken
} ct_console_speech;

// Looks at what has come on a connection that was accepted `waited_ns` ago.
ct_console_speech ct_console_entrance_decide(ct_console_entrance *e, int socket, bool needs_token,
                                             uint64_t waited_ns);

// Refuses a connection and closes it: sends the reason in whichever protocol it has begun to speak.
void ct_console_entrance_refuse(ct_console_entrance *e, int socket, const char *reason);
