// dap_arguments.h: reads members of requests, and refuses what has another type.
//
// Each returns false with an `error` that names the member, what was found and what was expected. A member
// that is null is as one that is not there.
#pragma once
#include "foundation/sjson/sjson.h"

// An object of a request.
typedef struct ct_dap_object {
    const ct_sjson *doc;
    ct_sjson_value value;
} ct_dap_object;

// Reads a whole number from 0 to 2^31 - 1. Without the member: an error, or (`optional`) `number` stays.
bool ct_dap_number(ct_dap_object o, const char *name, uint32_t *number, ct_error *error);
bool ct_dap_optional_number(ct_dap_object o, const char *name, uint32_t *number, ct_error *error);

// Reads a boolean; without the member `value` stays.
bool ct_dap_optional_bool(ct_dap_object o, const char *name, bool *value, ct_error *error);

// Reads a string without zero bytes, borrowed from the document. Without the member: an error, or
// (`optional`) `text` stays.
bool ct_dap_string(ct_dap_object o, const char *name, const char **text, ct_error *error);
bool ct_dap_optional_string(ct_dap_object o, const char *name, const char **text, ct_error *error);

// Sets `found` to a member that is an array or an object, or {0} without one.
bool ct_dap_optional_array(ct_dap_object o, const char *name, ct_sjson_value *found,
                           ct_error *error);
bool ct_dap_optional_object(ct_dap_object o, const char *name, ct_sjson_value *found,
                            ct_error *error);
