// api_web.h: tables of options of Http and WebSocket.
#pragma once
#include "script/script_private.h"
#include "script/web/script_web.h"

// The table that is read. The value of the member is on top of the stack.
typedef struct ct_web_option {
    lua_State *L;
    int argument;
    const char *member;
    void *out;
} ct_web_option;

// A member: its name, and what takes its value.
typedef struct ct_web_option_row {
    const char *name;
    void (*take)(ct_web_option *o);
} ct_web_option_row;

// Reads the members of the table at `argument` with the functions of their rows. Raises an error for other
// values than tables, and for unknown members.
void ct_web_read_options(lua_State *L, int argument, const ct_web_option_row *rows,
                         uint32_t num_rows, void *out);

// Raises the error `MEMBER: expected EXPECTED, got …`. Does not return.
void ct_web_option_error(const ct_web_option *o, const char *expected);

// Return the value of the member. Raise an error for another type, a text with a zero byte, a number that
// is out of range, or not whole where it must be.
const char *ct_web_option_string(const ct_web_option *o);
double ct_web_option_number(const ct_web_option *o, double least, double most);

// Reads `{name = value}` of texts into `headers` of `most`; borrowed while the table is not changed.
// Returns how many.
uint32_t ct_web_option_headers(const ct_web_option *o, ct_http_header *headers, uint32_t most);
