// line_object.h: debug lines collected from shapes, then drawn in one frame.
//
// A line object keeps its lines until it is reset; dispatching draws them in the frame being
// recorded. Colours are linear.
#pragma once
#include "foundation/container/array.h"
#include "foundation/math/math.h"
#include "render/renderer.h"

typedef CT_ARRAY(ct_line_vertex) ct_line_vertex_array;

typedef struct ct_line_object {
    ct_line_vertex_array vertices; // two for each line
} ct_line_object;

ct_line_object *ct_line_object_create(ct_allocator *a);
void ct_line_object_destroy(ct_line_object *l);
void ct_line_object_reset(ct_line_object *l);

void ct_line_object_add_line(ct_line_object *l, ct_vec4 color, ct_vec3 from, ct_vec3 to);
// Red, green and blue lines along the pose's x, y and z axes.
void ct_line_object_add_axes(ct_line_object *l, const ct_mat4 *pose, float length);
// The 12 edges of a box of these half extents.
void ct_line_object_add_box(ct_line_object *l, ct_vec4 color, const ct_mat4 *pose,
                            ct_vec3 half_extents);
void ct_line_object_add_circle(ct_line_object *l, ct_vec4 color, ct_vec3 center, float radius,
                               ct_vec3 normal, uint32_t num_segments);
// Three circles.
void ct_line_object_add_sphere(ct_line_object *l, ct_vec4 color, ct_vec3 center, float radius,
                               uint32_t num_segments);
void ct_line_object_add_cone(ct_line_object *l, ct_vec4 color, ct_vec3 from, ct_vec3 to,
                             float radius, uint32_t num_segments, uint32_t num_bars);
void ct_line_object_add_capsule(ct_line_object *l, ct_vec4 color, ct_vec3 from, ct_vec3 to,
                                float radius, uint32_t num_segments);

// Draws the lines in `world` in the frame being recorded.
void ct_line_object_dispatch(const ct_line_object *l, ct_renderer *r, ct_render_world_id world);
