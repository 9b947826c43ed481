// render_meshes.h: meshes on the device, by index.
//
// As with textures, an index is issued for a name for the renderer's life; index 0 is none. A mesh
// is one buffer: vertices, extras, indices. Render thread.
#pragma once
#include "foundation/hash_map.h"
#include "render/render_context.h"
#include "resource/mesh_resource.h"

typedef struct ct_render_mesh {
    ct_render_buffer buffer; // none while it is not online
    uint64_t extras_offset;  // bytes; 0: it has none
    uint64_t index_offset;   // bytes
    VkIndexType index_type;
    ct_mesh_part *parts; // owned
    uint32_t num_parts;
    float center[3], radius;  // a sphere around it
    uint64_t changed_version; // of the table, when it last came, changed or went
} ct_render_mesh;

typedef struct ct_render_meshes {
    ct_render_context *context;
    ct_hash_map index_of_name;
    CT_ARRAY(ct_render_mesh) items;
    ct_render_buffer no_extras; // one ct_mesh_vertex_extra, white, for meshes that have none
    uint64_t version;           // raised with every change
} ct_render_meshes;

void ct_render_meshes_init(ct_render_meshes *m, ct_render_context *c);
void ct_render_meshes_shutdown(ct_render_meshes *m);

// Takes all meshes from the device; on the next one each is to be set anew.
void ct_render_meshes_drop(ct_render_meshes *m);
void ct_render_meshes_restore(ct_render_meshes *m);

// The index of this name; 0 for none.
uint32_t ct_render_meshes_index(ct_render_meshes *m, ct_string_id64 name);

// Uploads the mesh in place of what it was, or takes it offline (blob NULL).
void ct_render_meshes_set(ct_render_meshes *m, ct_string_id64 name, const ct_mesh_resource *blob);

// Binds the mesh's buffers for pipelines that draw meshes: both vertex streams and the indices.
void ct_render_meshes_bind(const ct_render_meshes *m, uint32_t index);
