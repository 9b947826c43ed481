#include "render/render_meshes.h"

#include <string.h>

void ct_render_meshes_init(ct_render_meshes *m, ct_render_context *c) {
    *m = (ct_render_meshes){.context = c};
    ct_hash_map_init(&m->index_of_name, c->allocator);
    ct_array_init(&m->items, c->allocator);
    ct_array_push(&m->items, (ct_render_mesh){0});
    ct_render_meshes_restore(m);
}

void ct_render_meshes_restore(ct_render_meshes *m) {
    const ct_mesh_vertex_extra white = {.color = {65535, 65535, 65535, 65535}};
    m->no_extras =
        ct_render_buffer_create(m->context->device, sizeof(white),
                                VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, CT_RENDER_MEMORY_USE_UPLOAD);
    memcpy(m->no_extras.allocation.mapped, &white, sizeof(white));
}

static void clear(ct_render_meshes *m, ct_render_mesh *mesh) {
    ct_render_retire_buffer(&m->context->retire, &mesh->buffer);
    ct_free_sized(m->context->allocator, mesh->parts, sizeof(*mesh->parts) * mesh->num_parts);
    *mesh = (ct_render_mesh){0};
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
    ct_array_push(&m->items, (ct_render_mesh){0});
    ct_hash_map_set(&m->index_of_name, name.value, m->items.count - 1);
    return m->items.count - 1;
}

static void upload(ct_render_context *c, ct_render_mesh *mesh, const ct_mesh_resource *blob) {
    const uint64_t vertex_bytes = sizeof(ct_mesh_vertex) * (uint64_t)blob->num_vertices;
    const uint64_t extra_bytes = sizeof(ct_mesh_vertex_extra) * (uint64_t)blob->extras.count;
    const uint64_t index_bytes = (uint64_t)blob->index_bytes * blob->num_indices;
    const uint64_t all_bytes = vertex_bytes + extra_bytes + index_bytes;
    mesh->extras_offset = extra_bytes ? vertex_bytes : 0;
    mesh->index_offset = vertex_bytes + extra_bytes;
    mesh->index_type = blob->index_bytes == 2 ? VK_INDEX_TYPE_UINT16 : VK_INDEX_TYPE_UINT32;
    mesh->buffer = ct_render_buffer_create(c->device, all_bytes,
                                           VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
                                               VK_BUFFER_USAGE_INDEX_BUFFER_BIT |
                                               VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                           CT_RENDER_MEMORY_USE_DEVICE);
    char *mapped = ct_render_upload_buffer(c, &mesh->buffer, 0, all_bytes);
    memcpy(mapped, ct_blob_at(blob, blob->vertices.offset), vertex_bytes);
    if (extra_bytes)
        memcpy(mapped + vertex_bytes, ct_blob_at(blob, blob->extras.offset), extra_bytes);
    memcpy(mapped + mesh->index_offset, ct_blob_at(blob, blob->indices.offset), index_bytes);
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

void ct_render_meshes_set(ct_render_meshes *m, ct_string_id64 name, const ct_mesh_resource *blob) {
    ct_render_context *c = m->context;
    const uint32_t index = ct_render_meshes_index(m, name); // may move the items
    ct_render_mesh *mesh = &m->items.items[index];
    clear(m, mesh);
    mesh->changed_version = ++m->version;
    if (!blob || !blob->num_vertices || !blob->num_indices)
        return;
    upload(c, mesh, blob);
    mesh->num_parts = blob->parts.count;
    mesh->parts = ct_alloc(c->allocator, sizeof(*mesh->parts) * mesh->num_parts);
    memcpy(mesh->parts, ct_blob_at(blob, blob->parts.offset),
           sizeof(*mesh->parts) * mesh->num_parts);
    for (uint32_t i = 0; i < 3; ++i)
        mesh->center[i] = 0.5f * (blob->bounds_min[i] + blob->bounds_max[i]);
    mesh->radius = blob->bounds_radius;
}

void ct_render_meshes_bind(const ct_render_meshes *m, uint32_t index) {
    const ct_vulkan_api *vk = &m->context->device->vk;
    const VkCommandBuffer commands = m->context->commands;
    const ct_render_mesh *mesh = &m->items.items[index];
    const bool has_extras = mesh->extras_offset != 0;
    const VkBuffer buffers[] = {mesh->buffer.handle,
                                has_extras ? mesh->buffer.handle : m->no_extras.handle};
    const VkDeviceSize offsets[] = {0, mesh->extras_offset};
    // With a stride of 0 all vertices read the same.
    const VkDeviceSize strides[] = {sizeof(ct_mesh_vertex),
                                    has_extras ? sizeof(ct_mesh_vertex_extra) : 0};
    vk->CmdBindVertexBuffers2(commands, 0, 2, buffers, offsets, NULL, strides);
    vk->CmdBindIndexBuffer(commands, mesh->buffer.handle, mesh->index_offset, mesh->index_type);
}
