// render_meshes.h: meshes on the device, by index.
//
// As with textures, a name gets an index for the renderer's life; index 0 is invalid. A mesh is one
// buffer: grid, vertices, extras, indices. Render thread.
#pragma once
#include "foundation/container/hash_map.h"
#include "render/device/render_context.h"
#include "resource/types/mesh_resource.h"

typedef struct ct_render_mesh {
    ct_render_buffer buffer; // zeroed while the mesh is not online
    uint32_t format;         // ct_mesh_format
    uint64_t extras_offset;  // bytes; 0: it has none
    uint64_t index_offset;   // bytes
    VkIndexType index_type;
    ct_mesh_part *parts; // owned; of the full level of detail, then of each other level
    uint32_t num_parts;  // of each level
    uint32_t num_lods;   // below the full one
    float screen_sizes[CT_MESH_MAX_LODS - 1]; // below which each is drawn
    float center[3], radius;                  // a sphere around it
    uint64_t changed_version;                 // the table's version when the mesh last changed
} ct_render_mesh;

typedef struct ct_render_meshes {
    ct_render_context *context;
    ct_hash_map index_of_name;
    CT_ARRAY(ct_render_mesh) items;
    ct_render_buffer no_extras; // white and zeroes, for meshes that have none: full, then packed
    uint64_t version;           // rises with every change
} ct_render_meshes;

// Makes an empty table on the context's device. It borrows the context, which must outlive it.
void ct_render_meshes_init(ct_render_meshes *m, ct_render_context *c);

// Retires the buffers of all meshes and frees the table.
void ct_render_meshes_shutdown(ct_render_meshes *m);

// Retires the buffers of all meshes. Names keep their indices; on the next device each mesh must be
// set again.
void ct_render_meshes_drop(ct_render_meshes *m);

// Makes the data that all meshes share on the next device, after a drop.
void ct_render_meshes_restore(ct_render_meshes *m);

// Returns the index of this name, and issues one when the name is new; 0 for the name 0.
uint32_t ct_render_meshes_index(ct_render_meshes *m, ct_string_id64 name);

// Uploads the mesh in place of the one before, or takes it offline (blob NULL). Records the upload
// to the frame's command buffer; the blob is not kept.
void ct_render_meshes_set(ct_render_meshes *m, ct_string_id64 name, const ct_mesh_resource *blob);

// Returns the level of detail (0 is the full one) at which the mesh is drawn when its sphere takes
// this share of the view's height.
uint32_t ct_render_mesh_lod(const ct_render_mesh *mesh, float size);

// Binds the mesh's buffers for pipelines of its format: both vertex streams, grid and indices. The
// mesh must be online.
void ct_render_meshes_bind(const ct_render_meshes *m, uint32_t index);
