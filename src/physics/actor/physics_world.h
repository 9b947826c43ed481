// physics_world.h: the physics of one world: its actors, steps and events.
//
// An actor is a rigid body with an id of its own. Most belong to an entity and a node of its scene
// graph, as a component; others were made by a script alone. Arrays by slot hold what a step touches
// (body, entity, node, poses before and after the last step); the rest is beside it. An entity's
// actors are linked to each other in the order of their making.
//
// A step of the world (ct_physics_world_update) first takes what moved: entities and nodes with
// kinematic actors and triggers give these their next pose; static and dynamic ones are teleported.
// Then as many steps of fixed length run as fit in the time, and the poses of dynamic actors that
// moved are written to transforms and scene graphs, between their last two poses as far as the rest
// of the time reaches. Actors that sleep cost nothing.
//
// Values from outside must be checked before: positions finite, rotations of length 1, and so on
// (asserted). Functions ignore an actor that has ended, and return zeroes for it. Metres, kilograms,
// seconds, radians; world space unless said otherwise. Update thread.
#pragma once
#include "entity/component_registry.h"
#include "entity/scene_graph_component.h"
#include "entity/tag_component.h"
#include "physics/physics_system.h"

typedef struct ct_physics_world ct_physics_world;

// An actor; {0} is none. An id is not used again before its slot was used 4,095 times.
typedef struct ct_actor {
    uint32_t id; // 20 bits slot, 12 bits generation
} ct_actor;

enum { CT_MAX_ACTORS = (1 << 20) - 1 };

// What numbers from scripts and flow graphs may be: metres from the origin, metres or radians in a
// second, and other numbers such as impulses and masses.
#define CT_PHYSICS_REACH 1e7
#define CT_PHYSICS_MOST_SPEED 1e6
#define CT_PHYSICS_MOST 1e9

// --- Life cycle ----------------------------------------------------------------------------------

// Makes the physics of a world. All parameters must outlive it.
ct_physics_world *ct_physics_world_create(ct_allocator *a, ct_physics_system *system,
                                          ct_transform_manager *transforms,
                                          ct_scene_graph_manager *graphs);
void ct_physics_world_destroy(ct_physics_world *p);

// What the physics asks the owner of a world about its entities; members may be NULL.
typedef struct ct_physics_entities {
    void *user;
    // Returns the mesh that the entity shows: actors without shapes have its collision shapes.
    ct_string_id64 (*mesh)(void *user, ct_entity e);
    // Writes what messages call the entity, such as `unit "units/crate"`.
    void (*describe)(void *user, ct_entity e, char *text, uint32_t size_bytes);
    // Writes the bounds of that mesh in the space of `node` of the entity's scene graph. Returns false
    // when it is not loaded. What triggers find is as large.
    bool (*box)(void *user, ct_entity e, ct_aabb *bounds, uint32_t *node);
    // Tags of entities, for which triggers ask, and their ids; borrowed. Both NULL: none has tags.
    const ct_tag_manager *tags;
    const ct_entity_manager *alive;
} ct_physics_entities;

// Sets these functions; they are copied. Before there are triggers.
void ct_physics_world_set_entities(ct_physics_world *p, const ct_physics_entities *entities);

// Writes what messages call an entity: what `describe` says, or its number.
void ct_physics_world_describe(const ct_physics_world *p, ct_entity e, char *text,
                               uint32_t size_bytes);

// Return the rows for the component registry: of actors, which owns the physics, and of triggers.
ct_component_manager ct_actor_component_manager(ct_physics_world *p);
ct_component_manager ct_trigger_component_manager(ct_physics_world *p);

// How to make an actor by hand.
typedef struct ct_actor_desc {
    ct_entity entity;      // or {0}: it belongs to none, and `pose` says where it is
    uint32_t component_id; // of the component in the entity's template; 0: none
    ct_rigid_pose pose;    // of an actor without entity
    const ct_actor_data *data;
    const ct_actor_shape_data *shapes; // in place of the data's own; NULL: those behind `data`
    uint32_t num_shapes;
    bool is_trigger;
    const ct_string_id32 *tags; // of a trigger: only entities with one of them count, then also
    uint32_t num_tags;          // without an actor; up to CT_TRIGGER_MAX_TAGS, copied
} ct_actor_desc;

// Returns what a trigger is as an actor: keyframed, not found by queries, and with the defaults.
ct_actor_data ct_trigger_actor_data(const ct_trigger_data *trigger);

// Makes an actor. Returns {0} with `error`, which names actor and entity, when a shape cannot be
// made, a name is not in the physics resource, or there are CT_MAX_ACTORS.
ct_actor ct_actor_create(ct_physics_world *p, const ct_actor_desc *desc, ct_error *error);
// Ends an actor. What it touched gets an end of touch in the next step.
void ct_actor_destroy(ct_physics_world *p, ct_actor a);
bool ct_actor_is_alive(const ct_physics_world *p, ct_actor a);

// Returns the actors of an entity in order, one after the other: the first; the next, or {0}.
ct_actor ct_actor_first(const ct_physics_world *p, ct_entity e);
ct_actor ct_actor_next(const ct_physics_world *p, ct_actor a);
// Return how many actors an entity, and the world, has.
uint32_t ct_actor_count_of(const ct_physics_world *p, ct_entity e);
uint32_t ct_actor_count(const ct_physics_world *p);

// Return the entity that an actor belongs to, or {0}; its node in the scene graph, 0 for the entity
// itself; the id of its component in the entity's template; its name, for Unit.actor.
ct_entity ct_actor_entity(const ct_physics_world *p, ct_actor a);
uint32_t ct_actor_node(const ct_physics_world *p, ct_actor a);
uint32_t ct_actor_component_id(const ct_physics_world *p, ct_actor a);
ct_string_id32 ct_actor_name(const ct_physics_world *p, ct_actor a);

// What it was made with and has been changed to since; without shapes.
ct_actor_data ct_actor_data_of(const ct_physics_world *p, ct_actor a);
bool ct_actor_is_trigger(const ct_physics_world *p, ct_actor a);
// The body in ct_physics_world_bullet, for queries about one actor; NULL when it has ended.
ct_bullet_body *ct_actor_bullet(const ct_physics_world *p, ct_actor a);
ct_bullet_world *ct_physics_world_bullet(ct_physics_world *p);

// --- State ---------------------------------------------------------------------------------------

ct_rigid_pose ct_actor_pose(const ct_physics_world *p, ct_actor a); // after the last step
// Moves it, and its node, at once: without velocity, and not shown on the way.
void ct_actor_teleport(ct_physics_world *p, ct_actor a, ct_rigid_pose pose);
// Gives a dynamic actor the state that it had: its pose, to the bit where `transform` is that of the same
// place (ct_bullet_body_transform), and velocities. Its node stays as it is, and is not followed until it
// moves. Other actors are put where their nodes are. Poses that are not near enough are ignored.
void ct_actor_restore(ct_physics_world *p, ct_actor a, ct_rigid_pose pose,
                      const float transform[12], ct_vec3 velocity, ct_vec3 angular_velocity);
// Moves the kinematic actors of an entity to where their nodes are, at once: what is on the way is not
// pushed. Dynamic and static ones go with a node that is moved in any case.
void ct_actors_jump(ct_physics_world *p, ct_entity e);
// Returns how many times it was moved at once, also by its node: what stands on it does not go along.
uint32_t ct_actor_teleports(const ct_physics_world *p, ct_actor a);
void ct_actor_count_teleport(ct_physics_world *p, ct_actor a); // after its body was moved
// Changes what moves it. Returns false with `error`, and changes nothing, when its shape cannot be
// dynamic. Ignores triggers.
bool ct_actor_set_body(ct_physics_world *p, ct_actor a, ct_actor_body body, ct_error *error);
// Return false for a name that the physics resource does not have.
bool ct_actor_set_filter(ct_physics_world *p, ct_actor a, ct_string_id32 filter);
// A material also gives its density to actors without mass and density of their own.
bool ct_actor_set_material(ct_physics_world *p, ct_actor a, ct_string_id32 material);
// Sets the share of the velocity that it loses in a second, 0 to 1.
void ct_actor_set_damping(ct_physics_world *p, ct_actor a, float linear, float angular);
// Set whether gravity acts on it, whether it collides, and whether queries find it.
void ct_actor_set_gravity_enabled(ct_physics_world *p, ct_actor a, bool is_enabled);
void ct_actor_set_collision_enabled(ct_physics_world *p, ct_actor a, bool is_enabled);
void ct_actor_set_scene_query_enabled(ct_physics_world *p, ct_actor a, bool is_enabled);
// Velocities, impulses, sleep: ct_bullet_body_… of ct_actor_bullet.

// Returns the physics resource in force. Borrowed until resources change.
const ct_physics_resource *ct_physics_world_resource(const ct_physics_world *p);

// Returns gravity, m/s^2.
ct_vec3 ct_physics_world_gravity(const ct_physics_world *p);

// Sets gravity, m/s^2, in place of that of the physics resource.
void ct_physics_world_set_gravity(ct_physics_world *p, ct_vec3 gravity);

// --- Steps ---------------------------------------------------------------------------------------

// Advances by `dt` seconds (0 and more).
void ct_physics_world_update(ct_physics_world *p, double dt);

// Finds the entities that are in triggers which ask for their tags, where both are now, and adds an
// event for each that entered or left since the last call, to those of the last update. An entity with
// an actor that is not static is found by that actor, in the steps of the update; any other fills the
// box of its mesh, or is the point where it is, without one. A trigger never finds its own entity.
// Costs nothing in worlds without such triggers, and little while nothing moves.
void ct_physics_world_find_tagged(ct_physics_world *p);

// --- Events --------------------------------------------------------------------------------------

typedef enum ct_physics_event_kind {
    CT_PHYSICS_TOUCH_BEGIN,
    CT_PHYSICS_TOUCH_PERSIST, // of actors with `reports_persist`
    CT_PHYSICS_TOUCH_END,
    CT_PHYSICS_TRIGGER_ENTER, // `a` is the trigger; `b` is {0} when it found an entity by its tag
    CT_PHYSICS_TRIGGER_LEAVE,
} ct_physics_event_kind;

typedef struct ct_physics_event {
    uint32_t kind;                // ct_physics_event_kind
    ct_actor a, b;                // may have ended, when touches end
    ct_entity entity_a, entity_b; // {0} for actors without
    ct_vec3 position, normal;     // normal: from b to a; of ends: the last ones. Of entities that
                                  // were found by tags: their middle, no normal
    float distance;               // metres between them; negative: they overlap. Of ends: the last
    float impulse;                // newton seconds
    float time;                   // seconds from the start of the world's step
} ct_physics_event;

// Returns the events of the last ct_physics_world_update: in the order of the steps, in each sorted by
// a, b, kind; then those of ct_physics_world_find_tagged since, for each call sorted by a, entity_b.
// Borrowed until the next one.
const ct_physics_event *ct_physics_world_events(const ct_physics_world *p, uint32_t *count);

// --- Overlaps ------------------------------------------------------------------------------------

// Two actors that are inside each other.
typedef struct ct_actor_overlap {
    ct_actor a, b;    // `a` is dynamic
    float depth;      // metres by which they would have to move apart
    ct_vec3 position; // of the deepest point, on `b`
} ct_actor_overlap;

// Finds the dynamic actors that are deeper than `depth` metres (0 or more) inside actors with which
// they collide, where they are now; each pair once, in the order of `a`, then `b`. Writes up to
// `most`; returns how many there are. Changes nothing.
uint32_t ct_physics_world_overlaps(ct_physics_world *p, float depth, ct_actor_overlap *overlaps,
                                   uint32_t most);

// --- Drawing ------------------------------------------------------------------------------------

enum {
    // Edges of shapes. Static: green; dynamic: white, asleep: grey; kinematic and keyframed: blue;
    // triggers: yellow.
    CT_PHYSICS_DRAW_SHAPES = 1,
    // 0.3 m along the normal, from b to a, of each pair that touches: red, grey when both rest.
    CT_PHYSICS_DRAW_CONTACTS = 2,
    CT_PHYSICS_DRAW_MOVERS = 4, // for ct_world_set_physics_draw; nothing here (ct_mover_draw)
    CT_PHYSICS_DRAW_ALL = 7,
};

// Calls `line` for each line of what the flags name that is nearer to `center` than `radius` metres.
// Colours: r, g, b, a, linear. Looks at the bounds of all actors.
void ct_physics_world_draw(ct_physics_world *p, uint32_t flags, ct_vec3 center, float radius,
                           void (*line)(void *user, ct_vec3 from, ct_vec3 to, const float color[4]),
                           void *user);
