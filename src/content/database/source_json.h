// source_json.h: values of a parsed source as JSON text on one line.
#pragma once
#include "content/references/content_place.h"
#include "foundation/string/string_builder.h"

// Appends a value with all that is in it. With `place` not NULL, members come in the order that people write: id and
// type, then the fields in the order of the schema at that place, then the rest by name; else in the order that they
// have.
void ct_source_json_write(ct_content_value value, const ct_content_place *place,
                          ct_string_builder *out);

// Appends a member's key with the colon, and a comma before it unless it follows a bracket.
void ct_source_json_write_key(const char *key, ct_string_builder *out);

// Appends a finite number.
void ct_source_json_write_number(double number, ct_string_builder *out);

// Returns whether a value is an array of objects alone, at least one.
bool ct_source_json_is_objects(ct_content_value value);
