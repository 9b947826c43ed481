// Variables of instances by name, and those of all graphs.
#include <string.h>

#include "flow/flow_private.h"

// --- Of an instance ------------------------------------------------------------------------------

static const ct_flow_variable *find_variable(const ct_flow_graph *g, ct_string_id32 name) {
    for (uint32_t i = 0; i < g->num_variables; ++i) {
        if (g->variables[i].name.value == name.value)
            return &g->variables[i];
    }
    return NULL;
}

ct_flow_value *ct_flow_find_variable(ct_flow_world *w, ct_flow_instance i, ct_string_id32 name,
                                     ct_flow_type *type) {
    const ct_flow_record *const r = ct_flow_record_of(w, i);
    const ct_flow_variable *const v = r ? find_variable(ct_flow_graph_of(w, r), name) : NULL;
    if (!v)
        return NULL;
    *type = (ct_flow_type)v->type;
    if (v->flags & CT_FLOW_VARIABLE_OUTPUT) // runs the pure nodes that give it
        ct_flow_start(w, i, CT_ID32("external_output", 0x965074a3), name, NULL, NULL);
    return (ct_flow_value *)(void *)(r->data + v->offset);
}

bool ct_flow_set_variable_text(ct_flow_world *w, ct_flow_instance i, ct_string_id32 name,
                               const char *text) {
    ct_flow_type type;
    ct_flow_value *const value = ct_flow_find_variable(w, i, name, &type);
    const size_t length = strlen(text);
    if (!value || type != CT_FLOW_TYPE_STRING || length >= CT_FLOW_STRING_BYTES)
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

ct_flow_global *ct_flow_global_of(ct_flow_system *s, ct_string_id32 name, ct_flow_type type) {
    const uint64_t place = ct_hash_map_get(&s->global_places, name.value, 0);
    if (place) {
        ct_flow_global *const found = s->globals.items[place - 1];
        return found->type == type ? found : NULL;
    }
    ct_flow_global *const global = CT_NEW(s->allocator, ct_flow_global);
    global->type = type;
    if (type == CT_FLOW_TYPE_QUATERNION)
        global->value.floats[3] = 1;
    ct_array_push(&s->globals, global);
    ct_hash_map_set(&s->global_places, name.value, s->globals.count);
    return global;
}
