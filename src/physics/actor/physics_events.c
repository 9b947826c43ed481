// Events: what touches after a step is compared with what touched before it.
//
// Pairs are in one of two lists. `touching` has those of which one actor is awake, sorted; Bullet
// lists them anew in each step. A pair that both let sleep goes to `sleeping` and is not looked at
// until one of its actors wakes or ends.
#include <stdlib.h>
#include <string.h>

#include "physics/actor/trigger_finder.h"

static uint64_t pair_key(const ct_touch *t) {
    return (uint64_t)t->a << 32 | t->b;
}

static const ct_actor_slot *slot_of(const ct_physics_world *p, uint32_t id) {
    return ct_actor_find(p, (ct_actor){id});
}

static const ct_physics_material *material_at(const ct_physics_world *p, const ct_actor_slot *s) {
    const ct_physics_material *const materials =
        ct_blob_at(p->resource, p->resource->materials.offset);
    return &materials[ct_actor_extra_of(p, s)->material];
}

// Whether the triggers of a pair ask for the other's tags, or for none.
static bool is_wanted(const ct_physics_world *p, const ct_actor_slot *a, const ct_actor_slot *b) {
    return (!(a->flags & CT_ACTOR_TRIGGER) || ct_trigger_wants(p, a, b->entity)) &&
           (!(b->flags & CT_ACTOR_TRIGGER) || ct_trigger_wants(p, b, a->entity));
}

// Whether a touch is strong enough to be an event.
static bool is_strong(const ct_physics_world *p, const ct_actor_slot *a, const ct_actor_slot *b,
                      float impulse) {
    if ((a->flags | b->flags) & CT_ACTOR_TRIGGER)
        return is_wanted(p, a, b);
    const ct_physics_material *const first = ct_blob_at(p->resource, p->resource->materials.offset);
    const uint32_t x = (uint32_t)(material_at(p, a) - first);
    const uint32_t y = (uint32_t)(material_at(p, b) - first);
    return impulse >= ct_physics_touch_impulse(p->resource, x, y);
}

// Adds an event of a pair; a trigger comes first.
static void add_event(ct_physics_world *p, const ct_touch *t, bool is_begin, bool is_persist,
                      bool b_is_trigger, bool has_trigger, float impulse, float time) {
    ct_physics_event event = {.a = {t->a},
                              .b = {t->b},
                              .entity_a = t->entity_a,
                              .entity_b = t->entity_b,
                              .position = t->position,
                              .normal = t->normal,
                              .distance = t->distance,
                              .impulse = impulse,
                              .time = time};
    if (b_is_trigger) {
        event.a = (ct_actor){t->b}, event.b = (ct_actor){t->a};
        event.entity_a = t->entity_b, event.entity_b = t->entity_a;
        event.normal = (ct_vec3){{-t->normal.x, -t->normal.y, -t->normal.z}};
    }
    if (has_trigger)
        event.kind = is_begin ? CT_PHYSICS_TRIGGER_ENTER : CT_PHYSICS_TRIGGER_LEAVE;
    else
        event.kind = is_persist ? CT_PHYSICS_TOUCH_PERSIST
                     : is_begin ? CT_PHYSICS_TOUCH_BEGIN
                                : CT_PHYSICS_TOUCH_END;
    ct_array_push(&p->events, event);
}

// Which of a pair are triggers, also after they ended.
enum { A_IS_TRIGGER = 2, B_IS_TRIGGER = 4 }; // bits of is_told beside 1

static void end_touch(ct_physics_world *p, const ct_touch *t, float time) {
    const bool b_is_trigger = t->is_told & B_IS_TRIGGER;
    const bool has_trigger = t->is_told & (A_IS_TRIGGER | B_IS_TRIGGER);
    if (t->is_told & 1)
        add_event(p, t, false, false, b_is_trigger, has_trigger, 0, time);
}

// --- Pairs that sleep ----------------------------------------------------------------------------

static ct_sleeping_touch *sleeping_at(ct_physics_world *p, uint32_t i) {
    return &p->sleeping.items[i];
}

static uint32_t slot_on(const ct_touch *t, uint32_t side) {
    return ct_actor_slot_of((ct_actor){side ? t->b : t->a});
}

// Returns the side on which a touch is in the list of a slot.
static uint32_t side_of(const ct_sleeping_touch *s, uint32_t slot) {
    return slot_on(&s->touch, 0) == slot ? 0 : 1;
}

static void put_to_sleep(ct_physics_world *p, const ct_touch *t) {
    uint32_t i = p->first_free_sleeping;
    if (i) {
        p->first_free_sleeping = sleeping_at(p, i)->next[0];
    } else {
        i = p->sleeping.count;
        ct_array_push(&p->sleeping, (ct_sleeping_touch){.next = {0}});
    }
    ct_sleeping_touch *const s = sleeping_at(p, i);
    *s = (ct_sleeping_touch){.touch = *t};
    for (uint32_t side = 0; side < 2; ++side) {
        const uint32_t slot = slot_on(t, side);
        uint32_t *const first = &p->slots.items[slot].first_sleeping;
        s->next[side] = *first;
        if (*first)
            sleeping_at(p, *first)->previous[side_of(sleeping_at(p, *first), slot)] = i;
        *first = i;
    }
}

static void unlink_side(ct_physics_world *p, uint32_t i, uint32_t side) {
    const ct_sleeping_touch *const s = sleeping_at(p, i);
    const uint32_t slot = slot_on(&s->touch, side);
    const uint32_t next = s->next[side], previous = s->previous[side];
    if (next)
        sleeping_at(p, next)->previous[side_of(sleeping_at(p, next), slot)] = previous;
    if (previous)
        sleeping_at(p, previous)->next[side_of(sleeping_at(p, previous), slot)] = next;
    else
        p->slots.items[slot].first_sleeping = next;
}

void ct_physics_take_pairs(ct_physics_world *p, uint32_t slot) {
    uint32_t i;
    while ((i = p->slots.items[slot].first_sleeping)) {
        ct_array_push(&p->woken, sleeping_at(p, i)->touch);
        unlink_side(p, i, 0);
        unlink_side(p, i, 1);
        sleeping_at(p, i)->next[0] = p->first_free_sleeping;
        p->first_free_sleeping = i;
    }
}

void ct_physics_wake_pairs(ct_physics_world *p, const ct_actor_slot *s) {
    const uint32_t slot = (uint32_t)(s - p->slots.items), first = p->woken.count;
    ct_physics_take_pairs(p, slot);
    for (uint32_t i = first; i < p->woken.count; ++i) {
        const ct_touch *const t = &p->woken.items[i];
        const uint32_t other = slot_on(t, slot_on(t, 0) == slot ? 1 : 0);
        if (p->slots.items[other].body)
            ct_bullet_body_wake(p->slots.items[other].body);
    }
}

// Whether two actors may touch: what does not move sleeps, also after it was told not to.
static bool can_touch(const ct_physics_world *p, const ct_actor_slot *a, const ct_actor_slot *b) {
    const ct_physics_filter *const filters = ct_blob_at(p->resource, p->resource->filters.offset);
    const ct_actor_extra *const x = ct_actor_extra_of(p, a), *const y = ct_actor_extra_of(p, b);
    const bool has_trigger = (a->flags | b->flags) & CT_ACTOR_TRIGGER;
    const bool has_static = (x->data.body == CT_ACTOR_STATIC && !(a->flags & CT_ACTOR_TRIGGER)) ||
                            (y->data.body == CT_ACTOR_STATIC && !(b->flags & CT_ACTOR_TRIGGER));
    const bool has_dynamic = x->data.body == CT_ACTOR_DYNAMIC || y->data.body == CT_ACTOR_DYNAMIC;
    return x->data.is_collision_enabled && y->data.is_collision_enabled &&
           (filters[x->filter].collides >> y->filter & 1) &&
           (has_dynamic || (has_trigger && !has_static));
}

static bool rests(const ct_physics_world *p, const ct_touch *t) {
    const ct_actor_slot *const a = slot_of(p, t->a), *const b = slot_of(p, t->b);
    return a && b && a->body && b->body && ct_bullet_pair_is_asleep(a->body, b->body) &&
           can_touch(p, a, b);
}

static int compare_touches(const void *a, const void *b) {
    const uint64_t x = pair_key(a), y = pair_key(b);
    return x < y ? -1 : x > y;
}

// Adds the pairs that no longer rest to those that are compared.
static void add_woken(ct_physics_world *p) {
    if (p->woken.count == 0)
        return;
    ct_array_push_many(&p->touching, p->woken.items, p->woken.count);
    p->woken.count = 0;
    qsort(p->touching.items, p->touching.count, sizeof(*p->touching.items), compare_touches);
}

// --- A step --------------------------------------------------------------------------------------

static ct_touch touch_of(const ct_bullet_contact *c, const ct_actor_slot *a,
                         const ct_actor_slot *b) {
    return (ct_touch){.a = c->a,
                      .b = c->b,
                      .entity_a = a->entity,
                      .entity_b = b->entity,
                      .position = c->position,
                      .normal = c->normal,
                      .distance = c->distance,
                      .is_told = (a->flags & CT_ACTOR_TRIGGER ? A_IS_TRIGGER : 0) |
                                 (b->flags & CT_ACTOR_TRIGGER ? B_IS_TRIGGER : 0)};
}

// A pair that Bullet lists: goes on, or begins when it overlaps or pushes.
static void take_contact(ct_physics_world *p, const ct_bullet_contact *c, const ct_touch *before,
                         float time) {
    const ct_actor_slot *const a = slot_of(p, c->a), *const b = slot_of(p, c->b);
    if (!a || !b) // a mover's body
        return;
    ct_touch t = touch_of(c, a, b);
    const uint32_t triggers = t.is_told;
    if (before)
        t.is_told = before->is_told;
    else if (!(c->distance <= 0 || c->impulse > 0))
        return;
    const bool was_told = t.is_told & 1;
    if (!was_told && is_strong(p, a, b, c->impulse)) {
        t.is_told = triggers | 1;
        add_event(p, &t, true, false, triggers & B_IS_TRIGGER, triggers, c->impulse, time);
    } else if (was_told && triggers && !is_wanted(p, a, b)) { // it has lost a tag
        end_touch(p, &t, time);
        t.is_told = triggers;
    } else if (was_told && triggers == 0 &&
               (ct_actor_extra_of(p, a)->data.reports_persist ||
                ct_actor_extra_of(p, b)->data.reports_persist)) {
        add_event(p, &t, true, true, false, false, c->impulse, time);
    }
    ct_array_push(&p->next_touching, t);
}

// A pair that rests: its tags may be others than before.
static void rest_touch(ct_physics_world *p, const ct_touch *t, float time) {
    ct_touch resting = *t;
    const uint32_t triggers = t->is_told & (A_IS_TRIGGER | B_IS_TRIGGER);
    const bool is_told =
        triggers ? is_wanted(p, slot_of(p, t->a), slot_of(p, t->b)) : t->is_told & 1;
    if (is_told && !(t->is_told & 1))
        add_event(p, t, true, false, triggers & B_IS_TRIGGER, triggers, 0, time);
    else if (!is_told)
        end_touch(p, t, time);
    resting.is_told = triggers | is_told;
    put_to_sleep(p, &resting);
}

// A pair that Bullet no longer lists.
static void lose_contact(ct_physics_world *p, const ct_touch *t, float time) {
    if (rests(p, t))
        rest_touch(p, t, time);
    else
        end_touch(p, t, time);
}

static bool event_is_before(const ct_physics_event *x, const ct_physics_event *y) {
    if (x->a.id != y->a.id)
        return x->a.id < y->a.id;
    return x->b.id != y->b.id ? x->b.id < y->b.id : x->kind < y->kind;
}

static bool are_in_order(const ct_physics_event *events, uint32_t count) {
    for (uint32_t i = 1; i < count; ++i) {
        if (event_is_before(&events[i], &events[i - 1]))
            return false;
    }
    return true;
}

// Sorts the events of a step by pair, those of a pair by kind.
static void sort_events(ct_physics_world *p, uint32_t first) {
    const uint32_t count = p->events.count - first;
    if (count == 0)
        return;
    ct_physics_event *const events = p->events.items + first;
    if (are_in_order(events, count))
        return;
    ct_array_resize(&p->event_keys, 2 * (uint64_t)count);
    ct_array_resize(&p->sorted_events, count);
    ct_sort_item64 *const keys = p->event_keys.items, *const scratch = keys + count;
    for (uint32_t i = 0; i < count; ++i)
        keys[i] = (ct_sort_item64){events[i].kind, i};
    ct_sort_items64(keys, scratch, count);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_physics_event *const e = &events[keys[i].index];
        keys[i].key = (uint64_t)e->a.id << 32 | e->b.id;
    }
    ct_sort_items64(keys, scratch, count);
    for (uint32_t i = 0; i < count; ++i)
        p->sorted_events.items[i] = events[keys[i].index];
    memcpy(events, p->sorted_events.items, count * sizeof(*events));
}

void ct_physics_find_events(ct_physics_world *p, float time) {
    uint32_t count;
    const ct_bullet_contact *const contacts = ct_bullet_world_contacts(p->bullet, &count);
    const uint32_t first_event = p->events.count;
    p->next_touching.count = 0;
    add_woken(p);
    uint32_t old = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const uint64_t key = (uint64_t)contacts[i].a << 32 | contacts[i].b;
        for (; old < p->touching.count && pair_key(&p->touching.items[old]) < key; ++old)
            lose_contact(p, &p->touching.items[old], time);
        const bool is_same = old < p->touching.count && pair_key(&p->touching.items[old]) == key;
        take_contact(p, &contacts[i], is_same ? &p->touching.items[old] : NULL, time);
        old += is_same;
    }
    for (; old < p->touching.count; ++old)
        lose_contact(p, &p->touching.items[old], time);
    const ct_touch_array swapped = p->touching;
    p->touching = p->next_touching;
    p->next_touching = swapped;
    sort_events(p, first_event);
}

const ct_physics_event *ct_physics_world_events(const ct_physics_world *p, uint32_t *count) {
    *count = p->events.count;
    return p->events.items;
}

// --- State ---------------------------------------------------------------------------------------

static void hash_inside(const ct_physics_world *p, const ct_touch *t, ct_state_hash *hash) {
    const bool b_is_trigger = t->is_told & B_IS_TRIGGER;
    const ct_entity trigger = b_is_trigger ? t->entity_b : t->entity_a;
    const ct_entity inside = b_is_trigger ? t->entity_a : t->entity_b;
    const uint32_t id = ct_actor_component_id(p, (ct_actor){b_is_trigger ? t->b : t->a});
    if ((t->is_told & (A_IS_TRIGGER | B_IS_TRIGGER)) && (t->is_told & 1) && trigger.id)
        ct_state_hash_add(hash, trigger, CT_ID32("trigger", 0xead0b378).value | (uint64_t)id << 32,
                          &inside, sizeof(inside));
}

void ct_physics_hash_inside(const ct_physics_world *p, ct_state_hash *hash) {
    for (uint32_t i = 0; i < p->touching.count; ++i)
        hash_inside(p, &p->touching.items[i], hash);
    for (uint32_t i = 0; i < p->woken.count; ++i)
        hash_inside(p, &p->woken.items[i], hash);
    for (uint32_t slot = 1; slot < p->slots.count; ++slot) {
        uint32_t i = p->slots.items[slot].first_sleeping;
        while (i) {
            const ct_sleeping_touch *const s = &p->sleeping.items[i];
            const uint32_t side = side_of(s, slot);
            if (side == 0) // each once
                hash_inside(p, &s->touch, hash);
            i = s->next[side];
        }
    }
}
