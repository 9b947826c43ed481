#include "particles/particle_system.h"

#include "foundation/memory/proxy_allocator.h"
#include "particles/particle_gpu.h"
#include "particles/particle_system_private.h"

void ct_particle_system_set_effect(ct_particle_system *s, ct_string_id64 name,
                                   const ct_particles_resource *effect) {
    const ct_render_effect_id old =
        ct_particle_gpu_forget_blob(s, ct_particle_system_effect(s, name));
    if (effect)
        ct_hash_map_set(&s->effects, name.value, (uint64_t)(uintptr_t)effect);
    else
        ct_hash_map_erase(&s->effects, name.value);
    for (uint32_t i = 0; i < s->worlds.count; ++i)
        ct_particle_world_follow(s->worlds.items[i], name, effect);
    ct_particle_gpu_remove_blob(s, old);
    if (effect)
        ct_particle_effect_prepare(s, effect);
}

static void online(void *user, ct_string_id64 name, const void *blob) {
    ct_particle_system_set_effect(user, name, blob);
}

static void offline(void *user, ct_string_id64 name, const void *blob) {
    (void)blob;
    ct_particle_system_set_effect(user, name, NULL);
}

static void reload(void *user, ct_string_id64 name, const void *old_blob, const void *new_blob) {
    (void)old_blob;
    ct_particle_system_set_effect(user, name, new_blob);
}

ct_particle_system *ct_particle_system_create(const ct_particle_system_desc *desc) {
    ct_particle_system *const s = CT_NEW(desc->allocator, ct_particle_system);
    s->backing = desc->allocator;
    s->allocator = ct_proxy_allocator_create(desc->allocator, "particles");
    s->resources = desc->resources;
    s->renderer = desc->renderer;
    s->tasks = desc->tasks;
    s->budget = desc->budget ? desc->budget : CT_PARTICLES_DEFAULT_BUDGET;
    s->gpu_threshold = desc->gpu_threshold;
    ct_hash_map_init(&s->effects, s->allocator);
    ct_hash_map_init(&s->gpu_blobs, s->allocator);
    ct_array_init(&s->worlds, s->allocator);
    ct_particle_blocks_init(s);
    if (s->resources)
        ct_resource_manager_register(
            s->resources, "particles",
            &(ct_resource_callbacks){
                .user = s, .online = online, .offline = offline, .reload = reload});
    return s;
}

void ct_particle_system_destroy(ct_particle_system *s) {
    if (!s)
        return;
    CT_ASSERT(!s->worlds.count, "%u worlds still have particles", s->worlds.count);
    ct_particle_blocks_shutdown(s);
    ct_particle_gpu_remove_blobs(s);
    ct_hash_map_free(&s->gpu_blobs);
    ct_hash_map_free(&s->effects);
    ct_array_free(&s->worlds);
    ct_proxy_allocator_destroy(s->allocator);
    ct_free_sized(s->backing, s, sizeof(*s));
}

const ct_particles_resource *ct_particle_system_effect(const ct_particle_system *s,
                                                       ct_string_id64 name) {
    return (const ct_particles_resource *)(uintptr_t)ct_hash_map_get(&s->effects, name.value, 0);
}

uint32_t ct_particle_system_variable(const ct_particle_system *s, ct_string_id64 effect,
                                     ct_string_id32 variable) {
    const ct_particles_resource *const r = ct_particle_system_effect(s, effect);
    if (!r)
        return UINT32_MAX;
    const ct_particle_variable *const variables = ct_blob_at(r, r->variables.offset);
    for (uint32_t i = 0; i < r->variables.count; ++i)
        if (variables[i].name.value == variable.value)
            return i;
    return UINT32_MAX;
}
