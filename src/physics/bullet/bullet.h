// bullet.h: Bullet 3.24 behind a C interface: worlds, shapes, bodies, queries, contacts.
//
// Only the C++ files of this folder include Bullet. The rest of the engine never sees its types:
// worlds, shapes and bodies are opaque, and a body has a number that its owner chooses, which
// queries and contacts return. Nothing here knows entities, resources or names.
//
// A world is used by one thread at a time; different worlds by different threads. Memory comes from
// the allocator of ct_bullet_init. No exception leaves a function. Arguments must be in range
// (asserted): finite, lengths positive, rotations of length 1; check values from outside before.
// Metres, kilograms, seconds, radians. The same calls give the same bits on one build.
#pragma once
#include "foundation/math/math_types.h"
#include "foundation/memory/allocator.h"

typedef struct ct_bullet_world ct_bullet_world;
typedef struct ct_bullet_shape ct_bullet_shape;
typedef struct ct_bullet_body ct_bullet_body;

// Position and rotation, without scale.
typedef struct ct_rigid_pose {
    ct_vec3 position;
    ct_quat rotation; // of length 1
} ct_rigid_pose;

#ifdef __cplusplus
extern "C" {
#endif

// Has Bullet allocate from `a`, as `bullet`, for the whole process, until ct_bullet_quit was called
// as often. Calls may nest: the first allocator stays. Call it before anything else here. `a` must
// allow all threads.
void ct_bullet_init(ct_allocator *a);
void ct_bullet_quit(void);
// Returns what Bullet allocates from, for its statistics; NULL before ct_bullet_init.
ct_allocator *ct_bullet_allocator(void);

// --- Shapes --------------------------------------------------------------------------------------

typedef enum ct_bullet_shape_kind {
    CT_BULLET_SHAPE_BOX,
    CT_BULLET_SHAPE_SPHERE,
    CT_BULLET_SHAPE_CAPSULE,  // along z
    CT_BULLET_SHAPE_CYLINDER, // along z
    CT_BULLET_SHAPE_CONVEX,   // the hull of points
    CT_BULLET_SHAPE_PLANE,    // z = 0, solid below; never moves
    CT_BULLET_SHAPE_MESH,     // triangles; never dynamic
    CT_BULLET_SHAPE_HEIGHTS,  // a grid of heights; never dynamic
    CT_BULLET_SHAPE_COUNT,
} ct_bullet_shape_kind;

// A node of a tree of triangles, in depth-first order. Bounds are steps of the tree's grid.
typedef struct ct_bullet_tree_node {
    uint16_t least[3], most[3];
    int32_t next; // 0 or more: a leaf with this triangle; else the negative number of nodes in it
} ct_bullet_tree_node;

// Finds triangles by their bounds: the numbers of Bullet's quantised tree, in any byte order.
typedef struct ct_bullet_tree {
    float least[3], most[3]; // metres: where steps 0 and 65,535 are, about
    float steps[3];          // steps in a metre
    const ct_bullet_tree_node *nodes;
    uint32_t num_nodes; // 0: no tree
} ct_bullet_tree;

// Triangles and the tree that finds them (ct_bullet_cook_tree). The tree is copied; without one it is
// made here, which takes long (55 ms for 100,000 triangles). Its nodes must be valid: each triangle
// exists, and no node reaches behind the end.
typedef struct ct_bullet_triangles {
    const float *points; // x y z; borrowed
    uint32_t num_points;
    const uint32_t *indices; // borrowed
    uint32_t num_indices;    // of at most 2^21 triangles
    ct_bullet_tree tree;
} ct_bullet_triangles;

// Heights at the points of a grid, x fastest. The middle of the grid is at x = y = 0. A shape has at
// most one part with heights, and no mesh beside it.
typedef struct ct_bullet_heights {
    const float *heights;   // metres above the shape's z = 0; borrowed
    uint32_t columns, rows; // at least 2 each
    float spacing[2];       // metres between columns and between rows
    float least, most;      // of all heights
} ct_bullet_heights;

// One shape of a body, in the space of the body's node. What `size` is depends on the kind: box: half
// the size along each axis; sphere: radius, 0, 0; capsule and cylinder: radius, half the height
// (of the capsule's straight part), 0; others: a scale of points or heights.
typedef struct ct_bullet_shape_part {
    uint32_t kind; // ct_bullet_shape_kind
    ct_rigid_pose pose;
    ct_vec3 size;
    const float *points; // of CONVEX: x y z; copied. The origin should be near the middle
    uint32_t num_points;
    const ct_bullet_triangles *triangles; // of MESH; what it points to is borrowed by the shape
    const ct_bullet_heights *heights;     // of HEIGHTS; the same
    float volume;    // cubic metres of CONVEX before `size` scales it; others: computed here
    uint32_t number; // what queries return as `part`
} ct_bullet_shape_part;

// What a shape weighs, relative to its space.
typedef struct ct_bullet_mass {
    float volume;        // cubic metres; 0 for planes, meshes and heights
    ct_rigid_pose frame; // the centre of mass and the principal axes
    ct_vec3 inertia;     // about these axes, for a mass of 1 kg
} ct_bullet_mass;

// Makes a shape of one or more parts. Several bodies, also of different worlds, may share it. Its
// bodies are at the centre of mass: with a frame that is not the identity, or with several parts,
// the parts are moved in a compound, so that `frame` is the origin. A dynamic body needs a volume.
ct_bullet_shape *ct_bullet_shape_create(const ct_bullet_shape_part *parts, uint32_t count);
void ct_bullet_shape_destroy(ct_bullet_shape *shape); // no body uses it; NULL is fine
ct_bullet_mass ct_bullet_shape_mass(const ct_bullet_shape *shape);

// Returns the box in world space around a shape at a pose (that of its space); without end for planes.
ct_aabb ct_bullet_shape_bounds(const ct_bullet_shape *shape, ct_rigid_pose pose);
// Returns whether a shape at a pose meets a box of any size, also a point. Meshes and heights are
// surfaces: a box that is inside a mesh and does not touch it does not meet it. A box takes 20 ns, a
// sphere 10, other convex shapes some 100. Any number of threads may ask at once.
bool ct_bullet_shape_meets_box(const ct_bullet_shape *shape, ct_rigid_pose pose, const ct_obb *box);

// --- Worlds --------------------------------------------------------------------------------------

typedef struct ct_bullet_world_desc {
    ct_vec3 gravity;            // m/s^2
    uint32_t solver_iterations; // 1 to 1000; Bullet's default is 10
    float rest_distance;        // metres; 0: off, as Bullet is (ct_bullet_world_set_rest_distance)
} ct_bullet_world_desc;

// Makes an empty world.
ct_bullet_world *ct_bullet_world_create(const ct_bullet_world_desc *desc);
void ct_bullet_world_destroy(ct_bullet_world *w); // all bodies were destroyed; NULL is fine

// Sets gravity for all bodies that have it, and wakes them.
void ct_bullet_world_set_gravity(ct_bullet_world *w, ct_vec3 gravity);
ct_vec3 ct_bullet_world_gravity(const ct_bullet_world *w);
// Sets how often the solver goes over all contacts in a step, 1 to 1000.
void ct_bullet_world_set_solver_iterations(ct_bullet_world *w, uint32_t count);
// Sets the metres below which a body that would sleep, if others did not keep it awake, is held where
// it is: when it moves less in half a second. 0: none is.
void ct_bullet_world_set_rest_distance(ct_bullet_world *w, float distance);

// Simulates one step of `dt` seconds: all of Bullet's stages, so that the result has the bits of
// btDiscreteDynamicsWorld::stepSimulation(dt, 0). One setting is not the default one:
// setForceUpdateAllAabbs(false), so that what sleeps and what is static keeps its bounds. In a world with
// 65,536 pairs of bodies whose bounds meet, those that meet 32 others pass through more of them (8 from
// 524,288 pairs on); the warning crowded_bodies says so.
void ct_bullet_world_step(ct_bullet_world *w, float dt);

// A body that the last step moved, or put to sleep.
typedef struct ct_bullet_moved {
    uint32_t id;
    ct_rigid_pose pose; // of the shape's space (ct_bullet_body_pose)
} ct_bullet_moved;

// Returns the dynamic bodies that the last step moved, and those that sleep since. The order is the
// same in each run. Borrowed until the world changes. Costs nothing for bodies that sleep.
const ct_bullet_moved *ct_bullet_world_moved(const ct_bullet_world *w, uint32_t *count);

// What touches in a pair of bodies after the last step: the deepest point of all their parts.
typedef struct ct_bullet_contact {
    uint32_t a, b;            // ids, a < b
    ct_vec3 position, normal; // normal: from b to a
    float distance;           // metres; negative: they overlap
    float impulse;            // newton seconds, of all points in this step
} ct_bullet_contact;

// Returns the pairs that touch or nearly do, sorted by a, then b, each pair once; sensors too, with
// dynamic and kinematic bodies that they overlap. Pairs up to 2 cm apart are among them: they touch when
// `distance` is 0 or less or `impulse` is not 0. Pairs that the step did not look at, since both slept,
// are not listed: they are as they were (ct_bullet_pair_is_asleep). Borrowed until the world changes.
const ct_bullet_contact *ct_bullet_world_contacts(ct_bullet_world *w, uint32_t *count);

// Returns whether a pair of bodies of one world, whose bounds meet, rests: both slept when the last step
// looked for contacts, so nothing about theirs changed.
bool ct_bullet_pair_is_asleep(const ct_bullet_body *a, const ct_bullet_body *b);

// --- Bodies --------------------------------------------------------------------------------------

typedef enum ct_bullet_body_kind {
    CT_BULLET_STATIC,
    CT_BULLET_DYNAMIC,
    CT_BULLET_KINEMATIC, // pushes dynamic bodies and is not pushed
    CT_BULLET_SENSOR,    // touches without force; moved like KINEMATIC
} ct_bullet_body_kind;

enum {
    CT_BULLET_NO_GRAVITY = 1,
    CT_BULLET_NO_QUERIES = 2,   // no query finds it
    CT_BULLET_NO_COLLISION = 4, // nothing touches it; queries do
    CT_BULLET_NO_SLEEP = 8,
    CT_BULLET_STARTS_ASLEEP = 16,
    CT_BULLET_CONTINUOUS = 32, // stops at thin things at any speed; shapes of one part only
};

typedef struct ct_bullet_body_desc {
    uint32_t id;   // what moved bodies, contacts and hits are called by; unique in the world
    uint32_t kind; // ct_bullet_body_kind
    uint32_t flags;
    ct_bullet_shape *shape; // borrowed
    ct_rigid_pose pose;     // of the shape's space
    float mass;             // kg; of DYNAMIC; KINEMATIC: what it has when it is made dynamic, or 0
    ct_vec3 velocity, angular_velocity;
    float linear_damping, angular_damping; // share of the velocity lost in a second, 0 to 1
    float friction, restitution, rolling_friction, spinning_friction;
    ct_vec3 linear_factor, angular_factor; // 1, or 0 for axes of the world that are locked
    float sleep_linear, sleep_angular;     // slower bodies fall asleep: m/s, rad/s
    uint32_t filter;                       // number of its collision filter, 0 to 31
    uint32_t collides; // bit n: it touches bodies of filter n; both sides must agree
} ct_bullet_body_desc;

// Makes a body, which takes part from the next step on; queries find it at once.
ct_bullet_body *ct_bullet_body_create(ct_bullet_world *w, const ct_bullet_body_desc *desc);

enum { CT_BULLET_MOST_IN_ONE_PLACE = 1024 };

// Returns whether there were more than CT_BULLET_MOST_IN_ONE_PLACE bodies where it was made, all with
// enough pairs, so that it has none with them. The time of a step grows with the square of such a
// crowd: do not keep the body.
bool ct_bullet_body_is_crowded(const ct_bullet_body *b);
void ct_bullet_body_destroy(ct_bullet_body *b); // wakes what it touched; NULL is fine

// The pose of the shape's space. Setting moves at once, without velocity, and wakes what it touched.
ct_rigid_pose ct_bullet_body_pose(const ct_bullet_body *b);
void ct_bullet_body_set_pose(ct_bullet_body *b, ct_rigid_pose pose);
// The pose of the centre of mass as Bullet has it: basis by rows, then the origin.
void ct_bullet_body_transform(const ct_bullet_body *b, float transform[12]);
// Sets that pose to the bit, as ct_bullet_body_set_pose; the basis must be a rotation.
void ct_bullet_body_set_transform(ct_bullet_body *b, const float transform[12]);
// Where a kinematic body or sensor is at the end of the next step; it gets the velocity there.
void ct_bullet_body_move_to(ct_bullet_body *b, ct_rigid_pose pose);

bool ct_bullet_body_is_moved(const ct_bullet_body *b); // is KINEMATIC or SENSOR

// Returns the number that its owner gave it.
uint32_t ct_bullet_body_id(const ct_bullet_body *b);
ct_aabb ct_bullet_body_bounds(const ct_bullet_body *b); // in world space
// Changes what the body is, where it is. DYNAMIC needs a mass; others stop.
void ct_bullet_body_set_kind(ct_bullet_body *b, uint32_t kind);
// These change what the description of the body says. What it touches is decided again in the next step.
void ct_bullet_body_set_flags(ct_bullet_body *b, uint32_t flags);
void ct_bullet_body_set_filter(ct_bullet_body *b, uint32_t filter, uint32_t collides);
void ct_bullet_body_set_material(ct_bullet_body *b, float friction, float restitution,
                                 float rolling_friction, float spinning_friction);
void ct_bullet_body_set_damping(ct_bullet_body *b, float linear, float angular);
// Sets the mass (kg, positive) that it has while it is DYNAMIC. It keeps its velocity.
void ct_bullet_body_set_mass(ct_bullet_body *b, float mass);
// Sets the velocities below which it falls asleep: m/s, rad/s.
void ct_bullet_body_set_sleep(ct_bullet_body *b, float linear, float angular);
// Gives it another shape, borrowed, at the same pose.
void ct_bullet_body_set_shape(ct_bullet_body *b, ct_bullet_shape *shape);

float ct_bullet_body_mass(const ct_bullet_body *b);     // 0: not dynamic
ct_vec3 ct_bullet_body_center(const ct_bullet_body *b); // of mass, in world space
// Return velocities in m/s and rad/s: of the centre of mass, about it, of a point in world space.
ct_vec3 ct_bullet_body_velocity(const ct_bullet_body *b);
ct_vec3 ct_bullet_body_angular_velocity(const ct_bullet_body *b);
ct_vec3 ct_bullet_body_velocity_at(const ct_bullet_body *b, ct_vec3 position);
// These wake the body; no effect on bodies that are not dynamic. Impulses are in newton seconds, in
// world space.
void ct_bullet_body_set_velocity(ct_bullet_body *b, ct_vec3 velocity);
void ct_bullet_body_set_angular_velocity(ct_bullet_body *b, ct_vec3 velocity);
void ct_bullet_body_add_impulse(ct_bullet_body *b, ct_vec3 impulse, ct_vec3 at);
void ct_bullet_body_add_torque_impulse(ct_bullet_body *b, ct_vec3 impulse);
// Wakes a dynamic body, or puts it to sleep without velocity; one with NO_SLEEP stays awake.
void ct_bullet_body_wake(ct_bullet_body *b);
void ct_bullet_body_sleep(ct_bullet_body *b);
bool ct_bullet_body_is_asleep(const ct_bullet_body *b);

// --- Queries -------------------------------------------------------------------------------------

enum {
    CT_BULLET_FIND_STATIC = 1,
    CT_BULLET_FIND_DYNAMIC = 2,
    CT_BULLET_FIND_KINEMATIC = 4,
    CT_BULLET_FIND_SENSORS = 8,
    CT_BULLET_FIND_SOLID = 7,
    CT_BULLET_FIND_COLLIDING = 16, // only bodies without CT_BULLET_NO_COLLISION
    CT_BULLET_FIND_HIDDEN = 32,    // also bodies with CT_BULLET_NO_QUERIES
    // ct_bullet_ray: also boxes, spheres, capsules and hulls whose surface is less than a centimetre
    // from the start, which rays else may miss. For what rests on them.
    CT_BULLET_FIND_NEAR = 64,
};

// Which bodies a query sees.
typedef struct ct_bullet_find {
    uint32_t kinds;   // CT_BULLET_FIND_…
    uint32_t filters; // bit n: bodies of collision filter n
    // Asked for each body that the rest lets through; NULL: all.
    bool (*accepts)(void *user, uint32_t id);
    void *user;
} ct_bullet_find;

typedef struct ct_bullet_hit {
    uint32_t id;
    uint32_t part;     // `number` of the shape part
    uint32_t triangle; // of a mesh; of heights: row * (columns - 1) + column; UINT32_MAX: none
    float fraction;    // of the way, 0 to 1
    ct_vec3 position;  // in world space
    ct_vec3 normal;    // of the surface, towards the start; length 1
} ct_bullet_hit;

// Returns the corners of the triangle of a mesh or heights that was hit, in world space, in the order
// of the mesh. False when it was no triangle. `b` is the body of the hit, where it was.
bool ct_bullet_hit_triangle(const ct_bullet_body *b, const ct_bullet_hit *hit, ct_vec3 corners[3]);

// Finds what the line from `from` to `to` meets first; false: nothing. Bodies that contain the start
// are not found, but for triangles, whose both sides count.
bool ct_bullet_ray(const ct_bullet_world *w, ct_vec3 from, ct_vec3 to, const ct_bullet_find *find,
                   ct_bullet_hit *hit);
// Returns whether it meets anything.
bool ct_bullet_ray_any(const ct_bullet_world *w, ct_vec3 from, ct_vec3 to,
                       const ct_bullet_find *find);
// Finds all that it meets, sorted by fraction, then id, then part; writes up to `most`, the nearest.
// Returns how many it wrote.
uint32_t ct_bullet_ray_all(const ct_bullet_world *w, ct_vec3 from, ct_vec3 to,
                           const ct_bullet_find *find, ct_bullet_hit *hits, uint32_t most);

// Moves a convex shape (one part: box, sphere, capsule, cylinder or convex) with a fixed rotation
// and finds what it meets first. A shape that starts inside something and moves deeper meets it at
// fraction 0, with the normal that leads out; what it moves out of is not in its way.
bool ct_bullet_sweep(const ct_bullet_world *w, const ct_bullet_shape *shape, ct_rigid_pose from,
                     ct_vec3 to, const ct_bullet_find *find, ct_bullet_hit *hit);
uint32_t ct_bullet_sweep_all(const ct_bullet_world *w, const ct_bullet_shape *shape,
                             ct_rigid_pose from, ct_vec3 to, const ct_bullet_find *find,
                             ct_bullet_hit *hits, uint32_t most);

// Two bodies' nearest or deepest points, from a convex shape's point of view.
typedef struct ct_bullet_overlap {
    uint32_t id, part, triangle; // as in ct_bullet_hit
    float distance;              // metres; negative: how deep they overlap
    ct_vec3 position;            // on the other body, in world space
    ct_vec3 normal;              // length 1; moving the shape along it by -distance parts them
} ct_bullet_overlap;

// Finds what a convex shape overlaps, or is nearer to than `reach` metres (0 or more): one for each
// contact point, up to `most`, sorted by id, part, triangle, distance. Returns how many it wrote.
uint32_t ct_bullet_overlaps(ct_bullet_world *w, const ct_bullet_shape *shape, ct_rigid_pose pose,
                            float reach, const ct_bullet_find *find, ct_bullet_overlap *overlaps,
                            uint32_t most);

// Finds the bodies in which a body that is not a sensor is deeper than `depth` metres (0 or more), by
// where they are now, among those with which it collides: the deepest point of each. Writes up to
// `most`, sorted by id; returns how many it wrote. Changes nothing.
uint32_t ct_bullet_body_overlaps(ct_bullet_world *w, ct_bullet_body *b, float depth,
                                 ct_bullet_overlap *overlaps, uint32_t most);

// Finds the point of any body nearest to `position` and nearer than `reach` metres; a position
// inside a body has distance 0 or less.
bool ct_bullet_closest_point(ct_bullet_world *w, ct_vec3 position, float reach,
                             const ct_bullet_find *find, ct_bullet_overlap *nearest);

// --- Drawing -------------------------------------------------------------------------------------

// Calls `line` for each edge of a body's shape, in world space.
void ct_bullet_body_draw(ct_bullet_world *w, const ct_bullet_body *b,
                         void (*line)(void *user, ct_vec3 from, ct_vec3 to), void *user);

#ifdef __cplusplus
}
#endif
