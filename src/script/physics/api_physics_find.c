#include "script/physics/api_physics_find.h"

#include <math.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/math/math.h"
#include "foundation/memory/temp_allocator.h"

#define DEFAULT_LENGTH 10000.0 // metres of rays without one

// --- Parameters ----------------------------------------------------------------------------------

// The parameters by name; `queries` has a bit for each ct_script_query that takes it.
enum { OF_RAYS = 1 << CT_SCRIPT_QUERY_RAY, OF_OVERLAPS = 1 << CT_SCRIPT_QUERY_OVERLAP, OF_ALL = 7 };

typedef struct reading {
    lua_State *L;
    int value; // argument behind the name
    ct_script_query query;
    ct_script_find *out;
    bool has_shape, has_place;
    int size_argument; // 0: no size yet
} reading;

static int take_closest(reading *r) {
    r->out->wish = CT_RAY_CLOSEST;
    return 0;
}

static int take_any(reading *r) {
    r->out->wish = CT_RAY_ANY;
    return 0;
}

static int take_all(reading *r) {
    r->out->wish = CT_RAY_ALL;
    return 0;
}

static int take_types(reading *r) {
    static const char *const names[] = {"statics", "dynamics", "both", "triggers", "all", NULL};
    static const uint32_t kinds[] = {CT_BULLET_FIND_STATIC,
                                     CT_BULLET_FIND_DYNAMIC | CT_BULLET_FIND_KINEMATIC,
                                     CT_BULLET_FIND_SOLID, CT_BULLET_FIND_SENSORS,
                                     CT_BULLET_FIND_SOLID | CT_BULLET_FIND_SENSORS};
    r->out->find.kinds = kinds[ct_check_name_of(r->L, r->value, names)];
    return 1;
}

static int take_filter(reading *r) {
    r->out->find.filter = ct_check_filter(r->L, r->value, ct_world_physics(r->out->world));
    return 1;
}

static int take_max_hits(reading *r) {
    r->out->most = (uint32_t)ct_check_integer(r->L, r->value, 1, CT_MOST_HITS);
    return 1;
}

static int take_tag(reading *r) {
    r->out->tag = ct_check_id32(r->L, r->value);
    if (!r->out->tag.value)
        ct_argument_error(r->L, r->value, "expected the name of a tag, got \"\"");
    return 1;
}

static int take_ignored(reading *r) {
    if (ct_value_kind_at(r->L, r->value) == CT_VALUE_KIND_ACTOR)
        r->out->find.except = ct_check_actor_of(r->L, r->value, r->out->world).actor;
    else
        r->out->ignored = ct_check_unit_of(r->L, r->value, r->out->world);
    return 1;
}

static int take_shape(reading *r) {
    static const char *const names[] = {"sphere", "oobb", "capsule", NULL};
    static const uint32_t types[] = {CT_ACTOR_SHAPE_SPHERE, CT_ACTOR_SHAPE_BOX,
                                     CT_ACTOR_SHAPE_CAPSULE};
    r->out->volume.type = types[ct_check_name_of(r->L, r->value, names)];
    r->has_shape = true;
    return 1;
}

static int take_position(reading *r) {
    r->out->pose.position = ct_check_place(r->L, r->value);
    r->has_place = true;
    return 1;
}

static int take_rotation(reading *r) {
    r->out->pose.rotation = ct_check_finite_quaternion(r->L, r->value);
    return 1;
}

static int take_pose(reading *r) {
    r->out->pose = ct_check_rigid_pose(r->L, r->value);
    r->has_place = true;
    return 1;
}

static int take_size(reading *r) {
    r->size_argument = r->value;
    return 1;
}

// Returns how many arguments behind the name it takes.
typedef struct parameter {
    const char *name;
    uint32_t queries;
    int (*take)(reading *r);
} parameter;

static const parameter parameters[] = {
    {"closest", OF_RAYS, take_closest},
    {"any", OF_RAYS, take_any},
    {"all", OF_RAYS, take_all},
    {"types", OF_ALL, take_types},
    {"collision_filter", OF_ALL, take_filter},
    {"max_hits", OF_RAYS | OF_OVERLAPS, take_max_hits},
    {"tag", OF_ALL, take_tag},
    {"ignore", OF_ALL, take_ignored},
    {"shape", OF_OVERLAPS, take_shape},
    {"position", OF_OVERLAPS, take_position},
    {"rotation", OF_OVERLAPS, take_rotation},
    {"pose", OF_OVERLAPS, take_pose},
    {"size", OF_OVERLAPS, take_size},
};

static const parameter *find_parameter(lua_State *L, int argument, ct_script_query query) {
    const char *const name = ct_check_string(L, argument);
    const char *names[CT_COUNT_OF(parameters)];
    uint32_t count = 0;
    for (uint32_t i = 0; i < CT_COUNT_OF(parameters); ++i) {
        if (!(parameters[i].queries & 1u << query))
            continue;
        if (strcmp(parameters[i].name, name) == 0)
            return &parameters[i];
        names[count++] = parameters[i].name;
    }
    const char *const nearest = ct_nearest_name(name, names, count);
    ct_argument_error(L, argument, "there is no parameter \"%.64s\"%s%s%s", name,
                      nearest ? ", did you mean \"" : "", nearest ? nearest : "",
                      nearest ? "\"?" : "");
    return NULL;
}

static float check_size(lua_State *L, int argument, float size) {
    if (!(size > 0 && (double)size <= CT_PHYSICS_REACH))
        ct_argument_error(L, argument, "expected sizes above 0 and up to %g m, got %g",
                          CT_PHYSICS_REACH, (double)size);
    return size;
}

// The size means other things for each shape, whose name may come after it.
static void read_size(reading *r) {
    lua_State *const L = r->L;
    ct_physics_volume *const v = &r->out->volume;
    const int argument = r->size_argument;
    ct_vec3 size = {{0}};
    if (lua_type(L, argument) == LUA_TNUMBER && v->type == CT_ACTOR_SHAPE_SPHERE)
        size.x = (float)ct_check_number(L, argument);
    else
        size = ct_check_finite_vector3(L, argument);
    v->radius = v->type == CT_ACTOR_SHAPE_BOX ? 0 : check_size(L, argument, size.x);
    if (v->type == CT_ACTOR_SHAPE_CAPSULE)
        v->height = 2 * (v->radius + check_size(L, argument, size.y));
    for (uint32_t i = 0; i < 3 && v->type == CT_ACTOR_SHAPE_BOX; ++i)
        v->half_size.raw[i] = check_size(L, argument, size.raw[i]);
}

static void read_volume(reading *r, int first) {
    if (!r->has_shape)
        ct_argument_error(r->L, first,
                          "expected the parameter \"shape\" with \"sphere\", \"oobb\" "
                          "or \"capsule\"");
    if (!r->has_place)
        ct_argument_error(r->L, first,
                          "expected the parameter \"position\" with a Vector3, or "
                          "\"pose\" with a Matrix4x4");
    if (!r->size_argument)
        ct_argument_error(r->L, first, "expected the parameter \"size\" with a Vector3");
    read_size(r);
}

void ct_read_find(lua_State *L, int argument, const ct_world *world, ct_script_query query,
                  ct_script_find *out) {
    *out = (ct_script_find){.world = world,
                            .tags = ct_world_system_tags(ct_script_of(L)->worlds),
                            .most = CT_DEFAULT_HITS,
                            .pose.rotation = ct_quat_identity()};
    ct_check_physics(L, world);
    reading r = {.L = L, .query = query, .out = out};
    const int top = lua_gettop(L);
    for (int i = argument; i <= top && !lua_isnil(L, i);) {
        const parameter *const p = find_parameter(L, i, query);
        r.value = i + 1;
        i += 1 + p->take(&r);
    }
    if (query == CT_SCRIPT_QUERY_OVERLAP)
        read_volume(&r, argument);
}

static bool accepts(void *user, ct_actor a, ct_entity e) {
    (void)a;
    const ct_script_find *const f = user;
    if (f->ignored.id && e.id &&
        (e.id == f->ignored.id || ct_world_unit_of(f->world, e).id == f->ignored.id))
        return false;
    return !f->tag.value || (e.id && ct_tag_has(f->tags, e, f->tag));
}

ct_physics_find ct_physics_find_of(ct_script_find *find) {
    ct_physics_find of = find->find;
    of.accepts = find->tag.value || find->ignored.id ? accepts : NULL;
    of.user = find;
    return of;
}

bool ct_script_find_is_valid(const ct_script_find *find) {
    const ct_physics_resource *const r = ct_physics_world_resource(ct_world_physics(find->world));
    return !find->find.filter.value || ct_physics_find_filter(r, find->find.filter) != UINT32_MAX;
}

ct_physics_ray ct_check_physics_ray(lua_State *L, int argument, bool has_length) {
    ct_physics_ray ray = {.from = ct_check_place(L, argument),
                          .direction = ct_check_finite_vector3(L, argument + 1)};
    const float length = ct_vec3_length(ray.direction);
    if (!(length > 1e-12f && isfinite(length)))
        ct_argument_error(L, argument + 1, "expected a direction, got a Vector3 of length %g",
                          (double)length);
    ray.direction = ct_vec3_scale(ray.direction, 1 / length);
    ray.length = (float)(!has_length || lua_isnoneornil(L, argument + 2)
                             ? DEFAULT_LENGTH
                             : ct_check_number_in(L, argument + 2, 0, CT_PHYSICS_REACH));
    return ray;
}

// --- Results -------------------------------------------------------------------------------------

// Sets the field `name` and the number of the table below the value on top.
static void set_field(lua_State *L, const char *name, int number) {
    lua_pushvalue(L, -1);
    lua_rawseti(L, -3, number);
    lua_pushstring(L, name);
    lua_insert(L, -2);
    lua_rawset(L, -3);
}

void ct_push_hits(lua_State *L, const ct_world *world, const ct_physics_hit *hits, uint32_t count) {
    luaL_checkstack(L, 6, "too many arguments");
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; ++i) {
        lua_createtable(L, 4, 4);
        ct_push_vector3(L, hits[i].position);
        set_field(L, "position", 1);
        lua_pushnumber(L, (lua_Number)hits[i].distance);
        set_field(L, "distance", 2);
        ct_push_vector3(L, hits[i].normal);
        set_field(L, "normal", 3);
        ct_push_actor(L, world, hits[i].actor);
        set_field(L, "actor", 4);
        lua_rawseti(L, -2, (int)i + 1);
    }
}

static int push_closest(lua_State *L, const ct_world *world, const ct_physics_hit *hit) {
    lua_pushboolean(L, hit->actor.id != 0);
    if (!hit->actor.id)
        return 1;
    ct_push_vector3(L, hit->position);
    lua_pushnumber(L, (lua_Number)hit->distance);
    ct_push_vector3(L, hit->normal);
    ct_push_actor(L, world, hit->actor);
    return 5;
}

// Keeps the nearest hit of each shape: a ray through the edge of two triangles meets both.
static uint32_t keep_nearest(ct_physics_hit *hits, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t k = 0;
        while (k < kept && (hits[k].actor.id != hits[i].actor.id || hits[k].part != hits[i].part))
            ++k;
        if (k == kept)
            hits[kept++] = hits[i];
    }
    return kept;
}

static void push_all(lua_State *L, const ct_physics_ray *ray, ct_script_find *find,
                     const ct_physics_find *of) {
    CT_TEMP_ALLOCATOR(temp, ct_lua_of(L)->allocator);
    ct_physics_hit *const hits = ct_alloc(temp, sizeof(*hits) * (uint64_t)find->most);
    const uint32_t count =
        ct_physics_ray_all(ct_world_physics(find->world), ray, of, hits, find->most);
    ct_push_hits(L, find->world, hits, keep_nearest(hits, count));
}

int ct_push_ray_results(lua_State *L, const ct_physics_ray *ray, ct_script_find *find) {
    const ct_physics_world *const p = ct_world_physics(find->world);
    const ct_physics_find of = ct_physics_find_of(find);
    luaL_checkstack(L, 8, "too many arguments");
    if (find->wish == CT_RAY_ALL) {
        push_all(L, ray, find, &of);
        return 1;
    }
    if (find->wish == CT_RAY_ANY) {
        bool is_hit;
        ct_physics_rays_any(p, ray, 1, &of, &is_hit);
        lua_pushboolean(L, is_hit);
        return 1;
    }
    ct_physics_hit hit;
    ct_physics_rays(p, ray, 1, &of, &hit);
    return push_closest(L, find->world, &hit);
}

void ct_push_overlap_results(lua_State *L, ct_script_find *find) {
    const ct_physics_find of = ct_physics_find_of(find);
    CT_TEMP_ALLOCATOR(temp, ct_lua_of(L)->allocator);
    ct_physics_hit *const hits = ct_alloc(temp, sizeof(*hits) * (uint64_t)find->most);
    const uint32_t count = ct_physics_overlap(ct_world_physics(find->world), &find->volume,
                                              find->pose, &of, hits, find->most);
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; ++i) {
        ct_push_actor(L, find->world, hits[i].actor);
        lua_rawseti(L, -2, (int)i + 1);
    }
}
