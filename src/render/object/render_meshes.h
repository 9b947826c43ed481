// render_meshes.h: meshes on the device, by index.
//
// As with textures, a name gets an index for the renderer's life; index 0 is invalid. A mesh is one
// buffer: grid, vertices, extras, influences, indices. Render thread.
#pragma once
#include "foundation/container/hash_map.h"
#include "render/device/render_context.h"
#include "resource/types/mesh_resource.h"

// A joint of a skinned mesh; see ct_mesh_skin_joint.
typedef struct ct_render_skin_joint {
    float inverse_bind[3][4];
    float sphere[4]; // centre, radius; in the joint's space
    ct_string_id32 name;
    uint32_t padding[3];
} ct_render_skin_joint;

typedef struct ct_render_mesh {
    ct_string_id64 name;     // stays when the mesh goes offline
    ct_render_buffer buffer; // zeroed while the mesh is not online
    uint32_t format;         // ct_mesh_format
    uint64_t extras_offset;  // bytes; 0: it has none
    uint64_t index_offset;   // bytes
    VkIndexType index_type;
    uint32_t num_influences;           // of each vertex: 0, 4 or 8
    uint64_t influences_offset;        // bytes
    ct_render_skin_joint *skin_joints; // owned
    uint32_t num_skin_joints;
    bool has_warned;     // of a joint that a skeleton does not have
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
    // White and zeroes, for meshes that have no extras: full, then packed; and no influences.
    ct_render_buffer no_extras;
    uint64_t version; // rises with every change
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

// Binds the mesh's buffers for pipelines of its format: all vertex streams, grid and indices. The
// mesh must be online.
void ct_render_meshes_bind(const ct_render_meshes *m, uint32_t index);
