#include "foundation/error.h"
#include "foundation/memory/proxy_allocator.h"
#include "world/world_private.h"

enum { SCRATCH_CHUNK_BYTES = 256 * 1024 };

ct_world_system *ct_world_system_create(const ct_world_system_desc *desc) {
    ct_world_system *const s = CT_NEW(desc->allocator, ct_world_system);
    s->backing = desc->allocator;
    s->allocator = ct_proxy_allocator_create(desc->allocator, "worlds");
    s->resources = desc->resources;
    s->renderer = desc->renderer;
    s->animation = desc->animation;
    s->physics = desc->physics;
    s->particles = desc->particles;
    s->sound = desc->sound;
    s->tasks = desc->tasks;
    ct_array_init(&s->worlds, s->allocator);
    ct_array_init(&s->slots, s->allocator);
    ct_array_init(&s->transforms, s->allocator);
    ct_array_init(&s->world_slots, s->allocator);
    ct_array_init(&s->families, s->allocator);
    ct_array_init(&s->components, s->allocator);
    ct_hash_map_init(&s->told, s->allocator);
    ct_array_push(&s->slots, NULL);
    ct_array_push(&s->transforms, NULL);
    ct_world_schedule_init(&s->schedule);
    s->scratch = ct_frame_allocator_create(s->allocator, "worlds/scratch", SCRATCH_CHUNK_BYTES);
    s->entities = ct_entity_manager_create(s->allocator);
    ct_entity_manager_add_callback(s->entities, ct_world_entities_destroyed, s);
    s->debug_names = ct_debug_name_manager_create(s->allocator);
    const ct_component_manager names = ct_debug_name_component_manager(s->debug_names);
    ct_component_registry_add(&s->shared, &names);
    s->data = ct_data_manager_create(s->allocator);
    const ct_component_manager data = ct_data_component_manager(s->data);
    ct_component_registry_add(&s->shared, &data);
    s->tags = ct_tag_manager_create(s->allocator);
    const ct_component_manager tags = ct_tag_component_manager(s->tags);
    ct_component_registry_add(&s->shared, &tags);
    ct_world_system_watch_navigation(s);
    return s;
}

void ct_world_system_destroy(ct_world_system *s) {
    if (!s)
        return;
    while (s->worlds.count)
        ct_world_destroy(s->worlds.items[s->worlds.count - 1]);
    if (s->resources)
        ct_resource_manager_unregister(s->resources, s);
    ct_component_registry_destroy_all(&s->shared);
    ct_entity_manager_destroy(s->entities);
    ct_frame_allocator_destroy(s->scratch);
    ct_world_system_forget_components(s);
    ct_world_system_forget_rows(s);
    ct_array_free(&s->components);
    ct_hash_map_free(&s->told);
    ct_array_free(&s->families);
    ct_array_free(&s->world_slots);
    ct_array_free(&s->transforms);
    ct_array_free(&s->slots);
    ct_array_free(&s->worlds);
    ct_proxy_allocator_destroy(s->allocator);
    ct_free_sized(s->backing, s, sizeof(*s));
}

ct_world_system *ct_world_system_of(const ct_world *w) {
    return w->system;
}

ct_entity_manager *ct_world_system_entities(ct_world_system *s) {
    return s->entities;
}

ct_debug_name_manager *ct_world_system_debug_names(ct_world_system *s) {
    return s->debug_names;
}

ct_data_manager *ct_world_system_data(ct_world_system *s) {
    return s->data;
}

ct_tag_manager *ct_world_system_tags(ct_world_system *s) {
    return s->tags;
}

ct_task_manager *ct_world_system_tasks(const ct_world_system *s) {
    return s->tasks;
}

ct_sound_system *ct_world_system_sound(const ct_world_system *s) {
    return s->sound;
}

ct_resource_manager *ct_world_system_resources(ct_world_system *s) {
    return s->resources;
}

const ct_world_schedule *ct_world_system_schedule(const ct_world_system *s) {
    return &s->schedule;
}

ct_renderer *ct_world_system_renderer(ct_world_system *s) {
    return s->renderer;
}

uint32_t ct_world_system_num_entities(const ct_world_system *s) {
    return s->entities->num_alive;
}

ct_allocator *ct_world_system_allocator(const ct_world_system *s) {
    return s->allocator;
}

uint32_t ct_world_system_num_worlds(const ct_world_system *s) {
    return s->worlds.count;
}

ct_world *ct_world_system_world(const ct_world_system *s, uint32_t index) {
    CT_ASSERT(index < s->worlds.count, "there is no world %u; there are %u", index,
              s->worlds.count);
    return s->worlds.items[index];
}
