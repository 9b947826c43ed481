// render_objects.h: the worlds of the render thread: objects, lights, lines.
//
// Objects are a structure of arrays; removing one moves the last into its place. A hash map leads
// from ids to positions; runs of ids in the order of the arrays, as pose updates come, are found
// without it. The first three rows of a pose are what the shader reads as an instance. Render
// thread.
#pragma once
#include "foundation/container/soa_block.h"
#include "render/draw/render_culling.h"
#include "render/object/render_lights.h"
#include "render/object/render_meshes.h"
#include "render/render_stream.h"

// The materials of an object's parts. Few meshes have more parts than fit here, and all objects are
// walked in every frame: the others stand apart.
enum { CT_RENDER_OBJECT_NEAR_MATERIALS = 7 };

typedef struct ct_render_object_materials {
    uint32_t index[CT_RENDER_OBJECT_NEAR_MATERIALS]; // 0: the error material
    uint32_t more; // position in `more_materials` of those of later parts; 0: they are all 0
} ct_render_object_materials;

typedef struct ct_render_more_materials {
    // The first one of a free place: the next free; 0: none.
    uint32_t index[CT_MESH_MAX_MATERIALS - CT_RENDER_OBJECT_NEAR_MATERIALS];
} ct_render_more_materials;

// A value that an object has in place of its materials'.
typedef struct ct_render_object_value {
    ct_string_id32 name; // of the parameter
    uint32_t next;       // position of the object's next one; of a free one: the next free; 0: none
    float value[4];
} ct_render_object_value;

// Lines of this frame, where the stream holds them.
typedef struct ct_render_line_run {
    const ct_line_vertex *vertices;
    uint32_t count;
} ct_render_line_run;

typedef struct ct_render_world {
    ct_allocator *allocator;
    ct_render_world_id id;
    double seconds; // game time, for shaders
    ct_soa_block objects;
    ct_render_instance *instances;
    float (*spheres)[4]; // world space: centre and radius; radius < 0: not seen
    ct_render_object_materials *materials;
    ct_render_object_id *ids;
    uint32_t *meshes;
    uint8_t *flags;                          // CT_RENDER_OBJECT_…
    uint32_t *first_value;                   // position in `values`; 0: none
    CT_ARRAY(ct_render_object_value) values; // the first is none
    uint32_t first_free_value;
    CT_ARRAY(ct_render_more_materials) more_materials; // the first is none
    uint32_t first_free_more;
    ct_hash_map position_of_id;
    ct_render_culling culling;
    uint64_t mesh_version; // of the meshes when the spheres were last brought up to date
    ct_render_lights lights;
    CT_ARRAY(ct_render_line_run) lines;
    uint64_t lines_frame;  // in which they were copied for the device
    VkBuffer lines_buffer; // where to
    uint32_t first_line_vertex, num_line_vertices;
} ct_render_world;

// Makes `w`, which must not move until its shutdown, an empty world.
void ct_render_world_init(ct_render_world *w, ct_allocator *a, ct_render_world_id id);
void ct_render_world_shutdown(ct_render_world *w);

// Adds an object with the materials of its first `num_materials` parts (up to
// CT_MESH_MAX_MATERIALS); those of the others are 0.
void ct_render_world_add_object(ct_render_world *w, ct_render_object_id id, uint32_t mesh,
                                const uint32_t *materials, uint32_t num_materials,
                                const ct_mat4 *pose, const ct_render_meshes *meshes);

// Ids that are not there are passed over: they may be of objects that were never drawn.
void ct_render_world_remove_objects(ct_render_world *w, const ct_render_object_id *ids,
                                    uint32_t count);
void ct_render_world_set_poses(ct_render_world *w, const ct_render_object_id *ids,
                               const ct_mat4 *poses, uint32_t count,
                               const ct_render_meshes *meshes);
// `flag` may be several together.
void ct_render_world_set_flag(ct_render_world *w, ct_render_object_id id, uint32_t flag,
                              bool is_set);
void ct_render_world_set_material(ct_render_world *w, ct_render_object_id id, uint32_t part,
                                  uint32_t material);

// The material of a part of the object at this position; 0 beyond CT_MESH_MAX_MATERIALS.
static inline uint32_t ct_render_world_material(const ct_render_world *w, uint32_t object,
                                                uint32_t part) {
    const ct_render_object_materials *m = &w->materials[object];
    if (part < CT_RENDER_OBJECT_NEAR_MATERIALS)
        return m->index[part];
    if (!m->more || part >= CT_MESH_MAX_MATERIALS)
        return 0;
    return w->more_materials.items[m->more].index[part - CT_RENDER_OBJECT_NEAR_MATERIALS];
}

// Gives the object a value (4 floats) of its own for the parameter of this name of its materials.
void ct_render_world_set_value(ct_render_world *w, ct_render_object_id id, ct_string_id32 name,
                               const float value[4]);

// Brings bounds up to date with meshes that came, changed or went.
void ct_render_world_refresh_bounds(ct_render_world *w, const ct_render_meshes *meshes);
