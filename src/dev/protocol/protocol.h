// protocol.h: every message of the console protocol, described in tables.
//
// An area (console, debugger, memory, …) lies in the file of its functions. A row has a message's name,
// its members, its answer, and the function that handles it; so a message that is not described cannot be
// handled. The engine checks messages against the rows before it handles them. `cuttle protocol` makes the
// JSON schema, the documentation, the types for TypeScript and the Python client of them.
//
// Types are text, as in TypeScript: `string`, `number`, `integer` (0 to 2^53), `boolean`, `any`, the name
// of a shape, a string in double quotes; `[]` behind one makes an array, `|` is between alternatives (in
// parentheses before `[]`), and `?` at the end means that the member may be left out: `"over"|"into"`, `Breakpoint[]?`. Tables are
// constant; any thread.
#pragma once
#include "dev/protocol/protocol_request.h"

// A member of an object; a list of them ends with one without a name.
typedef struct ct_protocol_member {
    const char *name;
    const char *type;
    const char *summary; // one sentence without its point, which names units and limits
} ct_protocol_member;

// A list of members, as a row has it.
#define CT_PROTOCOL_MEMBERS(...)                                                                   \
    (const ct_protocol_member[]) {                                                                 \
        __VA_ARGS__, {                                                                             \
            0                                                                                      \
        }                                                                                          \
    }

// The members of an answer that has only `type` and `id`.
extern const ct_protocol_member ct_protocol_no_members[];

// An object that several members share.
typedef struct ct_protocol_shape {
    const char *name; // "Breakpoint"
    const char *summary;
    const ct_protocol_member *members;
} ct_protocol_shape;

// A message to the engine. Every message may have an `id`, a number or a string.
typedef struct ct_protocol_message {
    const char *type;
    const char *summary;
    const ct_protocol_member *members; // beside `type` and `id`; NULL: none
    const ct_protocol_member *answer;  // of the answer, beside `type` and `id`; NULL: none
    const char *answer_type;           // of the answer; NULL: "result"
    bool has_binary;                   // the answer has binary behind it
    bool works_stopped;                // it is also handled while a debugger has stopped the game
    // One of the two is set.
    bool (*run)(ct_console_request *r); // writes the members of the answer, or fails with r->error
    void (*handle)(ct_console_request *r); // writes the whole answer, or sees to it
} ct_protocol_message;

// A message that the engine sends unasked.
typedef struct ct_protocol_event {
    const char *type;
    const char *summary;
    const ct_protocol_member *members; // beside `type`
    bool has_binary;
} ct_protocol_event;

// The messages of one part of the engine.
typedef struct ct_protocol_area {
    const char *name; // "memory"
    const char *summary;
    const ct_protocol_message *messages;
    uint32_t num_messages;
    const ct_protocol_event *events;
    uint32_t num_events;
    const ct_protocol_shape *shapes; // names of shapes are unique over all areas
    uint32_t num_shapes;
} ct_protocol_area;

// Checks the members of an object: those that must be there, their types, and that there are no others
// (beside `type`, `id` and `binary_size` of the message itself). Returns false with an `error` that names
// the member, what was found and what was expected.
bool ct_protocol_check(const ct_protocol_message *m, const ct_sjson *doc, ct_sjson_value root,
                       ct_error *error);

// Checks a value against the text of a type. `path` names the value in the error: "breakpoints[2].line".
bool ct_protocol_check_value(const char *type, const ct_sjson *doc, ct_sjson_value value,
                             const char *path, ct_error *error);
