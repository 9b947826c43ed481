#include "render/render_particles.h"

#include <string.h>

#include "foundation/error.h"
#include "render/renderer_private.h"

_Static_assert(sizeof(ct_render_command_cloud) % 16 == 0, "instances are aligned to 16");

void ct_render_particles_begin(ct_renderer *r, ct_render_world_id world) {
    ct_render_command_world *const x = ct_render_stream_push(
        ct_renderer_recording(r), CT_RENDER_COMMAND_TYPE_CLOUDS_BEGIN, sizeof(*x));
    *x = (ct_render_command_world){.world = world};
}

ct_particle_instance *ct_render_particles_add(ct_renderer *r, ct_render_world_id world,
                                              const ct_render_cloud_desc *desc, uint32_t count) {
    CT_ASSERT(count != 0, "a cloud without instances");
    ct_render_command_cloud *const x =
        ct_render_stream_push(ct_renderer_recording(r), CT_RENDER_COMMAND_TYPE_CLOUD,
                              sizeof(*x) + sizeof(ct_particle_instance) * (uint64_t)count);
    *x = (ct_render_command_cloud){.desc = *desc, .world = world, .count = count};
    return (ct_particle_instance *)(x + 1);
}

void ct_render_particles_set_sphere(ct_renderer *r, const float sphere[4]) {
    ct_render_stream *const s = ct_renderer_recording(r);
    ct_render_command_header *const header = (void *)(s->bytes.items + s->last);
    CT_ASSERT(s->bytes.count && header->type == CT_RENDER_COMMAND_TYPE_CLOUD,
              "the last command is no cloud");
    ct_render_command_cloud *const x = (ct_render_command_cloud *)(void *)(header + 1);
    memcpy(x->desc.sphere, sphere, sizeof(x->desc.sphere));
}
