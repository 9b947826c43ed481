#include "world/world_private.h"

typedef CT_ARRAY(ct_entity) ct_entity_array;

// --- Making --------------------------------------------------------------------------------------

void ct_world_create_entities(ct_world *w, ct_entity *entities, uint32_t count) {
    ct_world_system *const s = w->system;
    ct_entity_create(s->entities, entities, count);
    const uint32_t num_indices = s->entities->num_indices;
    if (s->families.count < num_indices) {
        ct_array_resize(&s->world_slots, num_indices);
        ct_array_resize(&s->families, num_indices);
    }
    for (uint32_t i = 0; i < count; ++i)
        s->world_slots.items[ct_entity_index(entities[i])] = (uint16_t)w->slot;
}

ct_entity ct_world_create_entity(ct_world *w) {
    ct_entity e;
    ct_world_create_entities(w, &e, 1);
    return e;
}

void ct_world_link_families(ct_world_system *s, const ct_entity *entities, const uint32_t *parents,
                            uint32_t first, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        if (parents[i] == CT_NO_PARENT)
            continue;
        const uint32_t child = ct_entity_index(entities[i]);
        const uint32_t parent = ct_entity_index(entities[parents[i] - first]);
        const uint32_t next = s->families.items[parent].first_child;
        s->families.items[child].parent = parent;
        s->families.items[child].next_sibling = next;
        if (next)
            s->families.items[next].previous_sibling = child;
        s->families.items[parent].first_child = child;
    }
}

void ct_world_swap_units(ct_world *w, uint32_t a, uint32_t b) {
    const ct_entity first = w->units.items[a], second = w->units.items[b];
    const ct_string_id64 resource = w->unit_resources.items[a];
    w->units.items[a] = second;
    w->units.items[b] = first;
    w->unit_resources.items[a] = w->unit_resources.items[b];
    w->unit_resources.items[b] = resource;
    w->system->families.items[ct_entity_index(second)].unit = a + 1;
    w->system->families.items[ct_entity_index(first)].unit = b + 1;
}

void ct_world_add_unit(ct_world *w, ct_entity root, ct_string_id64 resource) {
    ct_entity_family *const family = &w->system->families.items[ct_entity_index(root)];
    if (family->unit)
        return; // a level that names a root twice
    ct_array_push(&w->units, root);
    ct_array_push(&w->unit_resources, resource);
    family->unit = w->units.count;
}

// --- Asking --------------------------------------------------------------------------------------

ct_world *ct_world_of(const ct_world_system *s, ct_entity e) {
    const uint32_t index = ct_entity_index(e);
    if (index >= s->world_slots.count || !ct_entity_is_alive(s->entities, e))
        return NULL;
    return s->slots.items[s->world_slots.items[index]];
}

// Transforms end with their entities, so an entity that has one is alive.
ct_world_transform ct_world_transform_of(const ct_world_system *s, ct_entity e) {
    const uint32_t index = ct_entity_index(e);
    if (__builtin_expect(index >= s->world_slots.count, 0))
        return (ct_world_transform){0};
    ct_transform_manager *const m = s->transforms.items[s->world_slots.items[index]];
    if (__builtin_expect(!m, 0))
        return (ct_world_transform){0};
    return (ct_world_transform){m, ct_transform_lookup(m, e)};
}

const ct_entity *ct_world_units(const ct_world *w, uint32_t *count) {
    *count = w->units.count;
    return w->units.items;
}

// The place of a unit in the world's units, from 1, or 0.
static uint32_t unit_place(const ct_world *w, ct_entity unit) {
    if (ct_world_of(w->system, unit) != w)
        return 0;
    return w->system->families.items[ct_entity_index(unit)].unit;
}

bool ct_world_has_unit(const ct_world *w, ct_entity unit) {
    return unit_place(w, unit) != 0;
}

ct_entity ct_world_unit_of(const ct_world *w, ct_entity e) {
    const ct_world_system *const s = w->system;
    if (ct_world_of(s, e) != w)
        return (ct_entity){0};
    uint32_t index = ct_entity_index(e);
    while (index && !s->families.items[index].unit)
        index = s->families.items[index].parent;
    return index ? ct_entity_with_index(s->entities, index) : (ct_entity){0};
}

ct_entity ct_world_next_entity(const ct_world *w, ct_entity root, ct_entity e) {
    const ct_entity_family *const families = w->system->families.items;
    uint32_t index = ct_entity_index(e);
    if (families[index].first_child)
        return ct_entity_with_index(w->system->entities, families[index].first_child);
    while (index != ct_entity_index(root) && !families[index].next_sibling)
        index = families[index].parent;
    return index == ct_entity_index(root)
               ? (ct_entity){0}
               : ct_entity_with_index(w->system->entities, families[index].next_sibling);
}

ct_string_id64 ct_world_unit_resource(const ct_world *w, ct_entity unit) {
    const uint32_t place = unit_place(w, unit);
    return place ? w->unit_resources.items[place - 1] : (ct_string_id64){0};
}

// --- Ending --------------------------------------------------------------------------------------

// The family of an entity that may not be of any world; NULL then.
static ct_entity_family *family_of(ct_world_system *s, ct_entity e) {
    const uint32_t index = ct_entity_index(e);
    return index < s->families.count ? &s->families.items[index] : NULL;
}

static void add_ending_children(ct_world_system *s, ct_entity e, ct_entity_array *below) {
    const ct_entity_family *const family = family_of(s, e);
    if (!family)
        return;
    for (uint32_t child = family->first_child; child;
         child = s->families.items[child].next_sibling) {
        if (s->families.items[child].is_ending)
            continue;
        s->families.items[child].is_ending = true;
        ct_array_push(below, ct_entity_with_index(s->entities, child));
    }
}

// Marks `entities` and their descendants by template as ending. Appends the descendants, without
// those already marked, to `below`, parents before children.
static void mark_ending(ct_world_system *s, const ct_entity *entities, uint32_t count,
                        ct_entity_array *below) {
    for (uint32_t i = 0; i < count; ++i) {
        ct_entity_family *const family = family_of(s, entities[i]);
        if (family)
            family->is_ending = true;
    }
    for (uint32_t i = 0; i < count; ++i)
        add_ending_children(s, entities[i], below);
    for (uint32_t i = 0; i < below->count; ++i)
        add_ending_children(s, below->items[i], below);
}

// Calls the rows of worlds for the units among `entities`, world by world. Returns those of
// `entities` that no row has destroyed, in the scratch, and their `count`.
static const ct_entity *call_units_destroyed(ct_world_system *s, const ct_entity *entities,
                                             uint32_t *count) {
    for (uint32_t k = 0; k < s->worlds.count; ++k) {
        ct_world *const w = s->worlds.items[k];
        const ct_frame_mark mark = ct_frame_allocator_mark(s->scratch);
        ct_entity_array units;
        ct_array_init(&units, ct_frame_allocator_interface(s->scratch));
        for (uint32_t i = 0; i < *count; ++i) {
            if (ct_world_of(s, entities[i]) == w && family_of(s, entities[i])->unit)
                ct_array_push(&units, entities[i]);
        }
        if (units.count > 0)
            ct_world_call_units_destroyed(w, units.items, units.count);
        ct_frame_allocator_reset(s->scratch, mark);
    }
    ct_entity *const alive =
        ct_alloc(ct_frame_allocator_interface(s->scratch), sizeof(*alive) * (uint64_t)*count);
    uint32_t num_alive = 0;
    for (uint32_t i = 0; i < *count; ++i) {
        if (ct_entity_is_alive(s->entities, entities[i]))
            alive[num_alive++] = entities[i];
    }
    *count = num_alive;
    return alive;
}

static void tell_managers(const ct_component_registry *r, const ct_entity *entities,
                          uint32_t count) {
    for (uint32_t i = r->count; i-- > 0;) {
        if (r->managers[i].entities_destroyed)
            r->managers[i].entities_destroyed(r->managers[i].manager, entities, count);
    }
}

static void tell_of_indices(const ct_component_registry *r, const ct_entity *entities,
                            uint32_t count) {
    for (uint32_t i = r->count; i-- > 0;) {
        if (r->managers[i].indices_ended)
            r->managers[i].indices_ended(r->managers[i].manager, entities, count);
    }
}

// Calls the managers that keep components of dead entities, for the indices whose ids start over.
static void end_indices(ct_world_system *s, const ct_entity *entities, uint32_t count) {
    const ct_frame_mark mark = ct_frame_allocator_mark(s->scratch);
    ct_entity_array last;
    ct_array_init(&last, ct_frame_allocator_interface(s->scratch));
    for (uint32_t i = 0; i < count; ++i) {
        if (ct_entity_generation(entities[i]) == CT_ENTITY_LAST_GENERATION)
            ct_array_push(&last, entities[i]);
    }
    for (uint32_t i = 0; i < s->worlds.count && last.count; ++i)
        tell_of_indices(&s->worlds.items[i]->registry, last.items, last.count);
    if (last.count) {
        tell_of_indices(&s->shared, last.items, last.count);
        s->has_lost_units = true; // for units that are still alive now
    }
    ct_frame_allocator_reset(s->scratch, mark);
}

// Before an id is reused, other entities with its index die: there is time until the next death.
static void forget_lost_units(ct_world_system *s) {
    for (uint32_t i = 0; i < s->worlds.count && s->has_lost_units; ++i)
        ct_world_forget_dead_units(s->worlds.items[i]);
    s->has_lost_units = false;
}

static void remove_unit(ct_world *w, uint32_t place) {
    ct_array_swap_erase(&w->units, place - 1);
    ct_array_swap_erase(&w->unit_resources, place - 1);
    if (place <= w->units.count) {
        const uint32_t moved = ct_entity_index(w->units.items[place - 1]);
        w->system->families.items[moved].unit = place;
    }
}

// Removes an entity from the children of its parent.
static void leave_family(ct_world_system *s, const ct_entity_family *family) {
    ct_entity_family *const families = s->families.items;
    if (!family->parent)
        return;
    if (family->previous_sibling)
        families[family->previous_sibling].next_sibling = family->next_sibling;
    else
        families[family->parent].first_child = family->next_sibling;
    if (family->next_sibling)
        families[family->next_sibling].previous_sibling = family->previous_sibling;
}

// Returns the family of an entity about to die; NULL when a callback has already ended it: another
// entity may then have the index.
static ct_entity_family *dying_family(ct_world_system *s, ct_entity e) {
    return ct_entity_is_alive(s->entities, e) ? family_of(s, e) : NULL;
}

static void forget(ct_world_system *s, const ct_entity *entities, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        const ct_entity_family *const family = dying_family(s, entities[i]);
        if (!family)
            continue;
        leave_family(s, family);
        if (family->unit)
            remove_unit(ct_world_of(s, entities[i]), family->unit);
    }
    for (uint32_t i = 0; i < count; ++i) {
        ct_entity_family *const family = dying_family(s, entities[i]);
        if (!family)
            continue;
        *family = (ct_entity_family){0};
        s->world_slots.items[ct_entity_index(entities[i])] = 0;
    }
}

void ct_world_entities_destroyed(void *user, const ct_entity *entities, uint32_t count) {
    ct_world_system *const s = user;
    const ct_frame_mark mark = ct_frame_allocator_mark(s->scratch);
    forget_lost_units(s);
    if (s->has_units_destroyed)
        entities = call_units_destroyed(s, entities, &count);
    ct_entity_array below;
    ct_array_init(&below, ct_frame_allocator_interface(s->scratch));
    mark_ending(s, entities, count, &below);
    ct_entity_destroy(s->entities, below.items, below.count);
    for (uint32_t i = 0; i < s->worlds.count; ++i)
        tell_managers(&s->worlds.items[i]->registry, entities, count);
    tell_managers(&s->shared, entities, count);
    end_indices(s, entities, count);
    forget(s, entities, count);
    ct_frame_allocator_reset(s->scratch, mark);
}

void ct_world_destroy_units(ct_world *w, const ct_entity *units, uint32_t count) {
    ct_world_system *const s = w->system;
    const ct_frame_mark mark = ct_frame_allocator_mark(s->scratch);
    ct_entity *const own =
        ct_alloc(ct_frame_allocator_interface(s->scratch), sizeof(ct_entity) * (uint64_t)count);
    uint32_t num_own = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (ct_world_of(s, units[i]) == w)
            own[num_own++] = units[i];
    }
    ct_entity_destroy(s->entities, own, num_own);
    ct_frame_allocator_reset(s->scratch, mark);
}

void ct_world_destroy_all_entities(ct_world *w) {
    ct_world_system *const s = w->system;
    const ct_frame_mark mark = ct_frame_allocator_mark(s->scratch);
    ct_entity_array own;
    ct_array_init(&own, ct_frame_allocator_interface(s->scratch));
    for (uint32_t i = 1; i < s->world_slots.count; ++i) {
        if (s->world_slots.items[i] == w->slot)
            ct_array_push(&own, ct_entity_with_index(s->entities, i));
    }
    ct_entity_destroy(s->entities, own.items, own.count);
    ct_frame_allocator_reset(s->scratch, mark);
}
