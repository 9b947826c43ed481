// Variables of instances by name, and those of all graphs.
#include <string.h>

#include "flow/flow_private.h"

enum { INDEX_MASK = (1 << CT_FLOW_INDEX_BITS) - 1 };

// --- Of an instance ------------------------------------------------------------------------------

const ct_flow_variable *ct_flow_variable_named(const ct_flow_graph *g, ct_string_id32 name) {
    uint32_t first = 0, end = g->num_variables;
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2;
        if (g->variables[middle].name.value == name.value)
            return &g->variables[middle];
        if (g->variables[middle].name.value < name.value)
            first = middle + 1;
        else
            end = middle;
    }
    return NULL;
}

// The kind of the entries of external outputs of a type.
static ct_string_id32 output_kind(ct_flow_type type) {
    switch (type) {
    case CT_FLOW_TYPE_BOOL:
        return CT_ID32("external_output_boolean", 0x31916c6a);
    case CT_FLOW_TYPE_NUMBER:
        return CT_ID32("external_output_numeric", 0x39bab9ba);
    case CT_FLOW_TYPE_VECTOR3:
        return CT_ID32("external_output_vector_3", 0x2be2a5e8);
    case CT_FLOW_TYPE_QUATERNION:
        return CT_ID32("external_output_quaternion", 0x5556f862);
    case CT_FLOW_TYPE_STRING:
        return CT_ID32("external_output_string", 0x3e3722ce);
    case CT_FLOW_TYPE_ID:
        return CT_ID32("external_output_id", 0x4be3f5af);
    case CT_FLOW_TYPE_UNIT:
        return CT_ID32("external_output_unit", 0x60cbaf42);
    case CT_FLOW_TYPE_ENTITY:
        return CT_ID32("external_output_entity", 0xfed17652);
    case CT_FLOW_TYPE_ACTOR:
        return CT_ID32("external_output_actor", 0xfceafe1f);
    case CT_FLOW_TYPE_CAMERA:
        return CT_ID32("external_output_camera", 0xf6dbe4b0);
    case CT_FLOW_TYPE_LIGHT:
        return CT_ID32("external_output_light", 0x6ec15b3a);
    case CT_FLOW_TYPE_MATERIAL:
        return CT_ID32("external_output_material", 0x0cadb37c);
    case CT_FLOW_TYPE_MESH:
        return CT_ID32("external_output_mesh", 0xf7509818);
    case CT_FLOW_TYPE_MOVER:
        return CT_ID32("external_output_mover", 0x9778aa03);
    default:
        return (ct_string_id32){0};
    }
}

// Runs the pure nodes that give an external output. Those in Lua may end the instance.
static void run_output(ct_flow_world *w, ct_flow_instance i, ct_string_id32 kind,
                       ct_string_id32 name) {
    uint32_t count;
    const ct_flow_graph *const g = ct_flow_graph_of(w, ct_flow_record_of(w, i));
    const uint32_t first = ct_flow_find_entries(g, kind, &count);
    for (uint32_t k = first; k < first + count; ++k) {
        if (g->entries[k].key.value == name.value &&
            !ct_flow_run_pures_of(w, i.id & INDEX_MASK, g->entries[k].node))
            return;
    }
}

ct_flow_value *ct_flow_find_variable(ct_flow_world *w, ct_flow_instance i, ct_string_id32 name,
                                     ct_flow_type *type) {
    const ct_flow_record *r = ct_flow_record_of(w, i);
    const ct_flow_variable *const v =
        r ? ct_flow_variable_named(ct_flow_graph_of(w, r), name) : NULL;
    if (!v)
        return NULL;
    *type = (ct_flow_type)v->type;
    if (v->flags & CT_FLOW_VARIABLE_OUTPUT) {
        run_output(w, i, output_kind(*type), name);
        r = ct_flow_record_of(w, i);
    }
    return r ? (ct_flow_value *)(void *)(r->data + v->offset) : NULL;
}

bool ct_flow_can_set_variable(const ct_flow_world *w, ct_flow_instance i, ct_string_id32 name) {
    const ct_flow_record *const r = ct_flow_record_of(w, i);
    const ct_flow_variable *const v =
        r ? ct_flow_variable_named(ct_flow_graph_of(w, r), name) : NULL;
    return v && !(v->flags & CT_FLOW_VARIABLE_OUTPUT);
}

bool ct_flow_set_variable_text(ct_flow_world *w, ct_flow_instance i, ct_string_id32 name,
                               const char *text) {
    ct_flow_type type;
    const size_t length = strlen(text);
    if (!ct_flow_can_set_variable(w, i, name) || length >= CT_FLOW_STRING_BYTES)
        return false;
    ct_flow_value *const value = ct_flow_find_variable(w, i, name, &type);
    if (type != CT_FLOW_TYPE_STRING)
        return false;
    const uint8_t *const data = ct_flow_record_of(w, i)->data;
    const uint32_t start = (uint32_t)((uint8_t *)value - data) + CT_FLOW_VALUE_BYTES;
    memmove((char *)value + CT_FLOW_VALUE_BYTES, text, length + 1);
    value->string = (ct_flow_string){start | CT_FLOW_STRING_IS_DYNAMIC, (uint32_t)length};
    return true;
}

const char *ct_flow_value_text(ct_flow_world *w, ct_flow_instance i, const ct_flow_value *value) {
    const ct_flow_record *const r = ct_flow_record_of(w, i);
    return r ? ct_flow_text_at(r->data, ct_flow_graph_of(w, r)->texts, &value->string) : "";
}

// --- Of all graphs -------------------------------------------------------------------------------

ct_flow_global *ct_flow_global_of(ct_flow_world *w, ct_string_id32 name, ct_flow_type type) {
    const uint64_t place = ct_hash_map_get(&w->global_places, name.value, 0);
    if (place) {
        ct_flow_global *const found = &w->globals.items[place - 1];
        return found->type == type ? found : NULL;
    }
    ct_flow_global global = {.name = name.value, .type = type};
    if (type == CT_FLOW_TYPE_QUATERNION)
        global.value.floats[3] = 1;
    ct_array_push(&w->globals, global);
    ct_hash_map_set(&w->global_places, name.value, w->globals.count);
    return &w->globals.items[w->globals.count - 1];
}

const void *ct_flow_save_globals(const ct_flow_world *w, uint32_t *num_bytes) {
    *num_bytes = w->globals.count * (uint32_t)sizeof(ct_flow_global);
    return w->globals.items;
}

// Returns whether the text of a saved variable is inside its place and ends.
static bool is_text(const ct_flow_global *global) {
    const ct_flow_string *const s = &global->value.string;
    if (s->start == 0 && s->length == 0) // never set
        return true;
    return s->start == (CT_FLOW_VALUE_BYTES | CT_FLOW_STRING_IS_DYNAMIC) &&
           s->length < CT_FLOW_STRING_BYTES && global->text[s->length] == '\0';
}

// Adds the places of saved variables. Returns false when one is not as it should be.
static bool add_places(ct_hash_map *places, const ct_flow_global *globals, uint32_t count,
                       ct_error *error) {
    for (uint32_t i = 0; i < count; ++i) {
        ct_flow_global global;
        memcpy(&global, &globals[i], sizeof(global));
        if (global.type == CT_FLOW_TYPE_EVENT || global.type >= CT_FLOW_TYPE_ANY)
            return ct_error_set(error, "found a variable of type %u; expected a type of values",
                                global.type);
        if (global.type == CT_FLOW_TYPE_STRING && !is_text(&global))
            return ct_error_set(error, "found a variable whose text does not end in its place");
        if (!ct_hash_map_add(places, global.name, i + 1))
            return ct_error_set(error, "found two variables with the name #%08x", global.name);
    }
    return true;
}

bool ct_flow_restore_globals(ct_flow_world *w, const void *data, uint32_t num_bytes,
                             ct_error *error) {
    const uint32_t count = num_bytes / (uint32_t)sizeof(ct_flow_global);
    if (num_bytes % sizeof(ct_flow_global) != 0)
        return ct_error_set(error, "found %u bytes of variables; expected a multiple of %u",
                            num_bytes, (uint32_t)sizeof(ct_flow_global));
    ct_hash_map places = {.allocator = w->allocator};
    if (!add_places(&places, data, count, error)) {
        ct_hash_map_free(&places);
        return false;
    }
    ct_hash_map_free(&w->global_places);
    w->global_places = places;
    ct_array_resize(&w->globals, count);
    if (count > 0)
        memmove(w->globals.items, data, num_bytes); // it may be its own
    return true;
}
