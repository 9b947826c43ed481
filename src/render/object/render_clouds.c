#include "render/object/render_clouds.h"

#include <string.h>

void ct_render_clouds_init(ct_render_clouds *c, ct_allocator *a) {
    ct_array_init(&c->items, a);
    ct_array_init(&c->instances, a);
}

void ct_render_clouds_free(ct_render_clouds *c) {
    ct_array_free(&c->items);
    ct_array_free(&c->instances);
}

void ct_render_clouds_clear(ct_render_clouds *c) {
    c->items.count = 0;
    c->instances.count = 0;
}

void ct_render_clouds_add(ct_render_clouds *c, const ct_render_cloud_desc *desc, uint32_t material,
                          const ct_particle_instance *instances, uint32_t count,
                          ct_render_emitter_id emitter) {
    const ct_render_cloud cloud = {.desc = *desc,
                                   .material = material,
                                   .first = c->instances.count,
                                   .count = count,
                                   .emitter = emitter};
    ct_array_push(&c->items, cloud);
    ct_array_push_many(&c->instances, instances, count);
}

bool ct_render_clouds_look_same(const ct_render_cloud_desc *a, const ct_render_cloud_desc *b) {
    return a->material.value == b->material.value && a->is_ribbon == b->is_ribbon &&
           a->facing == b->facing && a->blends == b->blends &&
           memcmp(a->grid, b->grid, sizeof(a->grid)) == 0 &&
           memcmp(a->axis, b->axis, sizeof(a->axis)) == 0 &&
           memcmp(&a->stretch, &b->stretch, sizeof(a->stretch)) == 0 &&
           memcmp(a->pivot, b->pivot, sizeof(a->pivot)) == 0;
}
