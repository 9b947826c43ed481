#include "script/physics/api_physics_world.h"
#include "foundation/math/math.h"
#include "foundation/memory/temp_allocator.h"
#include "script/physics/script_physics_private.h"

extern const ct_lua_module ct_api_physics_world;

const ct_lua_object_type ct_type_physics_world = {.name = "PhysicsWorld",
                                                  .owner = CT_LUA_OWNER_OBJECT};

// --- Queries -------------------------------------------------------------------------------------

// Parameters may come right after the direction.
static int raycast(lua_State *L) {
    ct_world *const world = ct_check_physics_world(L);
    const bool has_length = lua_type(L, 4) != LUA_TSTRING;
    const ct_physics_ray ray = ct_check_physics_ray(L, 2, has_length);
    ct_script_find find;
    ct_read_find(L, has_length ? 5 : 4, world, CT_SCRIPT_QUERY_RAY, &find);
    return ct_push_ray_results(L, &ray, &find);
}

// From where to where a shape is moved.
typedef struct sweep {
    const ct_world *world;
    ct_vec3 from, to;
} sweep;

static sweep check_sweep(lua_State *L) {
    const ct_world *const world = ct_check_physics_world(L);
    const ct_vec3 from = ct_check_place(L, 2);
    return (sweep){world, from, ct_check_place(L, 3)};
}

// Sweeps a volume, with the number of hits at `argument` and the parameters behind it, and pushes an
// array of hits.
static int push_sweep(lua_State *L, const sweep *s, const ct_physics_volume *volume,
                      ct_quat rotation, int argument) {
    const uint32_t most = (uint32_t)ct_check_integer(L, argument, 1, CT_MOST_HITS);
    const ct_rigid_pose pose = {s->from, rotation};
    ct_script_find find;
    ct_read_find(L, argument + 1, s->world, CT_SCRIPT_QUERY_FILTER, &find);
    const ct_physics_find of = ct_physics_find_of(&find);
    CT_TEMP_ALLOCATOR(temp, ct_lua_of(L)->allocator);
    ct_physics_hit *const hits = ct_alloc(temp, sizeof(*hits) * (uint64_t)most);
    const uint32_t count =
        ct_physics_sweep(ct_world_physics(s->world), volume, pose, s->to, &of, hits, most);
    ct_push_hits(L, s->world, hits, count);
    return 1;
}

static int linear_sphere_sweep(lua_State *L) {
    const sweep s = check_sweep(L);
    const ct_physics_volume v = {.type = CT_ACTOR_SHAPE_SPHERE, .radius = ct_check_size(L, 4)};
    return push_sweep(L, &s, &v, ct_quat_identity(), 5);
}

static int linear_capsule_sweep(lua_State *L) {
    const sweep s = check_sweep(L);
    const ct_quat rotation = ct_check_finite_quaternion(L, 4);
    ct_physics_volume v = {.type = CT_ACTOR_SHAPE_CAPSULE, .radius = ct_check_size(L, 5)};
    v.height = 2 * (v.radius + ct_check_size(L, 6));
    return push_sweep(L, &s, &v, rotation, 7);
}

static int linear_obb_sweep(lua_State *L) {
    const sweep s = check_sweep(L);
    const ct_physics_volume v = {.type = CT_ACTOR_SHAPE_BOX, .half_size = ct_check_half_size(L, 4)};
    return push_sweep(L, &s, &v, ct_check_finite_quaternion(L, 5), 6);
}

static int overlap(lua_State *L) {
    const ct_world *const world = ct_check_physics_world(L);
    ct_script_find find;
    if (!lua_isnoneornil(L, 2) && !lua_isfunction(L, 2))
        ct_argument_type_error(L, 2, "function or nil");
    ct_read_find(L, 3, world, CT_SCRIPT_QUERY_OVERLAP, &find);
    if (!lua_isfunction(L, 2)) {
        ct_push_overlap_results(L, &find);
        return 1;
    }
    lua_pushvalue(L, 2);
    ct_script_wait(L, &(ct_script_pending){.find = find,
                                           .is_overlap = true,
                                           .callback = luaL_ref(L, LUA_REGISTRYINDEX)});
    return 0;
}

static int closest_point(lua_State *L) {
    const ct_world *const world = ct_check_physics_world(L);
    const ct_vec3 position = ct_check_place(L, 2);
    const float reach = (float)ct_check_number_in(L, 3, 0, CT_PHYSICS_REACH);
    ct_script_find find;
    ct_read_find(L, 4, world, CT_SCRIPT_QUERY_FILTER, &find);
    const ct_physics_find of = ct_physics_find_of(&find);
    ct_physics_hit hit;
    if (!ct_physics_closest_point(ct_world_physics(world), position, reach, &of, &hit)) {
        lua_pushboolean(L, false);
        return 1;
    }
    lua_pushboolean(L, true);
    ct_push_vector3(L, hit.position);
    lua_pushnumber(L, (lua_Number)hit.distance);
    ct_push_vector3(L, hit.normal);
    ct_push_actor(L, world, hit.actor);
    return 5;
}

// --- Actors --------------------------------------------------------------------------------------

static int destroy_actor(lua_State *L) {
    const ct_world *const world = ct_check_physics_world(L);
    const ct_script_actor a = ct_check_actor_of(L, 2, world);
    ct_actor_destroy(a.physics, a.actor);
    return 0;
}

static int num_actors(lua_State *L) {
    const ct_world *const world = ct_check_physics_world(L);
    lua_pushnumber(L, ct_actor_count(ct_check_physics(L, world)));
    return 1;
}

static int wake_actors(lua_State *L) {
    const ct_world *const world = ct_check_physics_world(L);
    ct_physics_world *const p = ct_check_physics(L, world);
    const ct_physics_find find = {.kinds = CT_BULLET_FIND_DYNAMIC | CT_BULLET_FIND_HIDDEN,
                                  .filter = ct_check_filter(L, 2, p)};
    const ct_vec3 least = ct_check_place(L, 3), most = ct_check_place(L, 4);
    for (uint32_t i = 0; i < 3; ++i) {
        if ((double)most.raw[i] - (double)least.raw[i] < 2 * CT_PHYSICS_LEAST_SIZE)
            ct_argument_error(L, 4, "expected numbers above those of min, got (%g, %g, %g)",
                              (double)most.x, (double)most.y, (double)most.z);
    }
    const ct_vec3 half = ct_vec3_scale(ct_vec3_sub(most, least), 0.5f);
    const ct_physics_volume box = {.type = CT_ACTOR_SHAPE_BOX, .half_size = half};
    const ct_rigid_pose pose = {ct_vec3_add(least, half), ct_quat_identity()};
    CT_TEMP_ALLOCATOR(temp, ct_lua_of(L)->allocator);
    const uint32_t room = ct_actor_count(p) + 1;
    ct_physics_hit *const hits = ct_alloc(temp, sizeof(*hits) * (uint64_t)room);
    const uint32_t count = ct_physics_overlap(p, &box, pose, &find, hits, room);
    for (uint32_t i = 0; i < count; ++i)
        ct_bullet_body_wake(ct_actor_bullet(p, hits[i].actor));
    return 0;
}

// --- Drawing -------------------------------------------------------------------------------------

static int set_debug_draw(lua_State *L) {
    ct_world *const world = ct_check_physics_world(L);
    const uint32_t flags = ct_check_boolean(L, 2) ? CT_PHYSICS_DRAW_ALL : 0;
    ct_check_physics(L, world);
    ct_world_set_physics_draw(world, flags, CT_WORLD_PHYSICS_DRAW_RADIUS);
    return 0;
}

// --- Gravity -------------------------------------------------------------------------------------

static int gravity(lua_State *L) {
    const ct_world *const world = ct_check_physics_world(L);
    ct_push_vector3(L, ct_physics_world_gravity(ct_check_physics(L, world)));
    return 1;
}

static int set_gravity(lua_State *L) {
    const ct_world *const world = ct_check_physics_world(L);
    ct_physics_world_set_gravity(ct_check_physics(L, world), ct_check_gravity(L, 2));
    return 0;
}

#define FILTERS                                                                                    \
    "\"types\" with \"statics\", \"dynamics\", \"both\" (if left out), \"triggers\" or \"all\"; "  \
    "\"collision_filter\" with the name of one, for what an actor with it collides with; "         \
    "\"tag\", "                                                                                    \
    "for actors whose entity has it; \"ignore\" with a unit or an actor"
#define TEMPLATES                                                                                  \
    "with an actor template, a collision filter (`shape`) and a material of the physics "          \
    "resource; "                                                                                   \
    "dynamic when there is no template"
#define HITS                                                                                       \
    "tables with position, distance, normal and actor, by these names and as the elements 1 to 4"

static const ct_lua_function functions[] = {
    {"closest_point", closest_point,
     "(self: PhysicsWorld, position: Vector3, reach: number, params: any*) -> boolean, Vector3?, "
     "number?, Vector3?, Actor?",
     "Finds the point of an actor that is nearest to a position, up to `reach` metres away: "
     "returns true, the point, its distance (0 or less: the position is inside), the normal "
     "there, and the actor; or false. Params: " FILTERS "."},
    {"destroy_actor", destroy_actor, "(self: PhysicsWorld, actor: Actor) -> nil",
     "Destroys an actor, also one of a unit."},
    {"events", ct_physics_events, "(self: PhysicsWorld, events: table[]?) -> table[]",
     "Returns what touched in the last update of the world, in a new table or in `events` with its "
     "tables: kind (\"touch_begin\", \"touch_persist\", \"touch_end\", \"trigger_enter\" or "
     "\"trigger_leave\"), actor and unit (of a trigger first), other_actor and other, position, "
     "normal (towards `actor`), impulse in newton seconds, and time, the seconds since the start "
     "of "
     "the update. Actors and units that have ended are nil, and the other actor where a trigger "
     "found an entity by its tag."},
    {"gravity", gravity, "(self: PhysicsWorld) -> Vector3",
     "Returns the gravity of the world, in metres in a second squared."},
    {"linear_capsule_sweep", linear_capsule_sweep,
     "(self: PhysicsWorld, from: Vector3, to: Vector3, rotation: Quaternion, radius: number, "
     "half_height: number, max_hits: integer, sweep_params: any*) -> table[]",
     "Moves a capsule along z of `rotation` and returns what it meets, the nearest first: " HITS
     ". `half_height` is half of the straight part. Params: " FILTERS "."},
    {"linear_obb_sweep", linear_obb_sweep,
     "(self: PhysicsWorld, from: Vector3, to: Vector3, extents: Vector3, rotation: Quaternion, "
     "max_hits: integer, sweep_params: any*) -> table[]",
     "Moves a box with these half extents and returns what it meets, like linear_capsule_sweep."},
    {"linear_sphere_sweep", linear_sphere_sweep,
     "(self: PhysicsWorld, from: Vector3, to: Vector3, radius: number, max_hits: integer, "
     "sweep_params: any*) -> table[]",
     "Moves a sphere and returns what it meets, like linear_capsule_sweep."},
    {"make_raycast", ct_physics_make_raycast,
     "(self: PhysicsWorld, callback: any(function,nil)?, params: any*) -> Raycast",
     "Makes a ray with the parameters of raycast to cast many times. With a function, casts are "
     "answered later: see Raycast.cast."},
    {"num_actors", num_actors, "(self: PhysicsWorld) -> integer",
     "Returns the number of actors in the world, with triggers."},
    {"overlap", overlap,
     "(self: PhysicsWorld, callback: any(function,nil)?, params: any+) -> Actor[]?",
     "Finds the actors that a shape overlaps. Returns them, or calls the function with them in the "
     "next World.update, after physics. Params: \"shape\" with \"sphere\", \"oobb\" or "
     "\"capsule\"; \"position\" and \"rotation\", or \"pose\"; \"size\" with a Vector3: the "
     "half extents, the radius, or the radius and half of the straight part along z; "
     "\"max_hits\" (256 if left out); " FILTERS "."},
    {"raycast", raycast,
     "(self: PhysicsWorld, start: Vector3, dir: Vector3, length: number?, params: any*) -> "
     "any(boolean,table[]), Vector3?, number?, Vector3?, Actor?",
     "Casts a ray, of 10000 metres if no length is given. Returns with \"closest\" (if left out) "
     "true, position, distance, normal and actor of the first hit, or false; with \"any\" whether "
     "it hits anything; with \"all\" an array of hits, the nearest first: " HITS
     ". More params: \"max_hits\" (256 if left out); " FILTERS "."},
    {"raycast_many", ct_physics_raycast_many,
     "(self: PhysicsWorld, rays: any(Float32Array,number[]), hits: Float32Array?, actors: table?, "
     "params: any*) -> integer, Float32Array",
     "Casts many rays without garbage. `rays` has the start, the direction and the length of each, "
     "7 numbers. Returns how many hit something, and the first hits: the distance (-1 for none), "
     "the position and the normal of each, 7 numbers, in a new array or in `hits`. `actors` gets "
     "the actors, false for none. Params: " FILTERS "."},
    {"set_debug_draw", set_debug_draw, "(self: PhysicsWorld, enable: boolean) -> nil",
     "Starts or stops drawing the world's actors, contacts and movers as lines, up to 50 m from "
     "its "
     "cameras, from the next frame on. The console command `physics draw` does so for all worlds, "
     "and chooses what is drawn and how far."},
    {"set_gravity", set_gravity, "(self: PhysicsWorld, gravity: Vector3) -> nil",
     "Sets the gravity of the world, in metres in a second squared."},
    {"spawn_box", ct_physics_spawn_box,
     "(self: PhysicsWorld, pos: Vector3, radius: Vector3, actor: string?, shape: string?, "
     "material: string?) -> Actor",
     "Makes an actor without a unit: a box with half its size, " TEMPLATES "."},
    {"spawn_plane", ct_physics_spawn_plane,
     "(self: PhysicsWorld, pos: Vector3, normal: Vector3, actor: string?, shape: string?, "
     "material: string?) -> Actor",
     "Makes a static actor without a unit: a plane that is solid on the side away from the "
     "normal. The names are those of spawn_box."},
    {"spawn_sphere", ct_physics_spawn_sphere,
     "(self: PhysicsWorld, pos: Vector3, radius: number, actor: string?, shape: string?, "
     "material: string?) -> Actor",
     "Makes an actor without a unit: a sphere, " TEMPLATES "."},
    {"wake_actors", wake_actors,
     "(self: PhysicsWorld, filter_id: string, min: Vector3, max: Vector3) -> nil",
     "Wakes the actors in a box that something with a collision filter collides with."},
};

const ct_lua_module ct_api_physics_world = {
    .name = "PhysicsWorld",
    .doc = "The physics of a world: rays, sweeps, overlaps and actors. Get it with "
           "World.physics_world.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
};
