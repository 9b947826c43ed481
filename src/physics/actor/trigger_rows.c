// Entities with tags that triggers ask for, and where they are.
#include <string.h>

#include "foundation/math/math_shapes.h"
#include "physics/actor/trigger_finder.h"

enum { FIRST_ITEMS = 64 };
static const float margin = 0.1f; // of the leaves of the tree, metres

void ct_trigger_rows_init(ct_physics_world *p, ct_trigger_finder *f) {
    ct_allocator *const a = p->allocator;
    f->reader = ct_transform_add_reader(p->transforms);
    ct_transform_clear_changed(p->transforms, f->reader);
    ct_hash_map_init(&f->row_of, a);
    ct_array_init(&f->entities, a);
    ct_array_init(&f->masks, a);
    ct_array_init(&f->next_masks, a);
    ct_array_init(&f->sources, a);
    ct_array_init(&f->boxes, a);
    ct_array_init(&f->items, a);
    ct_array_init(&f->flags, a);
    ct_array_init(&f->noted, a);
    ct_array_init(&f->found_tagged, a);
    ct_array_init(&f->changed_rows, a);
    ct_array_init(&f->tree_items, a);
    ct_array_init(&f->tree_boxes, a);
    f->tree =
        ct_broadphase_create(a, &(ct_broadphase_desc){.num_items = FIRST_ITEMS, .margin = margin});
}

void ct_trigger_rows_free(ct_trigger_finder *f) {
    ct_hash_map_free(&f->row_of);
    ct_array_free(&f->entities);
    ct_array_free(&f->masks);
    ct_array_free(&f->next_masks);
    ct_array_free(&f->sources);
    ct_array_free(&f->boxes);
    ct_array_free(&f->items);
    ct_array_free(&f->flags);
    ct_array_free(&f->noted);
    ct_array_free(&f->found_tagged);
    ct_array_free(&f->changed_rows);
    ct_array_free(&f->tree_items);
    ct_array_free(&f->tree_boxes);
    ct_broadphase_destroy(f->tree);
}

uint32_t ct_trigger_row_of(const ct_trigger_finder *f, ct_entity e) {
    return (uint32_t)ct_hash_map_get(&f->row_of, e.id, UINT32_MAX);
}

// --- Rows ----------------------------------------------------------------------------------------

static void mark_dirty(ct_trigger_finder *f, uint32_t row) {
    f->num_dirty += !(f->flags.items[row] & CT_TRIGGER_DIRTY);
    f->flags.items[row] |= CT_TRIGGER_DIRTY;
}

static void mark_entity(ct_trigger_finder *f, ct_entity e) {
    const uint32_t row = ct_trigger_row_of(f, e);
    if (row != UINT32_MAX)
        mark_dirty(f, row);
}

static uint32_t add_row(ct_trigger_finder *f, ct_entity e) {
    const uint32_t row = f->entities.count;
    ct_hash_map_set(&f->row_of, e.id, row);
    ct_array_push(&f->entities, e);
    ct_array_push(&f->masks, 0);
    ct_array_push(&f->next_masks, 0);
    ct_array_push(&f->sources, (ct_trigger_source_box){.node = 0});
    ct_array_push(&f->boxes, (ct_obb){.half = {{0, 0, 0}}});
    ct_array_push(&f->items, (ct_broadphase_item){0});
    ct_array_push(&f->flags, 0);
    mark_dirty(f, row);
    return row;
}

static void leave_tree(ct_trigger_finder *f, uint32_t row) {
    if (!(f->flags.items[row] & CT_TRIGGER_IN_TREE))
        return;
    ct_broadphase_remove(f->tree, &f->items.items[row], 1);
    f->flags.items[row] &= (uint8_t)~CT_TRIGGER_IN_TREE;
}

void ct_trigger_row_remove(ct_trigger_finder *f, uint32_t row) {
    leave_tree(f, row);
    f->num_dirty -= f->flags.items[row] & CT_TRIGGER_DIRTY;
    f->has_changes = true;
    ct_hash_map_erase(&f->row_of, f->entities.items[row].id);
    ct_array_swap_erase(&f->entities, row);
    ct_array_swap_erase(&f->masks, row);
    ct_array_swap_erase(&f->next_masks, row);
    ct_array_swap_erase(&f->sources, row);
    ct_array_swap_erase(&f->boxes, row);
    ct_array_swap_erase(&f->items, row);
    ct_array_swap_erase(&f->flags, row);
    if (row == f->entities.count)
        return;
    ct_hash_map_set(&f->row_of, f->entities.items[row].id, row);
    if (f->flags.items[row] & CT_TRIGGER_IN_TREE)
        ct_broadphase_set_value(f->tree, f->items.items[row], row);
}

// --- Tags ----------------------------------------------------------------------------------------

static bool has_transform(const ct_physics_world *p, ct_entity e) {
    return ct_transform_lookup(p->transforms, e).index != 0;
}

// Writes which entities of the world have a tag into the masks to come.
static void find_tag(ct_physics_world *p, uint32_t bit) {
    ct_trigger_finder *const f = p->finder;
    const uint64_t mask = UINT64_C(1) << bit;
    for (uint32_t row = 0; row < f->entities.count; ++row)
        f->next_masks.items[row] &= ~mask;
    if (f->tags[bit].value == 0)
        return;
    const ct_tag_query query = {.all = &f->tags[bit], .num_all = 1};
    ct_array_resize(&f->found_tagged, ct_tag_most_found(p->entities.tags, &query));
    const uint32_t count =
        ct_tag_find(p->entities.tags, p->entities.alive, &query, f->found_tagged.items);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_entity e = f->found_tagged.items[i];
        uint32_t row = ct_trigger_row_of(f, e);
        if (row == UINT32_MAX && has_transform(p, e))
            row = add_row(f, e);
        if (row != UINT32_MAX)
            f->next_masks.items[row] |= mask;
    }
}

// The touches of its actors that sleep are looked at again.
static void wake_touches(ct_physics_world *p, ct_entity e) {
    uint32_t slot = (uint32_t)ct_hash_map_get(&p->first_of, e.id, 0);
    for (; slot; slot = p->slots.items[slot].next)
        ct_physics_take_pairs(p, slot);
}

static void take_masks(ct_physics_world *p) {
    ct_trigger_finder *const f = p->finder;
    for (uint32_t row = f->entities.count; row-- > 0;) {
        const uint64_t mask = f->next_masks.items[row];
        if (mask == f->masks.items[row] && mask)
            continue;
        wake_touches(p, f->entities.items[row]);
        if (mask == 0) {
            ct_trigger_row_remove(f, row);
            continue;
        }
        f->masks.items[row] = mask;
        mark_dirty(f, row);
    }
}

static void take_tags(ct_physics_world *p) {
    ct_trigger_finder *const f = p->finder;
    bool is_other = false;
    for (uint32_t bit = 0; bit < CT_TRIGGER_WORLD_TAGS && p->entities.tags; ++bit) {
        const uint64_t version =
            f->tags[bit].value ? ct_tag_version(p->entities.tags, f->tags[bit]) : 0;
        if (version == f->tag_versions[bit])
            continue;
        f->tag_versions[bit] = version;
        find_tag(p, bit);
        is_other = true;
    }
    if (is_other)
        take_masks(p);
}

// --- Boxes ---------------------------------------------------------------------------------------

static void mark_rows_without_transform(ct_physics_world *p) {
    ct_trigger_finder *const f = p->finder;
    for (uint32_t row = 0; row < f->entities.count; ++row) {
        if ((f->flags.items[row] & CT_TRIGGER_IN_TREE) && !has_transform(p, f->entities.items[row]))
            mark_dirty(f, row);
    }
}

// Adds a row for an entity that had its tags before it had a transform.
static void add_if_tagged(ct_physics_world *p, ct_entity e) {
    ct_trigger_finder *const f = p->finder;
    uint64_t mask = 0;
    if (!p->entities.tags || ct_trigger_row_of(f, e) != UINT32_MAX)
        return;
    for (uint32_t bit = 0; bit < CT_TRIGGER_WORLD_TAGS; ++bit) {
        if (f->tags[bit].value && ct_tag_has(p->entities.tags, e, f->tags[bit]))
            mask |= UINT64_C(1) << bit;
    }
    if (mask == 0)
        return;
    const uint32_t row = add_row(f, e);
    f->masks.items[row] = f->next_masks.items[row] = mask;
}

static void take_transforms(ct_physics_world *p) {
    ct_trigger_finder *const f = p->finder;
    const uint64_t version = ct_transform_version(p->transforms);
    const bool are_others = version != f->transform_version; // some were made or ended
    uint32_t count;
    const uint32_t *const changed = ct_transform_changed(p->transforms, f->reader, &count);
    if (are_others)
        mark_rows_without_transform(p);
    for (uint32_t i = 0; i < count && (are_others || f->entities.count > 0); ++i) {
        if (!changed[i])
            continue;
        const ct_entity e = ct_transform_entity(p->transforms, (ct_transform){changed[i]});
        mark_entity(f, e);
        if (are_others)
            add_if_tagged(p, e);
    }
    ct_transform_clear_changed(p->transforms, f->reader);
    f->transform_version = version;
}

static void take_changes(ct_physics_world *p) {
    ct_trigger_finder *const f = p->finder;
    uint32_t count;
    take_transforms(p);
    const ct_entity *const posed = ct_scene_graph_changed(p->graphs, &count);
    for (uint32_t i = 0; i < count && f->entities.count > 0; ++i) {
        const uint32_t row = ct_trigger_row_of(f, posed[i]);
        if (row != UINT32_MAX && f->sources.items[row].node > 0)
            mark_dirty(f, row);
    }
    for (uint32_t i = 0; i < f->noted.count; ++i)
        mark_entity(f, (ct_entity){f->noted.items[i]});
    f->noted.count = 0;
}

// Whether an entity has an actor that a trigger can feel.
static bool is_by_actor(const ct_physics_world *p, ct_entity e) {
    uint32_t slot = (uint32_t)ct_hash_map_get(&p->first_of, e.id, 0);
    for (; slot; slot = p->slots.items[slot].next) {
        if (!(p->slots.items[slot].flags & CT_ACTOR_TRIGGER) &&
            p->extras.items[slot].data.body != CT_ACTOR_STATIC)
            return true;
    }
    return false;
}

static bool is_in_reach(ct_aabb box) {
    bool is_in = true;
    for (uint32_t i = 0; i < 3; ++i)
        is_in &= box.min.raw[i] >= -CT_BROADPHASE_REACH && box.max.raw[i] <= CT_BROADPHASE_REACH;
    return is_in; // false for no numbers
}

// Finds the box again when the entity shows another mesh.
static void take_source(const ct_physics_world *p, ct_entity e, ct_trigger_source_box *source) {
    const ct_string_id64 mesh =
        p->entities.mesh ? p->entities.mesh(p->entities.user, e) : (ct_string_id64){0};
    if (mesh.value == source->mesh.value)
        return;
    *source = (ct_trigger_source_box){.node = 0};
    if (mesh.value && p->entities.box &&
        p->entities.box(p->entities.user, e, &source->local, &source->node))
        source->mesh = mesh;
}

// Finds the box of a row. Returns false when it is not to be in the tree.
static bool find_box(ct_physics_world *p, uint32_t row, ct_aabb *around) {
    ct_trigger_finder *const f = p->finder;
    const ct_entity e = f->entities.items[row];
    ct_trigger_source_box *const source = &f->sources.items[row];
    ct_obb *const box = &f->boxes.items[row];
    f->flags.items[row] &= (uint8_t)~CT_TRIGGER_BY_ACTOR;
    if (is_by_actor(p, e)) {
        f->flags.items[row] |= CT_TRIGGER_BY_ACTOR;
        return false;
    }
    if (!has_transform(p, e))
        return false;
    take_source(p, e, source);
    const ct_mat4 world = ct_scene_graph_world(p->graphs, e, source->node);
    if (source->mesh.value) {
        *box = ct_obb_from_pose(&world, source->local);
    } else {
        *box = (ct_obb){.center = ct_mat4_position(world)};
        box->axes[0].x = box->axes[1].y = box->axes[2].z = 1;
    }
    *around = ct_aabb_around_obb(box);
    return is_in_reach(*around);
}

// Adds the rows in `changed_rows` to the tree: their boxes are in `tree_boxes`.
static void enter_tree(ct_trigger_finder *f) {
    const uint32_t count = f->changed_rows.count;
    ct_array_resize(&f->tree_items, count);
    ct_broadphase_add(f->tree, f->tree_boxes.items, f->changed_rows.items, count,
                      f->tree_items.items);
    for (uint32_t i = 0; i < count; ++i) {
        f->items.items[f->changed_rows.items[i]] = f->tree_items.items[i];
        f->flags.items[f->changed_rows.items[i]] |= CT_TRIGGER_IN_TREE;
    }
}

// Finds the boxes of all rows that changed. Those that are in the tree move; then the others enter it.
static void move_rows(ct_physics_world *p) {
    ct_trigger_finder *const f = p->finder;
    f->tree_boxes.count = f->tree_items.count = f->changed_rows.count = 0;
    uint32_t num_entering = 0;
    for (uint32_t row = 0; row < f->entities.count; ++row) {
        uint8_t *const flags = &f->flags.items[row];
        ct_aabb around;
        if (!(*flags & CT_TRIGGER_DIRTY))
            continue;
        *flags = (uint8_t)((*flags | CT_TRIGGER_CHANGED) & ~CT_TRIGGER_DIRTY);
        if (!find_box(p, row, &around)) {
            leave_tree(f, row);
        } else if (*flags & CT_TRIGGER_IN_TREE) {
            ct_array_push(&f->tree_items, f->items.items[row]);
            ct_array_push(&f->tree_boxes, around);
        } else {
            ct_array_push(&f->changed_rows, row);
            ++num_entering;
        }
    }
    ct_broadphase_move(f->tree, f->tree_items.items, f->tree_boxes.items, f->tree_items.count);
    ct_array_resize(&f->tree_boxes, num_entering);
    for (uint32_t i = 0; i < num_entering; ++i)
        f->tree_boxes.items[i] = ct_aabb_around_obb(&f->boxes.items[f->changed_rows.items[i]]);
    if (num_entering > 0)
        enter_tree(f);
    f->num_dirty = 0;
    f->has_changes = true;
}

void ct_trigger_rows_update(ct_physics_world *p) {
    take_tags(p);
    take_changes(p);
    if (p->finder->num_dirty > 0)
        move_rows(p);
}
