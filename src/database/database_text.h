// database_text.h: operations as text, a JSON object a line, for diffs in files, tools and tests.
//
//     {"op":"create","object":"5b1f0c3e-2f0d-4c7e-9a51-7de3a9c0ffee"}
//     {"op":"change_key","object":"…","key":"height","value":1.5}
//     {"op":"add_to_set","object":"…","key":"children","element":"…"}
//
// Values: null, true, 1.5, "text", {"reference":"GUID"}, {"set":["GUID",…]},
// {"blob":"32 hexadecimal digits","bytes":12}; numbers that JSON cannot write are {"number":"nan"}, "inf", "-inf", and
// "nan:fff8000000000001" with the bits of any other NaN.
#pragma once
#include "database/database_value.h"
#include "foundation/string/string_builder.h"

// Appends a value or an operation (without a line end) to `out`. Numbers are written so that reading gives the
// same bits.
void ct_database_value_write(const ct_database_value *value, ct_string_builder *out);
void ct_database_operation_write(const ct_database_operation *operation, ct_string_builder *out);

// Reads one operation from `length` bytes of text and appends it to `out`. Returns false with `error` (column
// set) that says what was found and what to write.
bool ct_database_operation_read(const char *text, uint64_t length, ct_database_operations *out,
                                ct_error *error);

// Reads one value, as it is written above, into an operation's `value`; its bytes are kept by `out`.
bool ct_database_value_read(const char *text, uint64_t length, ct_database_operations *out,
                            ct_database_value *value, ct_error *error);

// Reads lines of operations; empty lines are skipped. `file` names the text in errors, which have line and column.
bool ct_database_operations_read(const char *text, uint64_t length, const char *file,
                                 ct_database_operations *out, ct_error *error);
