// bench_scene_graph.c: 10,000 entities with scene graphs of 4 nodes: a chain of three, and one
// beside it.
//
// `scene_graph`: every frame the first node of each graph gets a new rotation, so that all poses
// are stale, and the graphs are brought up to date at once. The peer has local poses and matrices
// of the same 40,000 nodes in plain arrays, sets the same rotations and makes the matrices in one
// loop, with the parents' places known: nothing is looked up, marked or checked.
//
// `scene_graph_world`: every entity has moved; the world matrices of all nodes are made. The peer
// multiplies an array of 10,000 matrices with the array of 40,000 in one loop.
#include "bench.h"
#include "entity/scene_graph_component.h"
#include "foundation/math/math.h"

enum { NUM_GRAPHS = 10000, NODES_EACH = 4, NUM_NODES = NUM_GRAPHS * NODES_EACH };

static const uint32_t parents[NODES_EACH] = {0, 1, 2, 0}; // nodes from 1; 0: the entity

static ct_transform_manager *transforms;
static ct_scene_graph_manager *graphs;
static uint32_t frame; // so that each run turns nodes anew

static ct_vec3 *positions, *scales; // the peer's, by node
static ct_quat *rotations;
static ct_mat4 *poses, *entities, *worlds;

static void make_nodes(ct_scene_graph_node_data *nodes) {
    for (uint32_t i = 0; i < NODES_EACH; ++i)
        nodes[i] = (ct_scene_graph_node_data){.name = {i + 1},
                                              .parent = parents[i],
                                              .position = {0.5f, (float)i, 1},
                                              .rotation = {0, 0, 0, 1},
                                              .scale = {1, 1, 1}};
}

static void begin(void) {
    ct_allocator *const a = ct_bench_heap();
    transforms = ct_transform_manager_create(a);
    graphs = ct_scene_graph_manager_create(a, transforms);
    positions = CT_NEW_ARRAY(a, ct_vec3, NUM_NODES);
    scales = CT_NEW_ARRAY(a, ct_vec3, NUM_NODES);
    rotations = CT_NEW_ARRAY(a, ct_quat, NUM_NODES);
    poses = ct_alloc_aligned(a, sizeof(ct_mat4) * NUM_NODES, 64);
    worlds = ct_alloc_aligned(a, sizeof(ct_mat4) * NUM_NODES, 64);
    entities = ct_alloc_aligned(a, sizeof(ct_mat4) * NUM_GRAPHS, 64);
    ct_scene_graph_node_data nodes[NODES_EACH];
    make_nodes(nodes);
    for (uint32_t g = 0; g < NUM_GRAPHS; ++g) {
        const ct_entity e = {g + 1};
        const ct_transform t = ct_transform_create(transforms, e, ct_vec3_make((float)g, 0, 0),
                                                   ct_quat_identity(), ct_vec3_make(1, 1, 1));
        ct_scene_graph_create(graphs, e, 0, nodes, NODES_EACH);
        entities[g] = *ct_transform_world(transforms, t);
        for (uint32_t i = 0; i < NODES_EACH; ++i) {
            positions[g * NODES_EACH + i] = ct_vec3_make(0.5f, (float)i, 1);
            scales[g * NODES_EACH + i] = ct_vec3_make(1, 1, 1);
            rotations[g * NODES_EACH + i] = ct_quat_identity();
            poses[g * NODES_EACH + i] = ct_mat4_identity();
        }
    }
}

static void end(void) {
    ct_allocator *const a = ct_bench_heap();
    ct_scene_graph_manager_destroy(graphs);
    ct_transform_manager_destroy(transforms);
    ct_free(a, positions);
    ct_free(a, scales);
    ct_free(a, rotations);
    ct_free(a, poses);
    ct_free(a, worlds);
    ct_free(a, entities);
}

static double per_node(double start_ns) {
    return (ct_bench_now_ns() - start_ns) / NUM_NODES;
}

static ct_quat next_rotation(void) {
    return ct_quat_axis_angle(ct_vec3_make(0, 0, 1), (float)(++frame % 100) * 0.05f);
}

static double run_update(void) {
    const ct_quat rotation = next_rotation();
    const double start_ns = ct_bench_now_ns();
    for (uint32_t g = 1; g <= NUM_GRAPHS; ++g)
        ct_scene_graph_set_local_rotation(graphs, (ct_scene_graph){g}, 1, rotation);
    ct_scene_graph_update(graphs);
    const double result = per_node(start_ns);
    ct_bench_use((uint64_t)ct_scene_graph_pose(graphs, (ct_scene_graph){7}, 3).col[3].x);
    ct_scene_graph_clear_changed(graphs);
    return result;
}

static double run_update_arrays(void) {
    const ct_quat rotation = next_rotation();
    const double start_ns = ct_bench_now_ns();
    for (uint32_t g = 0; g < NUM_GRAPHS; ++g)
        rotations[g * NODES_EACH] = rotation;
    for (uint32_t n = 0; n < NUM_NODES; ++n) {
        const uint32_t parent = parents[n % NODES_EACH];
        const ct_mat4 local = ct_mat4_compose(positions[n], rotations[n], scales[n]);
        poses[n] = parent ? ct_mat4_mul(poses[n - n % NODES_EACH + parent - 1], local) : local;
    }
    const double result = per_node(start_ns);
    ct_bench_use((uint64_t)poses[7].col[3].x);
    return result;
}

static double run_worlds(void) {
    const double start_ns = ct_bench_now_ns();
    for (uint32_t g = 0; g < NUM_GRAPHS; ++g)
        ct_scene_graph_worlds(graphs, (ct_scene_graph){g + 1}, worlds + g * NODES_EACH, NODES_EACH);
    const double result = per_node(start_ns);
    ct_bench_use((uint64_t)worlds[7].col[3].x);
    return result;
}

static double run_worlds_arrays(void) {
    const double start_ns = ct_bench_now_ns();
    for (uint32_t n = 0; n < NUM_NODES; ++n)
        worlds[n] = ct_mat4_mul(entities[n / NODES_EACH], poses[n]);
    const double result = per_node(start_ns);
    ct_bench_use((uint64_t)worlds[7].col[3].x);
    return result;
}

static const ct_bench_case cases[] = {
    {"scene_graph", "set and update", "arrays", "ns", 1, 0, begin, end, run_update,
     run_update_arrays},
    {"scene_graph_world", "worlds", "arrays", "ns", 2.5, 0, begin, end, run_worlds,
     run_worlds_arrays},
};

const ct_bench_group ct_bench_scene_graph = {"scene_graph", cases, CT_COUNT_OF(cases)};
