#include "dev/inspect/network_value_json.h"

#include <stdio.h>
#include <stdlib.h>

static void write_float(ct_sjson_writer *w, float value) {
    char text[32];
    snprintf(text, sizeof(text), "%.7g", (double)value);
    ct_sjson_write_number(w, strtod(text, NULL));
}

void ct_network_float_json(ct_sjson_writer *w, const char *key, float value) {
    ct_sjson_write_key(w, key);
    write_float(w, value);
}

static void write_parts(ct_sjson_writer *w, const float *parts, uint32_t count) {
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < count; ++i)
        write_float(w, parts[i]);
    ct_sjson_end_array(w);
}

static void write_value(ct_sjson_writer *w, const ct_network_config_resource *config,
                        const ct_network_type *type, const ct_network_value *v) {
    char text[32];
    switch (v->kind) {
    case CT_NETWORK_BOOL:
        ct_sjson_write_bool(w, v->boolean);
        break;
    case CT_NETWORK_INTEGER:
        ct_sjson_write_number(w, v->integer);
        break;
    case CT_NETWORK_FLOAT:
        write_float(w, v->number);
        break;
    case CT_NETWORK_VECTOR2:
        write_parts(w, v->parts, 2);
        break;
    case CT_NETWORK_VECTOR3:
        write_parts(w, v->parts, 3);
        break;
    case CT_NETWORK_ROTATION:
        write_parts(w, v->parts, 4);
        break;
    case CT_NETWORK_STRING:
        ct_sjson_write_string_bytes(w, v->string.text, v->string.bytes);
        break;
    case CT_NETWORK_LOOKUP:
        ct_sjson_write_string(w, ct_network_config_lookup(config, type, v->lookup));
        break;
    case CT_NETWORK_OBJECT:
        ct_sjson_write_number(w, (double)v->id);
        break;
    default:
        snprintf(text, sizeof(text), "%016llx", (unsigned long long)v->id);
        ct_sjson_write_string(w, text);
    }
}

void ct_network_value_json(ct_sjson_writer *w, const ct_network_config_resource *config,
                           const ct_network_record_type *record, uint32_t field,
                           const uint32_t *words) {
    const ct_network_type *const types = ct_network_config_types(config);
    const ct_network_type *const type =
        &types[ct_network_record_fields(config, record)[field].type];
    ct_network_value v = ct_network_record_get(config, record, field, UINT32_MAX, words);
    if (type->kind != CT_NETWORK_ARRAY) {
        write_value(w, config, type, &v);
        return;
    }
    const uint32_t count = v.count;
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < count; ++i) {
        v = ct_network_record_get(config, record, field, i, words);
        write_value(w, config, &types[type->element], &v);
    }
    ct_sjson_end_array(w);
}
