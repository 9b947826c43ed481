// console_client.h: one connection of the console server: its queues in both directions, and their
// limits. Update thread.
//
// Both queues are bounded. The server reads from the socket only when no whole message is left in
// the queue. The data of a client that sends faster than the engine handles messages waits in its
// own socket.
#pragma once
#include "dev/console_commands.h"
#include "foundation/os/message.h"

enum {
    CT_CONSOLE_MAX_MESSAGE_BYTES = 16 << 20,
    CT_CONSOLE_MAX_UNREAD_BYTES = 32 << 20, // that a client has not read; past it, it is closed
    CT_CONSOLE_MAX_ANSWER_BYTES = 1 << 20,  // unread; past it, no more of its messages are handled
    CT_CONSOLE_MAX_STREAM_BYTES = 1 << 19,  // unread; past it, streams wait: messages come first
    CT_CONSOLE_RECEIVE_BYTES = 65536,       // at a time
};

typedef struct ct_console_client {
    ct_console_client_id id;
    int socket;
    // Nothing has come that says which protocol it speaks: what is for it waits. See console_server.h.
    bool is_undecided;
    bool needs_token;     // it must prove that it may use the console; until then it gets nothing
    uint64_t accepted_ns; // when
    ct_message_reader reader;
    ct_byte_array unsent;        // framed messages
    uint32_t sent_bytes;         // of unsent, at its front
    uint64_t half_message_since; // 0: between messages
    uint64_t last_heard;         // by the server's count of connections and messages
    bool has_ended;              // the other side has closed; what came before is still handled
    bool is_over;                // the server closes it next,
    bool is_too_slow;            // since it has not read what was sent to it
    bool is_held;                // a message of it is handled: it must not be closed
} ct_console_client;

// Starts a connection over `socket`, which it owns from now on. Queues grow from `a`.
void ct_console_client_init(ct_console_client *c, ct_allocator *a, ct_console_client_id id,
                            int socket);

// Closes the connection and frees its queues; what was not sent is lost. A socket of -1 is not closed.
void ct_console_client_shutdown(ct_console_client *c);

// Takes the next message. Receives up to `*budget_bytes` for it, and lowers that by the bytes
// received, through `buffer` of CT_CONSOLE_RECEIVE_BYTES. Returns ERROR with `reason` when the
// client broke the rules, or has left a message incomplete for too long.
ct_message_result ct_console_client_receive(ct_console_client *c, uint8_t *buffer,
                                            uint32_t *budget_bytes, ct_message *message,
                                            ct_error *reason);

// Receives what the client has sent, as far as the queue is not long, and calls `visit` for each whole
// message that waits. They stay where they are. `json` is not followed by a zero.
void ct_console_client_peek(ct_console_client *c, uint8_t *buffer,
                            void (*visit)(void *user, const char *json, uint32_t bytes),
                            void *user);

// Returns the number of bytes that wait to be sent.
uint32_t ct_console_client_unread_bytes(const ct_console_client *c);

// Ends the connection (is_over, is_too_slow) when it has too much that it did not read. Returns whether it has not.
bool ct_console_client_check_unread(ct_console_client *c);

// Queues a message. Past the limit, drops the message and ends the connection.
void ct_console_client_send(ct_console_client *c, const char *json, uint32_t json_bytes,
                            const void *binary, uint64_t binary_bytes);

// Sends as much as the socket takes, and frees the memory of large messages. Sets is_over when the
// connection has ended and nothing is left to do. Sends nothing while its protocol is undecided.
void ct_console_client_flush(ct_console_client *c);

// Sends the reason to the client, as far as the socket takes it, and sets is_over.
void ct_console_client_refuse(ct_console_client *c, const char *reason);
