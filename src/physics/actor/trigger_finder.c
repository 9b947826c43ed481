#include "physics/actor/trigger_finder.h"

#include <math.h>
#include <string.h>

#include "foundation/log.h"
#include "foundation/profiler/profiler.h"

#define ANOTHER_VERSION UINT64_MAX // of a tag: no row has it yet

// --- Life ----------------------------------------------------------------------------------------

static ct_trigger_finder *make_finder(ct_physics_world *p) {
    ct_allocator *const a = p->allocator;
    ct_trigger_finder *const f = CT_NEW(a, ct_trigger_finder);
    ct_trigger_rows_init(p, f);
    ct_array_init(&f->actors, a);
    ct_array_init(&f->owners, a);
    ct_array_init(&f->wanted, a);
    ct_array_init(&f->poses, a);
    ct_array_init(&f->shapes, a);
    ct_array_init(&f->trigger_flags, a);
    ct_array_init(&f->inside_counts, a);
    ct_array_init(&f->inside, a);
    ct_array_init(&f->asked_boxes, a);
    ct_array_init(&f->found, a);
    ct_array_init(&f->found_ends, a);
    ct_array_init(&f->next_inside, a);
    ct_array_init(&f->next_counts, a);
    ct_array_init(&f->sorting, a);
    return f;
}

void ct_trigger_finder_destroy(ct_physics_world *p) {
    ct_trigger_finder *const f = p->finder;
    if (!f)
        return;
    ct_trigger_rows_free(f);
    ct_array_free(&f->actors);
    ct_array_free(&f->owners);
    ct_array_free(&f->wanted);
    ct_array_free(&f->poses);
    ct_array_free(&f->shapes);
    ct_array_free(&f->trigger_flags);
    ct_array_free(&f->inside_counts);
    ct_array_free(&f->inside);
    ct_array_free(&f->asked_boxes);
    ct_array_free(&f->found);
    ct_array_free(&f->found_ends);
    ct_array_free(&f->next_inside);
    ct_array_free(&f->next_counts);
    ct_array_free(&f->sorting);
    ct_free_sized(p->allocator, f, sizeof(*f));
    p->finder = NULL;
}

// --- Tags that triggers ask for ------------------------------------------------------------------

// Returns the bit of a tag, with one user more; CT_TRIGGER_WORLD_TAGS when none is free.
static uint32_t use_tag(ct_trigger_finder *f, ct_string_id32 tag) {
    uint32_t free_bit = CT_TRIGGER_WORLD_TAGS;
    for (uint32_t bit = 0; bit < CT_TRIGGER_WORLD_TAGS; ++bit) {
        if (f->tags[bit].value == tag.value)
            return ++f->tag_users[bit], bit;
        if (f->tags[bit].value == 0 && free_bit == CT_TRIGGER_WORLD_TAGS)
            free_bit = bit;
    }
    if (free_bit < CT_TRIGGER_WORLD_TAGS) {
        f->tags[free_bit] = tag;
        f->tag_users[free_bit] = 1;
        f->tag_versions[free_bit] = ANOTHER_VERSION;
    }
    return free_bit;
}

static void release_tags(ct_trigger_finder *f, uint64_t mask) {
    for (uint32_t bit = 0; bit < CT_TRIGGER_WORLD_TAGS; ++bit) {
        if (!(mask >> bit & 1) || --f->tag_users[bit] > 0)
            continue;
        f->tags[bit] = (ct_string_id32){0};
        f->tag_versions[bit] = ANOTHER_VERSION;
    }
}

static uint64_t use_tags(ct_physics_world *p, uint32_t slot) {
    const ct_actor_extra *const x = &p->extras.items[slot];
    uint64_t mask = 0;
    for (uint32_t i = 0; i < x->num_tags; ++i) {
        const uint32_t bit = use_tag(p->finder, x->tags[i]);
        if (bit < CT_TRIGGER_WORLD_TAGS) {
            mask |= UINT64_C(1) << bit;
            continue;
        }
        ct_error error = {0};
        ct_error_set(&error,
                     "the triggers of a world ask for at most %d different tags; this one "
                     "does not find \"%s\" without an actor: use fewer tags",
                     CT_TRIGGER_WORLD_TAGS, ct_string_id32_name(x->tags[i]));
        ct_actor_log_error(p, &p->slots.items[slot], &error);
    }
    return mask;
}

bool ct_trigger_wants(const ct_physics_world *p, const ct_actor_slot *trigger, ct_entity e) {
    const ct_actor_extra *const x = ct_actor_extra_of(p, trigger);
    if (x->num_tags == 0)
        return true;
    for (uint32_t i = 0; i < x->num_tags && e.id && p->entities.tags; ++i) {
        if (ct_tag_has(p->entities.tags, e, x->tags[i]))
            return true;
    }
    return false;
}

// --- Triggers ------------------------------------------------------------------------------------

// Returns the place of the first trigger whose id is not lower.
static uint32_t place_of(const ct_trigger_finder *f, ct_actor a) {
    uint32_t first = 0, count = f->actors.count;
    while (count > 0) {
        const uint32_t half = count / 2;
        const bool is_lower = f->actors.items[first + half].id < a.id;
        first = is_lower ? first + half + 1 : first;
        count = is_lower ? count - half - 1 : half;
    }
    return first;
}

void ct_trigger_finder_add(ct_physics_world *p, uint32_t slot) {
    if (!p->finder)
        p->finder = make_finder(p);
    ct_trigger_finder *const f = p->finder;
    const ct_actor a = ct_actor_at(p, slot);
    const uint32_t place = place_of(f, a);
    const uint64_t wanted = use_tags(p, slot);
    ct_array_insert(&f->actors, place, a);
    ct_array_insert(&f->owners, place, p->slots.items[slot].entity);
    ct_array_insert(&f->wanted, place, wanted);
    ct_array_insert(&f->poses, place, p->slots.items[slot].after);
    ct_array_insert(&f->shapes, place, NULL);
    ct_array_insert(&f->trigger_flags, place, 0);
    ct_array_insert(&f->inside_counts, place, 0);
}

void ct_trigger_finder_end(ct_physics_world *p, uint32_t slot) {
    ct_trigger_finder *const f = p->finder;
    if (!f || p->extras.items[slot].num_tags == 0)
        return;
    const uint32_t place = place_of(f, ct_actor_at(p, slot));
    f->trigger_flags.items[place] = CT_TRIGGER_ENDED | CT_TRIGGER_CHANGED;
    release_tags(f, f->wanted.items[place]);
}

// Takes out the triggers that have ended; nothing is inside them any more.
static void remove_ended(ct_trigger_finder *f) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < f->actors.count; ++i) {
        if (f->trigger_flags.items[i] & CT_TRIGGER_ENDED)
            continue;
        f->actors.items[kept] = f->actors.items[i];
        f->owners.items[kept] = f->owners.items[i];
        f->wanted.items[kept] = f->wanted.items[i];
        f->poses.items[kept] = f->poses.items[i];
        f->shapes.items[kept] = f->shapes.items[i];
        f->trigger_flags.items[kept] = f->trigger_flags.items[i];
        f->inside_counts.items[kept++] = f->inside_counts.items[i];
    }
    f->actors.count = f->owners.count = f->wanted.count = kept;
    f->poses.count = f->shapes.count = f->trigger_flags.count = f->inside_counts.count = kept;
}

void ct_trigger_finder_note(ct_physics_world *p, ct_entity e) {
    if (p->finder && e.id)
        ct_array_push(&p->finder->noted, e.id);
}

void ct_trigger_finder_forget(ct_physics_world *p, const ct_entity *entities, uint32_t count) {
    for (uint32_t i = 0; p->finder && i < count; ++i) {
        const uint32_t row = ct_trigger_row_of(p->finder, entities[i]);
        if (row != UINT32_MAX)
            ct_trigger_row_remove(p->finder, row);
    }
}

void ct_trigger_finder_renew(ct_physics_world *p) {
    ct_trigger_finder *const f = p->finder;
    for (uint32_t row = 0; f && row < f->entities.count; ++row) {
        f->sources.items[row].mesh = (ct_string_id64){0};
        ct_array_push(&f->noted, f->entities.items[row].id);
    }
    for (uint32_t i = 0; f && i < f->actors.count; ++i)
        f->shapes.items[i] = NULL;
}

// --- A pass --------------------------------------------------------------------------------------

// Takes where a trigger is, and whether it is on. Returns whether anything changed.
static bool take_trigger(ct_physics_world *p, uint32_t i) {
    ct_trigger_finder *const f = p->finder;
    uint8_t *const flags = &f->trigger_flags.items[i];
    if (*flags & CT_TRIGGER_ENDED)
        return true;
    const ct_actor_slot *const s = ct_actor_find(p, f->actors.items[i]);
    const ct_actor_extra *const x = ct_actor_extra_of(p, s);
    ct_vec3 scale;
    const ct_rigid_pose pose = s->entity.id
                                   ? ct_actor_node_pose(p, s->entity, s->node, &scale, NULL)
                                   : ct_actor_pose(p, f->actors.items[i]);
    const bool is_on = x->shape && x->data.is_collision_enabled && ct_actor_check_pose(&pose, NULL);
    const bool is_same = is_on == ((*flags & CT_TRIGGER_ON) != 0) &&
                         x->shape == f->shapes.items[i] &&
                         memcmp(&pose, &f->poses.items[i], sizeof(pose)) == 0;
    f->poses.items[i] = pose;
    f->shapes.items[i] = x->shape;
    *flags = (is_on ? CT_TRIGGER_ON : 0) | (is_same ? 0 : CT_TRIGGER_CHANGED);
    return !is_same;
}

static bool take_triggers(ct_physics_world *p) {
    bool is_other = false;
    for (uint32_t i = 0; i < p->finder->actors.count; ++i)
        is_other |= take_trigger(p, i);
    return is_other;
}

static float in_reach(float x) {
    return fminf(fmaxf(x, -CT_BROADPHASE_REACH), CT_BROADPHASE_REACH);
}

static ct_aabb box_of_trigger(const ct_trigger_finder *f, uint32_t i) {
    ct_aabb box =
        ct_bullet_shape_bounds(ct_physics_shape_bullet(f->shapes.items[i]), f->poses.items[i]);
    for (uint32_t k = 0; k < 3; ++k) {
        box.min.raw[k] = in_reach(box.min.raw[k]);
        box.max.raw[k] = in_reach(box.max.raw[k]);
    }
    return box;
}

// Finds the rows in the boxes of all triggers that are on.
static void find_rows(ct_trigger_finder *f) {
    f->asked_boxes.count = 0;
    for (uint32_t i = 0; i < f->actors.count; ++i) {
        if (f->trigger_flags.items[i] & CT_TRIGGER_ON)
            ct_array_push(&f->asked_boxes, box_of_trigger(f, i));
    }
    const uint32_t num_boxes = f->asked_boxes.count;
    ct_array_resize(&f->found_ends, num_boxes);
    f->found.count =
        num_boxes == 0
            ? 0
            : ct_broadphase_overlap_boxes(f->tree, f->asked_boxes.items, num_boxes, f->found.items,
                                          f->found.capacity, f->found_ends.items);
    if (f->found.count <= f->found.capacity)
        return;
    const uint32_t count = f->found.count;
    f->found.count = 0;
    ct_array_resize(&f->found, count);
    ct_broadphase_overlap_boxes(f->tree, f->asked_boxes.items, num_boxes, f->found.items, count,
                                f->found_ends.items);
}

static bool has_id(const uint32_t *sorted, uint32_t count, uint32_t id) {
    while (count > 0) {
        const uint32_t half = count / 2;
        if (sorted[half] == id)
            return true;
        const bool is_lower = sorted[half] < id;
        sorted = is_lower ? sorted + half + 1 : sorted;
        count = is_lower ? count - half - 1 : half;
    }
    return false;
}

// Whether a row is inside; a pair of which neither changed is as it was.
static bool is_inside(const ct_trigger_finder *f, uint32_t i, uint32_t row, const uint32_t *were,
                      uint32_t num_were) {
    if (!(f->masks.items[row] & f->wanted.items[i]) ||
        f->entities.items[row].id == f->owners.items[i].id)
        return false;
    if (!((f->trigger_flags.items[i] | f->flags.items[row]) & CT_TRIGGER_CHANGED))
        return has_id(were, num_were, f->entities.items[row].id);
    return ct_bullet_shape_meets_box(ct_physics_shape_bullet(f->shapes.items[i]), f->poses.items[i],
                                     &f->boxes.items[row]);
}

// Appends the entities inside a trigger to `next_inside`, sorted. `found` are those in its box.
static void find_inside(ct_trigger_finder *f, uint32_t i, const uint32_t *found, uint32_t count,
                        const uint32_t *were, uint32_t num_were) {
    const uint32_t first = f->next_inside.count;
    for (uint32_t k = 0; k < count; ++k) {
        if (is_inside(f, i, found[k], were, num_were))
            ct_array_push(&f->next_inside, f->entities.items[found[k]].id);
    }
    const uint32_t num_inside = f->next_inside.count - first;
    ct_array_resize(&f->sorting, num_inside);
    if (num_inside > 1)
        ct_sort_u32(f->next_inside.items + first, f->sorting.items, num_inside);
    ct_array_push(&f->next_counts, num_inside);
}

static void find_all_inside(ct_trigger_finder *f) {
    uint32_t asked = 0, begin = 0;
    const uint32_t *were = f->inside.items;
    f->next_inside.count = f->next_counts.count = 0;
    for (uint32_t i = 0; i < f->actors.count; ++i) {
        const uint32_t num_were = f->inside_counts.items[i];
        if (f->trigger_flags.items[i] & CT_TRIGGER_ON) {
            const uint32_t end = f->found_ends.items[asked++];
            find_inside(f, i, f->found.items + begin, end - begin, were, num_were);
            begin = end;
        } else {
            ct_array_push(&f->next_counts, 0);
        }
        were += num_were;
    }
}

// --- Events --------------------------------------------------------------------------------------

static void add_event(ct_physics_world *p, uint32_t i, uint32_t id, uint32_t kind, float time) {
    const ct_trigger_finder *const f = p->finder;
    const uint32_t row = ct_trigger_row_of(f, (ct_entity){id});
    const ct_physics_event event = {
        .kind = kind,
        .a = f->actors.items[i],
        .entity_a = f->owners.items[i],
        .entity_b = {id},
        .position = row != UINT32_MAX ? f->boxes.items[row].center : f->poses.items[i].position,
        .time = time,
    };
    ct_array_push(&p->events, event);
}

// Compares what is inside a trigger with what was, both sorted.
static void compare(ct_physics_world *p, uint32_t i, const uint32_t *were, uint32_t num_were,
                    const uint32_t *are, uint32_t num_are, float time) {
    uint32_t k = 0, n = 0;
    while (k < num_were || n < num_are) {
        const uint64_t old = k < num_were ? were[k] : UINT64_MAX;
        const uint64_t new = n < num_are ? are[n] : UINT64_MAX;
        if (old < new)
            add_event(p, i, (uint32_t)old, CT_PHYSICS_TRIGGER_LEAVE, time);
        else if (new < old)
            add_event(p, i, (uint32_t) new, CT_PHYSICS_TRIGGER_ENTER, time);
        k += old <= new;
        n += new <= old;
    }
}

// Takes over what is inside now.
static void take_inside(ct_physics_world *p, float time) {
    ct_trigger_finder *const f = p->finder;
    const uint32_t *were = f->inside.items, *are = f->next_inside.items;
    for (uint32_t i = 0; i < f->actors.count; ++i) {
        compare(p, i, were, f->inside_counts.items[i], are, f->next_counts.items[i], time);
        were += f->inside_counts.items[i];
        are += f->next_counts.items[i];
    }
    const ct_u32_array inside = f->inside, counts = f->inside_counts;
    f->inside = f->next_inside, f->inside_counts = f->next_counts;
    f->next_inside = inside, f->next_counts = counts;
}

void ct_trigger_finder_run(ct_physics_world *p, float time) {
    ct_trigger_finder *const f = p->finder;
    if (!f)
        return;
    CT_PROFILER_SCOPE("find tagged");
    ct_trigger_rows_update(p);
    const bool has_new_triggers = take_triggers(p);
    if (!f->has_changes && !has_new_triggers)
        return;
    find_rows(f);
    find_all_inside(f);
    take_inside(p, time);
    remove_ended(f);
    for (uint32_t row = 0; row < f->flags.count; ++row)
        f->flags.items[row] &= (uint8_t)~CT_TRIGGER_CHANGED;
    f->has_changes = false;
}

void ct_trigger_finder_hash(const ct_physics_world *p, ct_state_hash *hash) {
    const ct_trigger_finder *const f = p->finder;
    const uint32_t *inside = f ? f->inside.items : NULL;
    for (uint32_t i = 0; f && i < f->actors.count; ++i) {
        const uint64_t what = CT_ID32("trigger", 0xead0b378).value |
                              (uint64_t)ct_actor_component_id(p, f->actors.items[i]) << 32;
        for (uint32_t k = 0; k < f->inside_counts.items[i]; ++k)
            ct_state_hash_add(hash, f->owners.items[i], what, inside++, sizeof(*inside));
    }
}
