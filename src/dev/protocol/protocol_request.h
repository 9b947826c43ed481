// protocol_request.h: a message that is being handled, and what its answer is written with.
//
// Its members were checked against its row (protocol/protocol.h), so the functions below fail only where a
// member may be left out. Update thread.
#pragma once
#include "dev/console_commands.h"
#include "foundation/error.h"
#include "foundation/sjson/sjson_writer.h"

typedef struct ct_console_request {
    ct_console_target *target;
    const ct_sjson *doc;
    ct_sjson_value root;
    ct_sjson_value id; // {0}: the sender wants no answer
    ct_sjson_writer w; // the answer; in a `run` of a row its object is open
    ct_error error;    // why a `run` has failed
} ct_console_request;

// Returns the string of a value; NULL when it is not a string or has a zero byte, which no name has.
const char *ct_console_name(const ct_console_request *r, ct_sjson_value value);

// Returns the text of a member without zero bytes; NULL where it is left out, or has some.
const char *ct_console_text(const ct_console_request *r, const char *key);

// Returns the number of a member, or `otherwise` where it is left out.
double ct_console_number(const ct_console_request *r, const char *key, double otherwise);

// Returns the boolean of a member, or `otherwise` where it is left out.
bool ct_console_bool(const ct_console_request *r, const char *key, bool otherwise);

// Returns a member as a whole number up to `most`, or `otherwise` where it is left out. Sets r->error and
// returns 0 where it is larger.
uint32_t ct_console_whole(ct_console_request *r, const char *key, uint32_t most,
                          uint32_t otherwise);

// Begins an answer of `type`, with the request's id.
void ct_console_begin_answer(ct_console_request *r, const char *type);

// Writes a whole answer `{"type": "error", "message": …}`.
void ct_console_answer_error(ct_console_request *r, const char *message);
