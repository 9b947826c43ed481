#include "sound/component/sound_link.h"

#include "entity/instance_table.h"
#include "foundation/error.h"
#include "foundation/math/math.h"

typedef struct link_state {
    ct_sound_link_desc desc;
    ct_sound_instance instance;
    bool has_jumped; // since it was last moved
    bool is_new;     // was not moved yet
    bool has_ended;  // in the step before; the world has not said so yet
} link_state;

// Instances that are moved together.
typedef struct moves {
    CT_ARRAY(ct_sound_instance) instances;
    CT_ARRAY(ct_vec3) positions;
} moves;

struct ct_sound_links {
    ct_instance_table table; // ids are those of instances
    link_state *state;
    ct_hash_map of_instance; // index of the link
    CT_ARRAY(ct_sound_link_event) events;
    moves steps, jumps;         // of this step; empty between steps
    ct_transform_reader reader; // of what moved
    ct_sound_links_desc desc;
};

static const ct_soa_array arrays[] = {
    CT_INSTANCE_TABLE_ARRAYS(ct_sound_links, table),
    CT_SOA_ARRAY_ALIGNED(ct_sound_links, state, 64),
};

static void moves_init(moves *m, ct_allocator *a) {
    ct_array_init(&m->instances, a);
    ct_array_init(&m->positions, a);
}

static void moves_free(moves *m) {
    ct_array_free(&m->instances);
    ct_array_free(&m->positions);
}

ct_sound_links *ct_sound_links_create(const ct_sound_links_desc *desc) {
    ct_allocator *const a = desc->allocator;
    ct_sound_links *const l = CT_NEW(a, ct_sound_links);
    l->desc = *desc;
    l->reader = ct_transform_add_reader(desc->transforms);
    ct_instance_table_init(&l->table, a, l, arrays, CT_COUNT_OF(arrays), CT_INSTANCE_LOOKUP_HASH);
    ct_hash_map_init(&l->of_instance, a);
    ct_array_init(&l->events, a);
    moves_init(&l->steps, a);
    moves_init(&l->jumps, a);
    return l;
}

void ct_sound_links_destroy(ct_sound_links *l) {
    if (!l)
        return;
    moves_free(&l->jumps);
    moves_free(&l->steps);
    ct_array_free(&l->events);
    ct_hash_map_free(&l->of_instance);
    ct_instance_table_free(&l->table);
    ct_free_sized(l->desc.allocator, l, sizeof(*l));
}

// --- Links ---------------------------------------------------------------------------------------

// Returns the link of an instance, or 0.
static uint32_t link_of(const ct_sound_links *l, ct_sound_instance instance) {
    return (uint32_t)ct_hash_map_get(&l->of_instance, instance.value, 0);
}

// Ends link `i`; the last one takes its place.
static void erase(ct_sound_links *l, uint32_t i) {
    ct_hash_map_erase(&l->of_instance, l->state[i].instance.value);
    ct_instance_table_erase(&l->table, i);
    if (i < l->table.soa.count)
        ct_hash_map_set(&l->of_instance, l->state[i].instance.value, i);
}

ct_sound_link_place ct_sound_links_place(const ct_sound_links *l, const ct_sound_link_desc *desc) {
    const ct_mat4 node = ct_scene_graph_world(l->desc.graphs, desc->entity, desc->node);
    ct_sound_link_place place;
    ct_vec3 position, scale;
    ct_mat4_decompose(&node, &position, &place.rotation, &scale);
    place.position = ct_mat4_transform_point(node, desc->position);
    return place;
}

static void move(const ct_sound_links *l, const link_state *s, moves *to) {
    const ct_sound_link_place place = ct_sound_links_place(l, &s->desc);
    ct_array_push(&to->instances, s->instance);
    ct_array_push(&to->positions, place.position);
    if (!s->desc.keeps_rotation)
        ct_sound_turn(l->desc.system, s->instance, place.rotation);
}

// Sends `m`, which is empty then.
static void send(const ct_sound_links *l, moves *m, bool is_jump) {
    if (m->instances.count)
        ct_sound_move(l->desc.system, m->instances.items, m->positions.items, m->instances.count,
                      is_jump);
    m->instances.count = m->positions.count = 0;
}

static bool is_same_place(const ct_sound_link_desc *a, const ct_sound_link_desc *b) {
    return a->entity.id == b->entity.id && a->node == b->node &&
           a->keeps_rotation == b->keeps_rotation && a->position.x == b->position.x &&
           a->position.y == b->position.y && a->position.z == b->position.z;
}

void ct_sound_links_add(ct_sound_links *l, ct_sound_instance instance,
                        const ct_sound_link_desc *desc) {
    if (!ct_sound_is_playing(l->desc.system, instance))
        return;
    CT_ASSERT(ct_sound_world_of(l->desc.system, instance) == l->desc.world,
              "sound %u plays in another world", instance.value);
    const uint32_t before = link_of(l, instance);
    if (before && is_same_place(&l->state[before].desc, desc)) {
        l->state[before].desc.orphaned = desc->orphaned;
        return;
    }
    ct_sound_links_remove(l, instance);
    const uint32_t i = ct_instance_table_add(&l->table, desc->entity, instance.value);
    l->state[i] = (link_state){.desc = *desc, .instance = instance, .is_new = true};
    ct_hash_map_set(&l->of_instance, instance.value, i);
    move(l, &l->state[i], &l->jumps);
    send(l, &l->jumps, true);
}

void ct_sound_links_remove(ct_sound_links *l, ct_sound_instance instance) {
    const uint32_t i = link_of(l, instance);
    if (i)
        erase(l, i);
}

void ct_sound_links_keep_rotation(ct_sound_links *l, ct_sound_instance instance) {
    const uint32_t i = link_of(l, instance);
    if (i)
        l->state[i].desc.keeps_rotation = true;
}

bool ct_sound_links_find(const ct_sound_links *l, ct_sound_instance instance,
                         ct_sound_link_desc *desc) {
    const uint32_t i = link_of(l, instance);
    if (i)
        *desc = l->state[i].desc;
    return i != 0;
}

uint32_t ct_sound_links_count(const ct_sound_links *l) {
    return ct_instance_table_count(&l->table);
}

// --- Jumps ---------------------------------------------------------------------------------------

static void mark_jumped(ct_sound_links *l, ct_entity e) {
    for (uint32_t i = ct_instance_table_first(&l->table, e); i; i = l->table.next[i])
        l->state[i].has_jumped = true;
}

void ct_sound_links_jump(ct_sound_links *l, ct_entity e) {
    const ct_transform_manager *const m = l->desc.transforms;
    if (!ct_sound_links_count(l))
        return;
    mark_jumped(l, e);
    const ct_transform root = ct_transform_lookup(m, e);
    for (ct_transform t = root; t.index; t = ct_transform_next_below(m, root, t))
        mark_jumped(l, ct_transform_entity(m, t));
}

// --- Following -----------------------------------------------------------------------------------

static bool has_moved(const ct_sound_links *l, uint32_t i) {
    const ct_entity e = l->table.entity[i];
    const ct_transform t = ct_transform_lookup(l->desc.transforms, e);
    if (t.index && ct_transform_is_changed(l->desc.transforms, l->reader, t))
        return true;
    if (!l->state[i].desc.node)
        return false;
    const ct_scene_graph g = ct_scene_graph_lookup(l->desc.graphs, e);
    return g.index && ct_scene_graph_is_changed(l->desc.graphs, g);
}

static void follow(ct_sound_links *l, uint32_t i) {
    link_state *const s = &l->state[i];
    if (!s->is_new && !has_moved(l, i))
        return;
    move(l, s, s->is_new || s->has_jumped ? &l->jumps : &l->steps);
    s->is_new = s->has_jumped = false;
}

void ct_sound_links_follow(ct_sound_links *l) {
    for (uint32_t i = 1; i < l->table.soa.count;) {
        link_state *const s = &l->state[i];
        if (ct_sound_is_playing(l->desc.system, s->instance))
            follow(l, i++);
        else if (s->has_ended)
            erase(l, i);
        else
            s->has_ended = true, ++i; // its end is collected after the update
    }
    send(l, &l->steps, false);
    send(l, &l->jumps, true);
    ct_transform_clear_changed(l->desc.transforms, l->reader);
}

// --- Ends ----------------------------------------------------------------------------------------

void ct_sound_links_entities_destroyed(ct_sound_links *l, const ct_entity *entities,
                                       uint32_t count) {
    for (uint32_t k = 0; k < count && ct_sound_links_count(l); ++k) {
        uint32_t i;
        while ((i = ct_instance_table_first(&l->table, entities[k]))) {
            const link_state s = l->state[i];
            erase(l, i);
            if (s.desc.orphaned == CT_SOUND_ORPHANED_STOP)
                ct_sound_stop(l->desc.system, s.instance, -1);
        }
    }
}

void ct_sound_links_clear_events(ct_sound_links *l) {
    l->events.count = 0;
}

void ct_sound_links_collect_events(ct_sound_links *l) {
    uint32_t count;
    const ct_sound_happening *const all = ct_sound_happenings(l->desc.world, &count);
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t i = link_of(l, all[k].instance);
        if (!i)
            continue;
        ct_array_push(&l->events,
                      (ct_sound_link_event){l->table.entity[i], all[k].instance, all[k].marker});
        if (!all[k].marker.value)
            erase(l, i);
    }
}

const ct_sound_link_event *ct_sound_links_events(const ct_sound_links *l, uint32_t *count) {
    *count = l->events.count;
    return l->events.items;
}
