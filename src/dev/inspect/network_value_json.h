// network_value_json.h: values of fields as JSON.
#pragma once
#include "foundation/sjson/sjson_writer.h"
#include "network/fields/network_record.h"

// Writes a key and a number of 7 digits.
void ct_network_float_json(ct_sjson_writer *w, const char *key, float value);
// Writes the value of a field: a number, true, a text, or an array. Ids and peers are texts of 16
// hexadecimal digits, objects are numbers. Floats have 7 digits.
void ct_network_value_json(ct_sjson_writer *w, const ct_network_config_resource *config,
                           const ct_network_record_type *record, uint32_t field,
                           const uint32_t *words);
