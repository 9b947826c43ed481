#include "particles/component/particle_link.h"

#include <string.h>

#include "entity/instance_table.h"
#include "foundation/math/math.h"
#include "particles/particle_private.h"

typedef struct link_state {
    ct_particle_link_desc desc;
    ct_particle_effect_id effect;
    const ct_particles_resource *resource; // for which `wants_nodes` was found
    bool wants_nodes;                      // an emitter has the shape SKELETON
    bool has_jumped;                       // since it was last moved
    bool is_new;                           // was not moved yet
} link_state;

struct ct_particle_links {
    ct_instance_table table; // ids are those of effects
    link_state *state;
    ct_hash_map of_effect; // index of the link
    CT_ARRAY(ct_particle_ended) ended;
    ct_particle_system *system;
    ct_particle_world *world;
    ct_transform_manager *transforms;
    ct_transform_reader reader; // of what moved
    ct_scene_graph_manager *graphs;
    ct_allocator *allocator;
};

static const ct_soa_array arrays[] = {
    CT_INSTANCE_TABLE_ARRAYS(ct_particle_links, table),
    CT_SOA_ARRAY_ALIGNED(ct_particle_links, state, 64),
};

ct_particle_links *ct_particle_links_create(ct_allocator *a, ct_particle_system *system,
                                            ct_particle_world *world,
                                            ct_transform_manager *transforms,
                                            ct_scene_graph_manager *graphs) {
    ct_particle_links *const l = CT_NEW(a, ct_particle_links);
    l->allocator = a;
    l->system = system;
    l->world = world;
    l->transforms = transforms;
    l->reader = ct_transform_add_reader(transforms);
    l->graphs = graphs;
    ct_instance_table_init(&l->table, a, l, arrays, CT_COUNT_OF(arrays), CT_INSTANCE_LOOKUP_HASH);
    ct_hash_map_init(&l->of_effect, a);
    ct_array_init(&l->ended, a);
    return l;
}

void ct_particle_links_destroy(ct_particle_links *l) {
    if (!l)
        return;
    ct_array_free(&l->ended);
    ct_hash_map_free(&l->of_effect);
    ct_instance_table_free(&l->table);
    ct_free_sized(l->allocator, l, sizeof(*l));
}

// --- Links ---------------------------------------------------------------------------------------

// Returns the link of an effect, or 0.
static uint32_t link_of(const ct_particle_links *l, ct_particle_effect_id effect) {
    return (uint32_t)ct_hash_map_get(&l->of_effect, effect.value, 0);
}

// Ends link `i`; the last one takes its place.
static void erase(ct_particle_links *l, uint32_t i) {
    ct_hash_map_erase(&l->of_effect, l->state[i].effect.value);
    ct_instance_table_erase(&l->table, i);
    if (i < l->table.soa.count)
        ct_hash_map_set(&l->of_effect, l->state[i].effect.value, i);
}

ct_particle_place ct_particle_links_place(ct_particle_links *l, const ct_particle_link_desc *desc) {
    const ct_mat4 node = ct_scene_graph_world(l->graphs, desc->entity, desc->node);
    const ct_mat4 pose = ct_mat4_mul(node, desc->pose);
    ct_particle_place place;
    ct_mat4_decompose(&pose, &place.position, &place.rotation, &place.scale);
    return place;
}

static bool is_same_place(const ct_particle_link_desc *a, const ct_particle_link_desc *b) {
    return a->entity.id == b->entity.id && a->node == b->node &&
           memcmp(&a->pose, &b->pose, sizeof(a->pose)) == 0;
}

void ct_particle_links_add(ct_particle_links *l, ct_particle_effect_id effect,
                           const ct_particle_link_desc *desc) {
    if (!ct_particles_exists(l->world, effect))
        return;
    const uint32_t before = link_of(l, effect);
    if (before && is_same_place(&l->state[before].desc, desc)) {
        l->state[before].desc.orphaned = desc->orphaned;
        return;
    }
    ct_particle_links_remove(l, effect);
    const uint32_t i = ct_instance_table_add(&l->table, desc->entity, effect.value);
    l->state[i] = (link_state){.desc = *desc, .effect = effect, .is_new = true};
    ct_hash_map_set(&l->of_effect, effect.value, i);
    const ct_particle_place place = ct_particle_links_place(l, desc);
    ct_particles_move(l->world, effect, &place, true);
}

void ct_particle_links_remove(ct_particle_links *l, ct_particle_effect_id effect) {
    const uint32_t i = link_of(l, effect);
    if (i)
        erase(l, i);
}

ct_entity ct_particle_links_entity(const ct_particle_links *l, ct_particle_effect_id effect) {
    const uint32_t i = link_of(l, effect);
    return i ? l->table.entity[i] : (ct_entity){0};
}

uint32_t ct_particle_links_count(const ct_particle_links *l) {
    return ct_instance_table_count(&l->table);
}

// --- Jumps ---------------------------------------------------------------------------------------

static void mark_jumped(ct_particle_links *l, ct_entity e) {
    for (uint32_t i = ct_instance_table_first(&l->table, e); i; i = l->table.next[i])
        l->state[i].has_jumped = true;
}

void ct_particle_links_jump(ct_particle_links *l, ct_entity e) {
    if (!ct_particle_links_count(l))
        return;
    mark_jumped(l, e);
    const ct_transform root = ct_transform_lookup(l->transforms, e);
    for (ct_transform t = root; t.index; t = ct_transform_next_below(l->transforms, root, t))
        mark_jumped(l, ct_transform_entity(l->transforms, t));
}

// --- Following -----------------------------------------------------------------------------------

static bool has_moved(const ct_particle_links *l, uint32_t i) {
    const ct_entity e = l->table.entity[i];
    const ct_transform t = ct_transform_lookup(l->transforms, e);
    if (t.index && ct_transform_is_changed(l->transforms, l->reader, t))
        return true;
    const bool needs_graph = l->state[i].desc.node || l->state[i].wants_nodes;
    const ct_scene_graph g =
        needs_graph ? ct_scene_graph_lookup(l->graphs, e) : (ct_scene_graph){0};
    return g.index && ct_scene_graph_is_changed(l->graphs, g);
}

static bool has_skeleton_shape(const ct_particles_resource *r) {
    for (uint32_t i = 0; r && i < r->emitters.count; ++i)
        if (ct_particle_emitter_at(r, i)->shape.type == CT_PARTICLE_SHAPE_SKELETON)
            return true;
    return false;
}

// Finds whether the effect, which may be another since it was loaded again, needs poses of nodes.
static void look_at_resource(ct_particle_links *l, link_state *s) {
    const ct_particles_resource *const r =
        ct_particle_system_effect(l->system, ct_particles_resource_of(l->world, s->effect));
    if (r == s->resource)
        return;
    s->resource = r;
    s->wants_nodes = has_skeleton_shape(r);
    s->is_new |= s->wants_nodes;
}

// Gives the effect the nodes of the entity's scene graph; without one, the entity itself.
static void send_nodes(ct_particle_links *l, const link_state *s) {
    ct_mat4 poses[CT_PARTICLE_MAX_NODES];
    uint32_t parents[CT_PARTICLE_MAX_NODES];
    const ct_scene_graph g = ct_scene_graph_lookup(l->graphs, s->desc.entity);
    uint32_t count = g.index ? ct_scene_graph_num_nodes(l->graphs, g) : 0;
    count = count < CT_PARTICLE_MAX_NODES ? count : CT_PARTICLE_MAX_NODES;
    if (count)
        ct_scene_graph_worlds(l->graphs, g, poses, count);
    for (uint32_t n = 0; n < count; ++n) {
        const uint32_t parent = ct_scene_graph_parent(l->graphs, g, n + 1);
        parents[n] = parent && parent <= count ? parent - 1 : UINT32_MAX;
    }
    if (!count) {
        poses[count] = ct_scene_graph_world(l->graphs, s->desc.entity, 0);
        parents[count++] = UINT32_MAX;
    }
    ct_particles_set_nodes(l->world, s->effect, poses, parents, count);
}

static void follow(ct_particle_links *l, uint32_t i) {
    link_state *const s = &l->state[i];
    look_at_resource(l, s);
    if (!s->is_new && !has_moved(l, i))
        return;
    const ct_particle_place place = ct_particle_links_place(l, &s->desc);
    ct_particles_move(l->world, s->effect, &place, s->is_new || s->has_jumped);
    if (s->wants_nodes)
        send_nodes(l, s);
    s->is_new = s->has_jumped = false;
}

void ct_particle_links_follow(ct_particle_links *l) {
    for (uint32_t i = 1; i < l->table.soa.count;) {
        if (ct_particles_exists(l->world, l->state[i].effect))
            follow(l, i++);
        else
            erase(l, i);
    }
    ct_transform_clear_changed(l->transforms, l->reader);
}

// --- Ends ----------------------------------------------------------------------------------------

void ct_particle_links_entities_destroyed(ct_particle_links *l, const ct_entity *entities,
                                          uint32_t count) {
    for (uint32_t k = 0; k < count && ct_particle_links_count(l); ++k) {
        uint32_t i;
        while ((i = ct_instance_table_first(&l->table, entities[k]))) {
            const link_state s = l->state[i];
            erase(l, i);
            if (s.desc.orphaned == CT_PARTICLES_ORPHANED_STOP)
                ct_particles_stop_spawning(l->world, s.effect);
            else if (s.desc.orphaned == CT_PARTICLES_ORPHANED_DESTROY)
                ct_particles_destroy(l->world, s.effect);
        }
    }
}

void ct_particle_links_clear_ended(ct_particle_links *l) {
    l->ended.count = 0;
}

void ct_particle_links_collect_ended(ct_particle_links *l) {
    uint32_t count;
    const ct_particle_effect_id *const ended = ct_particles_ended(l->world, &count);
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t i = link_of(l, ended[k]);
        if (!i)
            continue;
        ct_array_push(&l->ended, (ct_particle_ended){l->table.entity[i], ended[k]});
        erase(l, i);
    }
}

const ct_particle_ended *ct_particle_links_ended(const ct_particle_links *l, uint32_t *count) {
    *count = l->ended.count;
    return l->ended.items;
}
