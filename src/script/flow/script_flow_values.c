#include "script/flow/script_flow.h"

#include <string.h>

#include "flow/nodes/flow_parts.h"
#include "foundation/math/math.h"
#include "resource/load/resource_manager.h"
#include "script/physics/api_physics.h"
#include "script/render/api_mesh.h"

// The components that Lua has handles for; NULL for other types.
static const ct_script_component *component_of(ct_flow_type type) {
    switch (type) {
    case CT_FLOW_TYPE_CAMERA:
        return &ct_component_camera;
    case CT_FLOW_TYPE_LIGHT:
        return &ct_component_light;
    case CT_FLOW_TYPE_MESH:
    case CT_FLOW_TYPE_MATERIAL: // a slot of it
        return &ct_component_mesh;
    case CT_FLOW_TYPE_MOVER:
        return &ct_component_mover;
    default:
        return NULL;
    }
}

// --- To Lua --------------------------------------------------------------------------------------

// The instance that an object names; 0: it has been destroyed, or there was no such instance.
static uint32_t instance_of(const ct_script_component *c, const ct_world *w, ct_flow_object o) {
    const ct_entity e = {(uint32_t)o.entity};
    if (!o.entity)
        return 0;
    if (!o.part)
        return c->first(w, e);
    const uint32_t instance = c->with_number(w, e, o.part);
    return instance && c->number(w, instance) == o.part ? instance : 0;
}

static void push_component(lua_State *L, const ct_world *w, ct_flow_type type, ct_flow_object o) {
    const ct_script_component *const c = component_of(type);
    const uint32_t instance = instance_of(c, w, o);
    const ct_entity e = {(uint32_t)o.entity};
    if (!instance) {
        lua_pushnil(L);
        return;
    }
    const uint32_t number = c->number(w, instance) % CT_MAX_COMPONENT_HANDLES;
    if (c->with_number(w, e, number) != instance)
        luaL_error(L, "scripts can use only %d %s of an entity", (int)CT_MAX_COMPONENT_HANDLES,
                   c->nouns);
    ct_push_component(L, &c->type, e, number);
}

static void push_actor(lua_State *L, const ct_world *w, ct_flow_object o) {
    const ct_physics_world *const p = ct_world_physics(w);
    const ct_entity e = {(uint32_t)o.entity};
    if (p)
        ct_push_actor(L, w, o.part ? (ct_actor){o.part} : ct_actor_first(p, e));
    else
        lua_pushnil(L);
}

// The material that is in the slot now.
static void push_material(lua_State *L, const ct_world *w, ct_flow_object o) {
    const uint32_t mesh = instance_of(&ct_component_mesh, w, o);
    ct_script *const s = ct_script_of(L);
    ct_string_id64 name = {0};
    if (mesh && o.extra < CT_MESH_MAX_MATERIALS)
        name = ct_mesh_material(ct_world_meshes(w), (ct_mesh_instance){mesh}, o.extra);
    if (!name.value || !ct_resource_manager_get(s->lua.resources, "material", name)) {
        lua_pushnil(L);
        return;
    }
    ct_check_object_room(L, &ct_type_material);
    ct_push_object(L, &ct_type_material, ct_world_system_renderer(s->worlds), name.value);
}

// The bytes that a value of a type has at its place. Constants are aligned to 4 only.
static uint32_t bytes_of(ct_flow_type type) {
    switch (type) {
    case CT_FLOW_TYPE_BOOL:
        return 4;
    case CT_FLOW_TYPE_NUMBER:
    case CT_FLOW_TYPE_ID:
        return 8;
    case CT_FLOW_TYPE_VECTOR3:
        return 12;
    case CT_FLOW_TYPE_EVENT:
    case CT_FLOW_TYPE_STRING: // its text is given
        return 0;
    default:
        return CT_FLOW_VALUE_BYTES;
    }
}

void ct_push_flow_value(lua_State *L, const ct_world *world, ct_flow_type type, const void *place,
                        const char *text) {
    ct_flow_value value = {0};
    memcpy(&value, place, bytes_of(type));
    switch (type) {
    case CT_FLOW_TYPE_BOOL:
        lua_pushboolean(L, value.is_true != 0);
        break;
    case CT_FLOW_TYPE_NUMBER:
        lua_pushnumber(L, value.number);
        break;
    case CT_FLOW_TYPE_VECTOR3:
        ct_push_vector3(L, ct_vec3_make(value.floats[0], value.floats[1], value.floats[2]));
        break;
    case CT_FLOW_TYPE_QUATERNION:
        ct_push_quaternion(
            L, (ct_quat){{value.floats[0], value.floats[1], value.floats[2], value.floats[3]}});
        break;
    case CT_FLOW_TYPE_STRING:
        lua_pushstring(L, text);
        break;
    case CT_FLOW_TYPE_ID:
        ct_push_id64(L, (ct_string_id64){value.id});
        break;
    case CT_FLOW_TYPE_UNIT:
    case CT_FLOW_TYPE_ENTITY:
        ct_push_entity(L, (ct_entity){(uint32_t)value.object.entity});
        break;
    case CT_FLOW_TYPE_ACTOR:
        push_actor(L, world, value.object);
        break;
    case CT_FLOW_TYPE_MATERIAL:
        push_material(L, world, value.object);
        break;
    case CT_FLOW_TYPE_CAMERA:
    case CT_FLOW_TYPE_LIGHT:
    case CT_FLOW_TYPE_MESH:
    case CT_FLOW_TYPE_MOVER:
        push_component(L, world, type, value.object);
        break;
    default:
        lua_pushnil(L);
        break;
    }
}

// --- From Lua ------------------------------------------------------------------------------------

const char *ct_flow_value_in_lua(ct_flow_type type) {
    switch (type) {
    case CT_FLOW_TYPE_BOOL:
        return "boolean";
    case CT_FLOW_TYPE_NUMBER:
        return "number";
    case CT_FLOW_TYPE_VECTOR3:
        return "Vector3";
    case CT_FLOW_TYPE_QUATERNION:
        return "a Quaternion that is a rotation";
    case CT_FLOW_TYPE_STRING:
        return "a string of at most 239 bytes";
    case CT_FLOW_TYPE_ID:
        return "IdString64 or string";
    case CT_FLOW_TYPE_UNIT:
    case CT_FLOW_TYPE_ENTITY:
        return "a Unit of this world";
    case CT_FLOW_TYPE_ACTOR:
        return "an Actor of this world";
    case CT_FLOW_TYPE_CAMERA:
        return "a Camera of this world";
    case CT_FLOW_TYPE_LIGHT:
        return "a Light of this world";
    case CT_FLOW_TYPE_MESH:
        return "a Mesh of this world";
    case CT_FLOW_TYPE_MOVER:
        return "a Mover of this world";
    default:
        return "nothing, since Lua cannot give this type to Flow";
    }
}

static bool read_floats(lua_State *L, int index, ct_value_kind kind, uint32_t count,
                        ct_flow_value *value) {
    const uint64_t bits = ct_value_at(L, index);
    const float *const floats =
        ct_value_kind_of(bits) == kind ? ct_temporary_data(ct_lua_of(L), bits) : NULL;
    if (floats)
        memcpy(value->floats, floats, count * sizeof(float));
    return floats != NULL;
}

static bool read_rotation(lua_State *L, int index, ct_flow_value *value) {
    if (!read_floats(L, index, CT_VALUE_KIND_QUATERNION, 4, value) &&
        !read_floats(L, index, CT_VALUE_KIND_VECTOR4, 4, value))
        return false;
    ct_quat q;
    memcpy(&q, value->floats, sizeof(q));
    if (!ct_quat_is_rotation(q))
        return false;
    q = ct_quat_normalize(q);
    memcpy(value->floats, &q, sizeof(q));
    return true;
}

static const char *read_text(lua_State *L, int index) {
    return lua_type(L, index) == LUA_TSTRING ? ct_lua_name_at(L, index) : NULL;
}

static bool read_id(lua_State *L, int index, ct_flow_value *value) {
    const char *const text = read_text(L, index);
    if (text)
        value->id = ct_string_id64_register(text).value;
    return text || read_floats(L, index, CT_VALUE_KIND_ID64, 2, value);
}

static bool read_actor(lua_State *L, int index, const ct_world *world, ct_flow_object *o) {
    const uint64_t bits = ct_value_at(L, index);
    const ct_lua *const m = ct_lua_of(L);
    if (ct_value_kind_of(bits) != CT_VALUE_KIND_ACTOR || !m->is_actor_alive ||
        !m->is_actor_alive(m, bits))
        return false;
    const ct_script_actor a = ct_check_actor(L, index); // cannot fail now
    *o = ct_flow_object_of_actor(a.world, a.actor);
    return a.world == world;
}

static bool read_component(lua_State *L, int index, const ct_world *world,
                           const ct_script_component *c, ct_flow_object *o) {
    const ct_lua *const m = ct_lua_of(L);
    const uint64_t bits = ct_value_at(L, index);
    if (ct_value_kind_of(bits) != CT_VALUE_KIND_COMPONENT ||
        ct_component_type_of_value(m, bits) != &c->type)
        return false;
    const ct_entity e = ct_entity_of_value(bits);
    if (ct_world_of(ct_script_of(L)->worlds, e) != world)
        return false;
    const uint32_t instance = c->with_number(world, e, ct_component_number_of_value(bits));
    if (instance)
        *o = ct_flow_object_of(e, c->number(world, instance));
    return instance != 0;
}

static bool read_object(lua_State *L, int index, const ct_world *world, ct_flow_type type,
                        ct_flow_object *o) {
    *o = (ct_flow_object){0};
    if (lua_isnil(L, index) || (lua_isboolean(L, index) && !lua_toboolean(L, index)))
        return true;
    if (type == CT_FLOW_TYPE_ACTOR)
        return read_actor(L, index, world, o);
    if (type == CT_FLOW_TYPE_UNIT || type == CT_FLOW_TYPE_ENTITY) {
        const uint64_t bits = ct_value_at(L, index);
        if (ct_value_kind_of(bits) != CT_VALUE_KIND_ENTITY)
            return false;
        const ct_entity e = ct_entity_of_value(bits);
        *o = ct_flow_object_of(e, 0);
        return ct_world_of(ct_script_of(L)->worlds, e) == world;
    }
    return read_component(L, index, world, component_of(type), o);
}

bool ct_read_flow_value(lua_State *L, int index, const ct_world *world, ct_flow_type type,
                        ct_flow_value *value, const char **text) {
    memset(value, 0, sizeof(*value));
    switch (type) {
    case CT_FLOW_TYPE_BOOL:
        value->is_true = lua_toboolean(L, index) != 0;
        return lua_isboolean(L, index);
    case CT_FLOW_TYPE_NUMBER:
        value->number = lua_tonumber(L, index);
        return lua_type(L, index) == LUA_TNUMBER;
    case CT_FLOW_TYPE_VECTOR3:
        return read_floats(L, index, CT_VALUE_KIND_VECTOR3, 3, value);
    case CT_FLOW_TYPE_QUATERNION:
        return read_rotation(L, index, value);
    case CT_FLOW_TYPE_STRING:
        *text = read_text(L, index);
        return *text && strlen(*text) < CT_FLOW_STRING_BYTES;
    case CT_FLOW_TYPE_ID:
        return read_id(L, index, value);
    case CT_FLOW_TYPE_UNIT:
    case CT_FLOW_TYPE_ENTITY:
    case CT_FLOW_TYPE_ACTOR:
    case CT_FLOW_TYPE_CAMERA:
    case CT_FLOW_TYPE_LIGHT:
    case CT_FLOW_TYPE_MESH:
    case CT_FLOW_TYPE_MOVER:
        return read_object(L, index, world, type, &value->object);
    default:
        return false;
    }
}

const char *ct_check_flow_value(lua_State *L, int argument, const ct_world *world,
                                ct_flow_type type, ct_flow_value *value) {
    const char *text = NULL;
    ct_flow_value read;
    if (!ct_read_flow_value(L, argument, world, type, &read, &text))
        ct_argument_type_error(L, argument, ct_flow_value_in_lua(type));
    if (type != CT_FLOW_TYPE_STRING)
        *value = read;
    return text;
}
