// What units, worlds and levels have.
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/math/math.h"
#include "script/api_check.h"
#include "script/behaviour/script_behaviour_private.h"
#include "script/debug/script_debug_private.h"
#include "script/entity/api_data.h"
#include "script/entity/api_property.h"

enum { PAGE = 100, TEXT_BYTES = 192 };

// --- Fields of components ------------------------------------------------------------------------

static void push_numbers(lua_State *L, const uint8_t *at, uint32_t count, bool is_float) {
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; ++i) {
        float number;
        int32_t whole;
        memcpy(&number, at + i * 4, sizeof(number));
        memcpy(&whole, at + i * 4, sizeof(whole));
        lua_pushnumber(L, is_float ? (double)number : (double)whole);
        lua_rawseti(L, -2, (int)i + 1);
    }
}

static void push_floats(lua_State *L, const char *name, const uint8_t *at, uint32_t count) {
    float v[4] = {0};
    memcpy(v, at, sizeof(float) * (count < 4 ? count : 4));
    if (count == 1)
        lua_pushnumber(L, (lua_Number)v[0]);
    else if (count == 2)
        ct_push_vector2(L, ct_vec2_make(v[0], v[1]));
    else if (count == 3)
        ct_push_vector3(L, ct_vec3_make(v[0], v[1], v[2]));
    else if (count == 4 && strcmp(name, "rotation") == 0)
        ct_push_quaternion(L, (ct_quat){{v[0], v[1], v[2], v[3]}});
    else if (count == 4)
        ct_push_vector4(L, (ct_vec4){{v[0], v[1], v[2], v[3]}});
    else
        push_numbers(L, at, count, true);
}

static void push_whole(lua_State *L, const ct_save_field *field, const uint8_t *at) {
    const uint32_t count = field->size_bytes / 4;
    if (count != 1) {
        push_numbers(L, at, count, false);
        return;
    }
    uint32_t bits;
    memcpy(&bits, at, sizeof(bits));
    lua_pushnumber(L, field->kind == CT_SAVE_KIND_I32 ? (double)(int32_t)bits : (double)bits);
}

static void push_id64(lua_State *L, const uint8_t *at) {
    ct_string_id64 id;
    memcpy(&id, at, sizeof(id));
    if (id.value)
        ct_push_id64(L, id);
    else
        lua_pushnil(L);
}

static void push_id32(lua_State *L, const uint8_t *at) {
    ct_string_id32 id;
    memcpy(&id, at, sizeof(id));
    if (id.value)
        ct_push_id32(L, id);
    else
        lua_pushnil(L);
}

// Pushes the materials of a mesh, and of other bytes their size.
static void push_bytes(lua_State *L, const ct_world_inspection *n, const ct_inspected_component *c,
                       const ct_save_field *field) {
    uint32_t size;
    const uint8_t *const bytes = ct_world_inspected_bytes(n, c, field, &size);
    if (strcmp(field->name, "materials") != 0) {
        lua_pushfstring(L, "%d bytes", (int)size);
        return;
    }
    lua_newtable(L);
    for (uint32_t i = 0; i < size / 8; ++i) {
        push_id64(L, bytes + i * 8ull);
        lua_rawseti(L, -2, (int)i + 1);
    }
}

static void push_field(lua_State *L, const ct_world_inspection *n, const ct_inspected_component *c,
                       const ct_save_field *field) {
    const uint8_t *const at = c->row + field->offset;
    switch (field->kind) {
    case CT_SAVE_KIND_F32:
        push_floats(L, field->name, at, field->size_bytes / 4);
        break;
    case CT_SAVE_KIND_U32:
    case CT_SAVE_KIND_I32:
        push_whole(L, field, at);
        break;
    case CT_SAVE_KIND_ID32:
        push_id32(L, at);
        break;
    case CT_SAVE_KIND_ID64:
        push_id64(L, at);
        break;
    case CT_SAVE_KIND_TEXT:
        lua_pushlstring(L, (const char *)at, strnlen((const char *)at, field->size_bytes));
        break;
    default:
        push_bytes(L, n, c, field);
        break;
    }
}

static void add_fields(ct_debug_parts *p, const ct_world_inspection *n,
                       const ct_inspected_component *c) {
    for (uint32_t i = 0; i < c->num_fields; ++i) {
        if (c->fields[i].kind == CT_SAVE_KIND_ENTITY)
            continue;
        push_field(p->L, n, c, &c->fields[i]);
        ct_debug_parts_add(p, c->fields[i].name);
    }
}

// Adds a row of a component of a plugin, which the schema describes better than a save.
static void add_row(ct_debug_parts *p, ct_component_table *table, uint32_t row) {
    const ct_schema *const schema = ct_component_table_schema(table);
    void *const data = lua_newuserdata(p->L, schema->size_bytes);
    ct_component_table_get(table, &row, 1, data);
    for (uint32_t i = 0; i < schema->num_fields; ++i) {
        const ct_field *const field = &schema->fields[i];
        if (!ct_field_is_in_source(field))
            continue;
        ct_mend_property(field, data);
        ct_push_property(p->L, field, data);
        ct_debug_parts_add(p, field->name);
    }
    lua_pop(p->L, 1);
}

// --- Components of an entity ---------------------------------------------------------------------

// What a protected call does with an inspection.
typedef struct inspected_call {
    const ct_world_inspection *inspection;
    ct_debug_parts *parts;
    ct_world *world;
    ct_entity entity;
    const char *type; // NULL: all components
    uint32_t place, instance;
    bool is_found;
} inspected_call;

static _Thread_local inspected_call *running;

// Entities show these in other ways.
static bool is_shown_otherwise(const char *type) {
    static const char *const types[] = {"scene_graph", "data", "tag", "debug_name"};
    for (uint32_t i = 0; i < CT_COUNT_OF(types); ++i)
        if (strcmp(type, types[i]) == 0)
            return true;
    return false;
}

static void add_all(const inspected_call *call) {
    uint32_t count;
    const ct_inspected_component *const all = ct_world_inspected(call->inspection, &count);
    for (uint32_t i = 0; i < count; ++i) {
        if (is_shown_otherwise(all[i].type))
            continue;
        ct_debug_node node = {.kind = CT_DEBUG_NODE_KIND_COMPONENT,
                              .world = call->world,
                              .entity = call->entity,
                              .place = all[i].place,
                              .id = all[i].id};
        snprintf(node.type, sizeof(node.type), "%s", all[i].type);
        ct_debug_push_node(call->parts->L, &node);
        const bool is_one_of_many =
            all[i].place > 0 || (i + 1 < count && strcmp(all[i + 1].type, all[i].type) == 0);
        if (is_one_of_many)
            ct_debug_parts_add_numbered(call->parts, all[i].type, all[i].place + 1);
        else
            ct_debug_parts_add(call->parts, all[i].type);
    }
}

static void add_one(inspected_call *call) {
    uint32_t count;
    const ct_inspected_component *const all = ct_world_inspected(call->inspection, &count);
    for (uint32_t i = 0; i < count && !call->is_found; ++i) {
        const bool is_wanted =
            strcmp(all[i].type, call->type) == 0 &&
            (call->instance ? all[i].instance == call->instance : all[i].place == call->place);
        if (!is_wanted)
            continue;
        call->is_found = true;
        ct_component_table *const table = ct_world_component_table(call->world, call->type);
        if (table)
            add_row(call->parts, table, all[i].instance);
        else
            add_fields(call->parts, call->inspection, &all[i]);
    }
}

static int run(lua_State *L) {
    inspected_call *const call = running;
    ct_debug_parts parts = *call->parts;
    parts.L = L;
    parts.table = 1;
    ct_debug_parts *const outer = call->parts;
    call->parts = &parts;
    if (call->type)
        add_one(call);
    else
        add_all(call);
    outer->count = parts.count;
    return 0;
}

// Frees the inspection whatever happens.
static void inspect(ct_debug_parts *p, inspected_call *call) {
    lua_State *const L = p->L;
    lua_pushcfunction(L, run);
    lua_pushvalue(L, p->table);
    ct_world_inspection *const n =
        call->instance
            ? ct_world_inspect_instance(call->world, call->entity, call->type, call->instance)
            : ct_world_inspect(call->world, call->entity, call->type);
    call->inspection = n;
    call->parts = p;
    inspected_call *const outer = running;
    running = call;
    const int status = lua_pcall(L, 1, 0, 0);
    running = outer;
    ct_world_inspection_free(n);
    if (status != 0)
        lua_error(L);
}

bool ct_debug_add_component(ct_debug_parts *p, ct_world *world, ct_entity e, const char *type,
                            uint32_t place, uint32_t instance) {
    inspected_call call = {
        .world = world, .entity = e, .type = type, .place = place, .instance = instance};
    inspect(p, &call);
    return call.is_found;
}

// --- Units ---------------------------------------------------------------------------------------

static void add_place(ct_script *s, ct_debug_parts *p, ct_world *world, ct_entity e) {
    lua_State *const L = p->L;
    lua_pushstring(L, ct_debug_name(ct_world_system_debug_names(s->worlds), e));
    ct_debug_parts_add(p, "name");
    lua_pushnumber(L, e.id);
    ct_debug_parts_add(p, "id");
    ct_push_object(L, &ct_type_world, world, 0);
    ct_debug_parts_add(p, "world");
    const ct_entity unit = ct_world_unit_of(world, e);
    if (unit.id && unit.id != e.id) {
        ct_push_entity(L, unit);
        ct_debug_parts_add(p, "unit");
    }
    const ct_string_id64 resource = ct_world_unit_resource(world, e);
    if (resource.value) {
        lua_pushstring(L, ct_string_id64_name(resource));
        ct_debug_parts_add(p, "resource");
    }
    uint32_t place;
    const ct_level level = ct_world_find_level_unit(world, e, &place);
    if (level.id && ct_level_is_alive(world, level)) {
        ct_push_object(L, &ct_type_level, world, level.id);
        ct_debug_parts_add(p, "level");
    }
}

static void add_pose(const ct_script *s, ct_debug_parts *p, const ct_world *world, ct_entity e) {
    lua_State *const L = p->L;
    const ct_world_transform t = ct_world_transform_of(s->worlds, e);
    if (t.transform.index) {
        ct_push_vector3(L, ct_transform_local_position(t.transforms, t.transform));
        ct_debug_parts_add(p, "position");
        ct_push_quaternion(L, ct_transform_local_rotation(t.transforms, t.transform));
        ct_debug_parts_add(p, "rotation");
        ct_push_vector3(L, ct_transform_local_scale(t.transforms, t.transform));
        ct_debug_parts_add(p, "scale");
        const ct_transform parent = ct_transform_parent(t.transforms, t.transform);
        if (parent.index) {
            ct_push_entity(L, ct_transform_entity(t.transforms, parent));
            ct_debug_parts_add(p, "parent");
        }
    }
    const ct_scene_graph_manager *const graphs = ct_world_scene_graphs(world);
    const ct_scene_graph graph = ct_scene_graph_lookup(graphs, e);
    if (graph.index) {
        lua_pushnumber(L, ct_scene_graph_num_nodes(graphs, graph));
        ct_debug_parts_add(p, "nodes");
    }
}

static void add_tags(const ct_script *s, ct_debug_parts *p, ct_entity e) {
    const ct_tag_manager *const tags = ct_world_system_tags(s->worlds);
    const uint32_t count = ct_tag_count(tags, e);
    if (count == 0)
        return;
    lua_createtable(p->L, (int)count, 0);
    for (uint32_t i = 0; i < count; ++i) {
        lua_pushstring(p->L, ct_string_id32_name(ct_tag_at(tags, e, i)));
        lua_rawseti(p->L, -2, (int)i + 1);
    }
    ct_debug_parts_add(p, "tags");
}

static void add_data_components(const ct_script *s, ct_debug_parts *p, ct_world *world,
                                ct_entity e) {
    const ct_data_manager *const m = ct_world_system_data(s->worlds);
    for (ct_data_instance i = ct_data_first(m, e); i.slot; i = ct_data_next(m, i)) {
        const ct_debug_node node = {.kind = CT_DEBUG_NODE_KIND_DATA,
                                    .world = world,
                                    .entity = e,
                                    .type = "data",
                                    .id = ct_data_id(m, i)};
        char name[TEXT_BYTES];
        snprintf(name, sizeof(name), "data[\"%.100s\"]",
                 ct_string_id32_name((ct_string_id32){node.id}));
        ct_debug_push_node(p->L, &node);
        ct_debug_parts_add(p, name);
    }
    ct_script_push_data(p->L, ct_data_key_of_entity(e)); // of Unit.set_data
    if (lua_istable(p->L, -1))
        ct_debug_parts_add(p, "set_data");
    else
        lua_pop(p->L, 1);
}

// Those whose table has not been made have never run.
static void add_behaviours(const ct_script *s, ct_debug_parts *p, ct_world *world, ct_entity e) {
    const ct_behaviours *const b = ct_behaviours_in(world);
    if (!b || b->script != s)
        return;
    uint32_t number = 0;
    for (uint32_t i = ct_behaviour_first(b, e); i; i = ct_behaviour_next(b, i)) {
        char name[TEXT_BYTES];
        ++number;
        snprintf(name, sizeof(name), "script[%u] %.150s", number, ct_behaviour_script_name(b, i));
        if (b->self[i])
            ct_behaviours_push(p->L, b, b->self[i]);
        else
            lua_pushstring(p->L, "it has not run yet");
        ct_debug_parts_add(p, name);
    }
}

void ct_debug_add_unit(ct_script *s, ct_debug_parts *p, ct_world *world, ct_entity e) {
    add_place(s, p, world, e);
    add_pose(s, p, world, e);
    add_tags(s, p, e);
    add_data_components(s, p, world, e);
    add_behaviours(s, p, world, e);
    inspected_call call = {.world = world, .entity = e};
    inspect(p, &call);
}

// --- Data ----------------------------------------------------------------------------------------

static void push_data_value(lua_State *L, ct_data_value value) {
    switch (value.type) {
    case CT_DATA_TYPE_BOOL:
        lua_pushboolean(L, value.boolean);
        break;
    case CT_DATA_TYPE_FLOAT:
        lua_pushnumber(L, (lua_Number)value.number);
        break;
    case CT_DATA_TYPE_STRING:
        lua_pushlstring(L, value.text, value.count);
        break;
    case CT_DATA_TYPE_FLOATS:
        push_numbers(L, (const uint8_t *)value.numbers, value.count, true);
        break;
    default:
        lua_pushnil(L);
        break;
    }
}

// Pushes a string with the values of an instance, aligned as a buffer needs it: Lua's strings are.
void ct_debug_add_data(const ct_script *s, ct_debug_parts *p, ct_entity e, uint32_t id) {
    const ct_data_manager *const m = ct_world_system_data(s->worlds);
    const ct_data_instance i = ct_data_with_id(m, e, id);
    if (!i.slot)
        return;
    void *const copy = lua_newuserdata(p->L, CT_DATA_MAX_BYTES);
    ct_byte_array values;
    ct_array_init(&values, s->lua.allocator);
    ct_data_copy_values(m, i, &values);
    memcpy(copy, values.items, values.count < CT_DATA_MAX_BYTES ? values.count : CT_DATA_MAX_BYTES);
    ct_array_free(&values);
    const ct_data_buffer *const buffer = copy;
    for (uint32_t k = 0; k < buffer->num_keys; ++k) {
        push_data_value(p->L, ct_data_buffer_value(buffer, k));
        ct_debug_parts_add(p, ct_string_id32_name((ct_string_id32){buffer->words[k]}));
    }
    lua_pop(p->L, 1);
}

// --- Lists of units ------------------------------------------------------------------------------

static const ct_entity *units_of(const ct_debug_node *node, uint32_t *count) {
    return node->kind == CT_DEBUG_NODE_KIND_MEMBERS
               ? ct_level_units(node->world, node->level, count)
               : ct_world_units(node->world, count);
}

static void add_unit_of_list(const ct_script *s, ct_debug_parts *p, ct_entity e, uint32_t number) {
    char name[TEXT_BYTES];
    const bool is_alive = ct_entity_is_alive(s->lua.entities, e);
    const char *const text =
        is_alive ? ct_debug_name(ct_world_system_debug_names(s->worlds), e) : "";
    snprintf(name, sizeof(name), "[%u]%s%.100s", number, text && text[0] ? " " : "",
             text ? text : "");
    if (is_alive)
        ct_push_entity(p->L, e);
    else
        lua_pushnil(p->L);
    ct_debug_parts_add(p, name);
}

void ct_debug_add_units(const ct_script *s, ct_debug_parts *p, const ct_debug_node *node) {
    uint32_t total, page = 1;
    const ct_entity *const all = units_of(node, &total);
    const uint32_t first = node->first < total ? node->first : total;
    const uint32_t count = node->count < total - first ? node->count : total - first;
    while (count > (uint64_t)page * PAGE)
        page *= PAGE;
    for (uint32_t i = 0; page == 1 && i < count; ++i)
        add_unit_of_list(s, p, all[first + i], first + i + 1);
    for (uint32_t i = 0; page > 1 && i < count; i += page) {
        char name[TEXT_BYTES];
        ct_debug_node part = *node;
        part.first = first + i;
        part.count = page < count - i ? page : count - i;
        snprintf(name, sizeof(name), "[%u..%u]", part.first + 1, part.first + part.count);
        ct_debug_push_node(p->L, &part);
        ct_debug_parts_add(p, name);
    }
}
