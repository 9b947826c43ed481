#include "foundation/error.h"
#include "foundation/memory/proxy_allocator.h"
#include "world/world_private.h"

// Enters `w` under the first free slot.
static void take_slot(ct_world *w) {
    ct_world_system *const s = w->system;
    uint32_t slot = 1;
    while (slot < s->slots.count && s->slots.items[slot])
        ++slot;
    CT_REQUIRE(slot <= UINT16_MAX, "%u worlds are too many", s->worlds.count);
    if (slot == s->slots.count) {
        ct_array_push(&s->slots, NULL);
        ct_array_push(&s->transforms, NULL);
    }
    s->slots.items[slot] = w;
    s->transforms.items[slot] = ct_world_transforms(w);
    w->slot = slot;
    ct_array_push(&s->worlds, w);
}

static void leave_slot(ct_world *w) {
    ct_world_system *const s = w->system;
    s->slots.items[w->slot] = NULL;
    s->transforms.items[w->slot] = NULL;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->worlds.count; ++i) {
        if (s->worlds.items[i] != w)
            s->worlds.items[kept++] = s->worlds.items[i];
    }
    s->worlds.count = kept;
}

ct_world *ct_world_create(ct_world_system *s) {
    ct_world *const w = CT_NEW(s->allocator, ct_world);
    w->system = s;
    w->allocator = ct_proxy_allocator_create(s->allocator, "worlds/world");
    w->render_world = ct_render_world_create(s->renderer);
    ct_array_init(&w->units, w->allocator);
    ct_array_init(&w->unit_resources, w->allocator);
    ct_array_init(&w->levels, w->allocator);
    ct_array_init(&w->level_records, w->allocator);
    ct_world_create_managers(w);
    ct_world_add_component_tables(w);
    take_slot(w);
    if (s->physics_draw_flags)
        ct_world_set_physics_draw(w, s->physics_draw_flags, s->physics_draw_radius);
    ct_world_call_started(w);
    return w;
}

void ct_world_end_levels(ct_world *w) {
    w->is_ending = true;
    while (w->levels.count)
        ct_world_destroy_level(w, w->levels.items[w->levels.count - 1]);
}

void ct_world_destroy(ct_world *w) {
    if (!w)
        return;
    ct_world_system *const s = w->system;
    ct_world_set_physics_draw(w, 0, 1);
    ct_world_end_levels(w);
    ct_world_destroy_all_entities(w);
    ct_world_call_ended(w);
    ct_world_destroy_managers(w);
    ct_render_world_destroy(s->renderer, w->render_world);
    leave_slot(w);
    ct_array_free(&w->level_records);
    ct_array_free(&w->levels);
    ct_array_free(&w->unit_resources);
    ct_array_free(&w->units);
    ct_proxy_allocator_destroy(w->allocator);
    ct_free_sized(s->allocator, w, sizeof(*w));
}

bool ct_world_is_ending(const ct_world *w) {
    return w->is_ending;
}

ct_component_registry *ct_world_registry(ct_world *w) {
    return &w->registry;
}

ct_allocator *ct_world_allocator(const ct_world *w) {
    return w->allocator;
}

ct_render_world_id ct_world_render_world(const ct_world *w) {
    return w->render_world;
}

double ct_world_time(const ct_world *w) {
    return w->time;
}

double ct_world_delta_time(const ct_world *w) {
    return w->delta_time;
}
