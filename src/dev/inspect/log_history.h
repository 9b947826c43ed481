// log_history.h: the last messages of the log, for tools that connect later.
//
// Blocks of 256 KiB that are made when they are needed, up to 64 of them (16 MiB), hold whole messages end
// to end. When all are full, or there are 100,000 messages, the oldest block is used again. Numbers count
// from 1 and have no gaps, so a tool that has the events of the stream joins them with the history. Not
// safe from several threads at once.
#pragma once
#include "foundation/log.h"
#include "foundation/sjson/sjson_writer.h"

typedef struct ct_log_history ct_log_history;

enum {
    CT_LOG_HISTORY_BLOCK_BYTES = 256 << 10,
    CT_LOG_HISTORY_MAX_BLOCKS = 64,
    CT_LOG_HISTORY_MAX_MESSAGES = 100000,
};

// The members that messages of the log have, in the event and in lists, for rows of the protocol.
#define CT_PROTOCOL_LOG_MEMBERS                                                                    \
    {"number", "integer?", "counts messages from 1, without gaps; a crash has none"},              \
        {"seconds", "number?", "since the console began to listen"},                               \
        {"level", "\"debug\"|\"info\"|\"warning\"|\"error\"", "how bad it is"},                    \
        {"system", "string", "the part of the engine"},                                            \
        {"message", "string",                                                                      \
         "the text. Warnings and many errors of the engine end with an id in brackets, such as "   \
         "[device_lost], which stays when the wording changes"},                                   \
        {"script", "string?",                                                                      \
         "where Lua printed it, or failed; \"console\": in text from a console"},                  \
        {"line", "integer?", "of the script, from 1"}, {                                           \
        "traceback", "string?", "of an error of Lua; the message ends with it"                     \
    }

// A message. Strings are zero-terminated; `script` and `traceback` may be NULL.
typedef struct ct_log_entry {
    uint64_t number; // from 1
    double seconds;  // by a clock of the one that adds it
    ct_log_level level;
    uint32_t line; // of the script
    const char *system, *message, *script, *traceback;
    uint32_t message_bytes; // may have zero bytes
} ct_log_entry;

// Makes an empty history, which allocates nothing before the first message, and frees it (NULL is fine).
ct_log_history *ct_log_history_create(ct_allocator *a);
void ct_log_history_destroy(ct_log_history *h);

// Copies a message and returns its number, the one after the message before; `number` of the entry does
// not count. Names of systems and scripts longer than 1,023 bytes are cut, tracebacks longer than 64 KiB.
uint64_t ct_log_history_add(ct_log_history *h, const ct_log_entry *entry);

// Returns the number of the oldest message that is kept, and the number that the next one gets. They are
// the same while there are no messages.
uint64_t ct_log_history_first(const ct_log_history *h);
uint64_t ct_log_history_next(const ct_log_history *h);

// Reads the message with this number, which borrows from the history until the next one is added. Returns
// false when it is not kept. Fast for the number after the one that was read last, else it walks one block.
bool ct_log_history_read(ct_log_history *h, uint64_t number, ct_log_entry *entry);

// Writes the members of a message in the event `message` of the console's protocol, without `type`, into
// the open object.
void ct_log_entry_write(const ct_log_entry *entry, ct_sjson_writer *w);
