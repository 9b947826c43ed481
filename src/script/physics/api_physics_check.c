// Checks of what functions of physics get: numbers in range, names of the physics resource.
#include <math.h>

#include "foundation/error.h"
#include "foundation/math/math.h"
#include "script/physics/api_physics.h"

// --- Numbers -------------------------------------------------------------------------------------

static ct_vec3 check_vector_in(lua_State *L, int argument, double most, const char *what) {
    const ct_vec3 v = ct_check_finite_vector3(L, argument);
    for (uint32_t i = 0; i < 3; ++i) {
        if (fabs((double)v.raw[i]) > most)
            ct_argument_error(L, argument,
                              "expected %s of numbers from -%g to %g, got (%g, %g, %g)", what, most,
                              most, (double)v.x, (double)v.y, (double)v.z);
    }
    return v;
}

ct_vec3 ct_check_place(lua_State *L, int argument) {
    return check_vector_in(L, argument, CT_PHYSICS_REACH, "a position");
}

ct_vec3 ct_check_offset(lua_State *L, int argument) {
    return check_vector_in(L, argument, CT_PHYSICS_REACH, "an offset");
}

float ct_check_size(lua_State *L, int argument) {
    return (float)ct_check_number_in(L, argument, CT_PHYSICS_LEAST_SIZE, CT_PHYSICS_MOST_SIZE);
}

ct_vec3 ct_check_half_size(lua_State *L, int argument) {
    const ct_vec3 half = ct_check_finite_vector3(L, argument);
    for (uint32_t i = 0; i < 3; ++i) {
        if (!(half.raw[i] >= (float)CT_PHYSICS_LEAST_SIZE &&
              half.raw[i] <= (float)CT_PHYSICS_MOST_SIZE))
            ct_argument_error(L, argument,
                              "expected half the size, numbers from %.7g to %.7g m, got (%g, %g, "
                              "%g)",
                              CT_PHYSICS_LEAST_SIZE, CT_PHYSICS_MOST_SIZE, (double)half.x,
                              (double)half.y, (double)half.z);
    }
    return half;
}

ct_vec3 ct_check_velocity(lua_State *L, int argument) {
    return check_vector_in(L, argument, CT_PHYSICS_MOST_SPEED, "a velocity");
}

ct_vec3 ct_check_gravity(lua_State *L, int argument) {
    const ct_field *const field = ct_schema_find(&ct_physics_schema, "gravity");
    return check_vector_in(L, argument, field->most, "a gravity");
}

ct_vec3 ct_check_motion(lua_State *L, int argument) {
    return check_vector_in(L, argument, CT_PHYSICS_MOST, "a Vector3");
}

ct_rigid_pose ct_check_rigid_pose(lua_State *L, int argument) {
    ct_rigid_pose pose;
    ct_vec3 scale;
    ct_check_pose(L, argument, &pose.position, &pose.rotation, &scale);
    if (!ct_quat_is_rotation(pose.rotation))
        ct_argument_error(L, argument, "expected a pose, got a Matrix4x4 without a rotation");
    pose.rotation = ct_quat_normalize(pose.rotation);
    for (uint32_t i = 0; i < 3; ++i) {
        if (fabs((double)pose.position.raw[i]) > CT_PHYSICS_REACH)
            ct_argument_error(L, argument, "expected a pose within %g m of the origin, got %g m",
                              CT_PHYSICS_REACH, (double)pose.position.raw[i]);
    }
    return pose;
}

// --- Names ---------------------------------------------------------------------------------------

enum { MOST_NAMES = CT_PHYSICS_MAX_MATERIALS };

_Static_assert(MOST_NAMES >= (int)CT_PHYSICS_MAX_TEMPLATES, "the names of all arrays fit");
_Static_assert(MOST_NAMES >= (int)CT_PHYSICS_MAX_FILTERS, "the names of all arrays fit");

// An array of the physics resource whose elements begin with their name: as text, and as an id.
typedef struct named_array {
    const char *what;
    const void *resource;
    ct_blob_array array;
    uint32_t element_bytes;
} named_array;

typedef struct named_element {
    ct_blob_string text;
    ct_string_id32 name;
} named_element;

static const named_element *element_of(const named_array *names, uint32_t i) {
    return (const named_element *)(const void *)((const char *)ct_blob_at(names->resource,
                                                                          names->array.offset) +
                                                 (size_t)i * names->element_bytes);
}

// Raises the error that there is no element with the name at `argument`.
static void no_such_name(lua_State *L, int argument, const named_array *names, ct_string_id32 id) {
    const char *all[MOST_NAMES];
    const bool is_text = lua_type(L, argument) == LUA_TSTRING;
    const char *const name = is_text ? lua_tostring(L, argument) : ct_string_id32_name(id);
    uint32_t count = 0;
    for (; count < names->array.count && count < MOST_NAMES; ++count)
        all[count] = ct_blob_at(names->resource, element_of(names, count)->text.offset);
    const char *const nearest = ct_nearest_name(name, all, count);
    ct_argument_error(L, argument, "the physics resource has no %s \"%.64s\"%s%s%s", names->what,
                      name, nearest ? ", did you mean \"" : "", nearest ? nearest : "",
                      nearest ? "\"?" : "");
}

static ct_string_id32 check_name(lua_State *L, int argument, const named_array *names) {
    const ct_string_id32 id = ct_check_id32(L, argument);
    for (uint32_t i = 0; i < names->array.count; ++i) {
        if (element_of(names, i)->name.value == id.value)
            return id;
    }
    no_such_name(L, argument, names, id);
    return id;
}

ct_string_id32 ct_check_filter(lua_State *L, int argument, const ct_physics_world *p) {
    const ct_physics_resource *const r = ct_physics_world_resource(p);
    return check_name(L, argument,
                      &(named_array){"collision filter", r, r->filters, sizeof(ct_physics_filter)});
}

ct_string_id32 ct_check_material_name(lua_State *L, int argument, const ct_physics_world *p) {
    const ct_physics_resource *const r = ct_physics_world_resource(p);
    return check_name(L, argument,
                      &(named_array){"material", r, r->materials, sizeof(ct_physics_material)});
}

ct_string_id32 ct_check_actor_template(lua_State *L, int argument, const ct_physics_world *p) {
    const ct_physics_resource *const r = ct_physics_world_resource(p);
    return check_name(
        L, argument,
        &(named_array){"actor template", r, r->templates, sizeof(ct_physics_template)});
}

// --- Actors of an entity -------------------------------------------------------------------------

ct_actor ct_find_actor(lua_State *L, int argument, const ct_world *world, ct_entity e,
                       uint32_t *number) {
    const ct_physics_world *const p = ct_check_physics(L, world);
    const bool is_number = lua_type(L, argument) == LUA_TNUMBER;
    const uint32_t count = is_number ? ct_actor_count_of(p, e) : 0;
    if (is_number && count == 0)
        ct_argument_error(L, argument, "expected the name of an actor; the unit has no actors");
    const uint32_t wanted = is_number ? (uint32_t)ct_check_integer(L, argument, 1, count) : 0;
    const ct_string_id32 name = is_number ? (ct_string_id32){0} : ct_check_id32(L, argument);
    uint32_t place = 1;
    ct_actor a = ct_actor_first(p, e);
    for (; a.id; a = ct_actor_next(p, a), ++place) {
        if (wanted ? place == wanted : ct_actor_name(p, a).value == name.value)
            break;
    }
    if (number)
        *number = place;
    return a;
}
