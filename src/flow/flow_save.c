#include "flow/flow_save.h"

#include <string.h>

#include "flow/flow_private.h"

// --- Units ---------------------------------------------------------------------------------------

typedef struct flow_row {
    ct_string_id64 graph;
    ct_saved_bytes state;
} flow_row;

static const ct_save_field unit_fields[] = {
    {"graph", CT_SAVE_KIND_ID64, offsetof(flow_row, graph), sizeof(ct_string_id64)},
    {"state", CT_SAVE_KIND_BYTES, offsetof(flow_row, state), sizeof(ct_saved_bytes)},
};

static uint32_t unit_count(const ct_world *w, void *user) {
    (void)w;
    return ct_flow_num_instances(user);
}

static uint32_t unit_first(const ct_world *w, void *user, ct_entity e) {
    (void)w;
    return ct_flow_of_unit(user, e).id;
}

static ct_string_id64 graph_of(const ct_flow_world *w, ct_flow_instance i) {
    const ct_flow_record *const r = ct_flow_record_of(w, i);
    return r ? ct_flow_graph_of(w, r)->name : (ct_string_id64){0};
}

// Appends the state of an instance without what differs between runs.
static void add_state(const ct_flow_world *w, ct_flow_instance i, ct_byte_array *out) {
    uint32_t bytes;
    const void *const data = ct_flow_save(w, i, &bytes);
    const uint32_t begin = out->count;
    ct_array_push_many(out, (const uint8_t *)data, bytes);
    ct_flow_head head;
    memcpy(&head, out->items + begin, sizeof(head));
    memset(&head.unit, 0, sizeof(head.unit));
    memset(&head.level, 0, sizeof(head.level));
    head.instance = 0;
    memcpy(out->items + begin, &head, sizeof(head));
}

static void unit_get(ct_world_saving *s, void *user, ct_entity e, uint32_t i, void *row) {
    flow_row *const r = row;
    ct_byte_array *const state = ct_world_saving_scratch(s);
    add_state(user, (ct_flow_instance){i}, state);
    (void)e;
    r->graph = graph_of(user, (ct_flow_instance){i});
    r->state = ct_world_save_bytes(s, state->items, state->count);
}

// Variables that hold units get what these are now.
static void move_units(ct_world_loading *l, ct_flow_world *w, ct_flow_instance i) {
    const ct_flow_record *const r = ct_flow_record_of(w, i);
    const ct_flow_graph *const g = ct_flow_graph_of(w, r);
    for (uint32_t k = 0; k < g->num_variables; ++k) {
        const ct_flow_variable *const v = &g->variables[k];
        uint32_t id;
        if ((v->type != CT_FLOW_TYPE_UNIT && v->type != CT_FLOW_TYPE_ENTITY) ||
            v->flags & CT_FLOW_VARIABLE_OUTPUT)
            continue;
        memcpy(&id, r->data + v->offset, sizeof(id));
        const ct_entity now = ct_world_load_unit_of_id(l, id);
        if (now.id)
            memcpy(r->data + v->offset, &now.id, sizeof(now.id));
    }
}

static bool restore(ct_world_loading *l, ct_flow_world *w, ct_flow_instance i, const void *data,
                    uint32_t bytes, ct_error *error) {
    if (!ct_flow_restore(w, i, data, bytes, error))
        return false;
    move_units(l, w, i);
    return true;
}

static bool unit_set(ct_world_loading *l, void *user, ct_entity e, uint32_t i, const void *row,
                     ct_error *error) {
    const flow_row *const r = row;
    (void)e;
    if (r->state.size_bytes == UINT32_MAX)
        return true;
    if (graph_of(user, (ct_flow_instance){i}).value != r->graph.value)
        return ct_error_set(error, "it has another graph now");
    return restore(l, user, (ct_flow_instance){i}, ct_world_load_bytes(l, r->state),
                   r->state.size_bytes, error);
}

static uint32_t unit_add(ct_world_loading *l, void *user, ct_entity e, uint32_t id, const void *row,
                         ct_error *error) {
    (void)l;
    if (!ct_flow_component_add(user, e, id, ((const flow_row *)row)->graph, error))
        return 0;
    return ct_flow_of_unit(user, e).id;
}

// --- Levels --------------------------------------------------------------------------------------

// Of each level with a graph, in the bytes of the kind; the state follows, up to a multiple of 8.
typedef struct level_head {
    ct_string_id64 graph;
    uint32_t level, num_bytes; // number of the level plus 1
} level_head;

static void save_levels(ct_world_saving *s, void *user, ct_byte_array *out) {
    uint32_t count;
    const ct_level *const levels = ct_world_levels(ct_world_saving_world(s), &count);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_flow_instance instance = ct_flow_of_level(user, levels[i]);
        if (!instance.id)
            continue;
        level_head head = {.graph = graph_of(user, instance),
                           .level = ct_world_save_level(s, levels[i])};
        ct_flow_save(user, instance, &head.num_bytes);
        ct_array_push_many(out, (const uint8_t *)&head, (uint32_t)sizeof(head));
        add_state(user, instance, out);
        while (out->count % 8)
            ct_array_push(out, 0);
    }
}

static bool load_levels(ct_world_loading *l, void *user, const void *bytes, uint32_t size_bytes,
                        ct_error *error) {
    bool are_restored = true;
    for (uint64_t at = 0; at + sizeof(level_head) <= size_bytes;) {
        level_head head;
        memcpy(&head, (const char *)bytes + at, sizeof(head));
        at += sizeof(head);
        if (head.num_bytes > size_bytes - at)
            return ct_error_set(error, "the states of graphs of levels are damaged");
        const ct_flow_instance instance =
            ct_flow_of_level(user, ct_world_load_level(l, head.level));
        if (!instance.id || graph_of(user, instance).value != head.graph.value)
            are_restored = ct_error_set(error, "the level of the graph \"%s\" has another one now",
                                        ct_string_id64_name(head.graph));
        else if (!restore(l, user, instance, (const char *)bytes + at, head.num_bytes, error))
            are_restored = false;
        at += ct_round_up(head.num_bytes, 8);
    }
    return are_restored;
}

// --- Shared variables ----------------------------------------------------------------------------

static void save_globals(ct_world_saving *s, void *user, ct_byte_array *out) {
    uint32_t bytes;
    const void *const data = ct_flow_save_globals(user, &bytes);
    (void)s;
    if (bytes > 0)
        ct_array_push_many(out, (const uint8_t *)data, bytes);
}

static bool load_globals(ct_world_loading *l, void *user, const void *bytes, uint32_t size_bytes,
                         ct_error *error) {
    (void)l;
    return ct_flow_restore_globals(user, bytes, size_bytes, error);
}

void ct_flow_save_kinds(ct_flow_world *w, ct_save_component kinds[CT_FLOW_NUM_SAVE_KINDS]) {
    kinds[0] = (ct_save_component){.name = "flow",
                                   .fields = unit_fields,
                                   .num_fields = CT_COUNT_OF(unit_fields),
                                   .row_bytes = sizeof(flow_row),
                                   .user = w,
                                   .count = unit_count,
                                   .first = unit_first,
                                   .get = unit_get,
                                   .set = unit_set,
                                   .add = unit_add};
    kinds[1] = (ct_save_component){
        .name = "flow_levels", .user = w, .save_whole = save_levels, .load_whole = load_levels};
    kinds[2] = (ct_save_component){.name = "flow_variables",
                                   .user = w,
                                   .save_whole = save_globals,
                                   .load_whole = load_globals};
}
