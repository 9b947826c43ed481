// protocol_text.h: the tables of the protocol (protocol.h) in the forms that others read. Any thread.
#pragma once
#include "foundation/string/string_builder.h"

// Appends the JSON schema of all messages (draft 2020-12), indented: the root accepts any message to the
// engine; `$defs` has each message as `message.TYPE`, its answer as `answer.TYPE`, `from_engine` for all that
// the engine sends unasked, and the shapes.
void ct_protocol_add_json(ct_string_builder *out);

// Appends types for TypeScript: an interface for each shape, message and answer.
void ct_protocol_add_typescript(ct_string_builder *out);

// Appends a client for Python: a method for each message, over the connection of tools/cuttle_nodes.py.
void ct_protocol_add_python(ct_string_builder *out);

// Appends the reference as Markdown.
void ct_protocol_add_markdown(ct_string_builder *out);

// Returns a number that changes when any message does, for clients that were made for other messages.
// Memory comes from `a` for the time of the call.
uint64_t ct_protocol_hash(ct_allocator *a);
