// The schemas of the simulators of particle effects.
#include <stddef.h>

#include "resource/types/particles/particles_source.h"

#define AT(member)                                                                                 \
    .offset = offsetof(ct_particle_simulator_source, member),                                      \
    .size_bytes = sizeof(((ct_particle_simulator_source *)0)->member)

#define VALUE(field_name, member, text)                                                            \
    { .name = (field_name), .type = CT_FIELD_TYPE_VALUE, AT(member), .doc = (text) }
#define REQUIRED_VALUE(field_name, member, text)                                                   \
    {                                                                                              \
        .name = (field_name), .type = CT_FIELD_TYPE_VALUE, AT(member), .flags = CT_FIELD_REQUIRED, \
        .doc = (text)                                                                              \
    }
#define NUMBER(field_name, member, low, high, otherwise, text)                                     \
    {                                                                                              \
        .name = (field_name), .type = CT_FIELD_TYPE_FLOAT, AT(member), .doc = (text),              \
        .least = (low), .most = (high), .default_value = {                                         \
            (otherwise)                                                                            \
        }                                                                                          \
    }
#define DIRECTION(field_name, member, text)                                                        \
    {                                                                                              \
        .name = (field_name), .type = CT_FIELD_TYPE_VECTOR3, AT(member), .doc = (text),            \
        .least = -1e6, .most = 1e6, .default_value = {                                             \
            0,                                                                                     \
            0,                                                                                     \
            1                                                                                      \
        }                                                                                          \
    }

static const char *const direction_spaces[] = {"world", "local", NULL};
static const char *const point_spaces[] = {"local", "world", NULL};
static const char *const kinds_of_flow[] = {"force", "wind", NULL};
static const char *const kept_sides[] = {"inside", "outside", NULL};

#define SPACE                                                                                      \
    {                                                                                              \
        .name = "space", .type = CT_FIELD_TYPE_ENUM, AT(space),                                    \
        .doc = "Of the vector: the world's, or the effect's (local).",                             \
        .enum_names = direction_spaces                                                             \
    }
#define SPACE_OF_POINTS                                                                            \
    {                                                                                              \
        .name = "space", .type = CT_FIELD_TYPE_ENUM, AT(place),                                    \
        .doc = "Of points and directions: the effect's (local), or the world's.",                  \
        .enum_names = point_spaces                                                                 \
    }
#define ACTS_AS                                                                                    \
    {                                                                                              \
        .name = "as", .type = CT_FIELD_TYPE_ENUM, AT(acts),                                        \
        .doc = "force: accelerates particles. wind: air that moves them by their drag.",           \
        .enum_names = kinds_of_flow                                                                \
    }
#define KEEP                                                                                       \
    {                                                                                              \
        .name = "keep", .type = CT_FIELD_TYPE_ENUM, AT(outside),                                   \
        .doc = "Where particles stay alive.", .enum_names = kept_sides                             \
    }

#define SCHEMA(kind, text)                                                                         \
    static const ct_schema kind##_schema = {                                                       \
        .name = #kind,                                                                             \
        .doc = (text),                                                                             \
        .size_bytes = sizeof(ct_particle_simulator_source),                                        \
        .num_fields = CT_COUNT_OF(kind##_fields),                                                  \
        .fields = kind##_fields,                                                                   \
        .identity = CT_SCHEMA_TYPE,                                                                \
    }

// --- Forces --------------------------------------------------------------------------------------

static const ct_field gravity_fields[] = {
    VALUE("strength", strength, "Times 9.81 m/s², downwards. Default: 1."),
};
SCHEMA(gravity, "Pulls particles down.");

static const ct_field acceleration_fields[] = {
    REQUIRED_VALUE("value", value, "Metres a second, each second: [x y z]."),
    SPACE,
};
SCHEMA(acceleration, "Accelerates particles in one direction.");

static const ct_field drag_fields[] = {
    REQUIRED_VALUE("amount", amount, "Share of the speed that is lost in a second, at first: 1/s."),
};
SCHEMA(drag, "Brakes particles; they come to rest in the air, which wind moves.");

static const ct_field wind_fields[] = {
    REQUIRED_VALUE("velocity", velocity, "Velocity of the air, metres a second: [x y z]."),
    SPACE,
};
SCHEMA(wind, "Air that moves particles by their drag.");

static const ct_field curl_noise_fields[] = {
    VALUE("strength", strength, "m/s² of a force, m/s of a wind. Default: 1."),
    VALUE("frequency", frequency, "Whirls in a metre. Default: 1."),
    VALUE("speed", speed, "Metres a second that the whirls move. Default: 0."),
    ACTS_AS,
    SPACE,
};
SCHEMA(curl_noise, "Whirls, as smoke has them.");

static const ct_field vector_field_fields[] = {
    {.name = "field",
     .type = CT_FIELD_TYPE_STRING,
     AT(name),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Name of a vector field of the world."},
    VALUE("strength", strength, "Multiplies the field. Default: 1."),
    ACTS_AS,
};
SCHEMA(vector_field, "A vector field that the game makes in its world.");

static const ct_field attract_fields[] = {
    VALUE("point", point, "The point. Default: [0 0 0]."),
    VALUE("strength", strength, "m/s² at a distance of 1 m. Negative: away. Default: 1."),
    NUMBER("power", power, 0, 4, 1, "How fast the force falls with the distance. 2: as gravity."),
    NUMBER("radius", radius, 0, 1e6, 0, "Metres in which it acts. 0: everywhere."),
    NUMBER("kill_radius", kill_radius, 0, 1e6, 0, "Nearer particles die. 0: none."),
    SPACE_OF_POINTS,
};
SCHEMA(attract, "Pulls particles to a point.");

// --- After motion --------------------------------------------------------------------------------

static const ct_field orbit_fields[] = {
    VALUE("center", center, "A point of the axis. Default: [0 0 0]."),
    DIRECTION("axis", axis, "Direction of the axis."),
    VALUE("turns_per_second", turns_per_second, "How fast particles turn. Default: 0."),
    VALUE("outwards", outwards, "Metres a second away from the axis. Default: 0."),
    SPACE_OF_POINTS,
};
SCHEMA(orbit, "Turns particles around an axis.");

static const ct_field limit_speed_fields[] = {
    REQUIRED_VALUE("speed", speed, "Metres a second."),
};
SCHEMA(limit_speed, "Brakes particles that are faster.");

#define COLLISION                                                                                  \
    NUMBER("bounce", bounce, 0, 1, 0.5, "Share of the speed that a bounce keeps."),                \
        NUMBER("friction", friction, 0, 1, 0,                                                      \
               "Share of the spin and of the speed along the surface that it takes."),             \
        NUMBER("lifetime_loss", lifetime_loss, 0, 1, 0, "Share of the lifetime that it takes."),   \
        NUMBER("radius", radius, 0, 100, 0, "Radius of a particle, as a share of its size.")

static const ct_field collide_plane_fields[] = {
    DIRECTION("normal", normal, "Direction of the side where particles are."),
    NUMBER("distance", distance, -1e6, 1e6, 0, "Metres from the origin along the normal."),
    COLLISION,
    SPACE_OF_POINTS,
};
SCHEMA(collide_plane, "Particles bounce off a plane.");

static const ct_field collide_fields[] = {
    {.name = "filter",
     .type = CT_FIELD_TYPE_STRING,
     AT(name),
     .doc = "Collision filter of the physics. Default: the world's filter for particles."},
    COLLISION,
};
SCHEMA(collide, "Particles bounce off the actors of the physics.");

static const ct_field kill_box_fields[] = {
    VALUE("center", center, "Middle of the box. Default: [0 0 0]."),
    REQUIRED_VALUE("size", size, "Lengths of the box, metres: [x y z]."),
    KEEP,
    SPACE_OF_POINTS,
};
SCHEMA(kill_box, "Particles die that leave a box, or enter it.");

static const ct_field kill_sphere_fields[] = {
    VALUE("center", center, "Middle of the sphere. Default: [0 0 0]."),
    REQUIRED_VALUE("radius", radius_value, "Metres."),
    KEEP,
    SPACE_OF_POINTS,
};
SCHEMA(kill_sphere, "Particles die that leave a sphere, or enter it.");

static const ct_field kill_plane_fields[] = {
    DIRECTION("normal", normal, "Direction of the side where particles stay alive."),
    NUMBER("distance", distance, -1e6, 1e6, 0, "Metres from the origin along the normal."),
    SPACE_OF_POINTS,
};
SCHEMA(kill_plane, "Particles die behind a plane.");

const ct_schema *const ct_particle_simulator_schemas[] = {
    [CT_PARTICLE_SIMULATOR_GRAVITY] = &gravity_schema,
    [CT_PARTICLE_SIMULATOR_ACCELERATION] = &acceleration_schema,
    [CT_PARTICLE_SIMULATOR_DRAG] = &drag_schema,
    [CT_PARTICLE_SIMULATOR_WIND] = &wind_schema,
    [CT_PARTICLE_SIMULATOR_CURL_NOISE] = &curl_noise_schema,
    [CT_PARTICLE_SIMULATOR_VECTOR_FIELD] = &vector_field_schema,
    [CT_PARTICLE_SIMULATOR_ATTRACT] = &attract_schema,
    [CT_PARTICLE_SIMULATOR_ORBIT] = &orbit_schema,
    [CT_PARTICLE_SIMULATOR_LIMIT_SPEED] = &limit_speed_schema,
    [CT_PARTICLE_SIMULATOR_COLLIDE_PLANE] = &collide_plane_schema,
    [CT_PARTICLE_SIMULATOR_COLLIDE] = &collide_schema,
    [CT_PARTICLE_SIMULATOR_KILL_BOX] = &kill_box_schema,
    [CT_PARTICLE_SIMULATOR_KILL_SPHERE] = &kill_sphere_schema,
    [CT_PARTICLE_SIMULATOR_KILL_PLANE] = &kill_plane_schema,
    [CT_PARTICLE_SIMULATOR_COUNT] = NULL,
};
