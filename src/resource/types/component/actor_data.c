#include "resource/types/component/actor_data.h"

#include <stddef.h>
#include <string.h>

#include "foundation/error.h"

// Offset and size of a member, for the tables below.
#define AT(type, member) .offset = offsetof(type, member), .size_bytes = sizeof(((type *)0)->member)
#define HEAD(member) AT(ct_actor_data, member)
#define SHAPE(member) AT(ct_actor_shape_data, member)
#define MOVER(member) AT(ct_mover_data, member)

// Instances are aligned to 8, with nothing between a head and its shapes, nor behind the last.
_Static_assert(sizeof(ct_actor_data) == 80, "the head of an actor has no padding");
_Static_assert(sizeof(ct_trigger_data) == 24, "the head of a trigger has no padding");
_Static_assert(sizeof(ct_actor_shape_data) == 64, "a shape has no padding");
_Static_assert(sizeof(ct_mover_data) == 40, "a mover has no padding");

// --- Shapes --------------------------------------------------------------------------------------

// In the order of ct_actor_shape_type.
static const char *const shape_type_names[] = {"box",   "sphere", "capsule",      "cylinder",
                                               "plane", "mesh",   "height_field", NULL};

// `mesh` and `height_field` share a place: a shape has one of the two.
static const ct_field shape_fields[] = {
    {.name = "type",
     .type = CT_FIELD_TYPE_ENUM,
     SHAPE(type),
     .doc = "What it is. Capsules and cylinders are along z. A plane is z = 0, solid below it, for "
            "static actors. mesh: collision shapes of a mesh. height_field: ground.",
     .enum_names = shape_type_names},
    {.name = "position",
     .type = CT_FIELD_TYPE_VECTOR3,
     SHAPE(position),
     .doc = "Position in the actor's space.",
     .unit = "m",
     .least = -1e5,
     .most = 1e5},
    {.name = "rotation",
     .type = CT_FIELD_TYPE_QUATERNION,
     SHAPE(rotation),
     .doc = "Rotation in the actor's space, as x y z w.",
     .default_value = {0, 0, 0, 1},
     .degrees_name = "rotation_degrees"},
    {.name = "half_size",
     .type = CT_FIELD_TYPE_VECTOR3,
     SHAPE(half_size),
     .doc = "Half the size of a box along its axes.",
     .unit = "m",
     .least = 1e-4,
     .most = 1e5,
     .default_value = {0.5, 0.5, 0.5}},
    {.name = "radius",
     .type = CT_FIELD_TYPE_FLOAT,
     SHAPE(radius),
     .doc = "Radius of a sphere, capsule or cylinder.",
     .unit = "m",
     .least = 1e-4,
     .most = 1e5,
     .default_value = {0.5}},
    {.name = "height",
     .type = CT_FIELD_TYPE_FLOAT,
     SHAPE(height),
     .doc = "Height of a capsule, with both ends, or of a cylinder.",
     .unit = "m",
     .least = 1e-4,
     .most = 1e5,
     .default_value = {2}},
    {.name = "part",
     .type = CT_FIELD_TYPE_NAME,
     SHAPE(part),
     .doc = "Of a mesh: the node of the model that is the shape. \"\": all its collision shapes."},
    {.name = "mesh",
     .type = CT_FIELD_TYPE_REFERENCE,
     SHAPE(resource),
     .doc = "The mesh of a shape of type mesh.",
     .reference_type = "mesh"},
    {.name = "height_field",
     .type = CT_FIELD_TYPE_REFERENCE,
     SHAPE(resource),
     .doc = "The ground of a shape of type height_field.",
     .reference_type = "height_field"},
};

const ct_schema ct_actor_shape_schema = {
    .name = "shape",
    .doc = "A collision shape of an actor or trigger.",
    .size_bytes = sizeof(ct_actor_shape_data),
    .num_fields = CT_COUNT_OF(shape_fields),
    .fields = shape_fields,
    .identity = CT_SCHEMA_ID | CT_SCHEMA_REMOVED,
};

const ct_blob_layout ct_actor_shape_layout =
    CT_BLOB_STRUCT(ct_actor_shape_data, CT_BLOB_NUMBERS(4, ct_actor_shape_data, type, part),
                   CT_BLOB_NUMBERS(8, ct_actor_shape_data, resource, resource));

#define SHAPES_DOC                                                                                 \
    "The shapes: { id type position rotation half_size radius height part mesh height_field }. "   \
    "Without any: the collision shapes of the unit's first mesh component."

// --- Actors --------------------------------------------------------------------------------------

// In the order of ct_actor_body.
static const char *const body_names[] = {"static", "dynamic", "kinematic", "keyframed", NULL};

// Those of the head first, in the order of the bits of `given`; then what only blobs have; last what
// only sources have.
static const ct_field actor_fields[] = {
    {.name = "name",
     .type = CT_FIELD_TYPE_NAME,
     HEAD(name),
     .doc = "The actor's name, for Unit.actor.",
     .default_text = "actor"},
    {.name = "node",
     .type = CT_FIELD_TYPE_NAME,
     HEAD(node),
     .doc = "The scene graph node of the actor. \"\": the entity."},
    {.name = "template",
     .type = CT_FIELD_TYPE_NAME,
     HEAD(template_name),
     .doc = "A template of the physics resource: it gives the members that this source does not. "
            "\"\": none."},
    {.name = "body",
     .type = CT_FIELD_TYPE_ENUM,
     HEAD(body),
     .doc = "static: stays where it is, whatever its mass. dynamic: physics moves it. kinematic: "
            "its node moves it; scripts can make it dynamic. keyframed: its node moves it, for "
            "good.",
     .enum_names = body_names},
    {.name = "material",
     .type = CT_FIELD_TYPE_NAME,
     HEAD(material),
     .doc = "The material in the physics resource.",
     .default_text = "default"},
    {.name = "filter",
     .type = CT_FIELD_TYPE_NAME,
     HEAD(filter),
     .doc = "The collision filter in the physics resource.",
     .default_text = "default"},
    {.name = "mass",
     .type = CT_FIELD_TYPE_FLOAT,
     HEAD(mass),
     .doc = "Mass. 0: by density and volume.",
     .unit = "kg",
     .least = 0,
     .most = 1e9},
    {.name = "density",
     .type = CT_FIELD_TYPE_FLOAT,
     HEAD(density),
     .doc = "Mass of a cubic metre. 0: that of the material.",
     .unit = "kg/m³",
     .least = 0,
     .most = 1e6},
    {.name = "linear_damping",
     .type = CT_FIELD_TYPE_FLOAT,
     HEAD(linear_damping),
     .doc = "Share of its velocity that it loses in a second.",
     .least = 0,
     .most = 1},
    {.name = "angular_damping",
     .type = CT_FIELD_TYPE_FLOAT,
     HEAD(angular_damping),
     .doc = "Share of its angular velocity that it loses in a second.",
     .least = 0,
     .most = 1},
    {.name = "has_gravity",
     .type = CT_FIELD_TYPE_BOOL,
     HEAD(has_gravity),
     .doc = "Whether it falls.",
     .default_value = {1}},
    {.name = "is_continuous",
     .type = CT_FIELD_TYPE_BOOL,
     HEAD(is_continuous),
     .doc = "Whether it stops at thin things at any speed. Costs time."},
    {.name = "is_collision_enabled",
     .type = CT_FIELD_TYPE_BOOL,
     HEAD(is_collision_enabled),
     .doc = "Whether it touches anything.",
     .default_value = {1}},
    {.name = "is_scene_query_enabled",
     .type = CT_FIELD_TYPE_BOOL,
     HEAD(is_scene_query_enabled),
     .doc = "Whether rays, sweeps and overlaps find it.",
     .default_value = {1}},
    {.name = "starts_asleep",
     .type = CT_FIELD_TYPE_BOOL,
     HEAD(starts_asleep),
     .doc = "Whether a dynamic actor rests until something touches it."},
    {.name = "reports_persist",
     .type = CT_FIELD_TYPE_BOOL,
     HEAD(reports_persist),
     .doc = "Whether there is an event in each step while it touches something."},
    {.name = "lock_position",
     .type = CT_FIELD_TYPE_TEXT,
     HEAD(lock_position),
     .doc = "Axes of the world along which it does not move, such as \"z\"."},
    {.name = "lock_rotation",
     .type = CT_FIELD_TYPE_TEXT,
     HEAD(lock_rotation),
     .doc = "Axes of the world about which it does not turn, such as \"xy\"."},
    {.name = "given",
     .type = CT_FIELD_TYPE_INDEX,
     HEAD(given),
     .doc = "Members that the source gives, a bit for each."},
    {.name = "num_shapes",
     .type = CT_FIELD_TYPE_INDEX,
     HEAD(num_shapes),
     .doc = "Number of its own shapes."},
    {.name = "shapes",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(ct_actor_source, shapes),
     .flags = CT_FIELD_SET,
     .doc = SHAPES_DOC,
     .schema = &ct_actor_shape_schema},
};

enum { NUM_HEAD_FIELDS = CT_COUNT_OF(actor_fields) - 1 };

const ct_schema ct_actor_schema = {
    .name = "actor",
    .doc = "A rigid body.",
    .size_bytes = sizeof(ct_actor_source),
    .num_fields = CT_COUNT_OF(actor_fields),
    .fields = actor_fields,
    .identity = CT_SCHEMA_ID | CT_SCHEMA_TYPE | CT_SCHEMA_REMOVED,
};

const ct_schema ct_actor_head_schema = {
    .name = "actor",
    .doc = "A rigid body without its shapes.",
    .size_bytes = sizeof(ct_actor_data),
    .num_fields = NUM_HEAD_FIELDS,
    .fields = actor_fields,
};

// --- Triggers ------------------------------------------------------------------------------------

static const ct_field trigger_fields[] = {
    {.name = "name",
     .type = CT_FIELD_TYPE_NAME,
     AT(ct_trigger_data, name),
     .doc = "The trigger's name, for Unit.actor.",
     .default_text = "trigger"},
    {.name = "node",
     .type = CT_FIELD_TYPE_NAME,
     AT(ct_trigger_data, node),
     .doc = "The scene graph node that the trigger follows. \"\": the entity."},
    {.name = "filter",
     .type = CT_FIELD_TYPE_NAME,
     AT(ct_trigger_data, filter),
     .doc = "The collision filter in the physics resource.",
     .default_text = "default"},
    {.name = "is_enabled",
     .type = CT_FIELD_TYPE_BOOL,
     AT(ct_trigger_data, is_enabled),
     .doc = "Whether it reports what enters and leaves.",
     .default_value = {1}},
    {.name = "num_tags",
     .type = CT_FIELD_TYPE_INDEX,
     AT(ct_trigger_data, num_tags),
     .doc = "Number of its tags."},
    {.name = "num_shapes",
     .type = CT_FIELD_TYPE_INDEX,
     AT(ct_trigger_data, num_shapes),
     .doc = "Number of its own shapes."},
    {.name = "shapes",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(ct_trigger_source, shapes),
     .flags = CT_FIELD_SET,
     .doc = SHAPES_DOC,
     .schema = &ct_actor_shape_schema},
    {.name = "tags",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(ct_trigger_source, tags),
     .flags = CT_FIELD_SET,
     .doc = "Only entities with one of these tags count, then also without an actor. []: all "
            "actors. An override replaces the whole list."},
};

const ct_schema ct_trigger_schema = {
    .name = "trigger",
    .doc = "A region that reports which actors, and which entities with certain tags, enter and "
           "leave it.",
    .size_bytes = sizeof(ct_trigger_source),
    .num_fields = CT_COUNT_OF(trigger_fields),
    .fields = trigger_fields,
    .identity = CT_SCHEMA_ID | CT_SCHEMA_TYPE | CT_SCHEMA_REMOVED,
};

const ct_schema ct_trigger_head_schema = {
    .name = "trigger",
    .doc = "A trigger without its shapes and tags.",
    .size_bytes = sizeof(ct_trigger_data),
    .num_fields = CT_COUNT_OF(trigger_fields) - 2,
    .fields = trigger_fields,
};

// --- Movers --------------------------------------------------------------------------------------

static const ct_field mover_fields[] = {
    {.name = "name",
     .type = CT_FIELD_TYPE_NAME,
     MOVER(name),
     .doc = "The mover's name, for Unit.set_mover.",
     .default_text = "mover"},
    {.name = "filter",
     .type = CT_FIELD_TYPE_NAME,
     MOVER(filter),
     .doc = "The collision filter in the physics resource.",
     .default_text = "default"},
    {.name = "radius",
     .type = CT_FIELD_TYPE_FLOAT,
     MOVER(radius),
     .doc = "Radius of the capsule.",
     .unit = "m",
     .least = 0.01,
     .most = 100,
     .default_value = {0.35}},
    {.name = "height",
     .type = CT_FIELD_TYPE_FLOAT,
     MOVER(height),
     .doc = "Height of the capsule, with both ends: twice the radius or more.",
     .unit = "m",
     .least = 0.02,
     .most = 1000,
     .default_value = {1.8}},
    {.name = "max_slope_angle",
     .type = CT_FIELD_TYPE_FLOAT,
     MOVER(max_slope_angle),
     .doc = "It slides down ground that is steeper.",
     .unit = "rad",
     .least = 0,
     .most = 1.5708, // as messages and documents say it: pi / 2
     .default_value = {0.7853981633974483}},
    {.name = "step_height",
     .type = CT_FIELD_TYPE_FLOAT,
     MOVER(step_height),
     .doc = "Height of the highest step that it walks up or down.",
     .unit = "m",
     .least = 0,
     .most = 100,
     .default_value = {0.35}},
    {.name = "skin",
     .type = CT_FIELD_TYPE_FLOAT,
     MOVER(skin),
     .doc = "Distance that it keeps from everything: at most half the radius.",
     .unit = "m",
     .least = 0.001,
     .most = 1,
     .default_value = {0.02}},
    {.name = "mass",
     .type = CT_FIELD_TYPE_FLOAT,
     MOVER(mass),
     .doc = "Mass with which it pushes, and weighs on things.",
     .unit = "kg",
     .least = 0.001,
     .most = 1e6,
     .default_value = {80}},
    {.name = "push_force",
     .type = CT_FIELD_TYPE_FLOAT,
     MOVER(push_force),
     .doc = "Most force with which it pushes dynamic actors.",
     .unit = "N",
     .least = 0,
     .most = 1e9,
     .default_value = {500}},
    {.name = "is_active",
     .type = CT_FIELD_TYPE_BOOL,
     MOVER(is_active),
     .doc = "Whether it is in use from the start. Of several, the first with true is.",
     .default_value = {1}},
};

const ct_schema ct_mover_schema = {
    .name = "mover",
    .doc = "A capsule that walks: a character controller. Its foot is at the entity's position.",
    .size_bytes = sizeof(ct_mover_data),
    .num_fields = CT_COUNT_OF(mover_fields),
    .fields = mover_fields,
    .identity = CT_SCHEMA_ID | CT_SCHEMA_TYPE | CT_SCHEMA_REMOVED,
};

// --- Checks --------------------------------------------------------------------------------------

bool ct_actor_axes_check(const char *axes, ct_error *error) {
    for (uint32_t i = 0; axes[i]; ++i) {
        if (!strchr("xyz", axes[i]))
            return ct_error_set(error, "found \"%.3s\", expected some of the letters x, y and z",
                                axes);
        if (strchr(axes + i + 1, axes[i]))
            return ct_error_set(error, "found \"%.3s\", which has the axis %c twice", axes,
                                axes[i]);
    }
    return true;
}

bool ct_actor_shape_check(const ct_actor_shape_data *shape, ct_error *error) {
    if (!ct_schema_check(&ct_actor_shape_schema, shape, error))
        return false;
    if (shape->type == CT_ACTOR_SHAPE_CAPSULE && shape->height <= 2 * shape->radius)
        return ct_error_set(error,
                            "found a capsule of height %g and radius %g; its height must be more "
                            "than twice the radius, or use a sphere",
                            (double)shape->height, (double)shape->radius);
    const bool needs_resource =
        shape->type == CT_ACTOR_SHAPE_MESH || shape->type == CT_ACTOR_SHAPE_HEIGHT_FIELD;
    return !needs_resource || shape->resource.value ||
           ct_error_set(error, "a shape of type %s needs `%s`, the name of one",
                        shape_type_names[shape->type], shape_type_names[shape->type]);
}

// Checks `count` shapes, which end an instance of `size_bytes`.
static bool check_shapes(const ct_actor_shape_data *shapes, uint32_t count, uint32_t head_bytes,
                         uint32_t size_bytes, ct_error *error) {
    if (count > CT_ACTOR_MAX_SHAPES)
        return ct_error_set(error, "found %u shapes, expected at most %d", count,
                            CT_ACTOR_MAX_SHAPES);
    if (size_bytes != head_bytes + count * sizeof(*shapes))
        return ct_error_set(error, "%u shapes do not take %u bytes", count,
                            size_bytes - head_bytes);
    for (uint32_t i = 0; i < count; ++i) {
        if (!ct_actor_shape_check(&shapes[i], error))
            return false;
    }
    return true;
}

bool ct_actor_head_check(const ct_actor_data *actor, ct_error *error) {
    return ct_schema_check(&ct_actor_head_schema, actor, error) &&
           ct_actor_axes_check(actor->lock_position, error) &&
           ct_actor_axes_check(actor->lock_rotation, error) &&
           ((actor->given & ~(uint32_t)CT_ACTOR_GIVEN_MASK) == 0 ||
            ct_error_set(error, "actor.given: found %x, expected bits of %x only", actor->given,
                         (uint32_t)CT_ACTOR_GIVEN_MASK));
}

bool ct_actor_check(const void *bytes, uint32_t size_bytes, ct_error *error) {
    const ct_actor_data *const actor = bytes;
    if (size_bytes < sizeof(*actor))
        return ct_error_set(error, "an actor does not fit into %u bytes", size_bytes);
    return ct_actor_head_check(actor, error) &&
           check_shapes(ct_actor_shapes(actor), actor->num_shapes, sizeof(*actor), size_bytes,
                        error);
}

// Returns the bytes that tags take; more than any instance has when there are too many.
static uint32_t tag_bytes_of(uint32_t count) {
    return count <= CT_TRIGGER_MAX_TAGS ? (count + 1) / 2 * 8 : UINT32_MAX;
}

static bool check_tags(const ct_string_id32 *tags, uint32_t count, ct_error *error) {
    for (uint32_t i = 0; i < count; ++i) {
        if (tags[i].value == 0)
            return ct_error_set(error, "tag %u is invalid: its id is 0", i);
        for (uint32_t k = 0; k < i; ++k) {
            if (tags[k].value == tags[i].value)
                return ct_error_set(error, "tag %u is listed twice", i);
        }
    }
    return true;
}

bool ct_trigger_check(const void *bytes, uint32_t size_bytes, ct_error *error) {
    const ct_trigger_data *const trigger = bytes;
    if (size_bytes < sizeof(*trigger))
        return ct_error_set(error, "a trigger does not fit into %u bytes", size_bytes);
    const uint32_t tag_bytes = tag_bytes_of(trigger->num_tags);
    return ct_schema_check(&ct_trigger_head_schema, trigger, error) &&
           (tag_bytes <= size_bytes - sizeof(*trigger) ||
            ct_error_set(error, "%u tags do not fit into %u bytes", trigger->num_tags,
                         size_bytes)) &&
           check_shapes(ct_trigger_shapes(trigger), trigger->num_shapes, sizeof(*trigger),
                        size_bytes - tag_bytes, error) &&
           check_tags(ct_trigger_tags(trigger), trigger->num_tags, error);
}

// --- Templates -----------------------------------------------------------------------------------

// Copies the members that `from` gives.
static void copy_given(ct_actor_data *out, const ct_actor_data *from) {
    for (uint32_t i = 0; CT_ACTOR_GIVEN_MASK >> i & 1; ++i) {
        const ct_field *const field = &actor_fields[i];
        if (from->given >> i & 1)
            memcpy((char *)out + field->offset, (const char *)from + field->offset,
                   field->size_bytes);
    }
    out->given |= from->given;
}

void ct_actor_data_combine(const ct_actor_data *base, const ct_actor_data *top,
                           ct_actor_data *out) {
    ct_schema_defaults(&ct_actor_head_schema, out);
    if (base)
        copy_given(out, base);
    copy_given(out, top);
    out->name = top->name;
    out->node = top->node;
    out->template_name = top->template_name;
    out->num_shapes = top->num_shapes;
}
