#include "script/debug/script_debug_values.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "script/api_check.h"
#include "script/behaviour/script_behaviour_private.h"
#include "script/debug/script_debug_private.h"
#include "script/physics/api_physics.h"
#include "script/render/api_mesh.h"

enum { TEXT_BYTES = 224 };

// Negative indices would move as values are pushed.
static int absolute(lua_State *L, int index) {
    return index < 0 && index > LUA_REGISTRYINDEX ? lua_gettop(L) + index + 1 : index;
}

// --- What a value is -----------------------------------------------------------------------------

// An engine value that has parts; all zero: none.
typedef struct subject {
    ct_world *world;
    ct_entity entity; // of a unit, or of `component`
    ct_level level;
    const char *component; // type
    uint32_t instance;     // of it in its manager
} subject;

// The instance of a component's handle; 0 when it has ended.
static uint32_t instance_of(const ct_world *world, ct_entity e, uint64_t value,
                            const ct_lua_component_type *type, const char **name) {
    static const struct {
        const ct_script_component *component;
        const char *name;
    } rows[] = {{&ct_component_camera, "camera"},
                {&ct_component_light, "light"},
                {&ct_component_mesh, "mesh"},
                {&ct_component_mover, "mover"}};
    for (uint32_t i = 0; i < CT_COUNT_OF(rows); ++i) {
        if (type != &rows[i].component->type)
            continue;
        *name = rows[i].name;
        return rows[i].component->with_number(world, e, ct_component_number_of_value(value));
    }
    return 0;
}

static subject subject_of_entity(const ct_script *s, uint64_t value) {
    subject x = {.entity = ct_entity_of_value(value)};
    if (!x.entity.id || !ct_entity_is_alive(s->lua.entities, x.entity))
        return (subject){0};
    x.world = ct_world_of(s->worlds, x.entity);
    if (!x.world)
        return (subject){0};
    if (ct_value_kind_of(value) != CT_VALUE_KIND_COMPONENT)
        return x;
    x.instance = instance_of(x.world, x.entity, value, ct_component_type_of_value(&s->lua, value),
                             &x.component);
    return x.instance ? x : (subject){0};
}

static subject subject_of_object(const ct_script *s, uint64_t value) {
    const ct_lua_object *const slot = ct_object_of(&s->lua, value);
    if (!slot || (slot->type != &ct_type_world && slot->type != &ct_type_level) ||
        !ct_debug_has_world(s, slot->object))
        return (subject){0};
    subject x = {.world = slot->object};
    if (slot->type == &ct_type_level)
        x.level.id = (uint32_t)slot->data;
    return x.level.id && !ct_level_is_alive(x.world, x.level) ? (subject){0} : x;
}

static subject subject_of_actor(lua_State *L, const ct_script *s, int index) {
    const uint64_t value = ct_value_at(L, index);
    if (!s->lua.is_actor_alive || !s->lua.is_actor_alive(&s->lua, value))
        return (subject){0};
    const ct_script_actor a = ct_check_actor(L, index);
    const ct_entity e = ct_actor_entity(a.physics, a.actor);
    return (subject){.world = a.world,
                     .entity = ct_entity_is_alive(s->lua.entities, e) ? e : (ct_entity){0},
                     .component = "actor",
                     .instance = a.actor.id};
}

static subject subject_at(lua_State *L, const ct_script *s, int index) {
    const uint64_t value = lua_islightuserdata(L, index) ? ct_value_at(L, index) : 0;
    switch (ct_value_kind_of(value)) {
    case CT_VALUE_KIND_ENTITY:
    case CT_VALUE_KIND_COMPONENT:
        return subject_of_entity(s, value);
    case CT_VALUE_KIND_OBJECT:
        return subject_of_object(s, value);
    case CT_VALUE_KIND_ACTOR:
        return subject_of_actor(L, s, index);
    default:
        return (subject){0};
    }
}

static bool is_worker(lua_State *L) {
    return ct_lua_of(L)->parent != NULL;
}

// --- Parts ---------------------------------------------------------------------------------------

static void add_world(ct_debug_parts *p, ct_world *world) {
    lua_State *const L = p->L;
    uint32_t count;
    lua_pushnumber(L, ct_world_time(world));
    ct_debug_parts_add(p, "time");
    lua_pushnumber(L, ct_world_delta_time(world));
    ct_debug_parts_add(p, "delta_time");
    const ct_level *const levels = ct_world_levels(world, &count);
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; ++i) {
        ct_push_object(L, &ct_type_level, world, levels[i].id);
        lua_rawseti(L, -2, (int)i + 1);
    }
    ct_debug_parts_add(p, "levels");
    ct_world_units(world, &count);
    ct_debug_push_node(
        L, &(ct_debug_node){.kind = CT_DEBUG_NODE_KIND_UNITS, .world = world, .count = count});
    ct_debug_parts_add(p, "units");
}

static void add_level(ct_debug_parts *p, ct_world *world, ct_level level) {
    uint32_t count;
    lua_pushstring(p->L, ct_string_id64_name(ct_level_resource_id(world, level)));
    ct_debug_parts_add(p, "resource");
    ct_push_object(p->L, &ct_type_world, world, 0);
    ct_debug_parts_add(p, "world");
    lua_pushboolean(p->L, ct_level_is_spawned(world, level));
    ct_debug_parts_add(p, "is_spawned");
    ct_level_units(world, level, &count);
    ct_debug_push_node(p->L, &(ct_debug_node){.kind = CT_DEBUG_NODE_KIND_MEMBERS,
                                              .world = world,
                                              .level = level,
                                              .count = count});
    ct_debug_parts_add(p, "units");
}

static void add_parts(ct_script *s, ct_debug_parts *p, const subject *x) {
    if (x->component) {
        ct_push_entity(p->L, x->entity);
        ct_debug_parts_add(p, "unit");
        ct_debug_add_component(p, x->world, x->entity, x->component, 0, x->instance);
    } else if (x->entity.id) {
        ct_debug_add_unit(s, p, x->world, x->entity);
    } else if (x->level.id) {
        add_level(p, x->world, x->level);
    } else {
        add_world(p, x->world);
    }
}

static bool is_node_there(const ct_script *s, const ct_debug_node *node) {
    switch (node->kind) {
    case CT_DEBUG_NODE_KIND_COMPONENT:
    case CT_DEBUG_NODE_KIND_DATA:
        return ct_debug_has_entity(s, node->world, node->entity);
    case CT_DEBUG_NODE_KIND_MEMBERS:
        return ct_debug_has_world(s, node->world) && ct_level_is_alive(node->world, node->level);
    default:
        return ct_debug_has_world(s, node->world);
    }
}

static void add_parts_of_node(const ct_script *s, ct_debug_parts *p, const ct_debug_node *node) {
    if (node->kind == CT_DEBUG_NODE_KIND_COMPONENT)
        ct_debug_add_component(p, node->world, node->entity, node->type, node->place, 0);
    else if (node->kind == CT_DEBUG_NODE_KIND_DATA)
        ct_debug_add_data(s, p, node->entity, node->id);
    else
        ct_debug_add_units(s, p, node);
}

static bool expand(void *user, lua_State *L, int index) {
    ct_script *const s = user;
    if (is_worker(L))
        return false;
    index = absolute(L, index);
    const ct_debug_node *const node = ct_debug_node_at(L, index);
    if (node && !is_node_there(s, node))
        return false;
    const subject x = node ? (subject){0} : subject_at(L, s, index);
    if (!node && !x.world)
        return false;
    ct_debug_parts p = ct_debug_parts_begin(L);
    if (node)
        add_parts_of_node(s, &p, node);
    else
        add_parts(s, &p, &x);
    return true;
}

// --- Setting -------------------------------------------------------------------------------------

static bool set_part(lua_State *L, const ct_script *s, const char *name) {
    const ct_debug_node *const node = ct_debug_node_at(L, 1);
    if (node &&
        (node->kind == CT_DEBUG_NODE_KIND_COMPONENT || node->kind == CT_DEBUG_NODE_KIND_DATA)) {
        if (!is_node_there(s, node))
            return false;
        return node->kind == CT_DEBUG_NODE_KIND_DATA ? ct_debug_set_data(s, L, node, name)
                                                     : ct_debug_set_component(L, node, name);
    }
    const subject x = node ? (subject){0} : subject_at(L, s, 1);
    return x.entity.id && !x.component && ct_debug_set_unit(s, L, x.world, x.entity, name);
}

// Called with the whole, the name and the value.
static int run_set(lua_State *L) {
    lua_pushboolean(L, set_part(L, ct_script_of(L), lua_tostring(L, 2)));
    return 1;
}

// Removes from the error on top that a function has been called with an argument.
static void shorten_error(lua_State *L) {
    static const char mark[] = ": argument ";
    const char *const text = lua_tostring(L, -1);
    const char *const found = text ? strstr(text, mark) : NULL;
    const char *const rest = found ? strstr(found + sizeof(mark) - 1, ": ") : NULL;
    if (rest)
        lua_pushstring(L, rest + 2);
}

static bool assign(void *user, lua_State *L, int index, const char *name) {
    (void)user;
    if (is_worker(L))
        return false;
    index = absolute(L, index);
    const int value = lua_gettop(L);
    luaL_checkstack(L, 8, "too many values");
    lua_pushcfunction(L, run_set);
    lua_pushvalue(L, index);
    lua_pushstring(L, name);
    lua_pushvalue(L, value);
    if (lua_pcall(L, 3, 1, 0) != 0) {
        shorten_error(L);
        lua_error(L);
    }
    const bool is_set = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return is_set;
}

// --- Texts ---------------------------------------------------------------------------------------

// "Unit \"crate\" (units/crate)"
static void write_unit(const ct_script *s, const ct_world *world, ct_entity e,
                       char text[TEXT_BYTES]) {
    const char *const name = ct_debug_name(ct_world_system_debug_names(s->worlds), e);
    const ct_string_id64 resource = ct_world_unit_resource(world, e);
    const bool has_name = name && name[0];
    snprintf(text, TEXT_BYTES, "Unit%s%.80s%s%s%.100s%s", has_name ? " \"" : "",
             has_name ? name : "", has_name ? "\"" : "", resource.value ? " (" : "",
             resource.value ? ct_string_id64_name(resource) : "", resource.value ? ")" : "");
}

static void write_subject(const ct_script *s, const subject *x, char text[TEXT_BYTES]) {
    uint32_t count;
    char unit[TEXT_BYTES] = "no unit";
    if (x->entity.id)
        write_unit(s, x->world, x->entity, unit);
    if (x->component)
        snprintf(text, TEXT_BYTES, "%c%s of %.200s", toupper((unsigned char)x->component[0]),
                 x->component + 1, unit);
    else if (x->entity.id)
        memcpy(text, unit, sizeof(unit));
    else if (x->level.id)
        snprintf(text, TEXT_BYTES, "Level %.200s",
                 ct_string_id64_name(ct_level_resource_id(x->world, x->level)));
    else {
        ct_world_units(x->world, &count);
        snprintf(text, TEXT_BYTES, "World (%u unit%s)", count, count == 1 ? "" : "s");
    }
}

// Ids, and objects that are named by one.
static bool write_name(lua_State *L, int index, char text[TEXT_BYTES]) {
    const ct_lua *const m = ct_lua_of(L);
    const uint64_t value = ct_value_at(L, index);
    const ct_lua_object *const slot = ct_object_of(m, value);
    if (ct_value_kind_of(value) == CT_VALUE_KIND_ID32)
        snprintf(text, TEXT_BYTES, "IdString32 \"%.150s\"",
                 ct_string_id32_name(ct_check_id32(L, index)));
    else if (ct_value_kind_of(value) == CT_VALUE_KIND_ID64 && ct_temporary_data(m, value))
        snprintf(text, TEXT_BYTES, "IdString64 \"%.150s\"",
                 ct_string_id64_name(ct_check_id64(L, index)));
    else if (slot && slot->type == &ct_type_material)
        snprintf(text, TEXT_BYTES, "Material \"%.150s\"",
                 ct_string_id64_name((ct_string_id64){slot->data}));
    else
        return false;
    return true;
}

static bool write_node(const ct_script *s, const ct_debug_node *node, char text[TEXT_BYTES]) {
    if (!is_node_there(s, node))
        snprintf(text, TEXT_BYTES, "(destroyed)");
    else if (node->kind == CT_DEBUG_NODE_KIND_UNITS || node->kind == CT_DEBUG_NODE_KIND_MEMBERS)
        snprintf(text, TEXT_BYTES, "%u unit%s", node->count, node->count == 1 ? "" : "s");
    else
        snprintf(text, TEXT_BYTES, "%s%s%.100s%s", node->type, node->id ? " \"" : "",
                 node->id ? ct_string_id32_name((ct_string_id32){node->id}) : "",
                 node->id ? "\"" : "");
    return true;
}

static bool describe(void *user, lua_State *L, int index) {
    const ct_script *const s = user;
    char text[TEXT_BYTES];
    index = absolute(L, index);
    const bool is_game = !is_worker(L);
    const ct_debug_node *const node = ct_debug_node_at(L, index);
    if (node && is_game) {
        write_node(s, node, text);
    } else if (!lua_islightuserdata(L, index)) {
        return false;
    } else if (!write_name(L, index, text)) {
        const subject x = is_game ? subject_at(L, s, index) : (subject){0};
        if (!x.world)
            return false;
        write_subject(s, &x, text);
    }
    lua_pushstring(L, text);
    return true;
}

// --- Behaviours ----------------------------------------------------------------------------------

// The instance whose table is at `self`; 0: none has it.
static uint32_t find_instance(lua_State *L, const ct_behaviours *b, int self, ct_entity e) {
    for (uint32_t i = ct_behaviour_first(b, e); i; i = ct_behaviour_next(b, i)) {
        if (!b->self[i])
            continue;
        ct_behaviours_push(L, b, b->self[i]);
        const bool is_it = lua_rawequal(L, -1, self);
        lua_pop(L, 1);
        if (is_it)
            return i;
    }
    return 0;
}

// The entity in a table of an instance.
static ct_entity entity_in(lua_State *L, int self) {
    lua_pushstring(L, "entity");
    lua_rawget(L, self);
    const uint64_t value = lua_islightuserdata(L, -1) ? ct_value_at(L, -1) : 0;
    lua_pop(L, 1);
    return ct_value_kind_of(value) == CT_VALUE_KIND_ENTITY ? ct_entity_of_value(value)
                                                           : (ct_entity){0};
}

static void push_scope(lua_State *L, const ct_behaviours *b, int self, ct_entity e, uint32_t i) {
    ct_debug_parts p = ct_debug_parts_begin(L);
    lua_pushvalue(L, self);
    ct_debug_parts_add(&p, "self");
    ct_push_entity(L, e);
    ct_debug_parts_add(&p, "unit");
    lua_pushstring(L, ct_behaviour_script_name(b, i));
    ct_debug_parts_add(&p, "script");
    lua_pushboolean(L, ct_behaviour_is_enabled(b, i));
    ct_debug_parts_add(&p, "enabled");
    lua_replace(L, self);
    lua_settop(L, self);
}

bool ct_script_debug_behaviour(ct_script *s, lua_State *L, lua_State *coroutine, lua_Debug *frame) {
    if (is_worker(L))
        return false;
    const char *const name = lua_getlocal(coroutine, frame, 1);
    if (!name)
        return false;
    lua_xmove(coroutine, L, 1);
    const int self = lua_gettop(L);
    if (strcmp(name, "self") == 0 && lua_istable(L, self)) {
        const ct_entity e = entity_in(L, self);
        const bool is_alive = e.id && ct_entity_is_alive(s->lua.entities, e);
        ct_world *const world = is_alive ? ct_world_of(s->worlds, e) : NULL;
        const ct_behaviours *const b = world ? ct_behaviours_in(world) : NULL;
        const uint32_t i = b && b->script == s ? find_instance(L, b, self, e) : 0;
        if (i) {
            push_scope(L, b, self, e, i);
            return true;
        }
    }
    lua_settop(L, self - 1);
    return false;
}

// The scope as a table of what ct_script_debug_behaviour gives in turns.
static bool scope(void *user, lua_State *L, lua_State *coroutine, int level) {
    lua_Debug frame;
    if (!lua_getstack(coroutine, level, &frame))
        return false;
    lua_pushliteral(L, "Behaviour");
    lua_newtable(L);
    const int table = lua_gettop(L);
    if (!ct_script_debug_behaviour(user, L, coroutine, &frame)) {
        lua_settop(L, table - 2);
        return false;
    }
    const int count = (int)lua_objlen(L, -1);
    for (int i = 1; i < count; i += 2) {
        lua_rawgeti(L, table + 1, i);
        lua_rawgeti(L, table + 1, i + 1);
        lua_rawset(L, table);
    }
    lua_settop(L, table);
    return true;
}

ct_lua_debugger_values ct_script_debug_values(ct_script *s) {
    return (ct_lua_debugger_values){
        .user = s, .expand = expand, .assign = assign, .describe = describe, .scope = scope};
}
