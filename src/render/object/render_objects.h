// render_objects.h: the worlds of the render thread: objects, lights, lines.
//
// Objects are a structure of arrays; removing one moves the last into its place. A hash map gives
// the position of an id. Pose updates mostly come in the order of the arrays, and such runs of ids
// need no look-up. The shader reads the first three rows of a pose as an instance. Render thread.
//
// Functions do nothing for an id that is not in the world: it may belong to an object that was
// never drawn.
#pragma once
#include "foundation/container/soa_block.h"
#include "render/draw/render_culling.h"
#include "render/object/render_clouds.h"
#include "render/object/render_guis.h"
#include "render/object/render_lights.h"
#include "render/object/render_meshes.h"
#include "render/object/render_skeletons.h"
#include "render/render_stream.h"

// The materials of an object's parts. All objects are walked in every frame, and few meshes have
// more parts than fit here, so the materials of further parts are in an array of their own.
enum { CT_RENDER_OBJECT_NEAR_MATERIALS = 7 };

typedef struct ct_render_object_materials {
    uint32_t index[CT_RENDER_OBJECT_NEAR_MATERIALS]; // 0: the error material
    uint32_t more; // position in `more_materials` of the later parts' materials; 0: all are 0
} ct_render_object_materials;

typedef struct ct_render_more_materials {
    // In a free place, the first element is the position of the next free place, or 0.
    uint32_t index[CT_MESH_MAX_MATERIALS - CT_RENDER_OBJECT_NEAR_MATERIALS];
} ct_render_more_materials;

// A value that an object has in place of the value in its materials.
typedef struct ct_render_object_value {
    ct_string_id32 name; // of the parameter
    uint32_t next;       // position of the object's next value (or of the next free place), or 0
    float value[4];
} ct_render_object_value;

// Lines of this frame, borrowed from the stream or of `kept_lines`.
typedef struct ct_render_line_run {
    const ct_line_vertex *vertices;
    uint32_t count;
} ct_render_line_run;

// How an object came to its pose.
typedef struct ct_render_object_motion {
    uint32_t frame;  // the lowest bits of the one in which it last got a pose, or became visible
    uint32_t is_new; // in that frame it came or jumped: it has no pose of the frame before
} ct_render_object_motion;

typedef struct ct_render_world {
    ct_allocator *allocator;
    ct_render_world_id id;
    double seconds; // game time, for shaders
    uint64_t frame; // the one being applied
    ct_soa_block objects;
    ct_render_instance *instances;
    ct_render_object_motion *motions;
    float (*previous_rows)[3][4]; // of the frame before `motions` has, unless it is new
    float (*spheres)[4];          // world space: centre and radius; radius < 0: not seen
    ct_render_object_materials *materials;
    ct_render_object_id *ids;
    uint32_t *meshes;
    uint8_t *flags;                          // CT_RENDER_OBJECT_…
    uint32_t *skins;                         // position in `skeletons`, if the flag SKINNED is set
    uint32_t *first_value;                   // position in `values`; 0: none
    CT_ARRAY(ct_render_object_value) values; // the first is not used
    uint32_t first_free_value;
    uint32_t num_outlined;                             // objects with the flag OUTLINED
    CT_ARRAY(ct_render_more_materials) more_materials; // the first is not used
    uint32_t first_free_more;
    ct_hash_map position_of_id;
    ct_render_skeletons skeletons;
    ct_render_culling culling;
    uint64_t materials_version; // rises when objects come or go, or get another material
    uint64_t mesh_version;      // of the meshes when the spheres were last brought up to date
    ct_render_lights lights;
    CT_ARRAY(ct_render_line_run) lines;
    CT_ARRAY(ct_line_vertex) kept_lines; // of parts of this frame: the first run, if it has some
    uint64_t lines_frame;                // in which they were copied for the device
    VkBuffer lines_buffer;               // where to
    uint32_t first_line_vertex, num_line_vertices;
    ct_render_clouds clouds;
    ct_render_gui_array guis; // ct_render_guis_free frees them
} ct_render_world;

// Makes `w` an empty world. It must not move until its shutdown.
void ct_render_world_init(ct_render_world *w, ct_allocator *a, ct_render_world_id id);

// Frees everything in the world but its GUIs, which are freed before, and zeroes it.
void ct_render_world_shutdown(ct_render_world *w);

// Copies the lines of this frame so that they do not need its stream any more.
void ct_render_world_keep_lines(ct_render_world *w);

// Adds an object with the materials of its first `num_materials` parts (up to
// CT_MESH_MAX_MATERIALS); those of the other parts are 0. `mesh` and the materials are indices of
// the renderer's tables, `pose` is in world space.
void ct_render_world_add_object(ct_render_world *w, ct_render_object_id id, uint32_t mesh,
                                const uint32_t *materials, uint32_t num_materials,
                                const ct_mat4 *pose, const ct_render_meshes *meshes);

// Removes objects. The last ones move into their places.
void ct_render_world_remove_objects(ct_render_world *w, const ct_render_object_id *ids,
                                    uint32_t count);

// Moves `count` objects, each to the world pose of the same position in `poses`, and updates their
// bounds. Cheapest when ids are in the order of the arrays.
void ct_render_world_set_poses(ct_render_world *w, const ct_render_object_id *ids,
                               const ct_mat4 *poses, uint32_t count,
                               const ct_render_meshes *meshes);

// Sets or clears `flag`, which may be several CT_RENDER_OBJECT_… bits together. JUMPED only says
// that the object has no pose of the frame before.
void ct_render_world_set_flag(ct_render_world *w, ct_render_object_id id, uint32_t flag,
                              bool is_set);

// Sets the material (an index) of a part. Does nothing for a part beyond CT_MESH_MAX_MATERIALS.
void ct_render_world_set_material(ct_render_world *w, ct_render_object_id id, uint32_t part,
                                  uint32_t material);

// Returns the material of a part of the object at this position; 0 beyond CT_MESH_MAX_MATERIALS.
static inline uint32_t ct_render_world_material(const ct_render_world *w, uint32_t object,
                                                uint32_t part) {
    const ct_render_object_materials *m = &w->materials[object];
    if (part < CT_RENDER_OBJECT_NEAR_MATERIALS)
        return m->index[part];
    if (!m->more || part >= CT_MESH_MAX_MATERIALS)
        return 0;
    return w->more_materials.items[m->more].index[part - CT_RENDER_OBJECT_NEAR_MATERIALS];
}

// Gives the object a value (4 floats) of its own for the parameter of this name in its materials.
void ct_render_world_set_value(ct_render_world *w, ct_render_object_id id, ct_string_id32 name,
                               const float value[4]);

// The name of the parameter by which a shader learns the colour (xyz) and the id (w) of an outline.
ct_string_id32 ct_render_outline_parameter(void);

// Gives the object an outline: the value (4 floats) of ct_render_outline_parameter; NULL takes it
// away. The one that is a mark covers the other.
void ct_render_world_set_outline(ct_render_world *w, ct_render_object_id id, const float *value,
                                 bool is_mark);

// Gives the object a skeleton of this world; {0} takes it away.
void ct_render_world_set_skeleton(ct_render_world *w, ct_render_object_id id,
                                  ct_render_skeleton_id skeleton);

// Returns the rows that the object at this position had in the frame before the one being applied;
// NULL when it has not moved since, has jumped, or was not there or not visible then.
static inline const float (*ct_render_world_previous_rows(const ct_render_world *w,
                                                          uint32_t object))[4] {
    const ct_render_object_motion *m = &w->motions[object];
    const bool has_moved = m->frame == (uint32_t)w->frame && !m->is_new;
    return has_moved ? (const float(*)[4])w->previous_rows[object] : NULL;
}

// Returns true when the object at this position came, became visible or jumped in the frame being
// applied.
static inline bool ct_render_world_is_new(const ct_render_world *w, uint32_t object) {
    const ct_render_object_motion *m = &w->motions[object];
    return m->frame == (uint32_t)w->frame && m->is_new;
}

// Returns true when the object at this position is drawn by the pose of its skeleton, as of the
// last refresh.
static inline bool ct_render_world_is_posed(const ct_render_world *w, uint32_t object) {
    return (w->flags[object] & CT_RENDER_OBJECT_SKINNED) &&
           w->skeletons.skins.items[w->skins[object]].is_posed;
}

// Updates the bounds of objects whose meshes came, changed or went, and of those that are posed by
// skeletons. O(1) when no mesh did and no object has a skeleton; else O(joints) of those that were
// posed since.
void ct_render_world_refresh_bounds(ct_render_world *w, ct_render_meshes *meshes);
