// level_members.h: volumes, splines and markers of a level: named places that systems share.
//
// They are no entities. A game finds them by name; systems find theirs by `purpose`, a name that
// they choose ("fog", "reverb"). Everything is in the space of the level, in metres. The blob of a
// level has an array of each kind, in source order (unit_resource.h). Names are unique within a
// kind.
#pragma once
#include "resource/blob/blob_layout.h"

enum {
    CT_LEVEL_MAX_CONVEX_POINTS = 256,     // of one volume
    CT_LEVEL_MAX_SPLINE_POINTS = 1 << 16, // of one spline
    CT_LEVEL_SPLINE_STEPS = 16,           // arc lengths of each piece of a spline
};

#define CT_LEVEL_NO_REVERB (-96.0f) // dB

typedef enum ct_level_volume_type {
    CT_LEVEL_VOLUME_BOX,
    CT_LEVEL_VOLUME_SPHERE,
    CT_LEVEL_VOLUME_CONVEX, // the hull of points
    CT_LEVEL_VOLUME_MESH,   // inside the closed triangles of a mesh resource
    CT_LEVEL_VOLUME_TYPE_COUNT,
} ct_level_volume_type;

// A part of space. Sizes and points are in the volume's own space; its pose leads to the level's.
typedef struct ct_level_volume {
    ct_string_id32 id; // of its `id` string
    ct_string_id32 name;
    ct_string_id32 purpose; // 0: none
    uint32_t type;          // ct_level_volume_type
    float position[3];
    float rotation[4];            // x y z w
    float scale[3];               // no part is 0
    float half_size[3];           // of a box; of a sphere the radius, three times
    float environment_fade;       // metres outside in which the environment fades away
    float environment_weight;     // 0 to 1
    int32_t environment_priority; // greater ones count more
    float reverb;        // dB that listeners inside send to the reverb; CT_LEVEL_NO_REVERB: none
    float reverb_fade;   // metres outside in which it fades away
    ct_string_id64 mesh; // of CT_LEVEL_VOLUME_MESH, else 0
    ct_string_id64 environment; // that cameras inside have, or 0
    ct_blob_string name_text, purpose_text;
    // Of CT_LEVEL_VOLUME_CONVEX, else empty.
    ct_blob_array planes;    // float[4]: a point p is inside when dot(xyz, p) <= w; length 1
    ct_blob_array points;    // float[3], the corners of the hull
    ct_blob_array triangles; // uint32_t, three for each: corners, counter-clockwise from outside
} ct_level_volume;

typedef enum ct_level_spline_type {
    CT_LEVEL_SPLINE_CATMULL_ROM, // centripetal, through its points
    CT_LEVEL_SPLINE_BEZIER,      // cubic, through its points, with handles
    CT_LEVEL_SPLINE_TYPE_COUNT,
} ct_level_spline_type;

// A curve. Splines of both types are stored as cubic Bézier pieces, placed in the level.
typedef struct ct_level_spline {
    ct_string_id32 id; // of its `id` string
    ct_string_id32 name;
    ct_string_id32 purpose; // 0: none
    uint32_t type;          // ct_level_spline_type: of the source
    uint32_t is_closed;
    uint32_t padding;
    ct_blob_string name_text, purpose_text;
    ct_blob_array points;   // float[3]: those of the source, at least 2
    ct_blob_array controls; // float[3]: 3 for each piece (a point, two handles), then the end
    ct_blob_array lengths;  // float, ascending: the length of the curve from its start to each of
                            // CT_LEVEL_SPLINE_STEPS places in each piece, evenly spaced in the
                            // piece's parameter; the first is 0
} ct_level_spline;

// A named pose.
typedef struct ct_level_marker {
    ct_string_id32 id; // of its `id` string
    ct_string_id32 name;
    ct_string_id32 purpose; // 0: none
    float position[3];
    float rotation[4]; // x y z w
    ct_blob_string name_text, purpose_text;
} ct_level_marker;

extern const ct_blob_layout ct_level_volume_layout, ct_level_spline_layout, ct_level_marker_layout,
    ct_level_point_layout, ct_level_plane_layout; // the last two: float[3], float[4]

// Check the elements of a blob whose layout was checked before: types, poses, counts and indices.
// Return false with `error`, which names the member: "volumes[2].points: …". libc only.
bool ct_level_volumes_check(const void *blob, ct_blob_array volumes, ct_error *error);
bool ct_level_splines_check(const void *blob, ct_blob_array splines, ct_error *error);
bool ct_level_markers_check(const void *blob, ct_blob_array markers, ct_error *error);

// --- Sources -------------------------------------------------------------------------------------

// What all members have: read by ct_schema_read as the first fields of each.
typedef struct ct_level_member_source {
    const char *name;
    const char *purpose; // or NULL
    const char *layer;   // for tools; or NULL
} ct_level_member_source;

// An element of `volumes`.
typedef struct ct_level_volume_source {
    ct_level_member_source member;
    uint32_t type;
    float position[3], rotation[4], scale[3];
    float half_size[3], radius;
    ct_sjson_value points;      // array of [x y z]
    ct_string_id64 mesh;        // or 0
    ct_string_id64 environment; // or 0
    float environment_fade, environment_weight;
    int32_t environment_priority;
    float reverb, reverb_fade;
} ct_level_volume_source;

// An element of `splines`.
typedef struct ct_level_spline_source {
    ct_level_member_source member;
    uint32_t type, is_closed;
    float position[3], rotation[4], scale[3];
    ct_sjson_value points; // array of [x y z] or of ct_level_point_source
} ct_level_spline_source;

// A point of a spline, as an object. Handles are relative to the point.
typedef struct ct_level_point_source {
    float position[3], handle_in[3], handle_out[3];
} ct_level_point_source;

// An element of `markers`.
typedef struct ct_level_marker_source {
    ct_level_member_source member;
    float position[3], rotation[4];
} ct_level_marker_source;

extern const ct_schema ct_level_volume_schema, ct_level_spline_schema, ct_level_point_schema,
    ct_level_marker_schema;
