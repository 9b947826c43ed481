// renderer.h: the interface "renderer": debug lines, meshes made at run time, objects, values of
// materials, settings of the render config.
//
// Passes are data: a project's .render_config adds layers and steps (docs/rendering.md), and a shader
// names the layer in which it draws. So objects of a plugin are in a pass of its own when their
// material's shader is, and the plugin sets the values of its materials and the config's settings.
//
// World space, metres; colours are linear. Names are of resources ("materials/water").
//
// Functions that return false or {0} have changed nothing, and say why in `error` (may be NULL). Those
// without an error log what is wrong as the error "plugin_bad_argument", and do nothing: a world that
// has ended, numbers that are not finite. Nothing but `setting` may be called in `init`.
#ifndef CUTTLE_RENDERER_H
#define CUTTLE_RENDERER_H
#include <cuttle/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CUTTLE_RENDERER_API "renderer"

// A debug line.
typedef struct cuttle_line {
    cuttle_vector3 from, to;
    cuttle_color color;
} cuttle_line;

// A vertex of a mesh. Mesh space: metres, Z up, Y forward.
typedef struct cuttle_mesh_vertex {
    cuttle_vector3 position;
    cuttle_vector3 normal; // of any length; 0 0 0: that of its triangles
    cuttle_vector2 uv;     // origin top left
    cuttle_color color;    // 0 to 1; shaders decide what it does
} cuttle_mesh_vertex;

// A run of triangles with one material.
typedef struct cuttle_mesh_part {
    uint32_t first_index, num_indices;
    const char *slot; // the name of its material slot; NULL: ""
} cuttle_mesh_part;

// The geometry of a mesh: 3 to 2^24 vertices, up to 2^24 triangles, 1 to 64 parts.
typedef struct cuttle_mesh {
    const cuttle_mesh_vertex *vertices;
    uint32_t num_vertices;
    const uint32_t *indices; // three for each triangle; counter-clockwise is front
    uint32_t num_indices;
    const cuttle_mesh_part *parts; // NULL: one part of all triangles
    uint32_t num_parts;
} cuttle_mesh;

// An object that this plugin has made; {0} is no object. It ends with its world, with the plugin, or when it
// is destroyed; it stays when the plugin is reloaded. Functions do nothing for one that has ended.
typedef struct cuttle_render_object {
    uint64_t id;
} cuttle_render_object;

// How to make an object.
typedef struct cuttle_render_object_desc {
    const char *mesh;             // that is loaded, or of set_mesh
    const char *const *materials; // that are loaded, for the mesh's parts in order
    uint32_t num_materials;       // up to 64; parts without one have the error material
    bool is_hidden, is_shadowless;
} cuttle_render_object_desc;

// The kinds of values that settings have.
typedef enum cuttle_setting_kind {
    CUTTLE_SETTING_BOOL,   // numbers[0]: 0 or 1
    CUTTLE_SETTING_NUMBER, // numbers[0]
    CUTTLE_SETTING_VECTOR, // 2 to 4 numbers; of colours red, green, blue, linear
    CUTTLE_SETTING_TEXT,   // one of the setting's choices
} cuttle_setting_kind;

// The value of a setting.
typedef struct cuttle_setting {
    uint32_t kind;  // cuttle_setting_kind
    uint32_t count; // of VECTOR
    double numbers[4];
    const char
        *text; // of TEXT, else NULL; one that is returned is borrowed until the config changes
} cuttle_setting;

// Update thread. All arrays and texts are copied.
typedef struct cuttle_renderer_api_1 {
    // Draw lines in a world in the frame that is being made; the edges of a box with a pose; a sphere, as
    // three circles. They cost a copy.
    void (*lines)(cuttle_plugin *self, cuttle_world *world, const cuttle_line *lines,
                  uint32_t count);
    void (*box)(cuttle_plugin *self, cuttle_world *world, const cuttle_matrix4 *pose,
                cuttle_vector3 half_extents, cuttle_color color);
    void (*sphere)(cuttle_plugin *self, cuttle_world *world, cuttle_vector3 center, float radius,
                   cuttle_color color);

    // Makes a mesh resource of this name, or replaces the one that this plugin has made: everything that
    // uses the mesh (objects, mesh components) shows it at once. It stays when the plugin is reloaded, and
    // goes with the plugin. The project, and other plugins, must not have a mesh of this name. O(vertices
    // + triangles): for what changes a few times a second.
    bool (*set_mesh)(cuttle_plugin *self, const char *name, const cuttle_mesh *mesh,
                     cuttle_error *error);
    // Takes away a mesh that this plugin has made; nothing for another name. What uses it is not drawn
    // any more.
    void (*remove_mesh)(cuttle_plugin *self, const char *name);

    // Makes an object in a world.
    cuttle_render_object (*create_object)(cuttle_plugin *self, cuttle_world *world,
                                          const cuttle_render_object_desc *desc,
                                          const cuttle_matrix4 *pose, cuttle_error *error);
    void (*destroy_objects)(cuttle_plugin *self, const cuttle_render_object *objects,
                            uint32_t count);
    // Moves objects, each to the pose of the same position. Cheapest in the order of their making.
    void (*set_poses)(cuttle_plugin *self, const cuttle_render_object *objects,
                      const cuttle_matrix4 *poses, uint32_t count);
    void (*set_visible)(cuttle_plugin *self, const cuttle_render_object *objects, uint32_t count,
                        bool are_visible);

    // Sets a value of a loaded material for all that use it, until it is reloaded: 1 to 4 numbers, or the
    // 16 of a matrix. Returns false when the material is not loaded, or its shader has no such parameter.
    bool (*set_material_value)(cuttle_plugin *self, const char *material, const char *parameter,
                               const float *values, uint32_t num_values, cuttle_error *error);

    // Sets a setting of the render config, as Application.set_render_setting. Returns false when there is
    // no such setting, or the value does not fit.
    bool (*set_setting)(cuttle_plugin *self, const char *name, const cuttle_setting *value,
                        cuttle_error *error);
    // Gets the value of a setting. Returns false when there is no such setting.
    bool (*setting)(cuttle_plugin *self, const char *name, cuttle_setting *value);
} cuttle_renderer_api_1;

#ifdef __cplusplus
}
#endif
#endif
