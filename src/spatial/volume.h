// volume.h: boxes, balls, convex hulls and closed meshes at any pose: what is inside, and where.
//
// A volume is plain data that borrows its points. All points are in the space that `pose` leads to,
// metres. Its border belongs to a box, a ball and a hull; that of a mesh may count as inside or
// outside. A volume whose pose has a scale of 0 contains nothing.
#pragma once
#include "foundation/math/random.h"

typedef enum ct_volume_type {
    CT_VOLUME_BOX,    // within `half` along the axes
    CT_VOLUME_BALL,   // within the ellipsoid whose half axes are `half`
    CT_VOLUME_CONVEX, // behind all planes; the triangles are its surface
    CT_VOLUME_MESH,   // where the triangles wind around a point
} ct_volume_type;

// Made with the functions below. Arrays are borrowed.
typedef struct ct_volume {
    ct_mat4 pose, inverse; // from the volume's own space, and back; not finite when flattened
    ct_volume_type type;
    uint32_t num_planes, num_points, num_triangles;
    ct_aabb local;           // bounds in its own space
    const ct_vec4 *planes;   // CONVEX: a point p is inside when dot(xyz, p) <= w
    const ct_vec3 *points;   // CONVEX, MESH
    const uint32_t *corners; // CONVEX, MESH: three for each triangle, counter-clockwise outside
} ct_volume;

// Makes a box or a ball around the origin of its own space.
ct_volume ct_volume_box(const ct_mat4 *pose, ct_vec3 half);
ct_volume ct_volume_ball(const ct_mat4 *pose, float radius);

// Makes a convex volume, as ct_convex_hull has it.
ct_volume ct_volume_convex(const ct_mat4 *pose, const ct_vec4 *planes, uint32_t num_planes,
                           const ct_vec3 *points, uint32_t num_points, const uint32_t *corners,
                           uint32_t num_triangles);

// Makes the volume inside triangles, which must be closed (ct_volume_is_closed): otherwise what is
// inside has no meaning. They may be several pieces, also one in another: a point is inside when
// the surface winds around it, so pieces that overlap are one, and pieces turned inside out are
// holes.
ct_volume ct_volume_mesh(const ct_mat4 *pose, const ct_vec3 *points, uint32_t num_points,
                         const uint32_t *corners, uint32_t num_triangles);

// Returns whether triangles are closed: every edge has as many triangles on its left as on its
// right. Corners at one place must be one point (ct_volume_join_points). Allocates from `a`, and
// frees it.
bool ct_volume_is_closed(const uint32_t *corners, uint32_t num_triangles, ct_allocator *a);

// Replaces corners by the first point at the same place, for meshes whose vertices are split where
// normals or colours change. Allocates from `a`, and frees it.
void ct_volume_join_points(const ct_vec3 *points, uint32_t num_points, uint32_t *corners,
                           uint32_t num_triangles, ct_allocator *a);

// Returns whether a point is inside. A mesh takes about 4 ns for each triangle, unless the point is
// outside its bounds; others take about 20 ns.
bool ct_volume_contains(const ct_volume *v, ct_vec3 point);

// Returns how far a point is from the volume, in metres; 0 inside. `most` when it is that far or
// farther, or the volume contains nothing. Of a ball that is scaled differently along its axes it is
// an estimate that is too great. A hull or a mesh takes about 20 ns for each triangle when the point
// is within `most` of its bounds.
float ct_volume_distance(const ct_volume *v, ct_vec3 point, float most);

// Returns the box around the volume; that of a turned ball or box is exact, that of others encloses
// all points.
ct_aabb ct_volume_bounds(const ct_volume *v);

// Sets `point` to a point inside, all equally likely. The same generator gives the same point. For
// a mesh it tries points of the bounds until one is inside. Returns false, and leaves `point`
// unchanged, when the volume contains nothing: it is flattened, or after 65,536 tries.
bool ct_volume_random_point(const ct_volume *v, ct_random *r, ct_vec3 *point);

// Receives one line.
typedef void (*ct_volume_line)(void *user, ct_vec3 from, ct_vec3 to);

// Calls `line` with lines that show the volume: 12 of a box; three circles of 24 of a ball; the
// edges of a hull without those inside its sides; the edges of a mesh.
void ct_volume_lines(const ct_volume *v, ct_volume_line line, void *user);
