// Functions of World for particle effects.
#include <math.h>

#include "foundation/error.h"
#include "foundation/math/math_bulk.h"
#include "particles/component/particles_component.h"
#include "script/particles/api_particles.h"
#include "script/physics/api_physics.h"
#include "script/world/api_pose.h"

enum { MOST_SEEK_SECONDS = 600 };

// --- Arguments -----------------------------------------------------------------------------------

ct_particles_components *ct_check_particles(lua_State *L, const ct_world *world) {
    ct_particles_components *const m = ct_world_particles_components(world);
    if (!m)
        ct_function_error(L, "worlds have no particles here");
    return m;
}

// Returns the particles of the world at argument 1.
static ct_particle_world *check_world(lua_State *L) {
    return ct_particles_components_world(ct_check_particles(L, ct_check_world(L, 1)));
}

ct_particle_effect_id ct_check_effect(lua_State *L, int argument) {
    return (ct_particle_effect_id){(uint32_t)ct_check_integer(L, argument, 0, UINT32_MAX)};
}

int ct_push_effect(lua_State *L, ct_particle_effect_id effect) {
    lua_pushnumber(L, effect.value);
    return 1;
}

static ct_vec3 check_vector_in(lua_State *L, int argument, double most, const char *what) {
    const ct_vec3 v = ct_check_finite_vector3(L, argument);
    for (uint32_t i = 0; i < 3; ++i)
        if (fabs((double)v.raw[i]) > most)
            ct_argument_error(L, argument,
                              "expected %s of numbers from -%g to %g, got (%g, %g, %g)", what, most,
                              most, (double)v.x, (double)v.y, (double)v.z);
    return v;
}

// Returns the position at argument 3, and rotation and scale behind it; those of `otherwise` when
// they are absent.
static ct_particle_place check_place(lua_State *L, ct_particle_place otherwise) {
    ct_particle_place place = otherwise;
    place.position = check_vector_in(L, 3, CT_PARTICLES_REACH, "a position");
    if (!lua_isnoneornil(L, 4))
        place.rotation = ct_check_finite_quaternion(L, 4);
    if (!lua_isnoneornil(L, 5))
        place.scale = check_vector_in(L, 5, CT_PARTICLES_MOST_SCALE, "a scale");
    return place;
}

// --- Life of effects -----------------------------------------------------------------------------

int ct_world_create_particles(lua_State *L) {
    ct_particle_world *const w = check_world(L);
    const char *const name = ct_check_resource(L, 2, "particles", NULL);
    const ct_particle_place place = check_place(
        L, (ct_particle_place){.rotation = ct_quat_identity(), .scale = ct_vec3_make(1, 1, 1)});
    const uint32_t seed =
        lua_isnoneornil(L, 6) ? 0 : (uint32_t)ct_check_integer(L, 6, 0, UINT32_MAX);
    return ct_push_effect(L, ct_particles_create(w, ct_string_id64_of(name), &place, seed));
}

int ct_world_stop_spawning_particles(lua_State *L) {
    ct_particle_world *const w = check_world(L);
    ct_particles_stop_spawning(w, ct_check_effect(L, 2));
    return 0;
}

int ct_world_destroy_particles(lua_State *L) {
    ct_particle_world *const w = check_world(L);
    ct_particles_destroy(w, ct_check_effect(L, 2));
    return 0;
}

int ct_world_are_particles_playing(lua_State *L) {
    const ct_particle_world *const w = check_world(L);
    lua_pushboolean(L, ct_particles_is_playing(w, ct_check_effect(L, 2)));
    return 1;
}

int ct_world_seek_particles(lua_State *L) {
    ct_particle_world *const w = check_world(L);
    const ct_particle_effect_id effect = ct_check_effect(L, 2);
    ct_particles_seek(w, effect, ct_check_number_in(L, 3, 0, MOST_SEEK_SECONDS));
    return 0;
}

int ct_world_num_particles(lua_State *L) {
    const ct_particle_world *const w = check_world(L);
    const bool is_all = lua_isnoneornil(L, 2), has_emitter = !lua_isnoneornil(L, 3);
    const ct_particle_effect_id effect =
        is_all ? (ct_particle_effect_id){0} : ct_check_effect(L, 2);
    uint32_t emitter = UINT32_MAX;
    if (has_emitter)
        emitter = (uint32_t)ct_check_integer(L, 3, 1, CT_PARTICLES_MAX_EMITTERS) - 1;
    if (is_all && has_emitter)
        ct_argument_error(L, 2, "expected the effect whose emitter is counted, got nil");
    const bool has_ended = !is_all && !ct_particles_is_playing(w, effect);
    lua_pushnumber(L, has_ended ? 0 : ct_particles_count(w, effect, emitter));
    return 1;
}

// --- Places --------------------------------------------------------------------------------------

// An effect that a script moves follows its unit no more.
static int move(lua_State *L, bool is_jump) {
    const ct_particles_components *const m = ct_check_particles(L, ct_check_world(L, 1));
    ct_particle_world *const w = ct_particles_components_world(m);
    const ct_particle_effect_id effect = ct_check_effect(L, 2);
    ct_particle_place place = {.rotation = ct_quat_identity(), .scale = ct_vec3_make(1, 1, 1)};
    ct_particles_place(w, effect, &place);
    place = check_place(L, place);
    ct_particle_links_remove(ct_particles_components_links(m), effect);
    ct_particles_move(w, effect, &place, is_jump);
    return 0;
}

int ct_world_move_particles(lua_State *L) {
    return move(L, false);
}

int ct_world_teleport_particles(lua_State *L) {
    return move(L, true);
}

int ct_world_particles_position(lua_State *L) {
    const ct_particle_world *const w = check_world(L);
    ct_particle_place place;
    if (ct_particles_place(w, ct_check_effect(L, 2), &place))
        ct_push_vector3(L, place.position);
    else
        lua_pushnil(L);
    return 1;
}

int ct_world_link_particles(lua_State *L) {
    const ct_world *const world = ct_check_world(L, 1);
    const ct_particles_components *const m = ct_check_particles(L, world);
    const ct_particle_effect_id effect = ct_check_effect(L, 2);
    ct_particle_link_desc link = {.entity = ct_check_unit_of(L, 3, world),
                                  .pose = ct_mat4_identity(),
                                  .orphaned = CT_PARTICLES_ORPHANED_STOP};
    if (!lua_isnoneornil(L, 4))
        link.node = ct_check_node(L, 4, world, link.entity);
    if (!lua_isnoneornil(L, 5))
        link.pose = ct_check_finite_matrix4x4(L, 5);
    if (!lua_isnoneornil(L, 6))
        link.orphaned = ct_check_name_of(L, 6, ct_particles_orphaned_names);
    ct_particle_links_add(ct_particles_components_links(m), effect, &link);
    return 0;
}

int ct_world_unlink_particles(lua_State *L) {
    const ct_particles_components *const m = ct_check_particles(L, ct_check_world(L, 1));
    ct_particle_links_remove(ct_particles_components_links(m), ct_check_effect(L, 2));
    return 0;
}

// --- Variables -----------------------------------------------------------------------------------

int ct_no_such_variable(lua_State *L, int argument, const ct_particles_resource *r) {
    const ct_particle_variable *const variables = ct_blob_at(r, r->variables.offset);
    const char *names[CT_PARTICLES_MAX_VARIABLES];
    uint32_t count = 0;
    for (; count < r->variables.count && count < CT_PARTICLES_MAX_VARIABLES; ++count)
        names[count] = ct_blob_at(r, variables[count].name_text.offset);
    const bool is_text = lua_type(L, argument) == LUA_TSTRING;
    const char *const name =
        is_text ? lua_tostring(L, argument) : ct_string_id32_name(ct_check_id32(L, argument));
    const char *const nearest = ct_nearest_name(name, names, count);
    return ct_argument_error(L, argument, "the effect has no variable \"%.64s\"%s%s%s", name,
                             nearest ? ", did you mean \"" : "", nearest ? nearest : "",
                             nearest ? "\"?" : "");
}

int ct_world_find_particles_variable(lua_State *L) {
    const ct_particles_components *const m = ct_check_particles(L, ct_check_world(L, 1));
    const void *blob;
    const char *const effect = ct_check_resource(L, 2, "particles", &blob);
    const ct_string_id32 name = ct_string_id32_of(ct_check_string(L, 3));
    const uint32_t index = ct_particle_system_variable(ct_particles_components_system(m),
                                                       ct_string_id64_of(effect), name);
    if (index == UINT32_MAX)
        return ct_no_such_variable(L, 3, blob);
    lua_pushnumber(L, index + 1);
    return 1;
}

ct_vec4 ct_check_variable_value(lua_State *L, int argument) {
    ct_vec4 value = {{0, 0, 0, 0}};
    switch (ct_value_kind_at(L, argument)) {
    case CT_VALUE_KIND_VECTOR2: {
        const ct_vec2 v = ct_check_vector2(L, argument);
        value.x = v.x, value.y = v.y;
        break;
    }
    case CT_VALUE_KIND_VECTOR3: {
        const ct_vec3 v = ct_check_vector3(L, argument);
        value.x = v.x, value.y = v.y, value.z = v.z;
        break;
    }
    case CT_VALUE_KIND_VECTOR4:
    case CT_VALUE_KIND_QUATERNION:
        value = ct_check_vector4(L, argument);
        break;
    default:
        if (lua_type(L, argument) != LUA_TNUMBER)
            ct_argument_type_error(L, argument, "number, Vector2, Vector3 or Vector4");
        value.x = value.y = value.z = value.w = (float)ct_check_number_in(L, argument, -3e38, 3e38);
    }
    if (!ct_floats_are_finite(value.raw, 4))
        ct_argument_error(L, argument, "expected finite numbers, got (%g, %g, %g, %g)",
                          (double)value.x, (double)value.y, (double)value.z, (double)value.w);
    return value;
}

int ct_world_set_particles_variable(lua_State *L) {
    ct_particle_world *const w = check_world(L);
    const ct_particle_effect_id effect = ct_check_effect(L, 2);
    const uint32_t index = (uint32_t)ct_check_integer(L, 3, 1, CT_PARTICLES_MAX_VARIABLES) - 1;
    ct_particles_set_variable(w, effect, index, ct_check_variable_value(L, 4));
    return 0;
}

// --- The world -----------------------------------------------------------------------------------

int ct_world_set_particles_collision_filter(lua_State *L) {
    const ct_world *const world = ct_check_world(L, 1);
    ct_particle_world *const w = check_world(L);
    ct_particles_set_filter(w, ct_check_filter(L, 2, ct_check_physics(L, world)));
    return 0;
}

int ct_world_vector_field(lua_State *L) {
    ct_world *const world = ct_check_world(L, 1);
    ct_particle_fields *const fields = ct_particles_fields(check_world(L));
    const ct_string_id32 name = ct_check_id32(L, 2);
    ct_check_object_room(L, &ct_type_vector_field);
    ct_push_object(L, &ct_type_vector_field, world, ct_particle_fields_find(fields, name));
    return 1;
}
