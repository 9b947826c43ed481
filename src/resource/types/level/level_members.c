#include "resource/types/level/level_members.h"

#include <math.h>
#include <stdio.h>

#include "foundation/error.h"

#define AT(type, member) .offset = offsetof(type, member), .size_bytes = sizeof(((type *)0)->member)

// --- Sources -------------------------------------------------------------------------------------

#define MEMBER_FIELDS(owner, what)                                                                 \
    {.name = "name",                                                                               \
     .type = CT_FIELD_TYPE_STRING,                                                                 \
     AT(owner, member.name),                                                                       \
     .flags = CT_FIELD_REQUIRED,                                                                   \
     .doc =                                                                                        \
         "Name by which the game finds the " what ", unique among the " what "s of the level."},   \
        {.name = "purpose",                                                                        \
         .type = CT_FIELD_TYPE_STRING,                                                             \
         AT(owner, member.purpose),                                                                \
         .doc = "What the " what " is for: systems find theirs by it.",                            \
         .default_text = NULL},                                                                    \
    {                                                                                              \
        .name = "layer", .type = CT_FIELD_TYPE_STRING, AT(owner, member.layer),                    \
        .doc = "The layer of the " what " in the level tool.", .default_text = NULL                \
    }

#define POSITION_AND_ROTATION(owner)                                                               \
    {.name = "position",                                                                           \
     .type = CT_FIELD_TYPE_VECTOR3,                                                                \
     AT(owner, position),                                                                          \
     .doc = "Position in the level.",                                                              \
     .unit = "m",                                                                                  \
     .least = -1e7,                                                                                \
     .most = 1e7},                                                                                 \
    {                                                                                              \
        .name = "rotation", .type = CT_FIELD_TYPE_QUATERNION, AT(owner, rotation),                 \
        .doc = "Rotation in the level, as x y z w.", .default_value = {0, 0, 0, 1},                \
        .degrees_name = "rotation_degrees"                                                         \
    }

#define SCALE(owner)                                                                               \
    {                                                                                              \
        .name = "scale", .type = CT_FIELD_TYPE_VECTOR3, AT(owner, scale),                          \
        .doc = "Scale along its own axes. A negative scale mirrors.", .least = -1e6, .most = 1e6,  \
        .default_value = {                                                                         \
            1,                                                                                     \
            1,                                                                                     \
            1                                                                                      \
        }                                                                                          \
    }

static const char *const volume_types[] = {"box", "sphere", "convex", "mesh", NULL};
static const char *const spline_types[] = {"catmull_rom", "bezier", NULL};

static const ct_field volume_fields[] = {
    MEMBER_FIELDS(ct_level_volume_source, "volume"),
    {.name = "type",
     .type = CT_FIELD_TYPE_ENUM,
     AT(ct_level_volume_source, type),
     .doc = "Its form.",
     .enum_names = volume_types},
    POSITION_AND_ROTATION(ct_level_volume_source),
    SCALE(ct_level_volume_source),
    {.name = "half_size",
     .type = CT_FIELD_TYPE_VECTOR3,
     AT(ct_level_volume_source, half_size),
     .doc = "Of a box: half its extents along its own axes.",
     .unit = "m",
     .least = 1e-4,
     .most = 1e6,
     .default_value = {0.5, 0.5, 0.5}},
    {.name = "radius",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_level_volume_source, radius),
     .doc = "Of a sphere.",
     .unit = "m",
     .least = 1e-4,
     .most = 1e6,
     .default_value = {0.5}},
    {.name = "points",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(ct_level_volume_source, points),
     .doc = "Of a convex volume: 4 to 256 points [x y z], whose hull it is.",
     .unit = "m"},
    {.name = "mesh",
     .type = CT_FIELD_TYPE_REFERENCE,
     AT(ct_level_volume_source, mesh),
     .doc =
         "Of a mesh volume: the mesh whose closed collision shapes it is; of a mesh without any, "
         "its closed surface.",
     .default_text = NULL,
     .reference_type = "mesh"},
    {.name = "environment",
     .type = CT_FIELD_TYPE_REFERENCE,
     AT(ct_level_volume_source, environment),
     .doc = "The environment that cameras inside the volume have.",
     .default_text = NULL,
     .reference_type = "environment"},
    {.name = "environment_fade",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_level_volume_source, environment_fade),
     .doc = "How far outside the volume its environment fades away.",
     .unit = "m",
     .least = 0,
     .most = 1e6,
     .default_value = {2}},
    {.name = "environment_weight",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_level_volume_source, environment_weight),
     .doc = "How much of its environment there is inside: 1 is all.",
     .least = 0,
     .most = 1,
     .default_value = {1}},
    {.name = "environment_priority",
     .type = CT_FIELD_TYPE_INT,
     AT(ct_level_volume_source, environment_priority),
     .doc = "Where volumes overlap, those with a greater priority are applied later.",
     .least = -1000000,
     .most = 1000000},
    {.name = "reverb",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_level_volume_source, reverb),
     .doc = "How much of the world's sounds goes to the reverb of the place while a listener is "
            "inside. -96: none.",
     .unit = "dB",
     .least = (double)CT_LEVEL_NO_REVERB,
     .most = 24,
     .default_value = {(double)CT_LEVEL_NO_REVERB}},
    {.name = "reverb_fade",
     .type = CT_FIELD_TYPE_FLOAT,
     AT(ct_level_volume_source, reverb_fade),
     .doc = "How far outside the volume its reverb fades away.",
     .unit = "m",
     .least = 0,
     .most = 1e6,
     .default_value = {2}},
};

const ct_schema ct_level_volume_schema = {
    .name = "volume",
    .doc = "A named part of space.",
    .size_bytes = sizeof(ct_level_volume_source),
    .num_fields = CT_COUNT_OF(volume_fields),
    .fields = volume_fields,
    .identity = CT_SCHEMA_ID,
};

static const ct_field spline_fields[] = {
    MEMBER_FIELDS(ct_level_spline_source, "spline"),
    {.name = "type",
     .type = CT_FIELD_TYPE_ENUM,
     AT(ct_level_spline_source, type),
     .doc = "How it goes through its points: smoothly by itself, or by their handles.",
     .enum_names = spline_types},
    {.name = "is_closed",
     .type = CT_FIELD_TYPE_BOOL,
     AT(ct_level_spline_source, is_closed),
     .doc = "Whether it goes on from its last point to its first."},
    POSITION_AND_ROTATION(ct_level_spline_source),
    SCALE(ct_level_spline_source),
    {.name = "points",
     .type = CT_FIELD_TYPE_ARRAY,
     AT(ct_level_spline_source, points),
     .flags = CT_FIELD_REQUIRED,
     .doc = "2 points or more: [x y z], or { position handle_in handle_out } of a bezier spline.",
     .unit = "m"},
};

const ct_schema ct_level_spline_schema = {
    .name = "spline",
    .doc = "A named curve.",
    .size_bytes = sizeof(ct_level_spline_source),
    .num_fields = CT_COUNT_OF(spline_fields),
    .fields = spline_fields,
    .identity = CT_SCHEMA_ID,
};

static const ct_field point_fields[] = {
    {.name = "position",
     .type = CT_FIELD_TYPE_VECTOR3,
     AT(ct_level_point_source, position),
     .flags = CT_FIELD_REQUIRED,
     .doc = "Where the spline goes through.",
     .unit = "m",
     .least = -1e7,
     .most = 1e7},
    {.name = "handle_in",
     .type = CT_FIELD_TYPE_VECTOR3,
     AT(ct_level_point_source, handle_in),
     .doc = "The handle before the point, relative to it.",
     .unit = "m",
     .least = -1e7,
     .most = 1e7},
    {.name = "handle_out",
     .type = CT_FIELD_TYPE_VECTOR3,
     AT(ct_level_point_source, handle_out),
     .doc = "The handle behind the point, relative to it.",
     .unit = "m",
     .least = -1e7,
     .most = 1e7},
};

const ct_schema ct_level_point_schema = {
    .name = "point",
    .doc = "A point of a spline.",
    .size_bytes = sizeof(ct_level_point_source),
    .num_fields = CT_COUNT_OF(point_fields),
    .fields = point_fields,
};

static const ct_field marker_fields[] = {
    MEMBER_FIELDS(ct_level_marker_source, "marker"),
    POSITION_AND_ROTATION(ct_level_marker_source),
};

const ct_schema ct_level_marker_schema = {
    .name = "marker",
    .doc = "A named pose.",
    .size_bytes = sizeof(ct_level_marker_source),
    .num_fields = CT_COUNT_OF(marker_fields),
    .fields = marker_fields,
    .identity = CT_SCHEMA_ID,
};

// --- The blob ------------------------------------------------------------------------------------

const ct_blob_layout ct_level_point_layout = CT_BLOB_ALL_NUMBERS(float[3], 4);
const ct_blob_layout ct_level_plane_layout = CT_BLOB_ALL_NUMBERS(float[4], 4);

const ct_blob_layout ct_level_volume_layout = CT_BLOB_STRUCT(
    ct_level_volume, CT_BLOB_NUMBERS(4, ct_level_volume, id, reverb_fade),
    CT_BLOB_NUMBERS(8, ct_level_volume, mesh, environment),
    CT_BLOB_STRING(ct_level_volume, name_text), CT_BLOB_STRING(ct_level_volume, purpose_text),
    CT_BLOB_ARRAY(ct_level_volume, planes, ct_level_plane_layout),
    CT_BLOB_ARRAY(ct_level_volume, points, ct_level_point_layout),
    CT_BLOB_ARRAY(ct_level_volume, triangles, ct_blob_u32_layout));

const ct_blob_layout ct_level_spline_layout = CT_BLOB_STRUCT(
    ct_level_spline, CT_BLOB_NUMBERS(4, ct_level_spline, id, padding),
    CT_BLOB_STRING(ct_level_spline, name_text), CT_BLOB_STRING(ct_level_spline, purpose_text),
    CT_BLOB_ARRAY(ct_level_spline, points, ct_level_point_layout),
    CT_BLOB_ARRAY(ct_level_spline, controls, ct_level_point_layout),
    CT_BLOB_ARRAY(ct_level_spline, lengths, ct_blob_u32_layout));

const ct_blob_layout ct_level_marker_layout = CT_BLOB_STRUCT(
    ct_level_marker, CT_BLOB_NUMBERS(4, ct_level_marker, id, rotation),
    CT_BLOB_STRING(ct_level_marker, name_text), CT_BLOB_STRING(ct_level_marker, purpose_text));

// --- Checks --------------------------------------------------------------------------------------

// What a source may give; points of splines are scaled.
static const float position_limit = 1e7f, scale_limit = 1e6f, spline_limit = 1e14f,
                   most_reverb = 24;

// Also false for what is not a number.
static bool are_within(const float *numbers, uint64_t count, float limit) {
    for (uint64_t i = 0; i < count; ++i) {
        if (!(fabsf(numbers[i]) <= limit))
            return false;
    }
    return true;
}

static bool is_rotation(const float r[4]) {
    const float length2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3];
    return length2 > 0.99f && length2 < 1.01f;
}

// Checks the convex hull of a volume.
static bool check_hull(const void *blob, const ct_level_volume *v, const char *what,
                       ct_error *error) {
    const bool is_convex = v->type == CT_LEVEL_VOLUME_CONVEX;
    const uint32_t least = is_convex ? 4 : 0, most = is_convex ? CT_LEVEL_MAX_CONVEX_POINTS : 0;
    const uint32_t triangles = v->triangles.count / 3;
    if (v->points.count < least || v->points.count > most)
        return ct_error_set(error, "%s.points: found %u, expected %u to %u", what, v->points.count,
                            least, most);
    // A closed surface of n points has 2 n - 4 triangles.
    if (v->planes.count < least || v->planes.count > triangles || v->triangles.count % 3 != 0 ||
        triangles < least || triangles > 2 * v->points.count)
        return ct_error_set(error, "%s: found %u planes and %u corners of triangles, expected %s",
                            what, v->planes.count, v->triangles.count,
                            is_convex ? "those of a hull" : "none");
    if (!are_within(ct_blob_at(blob, v->points.offset), 3ull * v->points.count, position_limit) ||
        !are_within(ct_blob_at(blob, v->planes.offset), 4ull * v->planes.count, 2 * position_limit))
        return ct_error_set(error, "%s: its hull is out of range", what);
    const uint32_t *const corners = ct_blob_at(blob, v->triangles.offset);
    for (uint32_t i = 0; i < v->triangles.count; ++i) {
        if (corners[i] >= v->points.count)
            return ct_error_set(error, "%s.triangles[%u]: found %u, but there are only %u points",
                                what, i, corners[i], v->points.count);
    }
    return true;
}

static bool check_volume(const void *blob, const ct_level_volume *v, const char *what,
                         ct_error *error) {
    if (v->type >= CT_LEVEL_VOLUME_TYPE_COUNT)
        return ct_error_set(error, "%s.type: found %u, expected less than %d", what, v->type,
                            CT_LEVEL_VOLUME_TYPE_COUNT);
    if (!are_within(v->position, 3, position_limit) || !is_rotation(v->rotation) ||
        !are_within(v->scale, 3, scale_limit) || v->scale[0] == 0 || v->scale[1] == 0 ||
        v->scale[2] == 0)
        return ct_error_set(error, "%s: its pose is invalid", what);
    if (!are_within(v->half_size, 3, scale_limit) ||
        !(v->half_size[0] > 0 && v->half_size[1] > 0 && v->half_size[2] > 0))
        return ct_error_set(error, "%s.half_size: expected positive numbers up to %g", what,
                            (double)scale_limit);
    if ((v->mesh.value != 0) != (v->type == CT_LEVEL_VOLUME_MESH))
        return ct_error_set(error, "%s.mesh: expected one of mesh volumes only", what);
    if (!(v->environment_fade >= 0 && v->environment_fade <= scale_limit) ||
        !(v->environment_weight >= 0 && v->environment_weight <= 1))
        return ct_error_set(error, "%s: the fade or the weight of its environment is invalid",
                            what);
    if (!(v->reverb >= CT_LEVEL_NO_REVERB && v->reverb <= most_reverb) ||
        !(v->reverb_fade >= 0 && v->reverb_fade <= scale_limit))
        return ct_error_set(error, "%s: its reverb or the fade of it is invalid", what);
    return check_hull(blob, v, what, error);
}

bool ct_level_volumes_check(const void *blob, ct_blob_array volumes, ct_error *error) {
    const ct_level_volume *const items = ct_blob_at(blob, volumes.offset);
    for (uint32_t i = 0; i < volumes.count; ++i) {
        char what[32];
        snprintf(what, sizeof(what), "volumes[%u]", i);
        if (!check_volume(blob, &items[i], what, error))
            return false;
    }
    return true;
}

static bool check_lengths(const void *blob, const ct_level_spline *s, const char *what,
                          ct_error *error) {
    const float *const lengths = ct_blob_at(blob, s->lengths.offset);
    for (uint32_t i = 0; i < s->lengths.count; ++i) {
        if (!isfinite(lengths[i]) || (i == 0 ? lengths[i] != 0 : lengths[i] < lengths[i - 1]))
            return ct_error_set(error, "%s.lengths[%u]: found %g, expected ascending from 0", what,
                                i, (double)lengths[i]);
    }
    return true;
}

static bool check_spline(const void *blob, const ct_level_spline *s, const char *what,
                         ct_error *error) {
    if (s->type >= CT_LEVEL_SPLINE_TYPE_COUNT || s->is_closed > 1)
        return ct_error_set(error, "%s: found type %u and closed %u, which are out of range", what,
                            s->type, s->is_closed);
    if (s->points.count < 2 || s->points.count > CT_LEVEL_MAX_SPLINE_POINTS)
        return ct_error_set(error, "%s.points: found %u, expected 2 to %d", what, s->points.count,
                            CT_LEVEL_MAX_SPLINE_POINTS);
    const uint32_t pieces = s->points.count - 1 + s->is_closed;
    if (s->controls.count != 3 * pieces + 1 ||
        s->lengths.count != CT_LEVEL_SPLINE_STEPS * pieces + 1)
        return ct_error_set(error, "%s: found %u controls and %u lengths for %u pieces", what,
                            s->controls.count, s->lengths.count, pieces);
    if (!are_within(ct_blob_at(blob, s->points.offset), 3ull * s->points.count, spline_limit) ||
        !are_within(ct_blob_at(blob, s->controls.offset), 3ull * s->controls.count, spline_limit))
        return ct_error_set(error, "%s: its points are out of range", what);
    return check_lengths(blob, s, what, error);
}

bool ct_level_splines_check(const void *blob, ct_blob_array splines, ct_error *error) {
    const ct_level_spline *const items = ct_blob_at(blob, splines.offset);
    for (uint32_t i = 0; i < splines.count; ++i) {
        char what[32];
        snprintf(what, sizeof(what), "splines[%u]", i);
        if (!check_spline(blob, &items[i], what, error))
            return false;
    }
    return true;
}

bool ct_level_markers_check(const void *blob, ct_blob_array markers, ct_error *error) {
    const ct_level_marker *const items = ct_blob_at(blob, markers.offset);
    for (uint32_t i = 0; i < markers.count; ++i) {
        if (!are_within(items[i].position, 3, position_limit) || !is_rotation(items[i].rotation))
            return ct_error_set(error, "markers[%u]: its pose is invalid", i);
    }
    return true;
}
