// line_object.h: debug lines collected from shapes, then drawn in one frame.
//
// A line object keeps its lines until it is reset; dispatching draws them in the frame being
// recorded. Positions are in world space, lengths in metres; colours are linear. A circle has at
// least 3 segments: a smaller number counts as 3. The array of lines grows and keeps its memory.
#pragma once
#include "foundation/container/array.h"
#include "foundation/math/math_types.h"
#include "render/renderer.h"

typedef CT_ARRAY(ct_line_vertex) ct_line_vertex_array;

typedef struct ct_line_object {
    ct_line_vertex_array vertices; // two for each line
} ct_line_object;

// Makes an object without lines, from `a`, which must outlive it.
ct_line_object *ct_line_object_create(ct_allocator *a);

// Frees the object with its lines; NULL is fine.
void ct_line_object_destroy(ct_line_object *l);

// Removes all lines and keeps the memory.
void ct_line_object_reset(ct_line_object *l);

// Adds one line.
void ct_line_object_add_line(ct_line_object *l, ct_vec4 color, ct_vec3 from, ct_vec3 to);

// Adds a red, a green and a blue line of this length along the pose's x, y and z axes.
void ct_line_object_add_axes(ct_line_object *l, const ct_mat4 *pose, float length);

// Adds the 12 edges of a box of these half extents, in the space of `pose`.
void ct_line_object_add_box(ct_line_object *l, ct_vec4 color, const ct_mat4 *pose,
                            ct_vec3 half_extents);

// Adds a circle of `num_segments` lines in the plane through `center` across `normal`, which may
// have any length.
void ct_line_object_add_circle(ct_line_object *l, ct_vec4 color, ct_vec3 center, float radius,
                               ct_vec3 normal, uint32_t num_segments);

// Adds three circles around `center`, across the world's axes. Each has `num_segments` lines.
void ct_line_object_add_sphere(ct_line_object *l, ct_vec4 color, ct_vec3 center, float radius,
                               uint32_t num_segments);

// Adds a cone: a circle of `num_segments` lines around `from`, the centre of its base, and
// `num_bars` lines from the circle to `to`, its tip.
void ct_line_object_add_cone(ct_line_object *l, ct_vec4 color, ct_vec3 from, ct_vec3 to,
                             float radius, uint32_t num_segments, uint32_t num_bars);

// Adds a capsule: a half sphere at either end of the line `from` to `to`, and four lines along its
// sides. It is a sphere when both ends are one point.
void ct_line_object_add_capsule(ct_line_object *l, ct_vec4 color, ct_vec3 from, ct_vec3 to,
                                float radius, uint32_t num_segments);

// Draws the lines in `world` in the frame being recorded. They are copied.
void ct_line_object_dispatch(const ct_line_object *l, ct_renderer *r, ct_render_world_id world);
