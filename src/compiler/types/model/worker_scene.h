// worker_scene.h: a model file, whatever its format: nodes, meshes, materials, cameras, lights, and
// the images inside it.
//
// One reader for each format (worker_gltf.h, worker_obj.h, worker_fbx.h, worker_bvh.h) fills a scene
// in the axes and the unit of the file; ct_worker_scene_open converts the nodes to the engine's,
// which are right-handed, Z up, Y forward, in metres. glTF and, by their exporters' habit, OBJ and
// BVH are right-handed with Y up, so their point (x, y, z) becomes (x, -z, y); an FBX file names its
// axes and unit. A
// node's matrix is converted too, so that nodes exported by a Z up program have the coordinates
// that the program shows. The transform from a mesh's own points to its node's space is separate
// (`geometry`): FBX moves the points without the node's children.
//
// All memory is from the compilation's allocator and lives as long as the job.
#pragma once
#include "compiler/protocol/compile.h"
#include "compiler/types/model/worker_matrix.h"
#include "compiler/types/model/worker_model_files.h"
#include "resource/types/mesh_resource.h"

enum {
    CT_WORKER_SCENE_MAX_DEPTH = 256,
    CT_WORKER_SCENE_MAX_NODES = 1 << 16,
    CT_WORKER_SCENE_MAX_WARNINGS = 100,
};
#define CT_WORKER_SCENE_NO_NODE UINT32_MAX

// --- Nodes and meshes ----------------------------------------------------------------------------

// A node. Its readers leave `key` and `end` to ct_worker_scene_open.
typedef struct ct_worker_scene_node {
    const char *name;       // as the file has it; may be ""
    const char *key;        // its name; without a name or with a shared one, its path, which
                            // starts with a slash: "/car/wheel#2"
    uint32_t parent;        // an earlier node; CT_WORKER_SCENE_NO_NODE for the topmost
    uint32_t end;           // one past the last node below it
    ct_worker_matrix local; // to the parent's space
    // Position, rotation (x y z w), scale, in the file's axes and unit, where the file has them and
    // `local` is made of them; NULL: where it has a matrix. Clips may move one of them only.
    const float *pose;
    ct_worker_matrix geometry;       // from the space of its meshes' points to the node's
    uint32_t first_mesh, num_meshes; // in the scene's node_meshes
} ct_worker_scene_node;

typedef CT_ARRAY(ct_worker_scene_node) ct_worker_scene_node_array;

// Triangles of one material, in the file's axes. An array that the file leaves out is NULL. Numbers
// are as the file has them: they may be infinite or NaN, which ct_worker_model_read checks.
typedef struct ct_worker_mesh {
    const char *name;                // for messages; not unique
    uint32_t material;               // position in the scene's materials
    uint32_t num_vertices;           // the length of the arrays of vertices
    uint32_t num_indices;            // three for each triangle, counter-clockwise is front
    const uint32_t *indices;         // all below num_vertices
    const float (*positions)[3];     // never NULL where there are vertices
    const float (*normals)[3];       //
    const float (*tangents)[4];      // w: the sign of the bitangent; only with normals
    const float (*uv[2])[2];         // texture coordinates from the top left
    const float (*colors)[4];        // linear, with opacity
    bool has_points_or_lines;        // which are left out
    bool has_skin, has_blend_shapes; // has_skin: `skin` below; blend shapes are left out
    uint32_t skin;                   // position in the scene's skins, if has_skin
    uint32_t num_influences;         // of each vertex, if has_skin: a multiple of 4
    const uint16_t *joints;          // positions in the skin's nodes; num_influences a vertex
    const float *weights;            // likewise; as the file has them
} ct_worker_mesh;

typedef CT_ARRAY(ct_worker_mesh) ct_worker_mesh_array;

// --- Materials -----------------------------------------------------------------------------------

// The maps that materials of the engine have.
typedef enum ct_worker_map_kind {
    CT_WORKER_MAP_KIND_BASE_COLOR,
    CT_WORKER_MAP_KIND_NORMAL,
    CT_WORKER_MAP_KIND_METALLIC_ROUGHNESS, // blue and green
    CT_WORKER_MAP_KIND_EMISSIVE,
    CT_WORKER_MAP_KIND_COUNT,
} ct_worker_map_kind;

// How an image continues outside its borders.
typedef enum ct_worker_map_wrap {
    CT_WORKER_MAP_WRAP_REPEAT,
    CT_WORKER_MAP_WRAP_CLAMP,
    CT_WORKER_MAP_WRAP_MIRROR,
} ct_worker_map_wrap;

// One map of a material, and how its file wants it sampled.
typedef struct ct_worker_map {
    const char *image;          // the key of an image of the scene, or a path; NULL: no map
    uint32_t uv_set;            // from 0
    float uv_scale[2];          // coordinates are scaled, then rotated, then moved
    float uv_rotation;          // radians, as KHR_texture_transform has it
    float uv_offset[2];         //
    ct_worker_map_wrap wrap[2]; // along u, v
    bool is_nearest;            // sampled without filter
    bool may_be_heights;        // the file calls it a bump map: normals, unless it is grey
} ct_worker_map;

// How a surface treats its opacity.
typedef enum ct_worker_surface {
    CT_WORKER_SURFACE_OPAQUE,  // there is none
    CT_WORKER_SURFACE_MASKED,  // holes where it is below alpha_cutoff
    CT_WORKER_SURFACE_BLENDED, // objects behind it show through
} ct_worker_surface;

// A material in the engine's terms. All numbers are finite. An emissive map without a colour is
// white.
typedef struct ct_worker_material {
    const char *name; // "" without
    ct_worker_surface surface;
    float base_color[4];       // sRGB and opacity, 0 to 1; multiplies the map
    bool map_has_color;        // where there is a base colour map, it counts as white
    float alpha_cutoff;        // 0 to 1; of masked surfaces
    float metallic, roughness; // 0 to 1
    float emissive[3];         // sRGB, 0 to 1
    float emissive_intensity;  // at least 0; multiplies it
    float normal_strength;     // of the normal map
    bool is_double_sided;
    ct_worker_map maps[CT_WORKER_MAP_KIND_COUNT];
    // Properties in the file that the engine does not support, each as the end of a sentence that
    // starts with the material's name: "it has a map of shininess, which is left out".
    ct_string_array warnings;
} ct_worker_material;

typedef CT_ARRAY(ct_worker_material) ct_worker_material_array;

// An image inside the model.
typedef struct ct_worker_scene_image {
    const char *key;  // the name that maps use; never that of a file beside the model
    const char *name; // of the original file, with any folder and extension; "" without
    const char *bytes;
    uint64_t size_bytes; // 0: it cannot be used, because of `problem`
    const char *problem; // the end of a sentence that starts with the image: "is raw; ..."
} ct_worker_scene_image;

typedef CT_ARRAY(ct_worker_scene_image) ct_worker_scene_image_array;

// --- Cameras and lights --------------------------------------------------------------------------

// A place at a node and the directions from there, in the file's axes and unit.
typedef struct ct_worker_view {
    uint32_t node;
    float place[3], forward[3], up[3];
} ct_worker_view;

// A camera. Lengths are in the file's unit.
typedef struct ct_worker_camera {
    const char *name; // for messages
    ct_worker_view view;
    float vertical_fov;        // radians; 0: orthographic
    float orthographic_height; // of the whole picture; 0: perspective
    float near_range;          // 0: the file does not say
    float far_range;           // 0: infinite
} ct_worker_camera;

typedef CT_ARRAY(ct_worker_camera) ct_worker_camera_array;

// A light.
typedef struct ct_worker_light {
    const char *type; // "directional", "point" or "spot"
    ct_worker_view view;
    float color[3];           // sRGB, 0 to 1
    float intensity;          // candela; of directional light lux divided by pi
    float range;              // in the file's unit; 0: the engine's default
    float inner_cone_radians; // from the axis; of spots
    float outer_cone_radians;
} ct_worker_light;

typedef CT_ARRAY(ct_worker_light) ct_worker_light_array;

// --- Skins and clips -----------------------------------------------------------------------------

// What moves the points of meshes: nodes as joints.
typedef struct ct_worker_skin {
    const char *name; // "" without
    uint32_t num_joints;
    const uint32_t *nodes; // of the scene
    // From the meshes' points to each joint's space, in the file's axes and unit. The identity
    // where the file leaves it out.
    const ct_worker_matrix *inverse_binds;
} ct_worker_skin;

typedef CT_ARRAY(ct_worker_skin) ct_worker_skin_array;

typedef enum ct_worker_channel_kind {
    CT_WORKER_CHANNEL_POSITION, // 3 numbers a key
    CT_WORKER_CHANNEL_ROTATION, // 4: x y z w
    CT_WORKER_CHANNEL_SCALE,    // 3
} ct_worker_channel_kind;

typedef enum ct_worker_interpolation {
    CT_WORKER_INTERPOLATION_LINEAR, // rotations: along the shorter arc
    CT_WORKER_INTERPOLATION_STEP,
    CT_WORKER_INTERPOLATION_CUBIC, // glTF's CUBICSPLINE: in-tangent, value, out-tangent a key
} ct_worker_interpolation;

// The motion of a part of one node's local pose, relative to its parent, in the file's axes and
// unit.
typedef struct ct_worker_channel {
    uint32_t node;
    ct_worker_channel_kind kind;
    ct_worker_interpolation interpolation;
    uint32_t num_keys;
    const float *times;  // seconds, as the file has them: checked by the user
    const float *values; // num_keys * numbers a key (times 3 if cubic)
} ct_worker_channel;

typedef CT_ARRAY(ct_worker_channel) ct_worker_channel_array;

typedef struct ct_worker_clip {
    const char *name;                     // "" without
    float start, end;                     // seconds: of the first and the last key
    uint32_t first_channel, num_channels; // in the scene's channels
} ct_worker_clip;

typedef CT_ARRAY(ct_worker_clip) ct_worker_clip_array;

// --- The scene -----------------------------------------------------------------------------------

// A whole file. Readers set `turn` and `metres`, and push to the arrays.
typedef struct ct_worker_scene {
    const char *path;                 // of the file, for messages
    ct_worker_scene_node_array nodes; // depth first, at most CT_WORKER_SCENE_MAX_NODES
    ct_u32_array node_meshes;         // positions in `meshes`: those of one node after the other
    ct_worker_mesh_array meshes;
    ct_worker_material_array materials;
    ct_worker_scene_image_array images;
    ct_worker_camera_array cameras;
    ct_worker_light_array lights;
    ct_worker_skin_array skins;
    ct_worker_clip_array clips;
    ct_worker_channel_array channels;
    ct_string_array warnings; // content of the file that a scene does not support, as sentences
    ct_worker_matrix turn;    // from the file's axes to the engine's, of length 1
    float metres;             // in one unit of the file
    ct_worker_matrix axes;    // both; set by ct_worker_scene_open
} ct_worker_scene;

// Converts from axes with Y up and Z towards the viewer.
extern const ct_worker_matrix ct_worker_scene_y_up;

// Reads the model at `path` through `files`. `up_axis` overrides the file's. Returns false
// after reporting an error, at `at` in the source or at its place in the file.
bool ct_worker_scene_open(ct_compile *c, ct_worker_model_files *files, const char *path,
                          ct_mesh_up_axis up_axis, ct_sjson_value at, ct_worker_scene *scene);

// Reports an error that is not at one place of the file, at `at` in the source or, without a
// source, at the model itself. Returns false.
bool ct_worker_scene_fail(ct_compile *c, const ct_worker_scene *scene, ct_sjson_value at,
                          const char *what);

// Adds a warning, unless the scene has it or CT_WORKER_SCENE_MAX_WARNINGS others. `text` is copied.
void ct_worker_scene_warn(ct_compile *c, ct_worker_scene *scene, const char *text);

// Returns a default material: white, rough, not metallic, without maps.
ct_worker_material ct_worker_scene_material(ct_compile *c, const char *name);

// Returns a map of this image with the default sampling of textures.
ct_worker_map ct_worker_scene_map(const char *image);

// Returns the node of this name or key. Returns CT_WORKER_SCENE_NO_NODE after reporting at `at`
// that there is no such node, or that several have the name.
uint32_t ct_worker_scene_find(ct_compile *c, const ct_worker_scene *scene, const char *name,
                              ct_sjson_value at);
