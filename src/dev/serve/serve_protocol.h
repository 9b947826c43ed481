// serve_protocol.h: what file server and engine say to each other (docs/serve.md).
//
// from the engine:  {type: "hello", protocol, nonce, has_token}
//                   {type: "proof", proof}               when both have a token; then all is sealed
//                   {type: "open", project} or {type: "open", engine: true}
//                   {type: "get", binary_size}           contents wanted: 12 bytes each, hash, size
//                   {type: "ping"}
// from the server:  {type: "hello", protocol, nonce, has_token, version}
//                   {type: "proof", proof}
//                   {type: "opened", project, platform, types: {texture: 12, …}, catalog, blob}
//                   {type: "compiling"}                  each second until there is a list
//                   {type: "files", revision, binary_size}   the list; again when data changed
//                   {type: "problems", num_left_out: 0, problems: [
//                       {level: "error" or "warning", file, line, column, message}, …]}
//                                                        what is wrong in the sources now, at most
//                                                        200; before the first list, and again when
//                                                        it changed; line and column 0: unknown
//                   {type: "part", hash, size, offset, binary_size}   a piece of a content
//                   {type: "gone", hash, size}           the server has not this content any more
//                   {type: "refused", message}           then it closes
//                   {type: "pong"}
//
// Hashes, proofs and nonces are in hexadecimal.
#pragma once
#include "dev/serve/serve_channel.h"
#include "foundation/sjson/sjson.h"

enum {
    CT_SERVE_PROTOCOL = 2, // 2: problems
    CT_SERVE_PORT = 64100,
    CT_SERVE_GET_BYTES = 12,         // of a wanted content on the wire
    CT_SERVE_PART_BYTES = 256 << 10, // of a content in one message
    CT_SERVE_MAX_GETS = 1024,        // contents that an engine waits for at once
    CT_SERVE_MAX_HELLO_BYTES = 4096, // of messages before both ends know each other
    CT_SERVE_MAX_REQUEST_BYTES = 64 << 10,
    CT_SERVE_MAX_ANSWER_BYTES = 64 << 20,
    CT_SERVE_PROJECT_BYTES = 256, // of a project's name, with its zero
};

// Sends a hello; the server's has a `version`, the engine's has none (NULL).
void ct_serve_send_hello(ct_serve_channel *c, const ct_serve_nonce *nonce, bool has_token,
                         const char *version);

// Sends a proof.
void ct_serve_send_proof(ct_serve_channel *c, const ct_serve_key *proof);

// Sends {type, key: value}, with the value as a string; a NULL key: only the type.
void ct_serve_send_text(ct_serve_channel *c, const char *type, const char *key, const char *value);

// Sends {type: "opened", …} with the versions of all data that this program reads.
void ct_serve_send_opened(ct_serve_channel *c, const char *project);

// Compares the versions of an "opened" with this program's. Returns false with an `error` that
// names the first difference, with both versions.
bool ct_serve_check_opened(const ct_sjson *doc, ct_error *error);

// Returns a number for the versions of all data that this program reads, and its platform; another
// program with the same number reads the same data.
uint64_t ct_serve_versions(void);

// Reads the protocol and nonce of a hello. Returns false with `error`; a different protocol is one,
// and names both.
bool ct_serve_read_hello(const ct_sjson *doc, const char *other, ct_serve_nonce *nonce,
                         bool *has_token, ct_error *error);

// Reads a proof. Returns false with `error` when it is malformed.
bool ct_serve_read_proof(const ct_sjson *doc, ct_serve_key *proof, ct_error *error);

// Parses a message's JSON. Returns NULL with `error` unless it is an object with a `type`, which
// goes to `*type` (borrowed from the result). Free it with ct_sjson_free.
ct_sjson *ct_serve_parse(ct_allocator *a, const ct_message *message, const char **type,
                         ct_error *error);
