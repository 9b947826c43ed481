#include "entity/scene_graph_component.h"

#include <math.h>
#include <string.h>

#include "foundation/log.h"
#include "foundation/math/math.h"
#include "support/test_support.h"

typedef struct graph_fixture {
    ct_transform_manager *transforms;
    ct_scene_graph_manager *graphs;
} graph_fixture;

static graph_fixture start(void) {
    ct_transform_manager *const transforms = ct_transform_manager_create(test_heap());
    return (graph_fixture){transforms, ct_scene_graph_manager_create(test_heap(), transforms)};
}

static void stop(graph_fixture *f) {
    ct_scene_graph_manager_destroy(f->graphs);
    ct_transform_manager_destroy(f->transforms);
}

static ct_transform place(graph_fixture *f, uint32_t entity, float x) {
    return ct_transform_create(f->transforms, (ct_entity){entity}, ct_vec3_make(x, 0, 0),
                               ct_quat_identity(), ct_vec3_make(1, 1, 1));
}

// A node one metre along x of its parent; called 100 + its number by number.
static ct_scene_graph_node_data node_at(uint32_t number, uint32_t parent) {
    return (ct_scene_graph_node_data){.name = {100 + number},
                                      .parent = parent,
                                      .position = {1, 0, 0},
                                      .rotation = {0, 0, 0, 1},
                                      .scale = {1, 1, 1}};
}

// A chain of nodes.
static ct_scene_graph make_chain(graph_fixture *f, uint32_t entity, uint32_t count) {
    ct_scene_graph_node_data nodes[16];
    assert_true(count <= CT_COUNT_OF(nodes));
    for (uint32_t i = 0; i < count; ++i)
        nodes[i] = node_at(i + 1, i);
    return ct_scene_graph_create(f->graphs, (ct_entity){entity}, 7, nodes, count);
}

static float world_x(graph_fixture *f, uint32_t entity, uint32_t node) {
    return ct_scene_graph_world(f->graphs, (ct_entity){entity}, node).col[3].x;
}

// --- Behaviours ----------------------------------------------------------------------------------

static void finds_graphs_by_entity_and_nodes_by_name(void **state) {
    (void)state;
    graph_fixture f = start();
    const ct_scene_graph g = make_chain(&f, 5, 3);
    const ct_entity e = {5};
    assert_int_equal(ct_scene_graph_lookup(f.graphs, e).index, g.index);
    assert_int_equal(ct_scene_graph_lookup(f.graphs, (ct_entity){6}).index, 0);
    assert_int_equal(ct_scene_graph_entity(f.graphs, g).id, 5);
    assert_int_equal(ct_scene_graph_id(f.graphs, g), 7);
    assert_int_equal(ct_scene_graph_num_nodes(f.graphs, g), 3);
    assert_int_equal(ct_scene_graph_find(f.graphs, g, (ct_string_id32){103}), 3);
    assert_int_equal(ct_scene_graph_find(f.graphs, g, (ct_string_id32){9}), 0);
    assert_int_equal(ct_scene_graph_node_of(f.graphs, e, (ct_string_id32){101}), 1);
    assert_int_equal(ct_scene_graph_node_of(f.graphs, (ct_entity){6}, (ct_string_id32){101}), 0);
    assert_int_equal(ct_scene_graph_name(f.graphs, g, 2).value, 102);
    assert_int_equal(ct_scene_graph_parent(f.graphs, g, 3), 2);
    stop(&f);
}

static void each_graph_has_a_version_of_its_own(void **state) {
    (void)state;
    graph_fixture f = start();
    const ct_scene_graph first = make_chain(&f, 5, 3), second = make_chain(&f, 6, 3);
    const uint32_t versions[2] = {ct_scene_graph_version(f.graphs, first),
                                  ct_scene_graph_version(f.graphs, second)};
    assert_true(versions[0] != 0 && versions[1] != 0 && versions[0] != versions[1]);
    const ct_entity ended = {5};
    ct_scene_graph_destroy(f.graphs, &ended, 1); // the second moves to its place
    const ct_scene_graph moved = ct_scene_graph_lookup(f.graphs, (ct_entity){6});
    assert_int_equal(ct_scene_graph_version(f.graphs, moved), versions[1]);
    const uint32_t again = ct_scene_graph_version(f.graphs, make_chain(&f, 5, 3));
    assert_true(again != 0 && again != versions[0] && again != versions[1]);
    stop(&f);
}

static void reads_what_was_set_at_once(void **state) {
    (void)state;
    graph_fixture f = start();
    place(&f, 1, 10);
    const ct_scene_graph g = make_chain(&f, 1, 3);
    assert_true(world_x(&f, 1, 3) == 13);
    ct_scene_graph_set_local_position(f.graphs, g, 2, ct_vec3_make(5, 0, 0));
    assert_true(world_x(&f, 1, 3) == 17);
    assert_true(world_x(&f, 1, 1) == 11);
    ct_scene_graph_set_local_scale(f.graphs, g, 1, ct_vec3_make(-2, 1, 1));
    assert_true(world_x(&f, 1, 3) == -1); // 10 + 1 - 2 * (5 + 1)
    assert_true(ct_scene_graph_pose(f.graphs, g, 3).col[3].x == -11);
    assert_true(ct_scene_graph_local_position(f.graphs, g, 2).x == 5);
    stop(&f);
}

static void follows_its_entity(void **state) {
    (void)state;
    graph_fixture f = start();
    const ct_transform t = place(&f, 1, 10);
    const ct_scene_graph g = make_chain(&f, 1, 2);
    ct_mat4 worlds[2];
    ct_transform_set_local_position(f.transforms, t, ct_vec3_make(20, 0, 0));
    ct_scene_graph_worlds(f.graphs, g, worlds, 2);
    assert_true(worlds[0].col[3].x == 21 && worlds[1].col[3].x == 22);
    assert_true(world_x(&f, 1, 0) == 20);
    assert_true(world_x(&f, 1, 9) == 20); // no such node
    assert_true(world_x(&f, 2, 1) == 0);  // no such entity
    stop(&f);
}

static void keeps_rotations_at_length_one(void **state) {
    (void)state;
    graph_fixture f = start();
    const ct_scene_graph g = make_chain(&f, 1, 1);
    ct_scene_graph_set_local_rotation(f.graphs, g, 1, (ct_quat){{0, 0, 0, 5}});
    assert_true(ct_scene_graph_local_rotation(f.graphs, g, 1).w == 1);
    stop(&f);
}

static void lists_what_changed_once(void **state) {
    (void)state;
    graph_fixture f = start();
    const ct_scene_graph a = make_chain(&f, 1, 2), b = make_chain(&f, 2, 2);
    uint32_t count;
    assert_int_equal(ct_scene_graph_changed(f.graphs, &count)[1].id, 2);
    assert_int_equal(count, 2);
    ct_scene_graph_clear_changed(f.graphs);
    ct_scene_graph_set_local_position(f.graphs, b, 1, ct_vec3_make(2, 0, 0));
    ct_scene_graph_set_local_position(f.graphs, b, 2, ct_vec3_make(2, 0, 0));
    ct_scene_graph_update(f.graphs);
    assert_int_equal(ct_scene_graph_changed(f.graphs, &count)[0].id, 2);
    assert_int_equal(count, 1);
    assert_false(ct_scene_graph_is_changed(f.graphs, a));
    assert_true(ct_scene_graph_is_changed(f.graphs, b));
    const ct_entity e = {2};
    ct_scene_graph_destroy(f.graphs, &e, 1);
    ct_scene_graph_changed(f.graphs, &count);
    assert_int_equal(count, 0);
    stop(&f);
}

static void links_nodes_to_other_nodes(void **state) {
    (void)state;
    graph_fixture f = start();
    const ct_scene_graph g = make_chain(&f, 1, 3);
    assert_false(ct_scene_graph_link(f.graphs, g, 1, 3));
    assert_false(ct_scene_graph_link(f.graphs, g, 2, 2));
    assert_true(ct_scene_graph_link(f.graphs, g, 3, 0));
    assert_true(world_x(&f, 1, 3) == 1);
    assert_true(ct_scene_graph_link(f.graphs, g, 1, 3)); // a child before its parent
    assert_true(world_x(&f, 1, 2) == 3);
    ct_scene_graph_set_local_position(f.graphs, g, 3, ct_vec3_make(4, 0, 0));
    assert_true(world_x(&f, 1, 2) == 6);
    stop(&f);
}

static void copies_local_poses(void **state) {
    (void)state;
    graph_fixture f = start();
    const ct_scene_graph a = make_chain(&f, 1, 3), b = make_chain(&f, 2, 2);
    ct_scene_graph_set_local_position(f.graphs, a, 1, ct_vec3_make(5, 0, 0));
    ct_scene_graph_copy_local(f.graphs, b, f.graphs, a);
    assert_true(world_x(&f, 2, 2) == 6);
    stop(&f);
}

// --- Attachments ---------------------------------------------------------------------------------

static float entity_x(graph_fixture *f, uint32_t entity) {
    const ct_transform t = ct_transform_lookup(f->transforms, (ct_entity){entity});
    return ct_transform_world(f->transforms, t)->col[3].x;
}

static void attached_entities_follow_their_node_at_once(void **state) {
    (void)state;
    graph_fixture f = start();
    const ct_transform t = place(&f, 1, 10);
    place(&f, 2, 0.5f);
    const ct_scene_graph g = make_chain(&f, 1, 2);
    assert_true(ct_scene_graph_attach(f.graphs, (ct_entity){2}, g, 2));
    assert_true(entity_x(&f, 2) == 12.5f);
    ct_scene_graph_set_local_position(f.graphs, g, 1, ct_vec3_make(3, 0, 0));
    assert_true(entity_x(&f, 2) == 14.5f);
    ct_transform_set_local_position(f.transforms, t, ct_vec3_make(20, 0, 0));
    assert_true(entity_x(&f, 2) == 24.5f);
    assert_true(ct_scene_graph_attach(f.graphs, (ct_entity){2}, g, 1)); // moves there
    assert_true(entity_x(&f, 2) == 23.5f);
    ct_transform_unlink(f.transforms, ct_transform_lookup(f.transforms, (ct_entity){2}));
    ct_scene_graph_set_local_position(f.graphs, g, 1, ct_vec3_make(0, 0, 0));
    assert_true(entity_x(&f, 2) == 23.5f); // is free
    stop(&f);
}

static void refuses_to_attach_an_entity_to_itself(void **state) {
    (void)state;
    graph_fixture f = start();
    place(&f, 1, 0);
    const ct_scene_graph g = make_chain(&f, 1, 1);
    assert_false(ct_scene_graph_attach(f.graphs, (ct_entity){1}, g, 1));
    stop(&f);
}

static void attached_entities_stay_when_the_graph_ends(void **state) {
    (void)state;
    graph_fixture f = start();
    place(&f, 1, 10);
    place(&f, 2, 0);
    const ct_scene_graph g = make_chain(&f, 1, 2);
    assert_true(ct_scene_graph_attach(f.graphs, (ct_entity){2}, g, 2));
    const ct_entity e = {1};
    ct_scene_graph_destroy(f.graphs, &e, 1);
    assert_true(entity_x(&f, 2) == 12);
    stop(&f);
}

// --- Against a model -----------------------------------------------------------------------------

enum { NUM_ENTITIES = 24, MAX_NODES = 12, FIRST_CHILD = 101, NUM_CHILDREN = 6 };

typedef struct model_graph {
    uint32_t num_nodes; // 0: none
    ct_scene_graph_node_data nodes[MAX_NODES + 1];
} model_graph;

typedef struct model {
    model_graph graphs[NUM_ENTITIES + 1];
    struct {
        uint32_t entity, node; // 0: not attached; node 0: linked to the entity
    } children[NUM_CHILDREN];
    uint32_t random;
} model;

static float random_float(model *m) {
    return (float)(test_random(&m->random) % 2001) / 1000 - 1;
}

static void random_pose(model *m, ct_scene_graph_node_data *node) {
    for (uint32_t i = 0; i < 3; ++i) {
        node->position[i] = 2 * random_float(m);
        node->scale[i] = random_float(m) * 0.3f + (test_random(&m->random) % 4 ? 1 : -1);
    }
    const ct_quat q = ct_quat_axis_angle(ct_vec3_make(0, 0.6f, 0.8f), 3 * random_float(m));
    memcpy(node->rotation, &q, sizeof(q));
}

static ct_mat4 local_of(const ct_scene_graph_node_data *n) {
    const float *p = n->position, *r = n->rotation, *s = n->scale;
    return ct_mat4_compose(ct_vec3_make(p[0], p[1], p[2]), (ct_quat){{r[0], r[1], r[2], r[3]}},
                           ct_vec3_make(s[0], s[1], s[2]));
}

static ct_mat4 model_pose(const model_graph *g, uint32_t node) {
    if (node == 0)
        return ct_mat4_identity();
    return ct_mat4_mul(model_pose(g, g->nodes[node].parent), local_of(&g->nodes[node]));
}

static void assert_same_pose(const ct_mat4 *a, const ct_mat4 *b) {
    for (uint32_t c = 0; c < 4; ++c) {
        const ct_vec4 d = {{a->col[c].x - b->col[c].x, a->col[c].y - b->col[c].y,
                            a->col[c].z - b->col[c].z, a->col[c].w - b->col[c].w}};
        const float size = 1 + fabsf(b->col[c].x) + fabsf(b->col[c].y) + fabsf(b->col[c].z);
        assert_true(fabsf(d.x) + fabsf(d.y) + fabsf(d.z) + fabsf(d.w) < 1e-4f * size);
    }
}

static void check_graph(graph_fixture *f, const model *m, uint32_t entity) {
    const model_graph *const wanted = &m->graphs[entity];
    const ct_scene_graph g = ct_scene_graph_lookup(f->graphs, (ct_entity){entity});
    assert_int_equal(g.index != 0, wanted->num_nodes != 0);
    if (!g.index)
        return;
    assert_int_equal(ct_scene_graph_num_nodes(f->graphs, g), wanted->num_nodes);
    for (uint32_t n = 1; n <= wanted->num_nodes; ++n) {
        const ct_mat4 pose = ct_scene_graph_pose(f->graphs, g, n);
        const ct_mat4 expected = model_pose(wanted, n);
        assert_same_pose(&pose, &expected);
        assert_int_equal(ct_scene_graph_parent(f->graphs, g, n), wanted->nodes[n].parent);
        assert_int_equal(ct_scene_graph_name(f->graphs, g, n).value, wanted->nodes[n].name.value);
    }
}

// Entities do not move here: their world is the identity, moved by their number along z.
static void check_child(graph_fixture *f, const model *m, uint32_t c) {
    if (!m->children[c].entity)
        return;
    const uint32_t entity = m->children[c].entity;
    const model_graph *const g = &m->graphs[entity];
    ct_mat4 expected = model_pose(g, m->children[c].node);
    expected.col[3].z += (float)entity;
    const ct_transform t = ct_transform_lookup(f->transforms, (ct_entity){FIRST_CHILD + c});
    assert_same_pose(ct_transform_world(f->transforms, t), &expected);
}

static void create_random(graph_fixture *f, model *m, uint32_t entity) {
    model_graph *const g = &m->graphs[entity];
    g->num_nodes = 1 + test_random(&m->random) % MAX_NODES;
    for (uint32_t n = 1; n <= g->num_nodes; ++n) {
        g->nodes[n].name.value = 1 + test_random(&m->random);
        g->nodes[n].parent = test_random(&m->random) % n;
        random_pose(m, &g->nodes[n]);
    }
    ct_scene_graph_create(f->graphs, (ct_entity){entity}, entity, g->nodes + 1, g->num_nodes);
}

static void destroy_random(graph_fixture *f, model *m, uint32_t entity) {
    const ct_entity both[2] = {{entity}, {1 + (entity + 5) % NUM_ENTITIES}};
    for (uint32_t c = 0; c < NUM_CHILDREN; ++c) { // stays, but follows no more: out of the model
        if (m->children[c].entity == both[0].id || m->children[c].entity == both[1].id) {
            m->children[c].entity = 0;
            ct_transform_unlink(f->transforms,
                                ct_transform_lookup(f->transforms, (ct_entity){FIRST_CHILD + c}));
        }
    }
    ct_scene_graph_destroy(f->graphs, both, 2);
    m->graphs[both[0].id].num_nodes = m->graphs[both[1].id].num_nodes = 0;
}

static void set_random(graph_fixture *f, model *m, ct_scene_graph g, ct_scene_graph_node_data *node,
                       uint32_t n) {
    ct_scene_graph_node_data pose;
    random_pose(m, &pose);
    const ct_vec3 position = ct_vec3_make(pose.position[0], pose.position[1], pose.position[2]);
    const ct_vec3 scale = ct_vec3_make(pose.scale[0], pose.scale[1], pose.scale[2]);
    ct_quat rotation;
    memcpy(&rotation, pose.rotation, sizeof(rotation));
    const uint32_t what = test_random(&m->random) % 4;
    if (what == 0)
        ct_scene_graph_set_local_position(f->graphs, g, n, position);
    if (what == 1)
        ct_scene_graph_set_local_rotation(f->graphs, g, n, rotation);
    if (what == 2)
        ct_scene_graph_set_local_scale(f->graphs, g, n, scale);
    if (what == 3)
        ct_scene_graph_set_local_pose(f->graphs, g, n, position, rotation, scale);
    if (what == 0 || what == 3)
        memcpy(node->position, pose.position, sizeof(pose.position));
    if (what == 1 || what == 3)
        memcpy(node->rotation, pose.rotation, sizeof(pose.rotation));
    if (what == 2 || what == 3)
        memcpy(node->scale, pose.scale, sizeof(pose.scale));
}

static void link_random(graph_fixture *f, model *m, ct_scene_graph g, model_graph *wanted,
                        uint32_t n) {
    const uint32_t parent = test_random(&m->random) % (wanted->num_nodes + 1);
    bool is_below = false;
    for (uint32_t above = parent; above; above = wanted->nodes[above].parent)
        is_below |= above == n;
    assert_int_equal(ct_scene_graph_link(f->graphs, g, n, parent), !is_below);
    if (!is_below)
        wanted->nodes[n].parent = parent;
}

static void attach_random(graph_fixture *f, model *m, ct_scene_graph g, uint32_t entity,
                          uint32_t n) {
    const uint32_t c = test_random(&m->random) % NUM_CHILDREN;
    const ct_entity child = {FIRST_CHILD + c};
    m->children[c].entity = entity;
    m->children[c].node = test_random(&m->random) % 4 ? n : 0;
    if (m->children[c].node)
        assert_true(ct_scene_graph_attach(f->graphs, child, g, n));
    else
        assert_true(ct_transform_link(f->transforms, ct_transform_lookup(f->transforms, child),
                                      ct_transform_lookup(f->transforms, (ct_entity){entity})));
    ct_transform_set_local_pose(f->transforms, ct_transform_lookup(f->transforms, child),
                                ct_vec3_make(0, 0, 0), ct_quat_identity(), ct_vec3_make(1, 1, 1));
}

static void change_random(graph_fixture *f, model *m, uint32_t entity) {
    model_graph *const wanted = &m->graphs[entity];
    const ct_scene_graph g = ct_scene_graph_lookup(f->graphs, (ct_entity){entity});
    const uint32_t n = 1 + test_random(&m->random) % wanted->num_nodes;
    const uint32_t what = test_random(&m->random) % 10;
    if (what < 6)
        set_random(f, m, g, &wanted->nodes[n], n);
    else if (what == 6)
        link_random(f, m, g, wanted, n);
    else if (what < 9)
        attach_random(f, m, g, entity, n);
    else
        ct_scene_graph_update(f->graphs);
}

static void matches_a_model_over_random_edits(void **state) {
    (void)state;
    graph_fixture f = start();
    static model m;
    m = (model){.random = 4711};
    const uint32_t num_steps = test_rounds(20000, 1000000);
    for (uint32_t e = 1; e <= NUM_ENTITIES; ++e)
        ct_transform_create(f.transforms, (ct_entity){e}, ct_vec3_make(0, 0, (float)e),
                            ct_quat_identity(), ct_vec3_make(1, 1, 1));
    for (uint32_t c = 0; c < NUM_CHILDREN; ++c)
        place(&f, FIRST_CHILD + c, 0);
    for (uint32_t step = 0; step < num_steps; ++step) {
        const uint32_t entity = 1 + test_random(&m.random) % NUM_ENTITIES;
        if (!m.graphs[entity].num_nodes)
            create_random(&f, &m, entity);
        else if (test_random(&m.random) % 12 == 0)
            destroy_random(&f, &m, entity);
        else
            change_random(&f, &m, entity);
        check_graph(&f, &m, 1 + test_random(&m.random) % NUM_ENTITIES);
        check_child(&f, &m, test_random(&m.random) % NUM_CHILDREN);
        if (step % 64 == 0)
            ct_scene_graph_clear_changed(f.graphs);
    }
    for (uint32_t e = 1; e <= NUM_ENTITIES; ++e)
        check_graph(&f, &m, e);
    stop(&f);
}

// --- Memory and spawning -------------------------------------------------------------------------

static void takes_no_more_memory_however_often_graphs_come_and_go(void **state) {
    (void)state;
    graph_fixture f = start();
    uint64_t warm = 0;
    uint32_t random = 5;
    for (uint32_t round = 0; round < 2000; ++round) {
        for (uint32_t e = 1; e <= 32; ++e) {
            const ct_entity entity = {e};
            if (ct_scene_graph_lookup(f.graphs, entity).index)
                ct_scene_graph_destroy(f.graphs, &entity, 1);
            else
                make_chain(&f, e, 1 + test_random(&random) % 16);
        }
        ct_scene_graph_clear_changed(f.graphs);

        const ct_allocator_stats stats = ct_allocator_stats_of(test_heap());
        if (round == 100)
            warm = stats.live_bytes;
        assert_true(round <= 100 || stats.live_bytes <= 2 * warm);
    }
    stop(&f);
}

// The last first, so that whatever was made after them moves each time.
static void ends_graphs_beside_a_large_one(void **state) {
    (void)state;
    enum { NUM_SMALL = 1000, LARGE = NUM_SMALL + 1 };
    graph_fixture f = start();
    static ct_scene_graph_node_data nodes[CT_SCENE_GRAPH_MAX_NODES];
    for (uint32_t i = 0; i < CT_SCENE_GRAPH_MAX_NODES; ++i)
        nodes[i] = node_at(i + 1, 0);
    for (uint32_t e = 1; e <= NUM_SMALL; ++e)
        make_chain(&f, e, 2);
    ct_scene_graph_create(f.graphs, (ct_entity){LARGE}, 7, nodes, CT_COUNT_OF(nodes));
    for (uint32_t e = NUM_SMALL; e > 0; --e)
        ct_scene_graph_destroy(f.graphs, &(ct_entity){e}, 1);
    assert_int_equal(ct_scene_graph_count(f.graphs), 1);
    assert_true(world_x(&f, LARGE, CT_SCENE_GRAPH_MAX_NODES) == 1);
    stop(&f);
}

static void spawns_runs_of_nodes_as_graphs(void **state) {
    (void)state;
    graph_fixture f = start();
    const ct_entity entities[2] = {{8}, {9}};
    const ct_entity owners[5] = {{8}, {8}, {9}, {9}, {9}};
    const uint32_t ids[5] = {3, 3, 4, 4, 4};
    const ct_scene_graph_node_data nodes[5] = {node_at(1, 0), node_at(2, 1), node_at(1, 0),
                                               node_at(2, 0), node_at(3, 2)};
    const ct_component_manager manager = ct_scene_graph_component_manager(f.graphs);
    const ct_component_spawn spawn = {owners, ids, nodes, NULL, NULL, 5, 1};
    manager.spawn(manager.manager, &spawn);
    assert_int_equal(ct_scene_graph_count(f.graphs), 2);
    const ct_scene_graph g = ct_scene_graph_lookup(f.graphs, entities[1]);
    assert_int_equal(ct_scene_graph_num_nodes(f.graphs, g), 3);
    assert_int_equal(ct_scene_graph_id(f.graphs, g), 4);
    assert_true(world_x(&f, 9, 3) == 2);
    const uint64_t before = ct_log_warning_count("two_scene_graphs");
    manager.spawn(manager.manager, &spawn);
    assert_int_equal(ct_log_warning_count("two_scene_graphs"), before + 2);
    manager.entities_destroyed(manager.manager, entities, 2);
    assert_int_equal(ct_scene_graph_count(f.graphs), 0);
    stop(&f);
}

static void read_a_node_that_is_not_there(void *user) {
    graph_fixture *const f = user;
    ct_scene_graph_local_position(f->graphs, ct_scene_graph_lookup(f->graphs, (ct_entity){1}), 3);
}

static void make_a_second_graph(void *user) {
    make_chain(user, 1, 1);
}

// Written locals count as set: with poses they are taken as they are, else they are computed.
static void writes_whole_graphs(void **state) {
    (void)state;
    graph_fixture f = start();
    place(&f, 1, 10);
    const ct_scene_graph g = make_chain(&f, 1, 3);
    place(&f, 2, 0);
    assert_true(ct_scene_graph_attach(f.graphs, (ct_entity){2}, g, 3));
    for (uint32_t has_poses = 0; has_poses < 2; ++has_poses) {
        ct_scene_graph_clear_changed(f.graphs);
        const ct_scene_graph_nodes n = ct_scene_graph_write(f.graphs, g);
        assert_int_equal(n.count, 3);
        const float step = has_poses ? 3 : 2;
        for (uint32_t k = 0; k < 3; ++k) {
            assert_int_equal(n.parent[k], k);
            n.position[k] = ct_vec3_make(0, step, 0);
            if (has_poses)
                n.pose[k] = ct_mat4_compose(ct_vec3_make(0, step * (float)(k + 1), 0),
                                            ct_quat_identity(), ct_vec3_make(1, 1, 1));
        }
        ct_scene_graph_written(f.graphs, g, has_poses);
        assert_true(ct_scene_graph_is_changed(f.graphs, g));
        assert_true(ct_scene_graph_pose(f.graphs, g, 3).col[3].y == step * 3);
        const ct_transform child = ct_transform_lookup(f.transforms, (ct_entity){2});
        assert_true(ct_transform_world(f.transforms, child)->col[3].y == step * 3);
    }
    stop(&f);
}

static void reports_misuse(void **state) {
    (void)state;
    graph_fixture f = start();
    make_chain(&f, 1, 2);
    test_expect_death(read_a_node_that_is_not_there, &f, "there is no node 3; the last one is 2");
    test_expect_death(make_a_second_graph, &f, "entity 1 already has a scene graph");
    stop(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_graphs_by_entity_and_nodes_by_name),
        cmocka_unit_test(each_graph_has_a_version_of_its_own),
        cmocka_unit_test(reads_what_was_set_at_once),
        cmocka_unit_test(follows_its_entity),
        cmocka_unit_test(keeps_rotations_at_length_one),
        cmocka_unit_test(lists_what_changed_once),
        cmocka_unit_test(links_nodes_to_other_nodes),
        cmocka_unit_test(copies_local_poses),
        cmocka_unit_test(attached_entities_follow_their_node_at_once),
        cmocka_unit_test(refuses_to_attach_an_entity_to_itself),
        cmocka_unit_test(attached_entities_stay_when_the_graph_ends),
        cmocka_unit_test(matches_a_model_over_random_edits),
        cmocka_unit_test(takes_no_more_memory_however_often_graphs_come_and_go),
        cmocka_unit_test(ends_graphs_beside_a_large_one),
        cmocka_unit_test(spawns_runs_of_nodes_as_graphs),
        cmocka_unit_test(writes_whole_graphs),
        cmocka_unit_test(reports_misuse),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
