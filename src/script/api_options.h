// api_options.h: tables of options by name, as in `Http.request{ url = … }`: a function for each member
// reads its value.
//
// A table has members by name only. Unknown members are errors that suggest the nearest name. All
// functions raise Lua errors that name the argument and the member. Update thread.
#pragma once
#include "script/script_private.h"

enum { CT_OPTIONS_MAX_ROWS = 16 };

// The member that is being read. Its value is on top of the stack.
typedef struct ct_option {
    lua_State *L;
    int argument; // the table's
    const char *member;
    const void *context; // of the caller
    void *out;           // where the functions write
} ct_option;

// A member that a table may have, and what takes its value. `take` may leave values on the stack.
typedef struct ct_option_row {
    const char *name;
    void (*take)(const ct_option *o);
} ct_option_row;

// Calls `take` for each member of the table at `argument`, in no certain order. Raises an error for
// members without a row, and for other values than a table. At most CT_OPTIONS_MAX_ROWS rows.
void ct_read_options(lua_State *L, int argument, const ct_option_row *rows, uint32_t num_rows,
                     const void *context, void *out);

// Raises `MEMBER: expected EXPECTED, got …`. Does not return.
void ct_option_error(const ct_option *o, const char *expected);

// Return the member's value. Raise an error for a value of another type, for a text with a zero byte,
// and for a number out of range or NaN. The text lives as long as the table has it.
const char *ct_option_string(const ct_option *o);
double ct_option_number(const ct_option *o, double least, double most);
bool ct_option_boolean(const ct_option *o);
