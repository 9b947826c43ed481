#include "flow/flow_save.h"

#include <string.h>

#include "flow/flow_private.h"

// --- References ----------------------------------------------------------------------------------

// A saved reference: the number of the entity in the save plus 1 in the lower half of `entity`. Of a part, the
// upper half has which of the entity's instances with the id `part` it is, plus 1.
enum { NOT_SAVED = -1 }; // in place of the number: what lives, but is not in the save

// The types of values that are parts of an entity: their kind in saved worlds.
static const char *const part_kinds[CT_FLOW_TYPE_COUNT] = {
    [CT_FLOW_TYPE_ACTOR] = "actor", [CT_FLOW_TYPE_CAMERA] = "camera",
    [CT_FLOW_TYPE_LIGHT] = "light", [CT_FLOW_TYPE_MATERIAL] = "mesh",
    [CT_FLOW_TYPE_MESH] = "mesh",   [CT_FLOW_TYPE_MOVER] = "mover",
};

// Returns the instance that an object names, as the kinds of saved worlds number them; 0: it has ended.
static uint32_t part_of(const ct_world *w, uint32_t type, const ct_flow_object *object) {
    enum { BITS = CT_INSTANCE_NUMBER_BITS };
    const ct_entity e = {(uint32_t)object->entity};
    const ct_physics_world *const p = ct_world_physics(w);
    const ct_actor actor = {object->part};
    switch (type) {
    case CT_FLOW_TYPE_ACTOR:
        return p && ct_actor_is_alive(p, actor) && ct_actor_entity(p, actor).id == e.id ? actor.id
                                                                                        : 0;
    case CT_FLOW_TYPE_CAMERA:
        return ct_camera_with_number(ct_world_cameras(w), e, object->part, BITS).index;
    case CT_FLOW_TYPE_LIGHT:
        return ct_light_with_number(ct_world_lights(w), e, object->part, BITS).index;
    case CT_FLOW_TYPE_MOVER:
        return ct_world_movers(w)
                   ? ct_mover_with_number(ct_world_movers(w), e, object->part, BITS).index
                   : 0;
    default:
        return ct_mesh_with_number(ct_world_meshes(w), e, object->part, BITS).index;
    }
}

// Returns what an object has to name an instance.
static uint32_t number_of_part(const ct_world *w, uint32_t type, uint32_t i) {
    switch (type) {
    case CT_FLOW_TYPE_ACTOR:
        return i;
    case CT_FLOW_TYPE_CAMERA:
        return ct_camera_number(ct_world_cameras(w), (ct_camera_instance){i});
    case CT_FLOW_TYPE_LIGHT:
        return ct_light_number(ct_world_lights(w), (ct_light_instance){i});
    case CT_FLOW_TYPE_MOVER:
        return ct_mover_number(ct_world_movers(w), (ct_mover_instance){i});
    default:
        return ct_mesh_number(ct_world_meshes(w), (ct_mesh_instance){i});
    }
}

static bool lives(const ct_world *w, ct_entity e) {
    return ct_entity_is_well_formed(e) &&
           ct_entity_is_alive(ct_world_system_entities(ct_world_system_of(w)), e);
}

// An actor without an entity has 0 as its entity; with 0 as the part, the entity's first actor is meant.
static ct_flow_object saved_object(const ct_world_saving *s, uint32_t type, ct_flow_object object) {
    const ct_world *const w = ct_world_saving_world(s);
    const ct_entity e = {(uint32_t)object.entity};
    const bool is_actor = type == CT_FLOW_TYPE_ACTOR;
    ct_flow_object saved = {.entity = ct_world_save_entity(s, e)};
    const bool is_first = is_actor && object.part == 0;
    if (!saved.entity) {
        const bool is_there = is_actor && !is_first ? part_of(w, type, &object) != 0 : lives(w, e);
        saved.entity = is_there ? (uint32_t)NOT_SAVED : 0;
        return saved;
    }
    if (!part_kinds[type] || is_first)
        return saved;
    const uint32_t i = part_of(w, type, &object);
    uint32_t which;
    if (!i || !ct_world_save_part(w, part_kinds[type], e, i, &saved.part, &which))
        return (ct_flow_object){0};
    saved.entity |= ((uint64_t)which + 1) << 32;
    saved.extra = type == CT_FLOW_TYPE_MATERIAL ? object.extra : 0;
    return saved;
}

// Sets `object` to what a saved reference names now, to nothing when that is not there; returns false then.
static bool load_object(const ct_world_loading *l, uint32_t type, ct_flow_object saved,
                        ct_flow_object *object) {
    const ct_world *const w = ct_world_loading_world(l);
    const uint32_t which = (uint32_t)(saved.entity >> 32);
    const ct_entity e = ct_world_load_entity(l, (uint32_t)saved.entity);
    *object = (ct_flow_object){0};
    if (!saved.entity)
        return true;
    if (!lives(w, e))
        return false;
    object->entity = e.id;
    if (!part_kinds[type] || (which == 0 && type == CT_FLOW_TYPE_ACTOR))
        return true;
    const uint32_t i =
        which ? ct_world_load_part(w, part_kinds[type], e, saved.part, which - 1) : 0;
    if (i)
        *object = (ct_flow_object){e.id, number_of_part(w, type, i), saved.extra};
    else
        *object = (ct_flow_object){0};
    return i != 0;
}

// --- States --------------------------------------------------------------------------------------

// Appends the state of an instance without what differs between runs.
static void add_state(const ct_world_saving *s, const ct_flow_world *w, ct_flow_instance i,
                      ct_byte_array *out) {
    uint32_t bytes;
    const void *const data = ct_flow_save(w, i, &bytes);
    const ct_flow_record *const r = ct_flow_record_of(w, i);
    const ct_flow_graph *const g = ct_flow_graph_of(w, r);
    const uint32_t begin = out->count;
    ct_array_push_many(out, (const uint8_t *)data, bytes);
    ct_flow_head head;
    memcpy(&head, out->items + begin, sizeof(head));
    memset(&head.unit, 0, sizeof(head.unit));
    memset(&head.level, 0, sizeof(head.level));
    head.instance = 0;
    memcpy(out->items + begin, &head, sizeof(head));
    for (uint32_t k = 0; k < g->num_references; ++k) {
        const ct_flow_reference *const reference = &g->references[k];
        uint8_t *const at = out->items + begin + reference->offset;
        ct_flow_object object;
        memcpy(&object, at, sizeof(object));
        if (reference->type == CT_FLOW_TYPE_EVENT || reference->type == CT_FLOW_TYPE_NUMBER)
            object = (ct_flow_object){0};
        else
            object = saved_object(s, reference->type, object);
        memcpy(at, &object, sizeof(object));
    }
}

// Brings the references of a saved state to this run. Returns how many name nothing now.
static uint32_t load_references(const ct_world_loading *l, const ct_flow_world *w,
                                ct_flow_instance i, uint8_t *state) {
    const ct_flow_record *const r = ct_flow_record_of(w, i);
    const ct_flow_graph *const g = ct_flow_graph_of(w, r);
    uint32_t num_cleared = 0;
    for (uint32_t k = 0; k < g->num_references; ++k) {
        const ct_flow_reference *const reference = &g->references[k];
        ct_flow_object saved, object = {0};
        memcpy(&saved, state + reference->offset, sizeof(saved));
        if (reference->type == CT_FLOW_TYPE_NUMBER) // what plays goes on
            memcpy(&object, r->data + reference->offset, sizeof(object));
        else if (reference->type != CT_FLOW_TYPE_EVENT)
            num_cleared += !load_object(l, reference->type, saved, &object);
        memcpy(state + reference->offset, &object, sizeof(object));
    }
    return num_cleared;
}

static bool restore(ct_world_loading *l, ct_flow_world *w, ct_flow_instance i, const void *data,
                    uint32_t bytes, ct_error *error) {
    const ct_flow_record *const r = ct_flow_record_of(w, i);
    if (bytes != ct_flow_graph_of(w, r)->dynamic_bytes)
        return ct_flow_restore(w, i, data, bytes, error); // which says so
    ct_byte_array state;
    ct_array_init(&state, w->allocator);
    ct_array_push_many(&state, (const uint8_t *)data, bytes);
    const uint32_t num_cleared = load_references(l, w, i, state.items);
    const bool is_restored = ct_flow_restore(w, i, state.items, bytes, error);
    if (is_restored)
        ct_world_load_count_cleared(l, num_cleared);
    ct_array_free(&state);
    return is_restored;
}

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

static void unit_get(ct_world_saving *s, void *user, ct_entity e, uint32_t i, void *row) {
    flow_row *const r = row;
    ct_byte_array *const state = ct_world_saving_scratch(s);
    add_state(s, user, (ct_flow_instance){i}, state);
    (void)e;
    r->graph = graph_of(user, (ct_flow_instance){i});
    r->state = ct_world_save_bytes(s, state->items, state->count);
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
        add_state(s, user, instance, out);
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

static bool is_object(uint32_t type) {
    return type >= CT_FLOW_TYPE_UNIT && type <= CT_FLOW_TYPE_MOVER;
}

static void save_globals(ct_world_saving *s, void *user, ct_byte_array *out) {
    uint32_t bytes;
    const ct_flow_global *const globals = ct_flow_save_globals(user, &bytes);
    for (uint32_t i = 0; i < bytes / sizeof(*globals); ++i) {
        ct_flow_global global = globals[i];
        if (is_object(global.type))
            global.value.object = saved_object(s, global.type, global.value.object);
        ct_array_push_many(out, (const uint8_t *)&global, (uint32_t)sizeof(global));
    }
}

static bool load_globals(ct_world_loading *l, void *user, const void *bytes, uint32_t size_bytes,
                         ct_error *error) {
    ct_flow_world *const w = user;
    uint32_t num_cleared = 0;
    ct_byte_array state;
    ct_array_init(&state, w->allocator);
    ct_array_push_many(&state, (const uint8_t *)bytes, size_bytes);
    for (uint32_t at = 0; at + sizeof(ct_flow_global) <= size_bytes; at += sizeof(ct_flow_global)) {
        ct_flow_global global;
        memcpy(&global, state.items + at, sizeof(global));
        const ct_flow_object saved = global.value.object;
        if (is_object(global.type))
            num_cleared += !load_object(l, global.type, saved, &global.value.object);
        memcpy(state.items + at, &global, sizeof(global));
    }
    const bool is_restored = ct_flow_restore_globals(w, state.items, size_bytes, error);
    if (is_restored)
        ct_world_load_count_cleared(l, num_cleared);
    ct_array_free(&state);
    return is_restored;
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
