// The schemas of the sources of particle effects.
#include <stddef.h>

#include "resource/types/particles/particles_source.h"

#define AT(type, member) .offset = offsetof(type, member), .size_bytes = sizeof(((type *)0)->member)

// The position of a field in the source, beside the field.
#define PLACE(source_type, field_name, member)                                                     \
    {                                                                                              \
        .name = (field_name), .type = CT_FIELD_TYPE_VALUE, AT(source_type, member),                \
        .doc = "Position in the source."                                                           \
    }

// A value that may be random, a curve or multiplied by a variable.
#define VALUE(source_type, field_name, member, text)                                               \
    { .name = (field_name), .type = CT_FIELD_TYPE_VALUE, AT(source_type, member), .doc = (text) }

#define SCHEMA(schema_name, text, source_type, schema_fields, members)                             \
    {                                                                                              \
        .name = (schema_name), .doc = (text), .size_bytes = sizeof(source_type),                   \
        .num_fields = CT_COUNT_OF(schema_fields), .fields = (schema_fields),                       \
        .identity = (members),                                                                     \
    }

static const char *const directions_names[] = {"world", "local", NULL};

// --- Values --------------------------------------------------------------------------------------

#define OF_VALUE(member) AT(ct_particle_value_source, member)

static const ct_field value_fields[] = {
    {.name = "min",
     .type = CT_FIELD_TYPE_VALUE,
     OF_VALUE(least),
     .doc = "One end of a random value: a number, an array or { curve }."},
    {.name = "max", .type = CT_FIELD_TYPE_VALUE, OF_VALUE(most), .doc = "The other end."},
    {.name = "curve",
     .type = CT_FIELD_TYPE_VALUE,
     OF_VALUE(curve),
     .doc = "Keys: [place value …] with places from 0 to 1."},
    {.name = "smooth",
     .type = CT_FIELD_TYPE_BOOL,
     OF_VALUE(smooth),
     .doc =
         "Whether the curve is round between keys, flat at its ends, and never beyond its keys."},
    {.name = "value", .type = CT_FIELD_TYPE_VALUE, OF_VALUE(value), .doc = "A constant."},
    {.name = "variable",
     .type = CT_FIELD_TYPE_STRING,
     OF_VALUE(variable),
     .doc = "Name of a variable that is multiplied in."},
    PLACE(ct_particle_value_source, "variable", variable_value),
};

const ct_schema ct_particle_value_schema =
    SCHEMA("particle_value", "A value that is random, a curve or multiplied by a variable.",
           ct_particle_value_source, value_fields, 0);

// --- Spawning ------------------------------------------------------------------------------------

#define OF_BURST(member) AT(ct_particle_burst_source, member)

static const ct_field burst_fields[] = {
    {.name = "time",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_BURST(time),
     .doc = "When, from the start of each period.",
     .unit = "s",
     .least = 0,
     .most = CT_PARTICLES_MAX_SECONDS},
    {.name = "count",
     .type = CT_FIELD_TYPE_VALUE,
     OF_BURST(count),
     .flags = CT_FIELD_REQUIRED,
     .doc = "How many particles: a whole number, or [least most]."},
    {.name = "interval",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_BURST(interval),
     .doc = "Time until it repeats.",
     .unit = "s",
     .least = 0,
     .most = CT_PARTICLES_MAX_SECONDS},
    {.name = "repeats",
     .type = CT_FIELD_TYPE_INT,
     OF_BURST(repeats),
     .doc = "How often it happens in all.",
     .least = 1,
     .most = CT_PARTICLES_MAX_REPEATS,
     .default_value = {1}},
};

const ct_schema ct_particle_burst_schema =
    SCHEMA("particle_burst", "Many particles at once.", ct_particle_burst_source, burst_fields, 0);

#define OF_SHAPE(member) AT(ct_particle_shape_source, member)

static const char *const shape_names[] = {"point", "box",      "sphere", "cone",
                                          "mesh",  "skeleton", NULL};

static const ct_field shape_fields[] = {
    {.name = "type",
     .type = CT_FIELD_TYPE_ENUM,
     OF_SHAPE(type),
     .doc = "Where particles are born. mesh: on its surface. skeleton: at the nodes of the unit "
            "that the effect is linked to.",
     .enum_names = shape_names},
    {.name = "position",
     .type = CT_FIELD_TYPE_VECTOR3,
     OF_SHAPE(position),
     .doc = "Middle of the shape in the effect.",
     .unit = "m",
     .least = -1e6,
     .most = 1e6},
    {.name = "rotation",
     .type = CT_FIELD_TYPE_QUATERNION,
     OF_SHAPE(rotation),
     .doc = "Rotation of the shape in the effect, x y z w.",
     .default_value = {0, 0, 0, 1},
     .degrees_name = "rotation_degrees"},
    {.name = "size",
     .type = CT_FIELD_TYPE_VECTOR3,
     OF_SHAPE(size),
     .doc = "box: its lengths.",
     .unit = "m",
     .least = 0,
     .most = 1e6,
     .default_value = {1, 1, 1}},
    {.name = "radius",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_SHAPE(radius),
     .doc = "sphere: its radius. cone: radius at its base.",
     .unit = "m",
     .least = 0,
     .most = 1e6},
    {.name = "inner",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_SHAPE(inner),
     .doc = "sphere, cone: share of the radius that stays empty.",
     .least = 0,
     .most = 1},
    {.name = "angle_degrees",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_SHAPE(angle_degrees),
     .doc = "cone: angle between its axis, which is z, and its side.",
     .unit = "°",
     .least = 0,
     .most = 180,
     .default_value = {25}},
    {.name = "length",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_SHAPE(length),
     .doc = "cone: how far along its axis particles are born. 0: at its base.",
     .unit = "m",
     .least = 0,
     .most = 1e6},
    {.name = "arc_degrees",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_SHAPE(arc_degrees),
     .doc = "sphere, cone: the part around z, from x.",
     .unit = "°",
     .least = 0,
     .most = 360,
     .default_value = {360}},
    {.name = "surface",
     .type = CT_FIELD_TYPE_BOOL,
     OF_SHAPE(surface),
     .doc = "box, sphere, cone: on the surface only."},
    {.name = "mesh",
     .type = CT_FIELD_TYPE_REFERENCE,
     OF_SHAPE(mesh),
     .doc = "mesh: particles are born on its surface.",
     .reference_type = "mesh"},
    PLACE(ct_particle_shape_source, "mesh", mesh_value),
    {.name = "points",
     .type = CT_FIELD_TYPE_INT,
     OF_SHAPE(points),
     .doc = "mesh: how many places on its surface particles come from.",
     .least = 1,
     .most = CT_PARTICLES_MAX_POINTS,
     .default_value = {512}},
    {.name = "bones",
     .type = CT_FIELD_TYPE_BOOL,
     OF_SHAPE(bones),
     .doc = "skeleton: between nodes too, not only at them."},
};

const ct_schema ct_particle_shape_schema = SCHEMA("particle_shape", "Where particles are born.",
                                                  ct_particle_shape_source, shape_fields, 0);

#define OF_SPAWN(member) AT(ct_particle_spawn_source, member)

static const ct_field spawn_fields[] = {
    VALUE(ct_particle_spawn_source, "rate", rate, "Particles a second, by the emitter's time."),
    VALUE(ct_particle_spawn_source, "per_metre", per_metre,
          "Particles for each metre that the effect moves."),
    {.name = "bursts",
     .type = CT_FIELD_TYPE_ARRAY,
     OF_SPAWN(bursts),
     .flags = CT_FIELD_SET,
     .doc = "Many particles at once: { time count interval repeats }.",
     .schema = &ct_particle_burst_schema},
    {.name = "shape",
     .type = CT_FIELD_TYPE_OBJECT,
     OF_SPAWN(shape),
     .doc = "Where particles are born. Default: a point.",
     .schema = &ct_particle_shape_schema},
    {.name = "inherit_velocity",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_SPAWN(inherit_velocity),
     .doc = "Share of the effect's velocity that particles get.",
     .least = -1000,
     .most = 1000},
};

const ct_schema ct_particle_spawn_schema = SCHEMA("particle_spawn",
                                                  "When and where particles are "
                                                  "born.",
                                                  ct_particle_spawn_source, spawn_fields, 0);

// --- Values at birth and over life ---------------------------------------------------------------

#define BIRTH(field_name, member, text) VALUE(ct_particle_birth_source, field_name, member, text)

static const ct_field birth_fields[] = {
    BIRTH("lifetime", lifetime, "Seconds that a particle lives. Default: 1."),
    BIRTH("speed", speed, "Metres a second, in the direction of the shape. Default: 0."),
    BIRTH("velocity", velocity, "Metres a second, added in the effect's space. Default: [0 0 0]."),
    BIRTH("size", size, "Metres: a number, or [width height]. Default: 1."),
    BIRTH("color", color, "sRGB [r g b]; above 1: brighter than white. Default: [1 1 1]."),
    BIRTH("opacity", opacity, "0 to 1. Default: 1."),
    BIRTH("rotation_degrees", rotation_degrees, "Rotation of the picture. Default: 0."),
    BIRTH("spin_degrees", spin_degrees, "Degrees a second that it turns. Default: 0."),
    BIRTH("frame", frame, "Frame of the grid, from 0. Default: 0."),
    BIRTH("axis", axis, "Direction for the facing \"normal\" and meshes. Default: [0 0 1]."),
};

const ct_schema ct_particle_birth_schema = SCHEMA("particle_birth", "Values of particles at birth.",
                                                  ct_particle_birth_source, birth_fields, 0);

#define LIFE(field_name, member, text) VALUE(ct_particle_life_source, field_name, member, text)

static const ct_field life_fields[] = {
    LIFE("size", size, "Multiplies the size at birth."),
    LIFE("color", color, "Multiplies the colour at birth."),
    LIFE("opacity", opacity, "Multiplies the opacity at birth."),
    LIFE("frame", frame, "Added to the frame at birth, which must be a constant."),
    {.name = "frames_per_second",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_particle_life_source, frames_per_second),
     .doc = "Added to the frame over time. Instead of `frame`.",
     .least = -1e4,
     .most = 1e4},
};

const ct_schema ct_particle_life_schema =
    SCHEMA("particle_life", "Values of particles by their age, from 0 to 1.",
           ct_particle_life_source, life_fields, 0);

// --- Events --------------------------------------------------------------------------------------

#define OF_EVENT(member) AT(ct_particle_event_source, member)

static const char *const event_names[] = {"birth", "death", "collision", NULL};

static const ct_field event_fields[] = {
    {.name = "event",
     .type = CT_FIELD_TYPE_ENUM,
     OF_EVENT(event),
     .flags = CT_FIELD_REQUIRED,
     .doc = "What happens to a particle.",
     .enum_names = event_names},
    {.name = "emitter",
     .type = CT_FIELD_TYPE_STRING,
     OF_EVENT(emitter),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Name of the emitter whose particles are born there."},
    PLACE(ct_particle_event_source, "emitter", emitter_value),
    {.name = "count",
     .type = CT_FIELD_TYPE_VALUE,
     OF_EVENT(count),
     .doc = "How many: a whole number, or [least most]. Default: 1."},
    {.name = "probability",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_EVENT(probability),
     .doc = "How likely it is.",
     .least = 0,
     .most = 1,
     .default_value = {1}},
    {.name = "inherit_velocity",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_EVENT(inherit_velocity),
     .doc = "Share of the particle's velocity that they get.",
     .least = -1000,
     .most = 1000},
};

const ct_schema ct_particle_event_schema =
    SCHEMA("particle_event", "Particles that are born where something happens to another.",
           ct_particle_event_source, event_fields, 0);

// --- Looks ---------------------------------------------------------------------------------------

#define OF_RENDER(member) AT(ct_particle_render_source, member)

static const char *const renderer_names[] = {"billboard", "ribbon", "trail", "mesh", "light", NULL};
static const char *const facing_names[] = {"camera", "point",  "axis",   "velocity", "stretched",
                                           "fixed",  "normal", "motion", NULL};
static const char *const sort_names[] = {"none", "distance", "oldest", "youngest", NULL};

static const ct_field render_fields[] = {
    {.name = "type",
     .type = CT_FIELD_TYPE_ENUM,
     OF_RENDER(type),
     .doc = "What draws the particles.",
     .enum_names = renderer_names},
    PLACE(ct_particle_render_source, "type", type_value),
    {.name = "material",
     .type = CT_FIELD_TYPE_REFERENCE,
     OF_RENDER(material),
     .doc = "The material; all but lights need one. Its shader is for particles, or for meshes.",
     .reference_type = "material"},
    PLACE(ct_particle_render_source, "material", material_value),
    {.name = "mesh",
     .type = CT_FIELD_TYPE_REFERENCE,
     OF_RENDER(mesh),
     .doc = "mesh: what each particle looks like.",
     .reference_type = "mesh"},
    PLACE(ct_particle_render_source, "mesh", mesh_value),
    {.name = "facing",
     .type = CT_FIELD_TYPE_ENUM,
     OF_RENDER(facing),
     .doc = "Which way billboards, ribbons, trails and meshes look.",
     .enum_names = facing_names},
    {.name = "sort",
     .type = CT_FIELD_TYPE_ENUM,
     OF_RENDER(sort),
     .doc = "billboard: the order of drawing. distance: the farthest first. oldest, youngest: "
            "those first.",
     .enum_names = sort_names},
    {.name = "grid",
     .type = CT_FIELD_TYPE_VALUE,
     OF_RENDER(grid),
     .doc = "billboard: columns and rows of the texture's frames. Default: [1 1]."},
    {.name = "blend_frames",
     .type = CT_FIELD_TYPE_BOOL,
     OF_RENDER(blend_frames),
     .doc = "billboard: whether neighbouring frames are blended."},
    {.name = "stretch",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_RENDER(stretch),
     .doc = "stretched: how many seconds of its way a particle is long.",
     .unit = "s",
     .least = 0,
     .most = 1000,
     .default_value = {0.05}},
    {.name = "axis",
     .type = CT_FIELD_TYPE_VECTOR3,
     OF_RENDER(axis),
     .doc = "axis, fixed: direction in the effect.",
     .least = -1e6,
     .most = 1e6,
     .default_value = {0, 0, 1}},
    {.name = "pivot",
     .type = CT_FIELD_TYPE_VECTOR2,
     OF_RENDER(pivot),
     .doc = "billboard: the point of the picture that is at the particle, from its lower left.",
     .least = -100,
     .most = 100,
     .default_value = {0.5, 0.5}},
    {.name = "points",
     .type = CT_FIELD_TYPE_INT,
     OF_RENDER(points),
     .doc = "trail: how many points it has.",
     .least = 2,
     .most = CT_PARTICLES_MAX_TRAIL,
     .default_value = {16}},
    {.name = "point_seconds",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_RENDER(point_seconds),
     .doc = "trail: time between points.",
     .unit = "s",
     .least = 0.001,
     .most = 1000,
     .default_value = {0.05}},
    {.name = "uv_length",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_RENDER(uv_length),
     .doc = "ribbon, trail: how long the texture is. 0: as long as the ribbon.",
     .unit = "m",
     .least = 0,
     .most = 1e6},
    {.name = "casts_shadows",
     .type = CT_FIELD_TYPE_BOOL,
     OF_RENDER(casts_shadows),
     .doc = "mesh: whether it casts shadows.",
     .default_value = {1}},
    {.name = "radius",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_RENDER(radius),
     .doc = "light: how far it reaches, for a size of 1.",
     .unit = "m",
     .least = 0,
     .most = 1e6,
     .default_value = {4}},
    {.name = "intensity",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_RENDER(intensity),
     .doc = "light: its intensity, for an opacity of 1.",
     .unit = "cd",
     .least = 0,
     .most = 1e9,
     .default_value = {1}},
    {.name = "max_lights",
     .type = CT_FIELD_TYPE_INT,
     OF_RENDER(max_lights),
     .doc = "light: how many particles are lights at the same time.",
     .least = 1,
     .most = CT_PARTICLES_MAX_LIGHTS,
     .default_value = {4}},
};

const ct_schema ct_particle_render_schema =
    SCHEMA("particle_render", "How particles look.", ct_particle_render_source, render_fields, 0);

// --- Emitters ------------------------------------------------------------------------------------

#define OF_EMITTER(member) AT(ct_particle_emitter_source, member)

static const char *const gpu_names[] = {"auto", "never", "always", NULL};

static const ct_field emitter_fields[] = {
    {.name = "name",
     .type = CT_FIELD_TYPE_STRING,
     OF_EMITTER(name),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Unique name, which events use."},
    PLACE(ct_particle_emitter_source, "name", name_value),
    {.name = "max_particles",
     .type = CT_FIELD_TYPE_INT,
     OF_EMITTER(max_particles),
     .doc = "Most particles at the same time. Default: as many as it makes; 1000 where that is not "
            "known.",
     .least = 1,
     .most = CT_PARTICLES_MAX_PARTICLES},
    PLACE(ct_particle_emitter_source, "max_particles", max_particles_value),
    {.name = "delay",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_EMITTER(delay),
     .doc = "Time before the first period.",
     .unit = "s",
     .least = 0,
     .most = CT_PARTICLES_MAX_SECONDS},
    {.name = "duration",
     .type = CT_FIELD_TYPE_VALUE,
     OF_EMITTER(duration),
     .doc = "Seconds that it makes particles: a period. Default: without end."},
    {.name = "loop",
     .type = CT_FIELD_TYPE_BOOL,
     OF_EMITTER(loop),
     .doc = "Whether another period follows."},
    {.name = "space",
     .type = CT_FIELD_TYPE_ENUM,
     OF_EMITTER(space),
     .doc = "world: particles stay behind when the effect moves. local: they move with it.",
     .enum_names = directions_names},
    {.name = "gpu",
     .type = CT_FIELD_TYPE_ENUM,
     OF_EMITTER(gpu),
     .doc = "Whether the GPU simulates it. auto: when it can, and has many particles.",
     .enum_names = gpu_names},
    PLACE(ct_particle_emitter_source, "gpu", gpu_value),
    {.name = "spawn",
     .type = CT_FIELD_TYPE_OBJECT,
     OF_EMITTER(spawn),
     .doc = "When and where particles are born.",
     .schema = &ct_particle_spawn_schema},
    {.name = "birth",
     .type = CT_FIELD_TYPE_OBJECT,
     OF_EMITTER(birth),
     .doc = "Values of particles at birth.",
     .schema = &ct_particle_birth_schema},
    {.name = "simulate",
     .type = CT_FIELD_TYPE_ARRAY,
     OF_EMITTER(simulate),
     .doc = "What moves particles, in this order: { type … }.",
     .schemas = ct_particle_simulator_schemas},
    {.name = "life",
     .type = CT_FIELD_TYPE_OBJECT,
     OF_EMITTER(life),
     .doc = "Values of particles by their age.",
     .schema = &ct_particle_life_schema},
    {.name = "on",
     .type = CT_FIELD_TYPE_ARRAY,
     OF_EMITTER(on),
     .flags = CT_FIELD_SET,
     .doc = "Particles of other emitters that are born where something happens to one of these: "
            "{ event emitter count probability inherit_velocity }.",
     .schema = &ct_particle_event_schema},
    {.name = "render",
     .type = CT_FIELD_TYPE_OBJECT,
     OF_EMITTER(render),
     .doc = "How particles look. Without it they are not drawn.",
     .schema = &ct_particle_render_schema},
};

const ct_schema ct_particle_emitter_schema =
    SCHEMA("particle_emitter", "Makes, moves and draws particles of one kind.",
           ct_particle_emitter_source, emitter_fields, CT_SCHEMA_ID);

// --- The effect ----------------------------------------------------------------------------------

#define OF_EFFECT(member) AT(ct_particles_source, member)

static const ct_field fields[] = {
    {.name = "cull_distance",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_EFFECT(cull_distance),
     .doc = "Farther than this from all cameras the effect waits. 0: never.",
     .unit = "m",
     .least = 0,
     .most = 1e9},
    {.name = "prewarm",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_EFFECT(prewarm),
     .doc = "How old the effect is when it starts.",
     .unit = "s",
     .least = 0,
     .most = CT_PARTICLES_MAX_PREWARM},
    {.name = "bounds_radius",
     .type = CT_FIELD_TYPE_FLOAT,
     OF_EFFECT(bounds_radius),
     .doc = "Sphere around the effect that holds all particles, for culling. 0: found from them.",
     .unit = "m",
     .least = 0,
     .most = 1e9},
    {.name = "seed",
     .type = CT_FIELD_TYPE_INT,
     OF_EFFECT(seed),
     .doc = "Of its random numbers. 0: each effect has others.",
     .least = 0,
     .most = INT32_MAX},
    {.name = "variables",
     .type = CT_FIELD_TYPE_MAP,
     OF_EFFECT(variables),
     .doc = "Numbers, or arrays of up to 4, that scripts set and values are multiplied by.",
     .element_type = CT_FIELD_TYPE_VALUE},
    {.name = "emitters",
     .type = CT_FIELD_TYPE_ARRAY,
     OF_EFFECT(emitters),
     .flags = CT_FIELD_REQUIRED,
     .doc =
         "What makes particles: { id name spawn birth simulate life on render … }. Drawn in this "
         "order.",
     .schema = &ct_particle_emitter_schema},
};

const ct_schema ct_particles_schema =
    SCHEMA("particles", "An effect of particles.", ct_particles_source, fields, 0);
