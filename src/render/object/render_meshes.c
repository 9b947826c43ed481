#include "render/object/render_meshes.h"

#include <string.h>

void ct_render_meshes_init(ct_render_meshes *m, ct_render_context *c) {
    *m = (ct_render_meshes){.context = c};
    ct_hash_map_init(&m->index_of_name, c->allocator);
    ct_array_init(&m->items, c->allocator);
    ct_array_push(&m->items, (ct_render_mesh){0});
    ct_render_meshes_restore(m);
}

// What all vertices of a mesh without extras read.
typedef struct no_extras {
    ct_mesh_vertex_extra full;
    ct_mesh_wide_uv_extra packed; // of both packed formats
    ct_mesh_influences8 influences;
} no_extras;

void ct_render_meshes_restore(ct_render_meshes *m) {
    const no_extras white = {.full = {.color = {65535, 65535, 65535, 65535}},
                             .packed = {.color = {255, 255, 255, 255}}};
    m->no_extras =
        ct_render_buffer_create(m->context->device, sizeof(white),
                                VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, CT_RENDER_MEMORY_USE_UPLOAD);
    memcpy(m->no_extras.allocation.mapped, &white, sizeof(white));
}

static void clear(ct_render_meshes *m, ct_render_mesh *mesh) {
    ct_render_retire_buffer(&m->context->retire, &mesh->buffer);
    ct_free_sized(m->context->allocator, mesh->parts,
                  sizeof(*mesh->parts) * mesh->num_parts * (1 + mesh->num_lods));
    ct_free(m->context->allocator, mesh->skin_joints);
    *mesh = (ct_render_mesh){.name = mesh->name};
}

void ct_render_meshes_drop(ct_render_meshes *m) {
    ++m->version;
    for (uint32_t i = 0; i < m->items.count; ++i) {
        clear(m, &m->items.items[i]);
        m->items.items[i].changed_version = m->version;
    }
    ct_render_retire_buffer(&m->context->retire, &m->no_extras);
}

void ct_render_meshes_shutdown(ct_render_meshes *m) {
    ct_render_meshes_drop(m);
    ct_array_free(&m->items);
    ct_hash_map_free(&m->index_of_name);
}

uint32_t ct_render_meshes_index(ct_render_meshes *m, ct_string_id64 name) {
    if (!name.value)
        return 0;
    const uint32_t known = (uint32_t)ct_hash_map_get(&m->index_of_name, name.value, 0);
    if (known)
        return known;
    ct_array_push(&m->items, (ct_render_mesh){.name = name});
    ct_hash_map_set(&m->index_of_name, name.value, m->items.count - 1);
    return m->items.count - 1;
}

// Where the parts of a mesh's buffer begin, in bytes.
typedef struct mesh_layout {
    uint64_t vertices, extras, influences, indices, end;
} mesh_layout;

static mesh_layout layout_of(const ct_mesh_resource *blob, uint32_t format) {
    mesh_layout l = {.vertices = sizeof(ct_mesh_grid)};
    l.extras = l.vertices + ct_mesh_vertex_bytes(format) * (uint64_t)blob->num_vertices;
    l.influences = l.extras + ct_mesh_extra_bytes(format) * (uint64_t)blob->extras.count;
    l.indices = l.influences + 2 * blob->num_influences * (uint64_t)blob->influences.count;
    l.end = l.indices + (uint64_t)blob->index_bytes * blob->num_indices;
    return l;
}

// Packed vertices as full ones, for devices that cannot read them.
static void unpack(char *mapped, const mesh_layout *l, const ct_mesh_resource *blob) {
    for (uint32_t i = 0; i < blob->num_vertices; ++i) {
        const ct_mesh_vertex v = ct_mesh_vertex_at(blob, i);
        memcpy(mapped + l->vertices + i * sizeof(v), &v, sizeof(v));
    }
    for (uint32_t i = 0; i < blob->extras.count; ++i) {
        const ct_mesh_vertex_extra e = ct_mesh_extra_at(blob, i);
        memcpy(mapped + l->extras + i * sizeof(e), &e, sizeof(e));
    }
}

static void fill(char *mapped, const mesh_layout *l, const ct_mesh_resource *blob,
                 uint32_t format) {
    static const ct_mesh_grid identity = {
        .point_scale = 1, .uv_scale = {1, 1}, .uv1_scale = {1, 1}};
    memcpy(mapped, format == CT_MESH_FORMAT_FULL ? &identity : &blob->grid, sizeof(identity));
    if (format == blob->format) {
        memcpy(mapped + l->vertices, ct_blob_at(blob, blob->vertices.offset),
               l->extras - l->vertices);
        if (blob->extras.count)
            memcpy(mapped + l->extras, ct_blob_at(blob, blob->extras.offset),
                   l->influences - l->extras);
    } else {
        unpack(mapped, l, blob);
    }
    if (blob->num_influences)
        memcpy(mapped + l->influences, ct_blob_at(blob, blob->influences.offset),
               l->indices - l->influences);
    memcpy(mapped + l->indices, ct_blob_at(blob, blob->indices.offset), l->end - l->indices);
}

static void upload(ct_render_context *c, ct_render_mesh *mesh, const ct_mesh_resource *blob) {
    mesh->format = c->device->has_packed_vertices ? blob->format : CT_MESH_FORMAT_FULL;
    const mesh_layout layout = layout_of(blob, mesh->format);
    mesh->extras_offset = blob->extras.count ? layout.extras : 0;
    mesh->influences_offset = layout.influences;
    mesh->num_influences = blob->num_influences;
    mesh->index_offset = layout.indices;
    mesh->index_type = blob->index_bytes == 2 ? VK_INDEX_TYPE_UINT16 : VK_INDEX_TYPE_UINT32;
    mesh->buffer = ct_render_buffer_create(c->device, layout.end,
                                           VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
                                               VK_BUFFER_USAGE_INDEX_BUFFER_BIT |
                                               VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                           CT_RENDER_MEMORY_USE_DEVICE);
    fill(ct_render_upload_buffer(c, &mesh->buffer, 0, layout.end), &layout, blob, mesh->format);
    const VkBufferMemoryBarrier2 b = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
                                      .srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                                      .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                      .dstStageMask = VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT,
                                      .dstAccessMask = VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT |
                                                       VK_ACCESS_2_INDEX_READ_BIT,
                                      .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                      .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                      .buffer = mesh->buffer.handle,
                                      .size = VK_WHOLE_SIZE};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .bufferMemoryBarrierCount = 1,
                                   .pBufferMemoryBarriers = &b};
    c->device->vk.CmdPipelineBarrier2(c->commands, &info);
}

static void copy_parts(ct_render_context *c, ct_render_mesh *mesh, const ct_mesh_resource *blob) {
    const ct_mesh_lod *const lods = ct_blob_at(blob, blob->lods.offset);
    mesh->num_parts = blob->parts.count;
    mesh->num_lods = blob->lods.count;
    const size_t bytes = sizeof(*mesh->parts) * mesh->num_parts;
    mesh->parts = ct_alloc(c->allocator, bytes * (1 + mesh->num_lods));
    memcpy(mesh->parts, ct_blob_at(blob, blob->parts.offset), bytes);
    if (mesh->num_lods)
        memcpy(mesh->parts + mesh->num_parts, ct_blob_at(blob, blob->lod_parts.offset),
               bytes * mesh->num_lods);
    for (uint32_t i = 0; i < mesh->num_lods; ++i)
        mesh->screen_sizes[i] = lods[i].screen_size;
}

static void copy_skin(ct_render_context *c, ct_render_mesh *mesh, const ct_mesh_resource *blob) {
    const ct_mesh_skin_joint *const joints = ct_mesh_skin_joints(blob, &mesh->num_skin_joints);
    if (!mesh->num_skin_joints)
        return;
    mesh->skin_joints = CT_NEW_ARRAY(c->allocator, ct_render_skin_joint, mesh->num_skin_joints);
    for (uint32_t i = 0; i < mesh->num_skin_joints; ++i) {
        ct_render_skin_joint *const joint = &mesh->skin_joints[i];
        joint->name = joints[i].name;
        memcpy(joint->inverse_bind, joints[i].inverse_bind, sizeof(joint->inverse_bind));
        memcpy(joint->sphere, joints[i].center, sizeof(joints[i].center));
        joint->sphere[3] = joints[i].radius;
    }
}

void ct_render_meshes_set(ct_render_meshes *m, ct_string_id64 name, const ct_mesh_resource *blob) {
    ct_render_context *const c = m->context;
    const uint32_t index = ct_render_meshes_index(m, name); // may move the items
    ct_render_mesh *const mesh = &m->items.items[index];
    clear(m, mesh);
    mesh->changed_version = ++m->version;
    if (!blob || !blob->num_vertices || !blob->num_indices)
        return;
    upload(c, mesh, blob);
    copy_parts(c, mesh, blob);
    copy_skin(c, mesh, blob);
    for (uint32_t i = 0; i < 3; ++i)
        mesh->center[i] = 0.5f * (blob->bounds_min[i] + blob->bounds_max[i]);
    mesh->radius = blob->bounds_radius;
}

uint32_t ct_render_mesh_lod(const ct_render_mesh *mesh, float size) {
    uint32_t lod = 0;
    while (lod < mesh->num_lods && size < mesh->screen_sizes[lod])
        ++lod;
    return lod;
}

void ct_render_meshes_bind(const ct_render_meshes *m, uint32_t index) {
    const ct_vulkan_api *const vk = &m->context->device->vk;
    const VkCommandBuffer commands = m->context->commands;
    const ct_render_mesh *const mesh = &m->items.items[index];
    const bool has_extras = mesh->extras_offset != 0;
    const bool is_full = mesh->format == CT_MESH_FORMAT_FULL;
    const VkBuffer buffers[] = {
        mesh->buffer.handle, has_extras ? mesh->buffer.handle : m->no_extras.handle,
        mesh->buffer.handle, mesh->num_influences ? mesh->buffer.handle : m->no_extras.handle};
    const uint64_t white = is_full ? offsetof(no_extras, full) : offsetof(no_extras, packed);
    const VkDeviceSize offsets[] = {
        sizeof(ct_mesh_grid), has_extras ? mesh->extras_offset : white, 0,
        mesh->num_influences ? mesh->influences_offset : offsetof(no_extras, influences)};
    // With a stride of 0 all vertices read the same.
    const VkDeviceSize strides[] = {ct_mesh_vertex_bytes(mesh->format),
                                    has_extras ? ct_mesh_extra_bytes(mesh->format) : 0, 0,
                                    2 * mesh->num_influences};
    vk->CmdBindVertexBuffers2(commands, 0, CT_COUNT_OF(buffers), buffers, offsets, NULL, strides);
    vk->CmdBindIndexBuffer(commands, mesh->buffer.handle, mesh->index_offset, mesh->index_type);
}
