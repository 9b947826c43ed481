// Events: what touches after a step, compared with what touched after the last one.
#include <stdlib.h>

#include "physics/actor/physics_world_private.h"

// --- Touches that rest ---------------------------------------------------------------------------

static ct_resting_touch *resting_at(ct_physics_world *p, uint32_t i) {
    return &p->resting_touches.items[i];
}

static uint32_t slot_on(const ct_touch *t, uint32_t side) {
    return (side ? t->b : t->a) & CT_ACTOR_SLOT_MASK;
}

// Returns the side on which a resting touch is linked to a slot.
static uint32_t side_of(const ct_resting_touch *r, uint32_t slot) {
    return slot_on(&r->touch, 0) == slot ? 0 : 1;
}

static void rest(ct_physics_world *p, const ct_touch *touch) {
    uint32_t i = p->first_free_resting;
    if (i) {
        p->first_free_resting = resting_at(p, i)->next[0];
    } else {
        i = p->resting_touches.count;
        ct_array_push(&p->resting_touches, (ct_resting_touch){.next = {0}});
    }
    ct_resting_touch *const r = resting_at(p, i);
    *r = (ct_resting_touch){.touch = *touch};
    for (uint32_t side = 0; side < 2; ++side) {
        const uint32_t slot = slot_on(touch, side), next = p->resting[slot];
        r->next[side] = next;
        if (next)
            resting_at(p, next)->previous[side_of(resting_at(p, next), slot)] = i;
        p->resting[slot] = i;
    }
}

static void unlink_side(ct_physics_world *p, uint32_t i, uint32_t side) {
    const ct_resting_touch *const r = resting_at(p, i);
    const uint32_t slot = slot_on(&r->touch, side);
    const uint32_t next = r->next[side], previous = r->previous[side];
    if (next)
        resting_at(p, next)->previous[side_of(resting_at(p, next), slot)] = previous;
    if (previous)
        resting_at(p, previous)->next[side_of(resting_at(p, previous), slot)] = next;
    else
        p->resting[slot] = next;
}

void ct_physics_wake_touches(ct_physics_world *p, uint32_t slot, bool wakes_others) {
    while (p->resting[slot]) {
        const uint32_t i = p->resting[slot];
        const ct_touch touch = resting_at(p, i)->touch;
        unlink_side(p, i, 0);
        unlink_side(p, i, 1);
        resting_at(p, i)->next[0] = p->first_free_resting;
        p->first_free_resting = i;
        ct_array_push(&p->woken, touch);
        const uint32_t other = slot_on(&touch, slot_on(&touch, 0) == slot ? 1 : 0);
        if (wakes_others && p->body[other])
            ct_bullet_body_wake(p->body[other]);
    }
}

// --- Events --------------------------------------------------------------------------------------

static int compare_touches(const void *a, const void *b) {
    const ct_touch *const x = a, *const y = b;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return x->b < y->b ? -1 : x->b > y->b;
}

static int compare_events(const void *a, const void *b) {
    const ct_physics_event *const x = a, *const y = b;
    if (x->a.id != y->a.id)
        return x->a.id < y->a.id ? -1 : 1;
    if (x->b.id != y->b.id)
        return x->b.id < y->b.id ? -1 : 1;
    return x->kind < y->kind ? -1 : x->kind > y->kind;
}

// Adds an event. The trigger of a touch comes first; of two triggers there are no touches.
static void add_event(ct_physics_world *p, const ct_touch *t, ct_physics_event_kind kind,
                      float time) {
    const bool is_trigger = t->is_trigger_a || t->is_trigger_b;
    if (is_trigger && kind == CT_PHYSICS_TOUCH_PERSIST)
        return;
    ct_physics_event e = {.kind = kind,
                          .a = {t->a},
                          .b = {t->b},
                          .entity_a = t->entity_a,
                          .entity_b = t->entity_b,
                          .position = t->position,
                          .normal = t->normal,
                          .impulse = is_trigger ? 0 : t->impulse,
                          .time = time};
    if (is_trigger)
        e.kind =
            kind == CT_PHYSICS_TOUCH_BEGIN ? CT_PHYSICS_TRIGGER_ENTER : CT_PHYSICS_TRIGGER_LEAVE;
    if (t->is_trigger_b) {
        e.a.id = t->b;
        e.b.id = t->a;
        e.entity_a = t->entity_b;
        e.entity_b = t->entity_a;
        e.normal = ct_vec3_scale(t->normal, -1);
    }
    ct_array_push(&p->events, e);
}

static void take_contact(ct_touch *t, const ct_bullet_contact *c) {
    t->position = c->position;
    t->normal = c->normal;
    t->impulse = c->impulse;
}

static bool is_strong(const ct_physics_world *p, const ct_touch *t) {
    if (t->is_trigger_a || t->is_trigger_b)
        return true;
    return t->impulse >= ct_physics_touch_impulse(ct_physics_system_resource(p->system),
                                                  p->material[slot_on(t, 0)],
                                                  p->material[slot_on(t, 1)]);
}

static void continue_touch(ct_physics_world *p, ct_touch *t, float time) {
    const bool reports = p->record[slot_on(t, 0)].data.reports_persist ||
                         p->record[slot_on(t, 1)].data.reports_persist;
    if (t->has_begun && reports)
        add_event(p, t, CT_PHYSICS_TOUCH_PERSIST, time);
    if (!t->has_begun && is_strong(p, t)) {
        t->has_begun = true;
        add_event(p, t, CT_PHYSICS_TOUCH_BEGIN, time);
    }
    ct_array_push(&p->next_touches, *t);
}

static void begin_touch(ct_physics_world *p, const ct_bullet_contact *c, float time) {
    const uint32_t a = c->a & CT_ACTOR_SLOT_MASK, b = c->b & CT_ACTOR_SLOT_MASK;
    ct_touch t = {.a = c->a,
                  .b = c->b,
                  .entity_a = p->entity[a],
                  .entity_b = p->entity[b],
                  .is_trigger_a = p->record[a].is_trigger,
                  .is_trigger_b = p->record[b].is_trigger};
    take_contact(&t, c);
    continue_touch(p, &t, time);
}

static bool can_collide(const ct_physics_world *p, uint32_t a, uint32_t b) {
    const ct_physics_resource *const r = ct_physics_system_resource(p->system);
    const ct_physics_filter *const filters = ct_blob_at(r, r->filters.offset);
    const ct_actor_record *const x = &p->record[a], *const y = &p->record[b];
    const uint32_t i = ct_physics_find_filter(r, x->data.filter);
    const uint32_t k = ct_physics_find_filter(r, y->data.filter);
    const bool is_still = (x->data.body == CT_ACTOR_STATIC && !x->is_trigger) ||
                          (y->data.body == CT_ACTOR_STATIC && !y->is_trigger);
    if ((x->is_trigger || y->is_trigger) && is_still)
        return false;
    return x->data.is_collision_enabled && y->data.is_collision_enabled && i != UINT32_MAX &&
           k != UINT32_MAX && (filters[i].collides >> k & 1) && (filters[k].collides >> i & 1);
}

// Bullet does not list it: it has ended, or it rests.
static void end_touch(ct_physics_world *p, const ct_touch *t, float time) {
    const uint32_t a = ct_physics_slot(p, (ct_actor){t->a}),
                   b = ct_physics_slot(p, (ct_actor){t->b});
    if (a && b && ct_bullet_pair_is_asleep(p->body[a], p->body[b]) && can_collide(p, a, b))
        rest(p, t);
    else if (t->has_begun)
        add_event(p, t, CT_PHYSICS_TOUCH_END, time);
}

static void add_woken(ct_physics_world *p) {
    if (p->woken.count == 0)
        return;
    ct_array_push_many(&p->touches, p->woken.items, p->woken.count);
    p->woken.count = 0;
    qsort(p->touches.items, p->touches.count, sizeof(*p->touches.items), compare_touches);
}

static int compare_contact(const ct_touch *t, const ct_bullet_contact *c) {
    if (t->a != c->a)
        return t->a < c->a ? -1 : 1;
    return t->b < c->b ? -1 : t->b > c->b;
}

static void swap_touches(ct_physics_world *p) {
    ct_touch *const items = p->touches.items;
    const uint32_t capacity = p->touches.capacity;
    p->touches.items = p->next_touches.items;
    p->touches.count = p->next_touches.count;
    p->touches.capacity = p->next_touches.capacity;
    p->next_touches.items = items;
    p->next_touches.capacity = capacity;
    p->next_touches.count = 0;
}

void ct_physics_find_events(ct_physics_world *p, float time) {
    uint32_t num_contacts, i = 0, k = 0;
    const uint32_t first_event = p->events.count;
    const ct_bullet_contact *const contacts = ct_bullet_world_contacts(p->bullet, &num_contacts);
    add_woken(p);
    p->next_touches.count = 0;
    while (i < p->touches.count || k < num_contacts) {
        const int order = i == p->touches.count ? 1
                          : k == num_contacts   ? -1
                                              : compare_contact(&p->touches.items[i], &contacts[k]);
        if (order < 0) {
            end_touch(p, &p->touches.items[i++], time);
        } else if (order > 0) {
            begin_touch(p, &contacts[k++], time);
        } else {
            take_contact(&p->touches.items[i], &contacts[k++]);
            continue_touch(p, &p->touches.items[i++], time);
        }
    }
    swap_touches(p);
    const uint32_t num_events = p->events.count - first_event;
    if (num_events > 1)
        qsort(p->events.items + first_event, num_events, sizeof(*p->events.items), compare_events);
}
