// mesh_resource.h: the blob of a mesh: vertices, indices, parts, levels of detail, shapes, bounds.
//
// Every mesh has one interleaved stream of vertices; meshes with colours or a second set of texture
// coordinates have another stream beside it. Both are of one of three formats. The packed formats
// store positions and coordinates as whole numbers on a grid whose steps are powers of two. So
// positions on such a grid (halves, sixteenths, …) are exact in every mesh, and neighbouring meshes
// meet. Shaders get metres and coordinates in every format.
//
// A skinned mesh names the joints that move it, and has 4 or 8 influences for each vertex in a
// stream of their own. The vertices are in the bind pose: the pose of a skeleton moves a point p to
// the sum of weight * model * inverse_bind * p, where `model` is the matrix from the joint's space
// to that of the entity.
//
// All levels of detail use the same vertices; their indices are consecutive, with the full level
// first. Shapes (collision, occluders) have points and indices of their own and are not drawn. What
// physics needs of collision shapes is cooked: hulls, and trees that find triangles.
#pragma once
#include "resource/types/resource_types.h"

enum {
    CT_MESH_VERSION = 5,
    CT_MESH_MAX_LODS = 8,                  // including the full level
    CT_MESH_MAX_INFLUENCES = 8,            // joints that move one vertex
    CT_MESH_MAX_SKIN_JOINTS = 256,         // joints that move one mesh
    CT_MESH_MAX_HULLS = 64,                // of one shape
    CT_MESH_MAX_HULL_POINTS = 64,          // of one hull
    CT_MESH_MAX_SHAPE_TRIANGLES = 1 << 21, // of a collision shape of kind MESH
};

typedef enum ct_mesh_format {
    CT_MESH_FORMAT_FULL,           // ct_mesh_vertex, ct_mesh_vertex_extra
    CT_MESH_FORMAT_PACKED,         // ct_mesh_packed_vertex, ct_mesh_packed_extra
    CT_MESH_FORMAT_PACKED_WIDE_UV, // ct_mesh_wide_uv_vertex, ct_mesh_wide_uv_extra
    CT_MESH_FORMAT_COUNT,
} ct_mesh_format;

// Shader locations 0 to 3, in this order. Mesh space: metres, Z up, Y forward.
typedef struct ct_mesh_vertex {
    float position[3];
    float normal[3];
    float tangent[4]; // w: the sign of the bitangent
    float uv[2];      // origin top left
} ct_mesh_vertex;

// Shader locations 4 and 5. Linear colour, 65535 is 1; colours of the file outside 0 to 1 are
// clamped.
typedef struct ct_mesh_vertex_extra {
    uint16_t color[4];
    float uv1[2]; // origin top left
} ct_mesh_vertex_extra;

// Directions: x, y, z of 10 bits each from the lowest bit up, then 2 bits of w, all signed; 511 and
// 1 are 1.
typedef struct ct_mesh_packed_vertex {
    int16_t position[4]; // on the grid, 32767 is 1; w is 1
    uint32_t normal;     // w is 0
    uint32_t tangent;    // w: the sign of the bitangent
    uint16_t uv[2];      // on the grid, 65535 is 1
} ct_mesh_packed_vertex;

typedef struct ct_mesh_packed_extra {
    uint8_t color[4]; // 255 is 1
    uint16_t uv1[2];  // on the grid, 65535 is 1
} ct_mesh_packed_extra;

// For texture coordinates that 16 bits cannot store precisely enough.
typedef struct ct_mesh_wide_uv_vertex {
    int16_t position[4];
    uint32_t normal, tangent;
    float uv[2];
} ct_mesh_wide_uv_vertex;

// The extra of a vertex whose coordinates are floats.
typedef struct ct_mesh_wide_uv_extra {
    uint8_t color[4];
    float uv1[2];
} ct_mesh_wide_uv_extra;

// The meaning of a vertex's numbers, from -1 (positions) or 0 (coordinates) to 1: number * scale +
// offset. The identity for numbers that are stored unpacked. Shaders get it too.
typedef struct ct_mesh_grid {
    float point_offset[3], point_scale;
    float uv_offset[2], uv_scale[2];
    float uv1_offset[2], uv1_scale[2];
} ct_mesh_grid;

// A joint that moves vertices of a mesh.
typedef struct ct_mesh_skin_joint {
    ct_blob_string name_text; // for messages
    ct_string_id32 name;      // of name_text; joints of different skins may share one
    float inverse_bind[3][4]; // rows: from mesh space to the joint's space
    // In the joint's space, a sphere around all vertices that it moves. A negative radius: none.
    float center[3], radius;
} ct_mesh_skin_joint;

// The influences of a vertex: positions in the mesh's skin joints, and how much each moves it, the
// heaviest first. The weights add up to 255. Of those left over the weight and the joint are 0.
typedef struct ct_mesh_influences4 {
    uint8_t joints[4], weights[4];
} ct_mesh_influences4;

// As ct_mesh_influences4 for up to 8 joints.
typedef struct ct_mesh_influences8 {
    uint8_t joints[8], weights[8];
} ct_mesh_influences8;

// A run of triangles with one material; empty when none of them had an area.
typedef struct ct_mesh_part {
    uint32_t first_index, num_indices;
    ct_string_id32 slot; // the material's name in the model file
    uint32_t padding;
} ct_mesh_part;

// A level of detail below the full one.
typedef struct ct_mesh_lod {
    // The level is drawn while the mesh's sphere is smaller than this share of the view's height,
    // and no later level qualifies. Positive, and at most that of the level before.
    float screen_size;
    float error; // error of the surface in metres, as far as known; 0: the model's own level
} ct_mesh_lod;

typedef enum ct_mesh_shape_use {
    CT_MESH_SHAPE_USE_COLLISION,
    CT_MESH_SHAPE_USE_OCCLUDER, // hides objects behind it
    CT_MESH_SHAPE_USE_COUNT,
} ct_mesh_shape_use;

// How a shape is represented.
typedef enum ct_mesh_shape_kind {
    CT_MESH_SHAPE_KIND_MESH,   // its triangles
    CT_MESH_SHAPE_KIND_CONVEX, // the hull of its points
    CT_MESH_SHAPE_KIND_BOX,    // its box
    CT_MESH_SHAPE_KIND_SPHERE, // the sphere around the centre of its box
    CT_MESH_SHAPE_KIND_COUNT,
} ct_mesh_shape_kind;

// A convex hull. Mesh space, metres.
typedef struct ct_mesh_hull {
    float center[3];                  // of mass
    float volume;                     // cubic metres, positive
    uint32_t first_point, num_points; // in hull_points, relative to `center`; 4 at least
} ct_mesh_hull;

// A node of a tree that finds triangles by their bounds, in depth-first order. Bounds are steps of
// the tree's grid, which is in the shape.
typedef struct ct_mesh_tree_node {
    uint16_t least[3], most[3];
    int32_t next; // 0 or more: a leaf with this triangle; else the negative number of nodes in it
} ct_mesh_tree_node;

// One node of the model that is named as a shape, or what `collision` of the source made. Mesh
// space, metres. Every kind has triangles (some with an area), and a box along its node's axes and a
// sphere, which contain them. Collision shapes of kind CONVEX also have 1 to CT_MESH_MAX_HULLS
// hulls: several when the shape was split. Those of kind MESH have a tree.
typedef struct ct_mesh_shape {
    ct_string_id32 name; // of the node; 0: made by `collision`
    uint32_t use;        // ct_mesh_shape_use
    uint32_t kind;       // ct_mesh_shape_kind
    uint32_t first_point, num_points;
    uint32_t first_index, num_indices; // indices are relative to the shape's first point
    float center[3];                   // of box and sphere
    float rotation[4];                 // of the box, x y z w
    float half_size[3];                // of the box, along its own axes; one may be 0
    float radius;
    uint32_t first_hull, num_hulls;    // of collision shapes of kind CONVEX; else 0
    uint32_t first_node, num_nodes;    // of collision shapes of kind MESH; else 0
    float tree_least[3], tree_most[3]; // metres: where steps 0 and 65,535 of the nodes are, about
    float tree_steps[3];               // steps in a metre, positive
} ct_mesh_shape;

typedef struct ct_mesh_resource {
    ct_blob_header header;
    float bounds_min[3], bounds_max[3];
    float bounds_radius;  // of the sphere around the centre of the box
    uint32_t index_bytes; // 2 or 4
    uint32_t num_vertices;
    uint32_t num_indices;        // of all levels
    ct_blob_array vertices;      // by `format`
    ct_blob_array extras;        // by `format`: none, or one for each vertex
    ct_blob_array indices;       // uint16_t or uint32_t, triangles, counter-clockwise is front
    ct_blob_array parts;         // ct_mesh_part of the full level, at least one
    ct_blob_array lods;          // ct_mesh_lod: levels below the full one, the finest first
    ct_blob_array lod_parts;     // ct_mesh_part: for each of `lods` as many as `parts`
    ct_blob_array shapes;        // ct_mesh_shape
    ct_blob_array shape_points;  // float[3]
    ct_blob_array shape_indices; // uint32_t, triangles
    ct_blob_array hulls;         // ct_mesh_hull
    ct_blob_array hull_points;   // float[3]
    ct_blob_array tree_nodes;    // ct_mesh_tree_node
    uint32_t format;             // ct_mesh_format
    ct_mesh_grid grid;
    uint32_t num_influences;   // of each vertex: 0 (no skin), 4 or 8
    ct_blob_array skin_joints; // ct_mesh_skin_joint: none, or 1 to CT_MESH_MAX_SKIN_JOINTS
    ct_blob_array influences;  // ct_mesh_influences4 or 8: none, or one for each vertex
} ct_mesh_resource;

// Which axis of the model file points up.
typedef enum ct_mesh_up_axis {
    CT_MESH_UP_AXIS_FILE, // as the file, or its format, says
    CT_MESH_UP_AXIS_Y,    // y up, z towards the viewer
    CT_MESH_UP_AXIS_Z,    // z up, y away from the viewer: the engine's axes
} ct_mesh_up_axis;

// The collision shape that is made of the triangles that are drawn.
typedef enum ct_mesh_collision {
    CT_MESH_COLLISION_NONE,
    CT_MESH_COLLISION_CONVEX,    // one hull
    CT_MESH_COLLISION_TRIANGLES, // the triangles
    CT_MESH_COLLISION_HULLS,     // several hulls, which follow the surface
} ct_mesh_collision;

// The fields that the schema reads from a source.
typedef struct ct_mesh_source {
    const char *source; // media: .gltf, .glb, .fbx, .obj
    const char *node;   // the node's name or path; NULL or "": the whole scene in one mesh
    float scale;
    uint32_t children;      // bool: with all nodes below `node`
    uint32_t up_axis;       // ct_mesh_up_axis
    uint32_t quantize;      // bool: packed vertices
    int32_t max_influences; // joints that may move one vertex: 4 or 8
    ct_sjson_value lods;    // how many levels below the full one; or an array of ct_mesh_lod_source
    uint32_t collision;     // ct_mesh_collision
    int32_t collision_hulls;   // most hulls of a shape that is split
    float collision_concavity; // metres by which its hulls may differ from the surface
} ct_mesh_source;

// One of `lods`; each member may be 0: not given.
typedef struct ct_mesh_lod_source {
    float ratio;       // share of the full level's triangles
    float max_error;   // relative to the mesh's size
    float screen_size; // as in ct_mesh_lod
} ct_mesh_lod_source;

extern const ct_schema ct_mesh_schema;
extern const ct_schema ct_mesh_lod_schema;
extern const ct_blob_layout ct_mesh_layout, ct_mesh_part_layout, ct_mesh_lod_layout,
    ct_mesh_shape_layout, ct_mesh_hull_layout, ct_mesh_tree_node_layout;
extern const ct_blob_layout ct_mesh_point_layout; // float[3]
extern const ct_blob_layout ct_mesh_skin_joint_layout, ct_mesh_influences4_layout,
    ct_mesh_influences8_layout;

// Validates a blob of this type after its header was checked: every offset is inside the blob, and
// values are in range. Returns false with `error`, which names the invalid member. libc only.
bool ct_mesh_validate(const void *blob, ct_error *error);

// Return the bytes of a vertex and of an extra of this format.
uint32_t ct_mesh_vertex_bytes(uint32_t format);
uint32_t ct_mesh_extra_bytes(uint32_t format);

// The layout of vertices and of extras of each format.
extern const ct_blob_layout ct_mesh_vertex_layouts[CT_MESH_FORMAT_COUNT];
extern const ct_blob_layout ct_mesh_extra_layouts[CT_MESH_FORMAT_COUNT];

// Return all of vertex `i` (below num_vertices), its position, and its extra (white and zeroes in a
// mesh without extras), in any format. Positions are those that shaders get, except for rounding.
ct_mesh_vertex ct_mesh_vertex_at(const ct_mesh_resource *mesh, uint32_t i);
void ct_mesh_position_at(const ct_mesh_resource *mesh, uint32_t i, float position[3]);
ct_mesh_vertex_extra ct_mesh_extra_at(const ct_mesh_resource *mesh, uint32_t i);

// Returns the number of triangles of the full level of detail, which come first.
uint32_t ct_mesh_num_triangles(const ct_mesh_resource *mesh);

// Return the shapes and set `count`; the points (num_points times x y z) of one; its indices. They
// live as long as the blob.
const ct_mesh_shape *ct_mesh_shapes(const ct_mesh_resource *mesh, uint32_t *count);
const float *ct_mesh_shape_points(const ct_mesh_resource *mesh, const ct_mesh_shape *shape);
const uint32_t *ct_mesh_shape_indices(const ct_mesh_resource *mesh, const ct_mesh_shape *shape);

// Return the hulls of a shape and set `count`; the points (num_points times x y z) of a hull,
// relative to its centre; the num_nodes nodes of the shape's tree. They live as long as the blob.
const ct_mesh_hull *ct_mesh_shape_hulls(const ct_mesh_resource *mesh, const ct_mesh_shape *shape,
                                        uint32_t *count);
const float *ct_mesh_hull_points(const ct_mesh_resource *mesh, const ct_mesh_hull *hull);
const ct_mesh_tree_node *ct_mesh_shape_nodes(const ct_mesh_resource *mesh,
                                             const ct_mesh_shape *shape);

// Returns the joints that move the mesh and sets `count`; 0 for a mesh without a skin. They live as
// long as the blob.
const ct_mesh_skin_joint *ct_mesh_skin_joints(const ct_mesh_resource *mesh, uint32_t *count);

// Returns the influences of vertex `i` of a skinned mesh, in the form of 8.
ct_mesh_influences8 ct_mesh_influences_at(const ct_mesh_resource *mesh, uint32_t i);
