// bench_transform.c: hierarchies of transforms, beside hand-written arrays that do only this.
//
// `transform_roots`: 10,000 roots of 9 children each; every root gets a new pose and the children
// follow. `transform_chains`: 1,000 chains of 100, each with a new pose for all. Both are set by
// one call. `transform_one`: one root of 9 children gets a new position, then the next, by a call
// each. The peer has local poses, local and world matrices and the parents' places in plain arrays,
// parents first, and makes the same matrices in one loop. A second peer is given local matrices and
// has nothing else: of what it keeps no pose can be read.
#include "bench.h"
#include "entity/transform_component.h"
#include "foundation/math/math_bulk.h"

enum {
    NUM_ROOTS = 10000,
    NUM_CHILDREN = 9,
    NUM_CHAINS = 1000,
    CHAIN_LENGTH = 100,
    NUM = NUM_ROOTS * (1 + NUM_CHILDREN),
    BLOCK = 64,
};
_Static_assert(NUM_CHAINS *CHAIN_LENGTH == NUM, "roots and chains have equally many nodes");

static ct_transform_manager *transforms;
static ct_transform_reader reader;
static ct_transform *moving; // that get a new pose
static uint32_t num_moving;
static uint32_t frame; // so that each run moves them

static ct_vec3 *positions, *scales; // of what moves
static ct_quat *rotations;
static ct_mat4 *matrices; // of these three

static struct {
    ct_vec3 *position, *scale;
    ct_quat *rotation;
    ct_mat4 *local, *world;
    uint32_t *parent; // NUM: none
    uint32_t *moving; // places
} plain;

// --- Making --------------------------------------------------------------------------------------

static ct_vec3 place_of(uint32_t i) {
    return ct_vec3_make((float)(i % 100), (float)frame, 1);
}

// Hangs ours on its parent, and makes the peer's.
static void link_and_copy(uint32_t i, uint32_t parent) {
    if (parent != NUM)
        ct_transform_link(transforms, ct_transform_lookup(transforms, (ct_entity){i + 1}),
                          ct_transform_lookup(transforms, (ct_entity){parent + 1}));
    plain.parent[i] = parent;
    plain.position[i] = place_of(i);
    plain.rotation[i] = ct_quat_identity();
    plain.scale[i] = ct_vec3_make(1, 1, 1);
    plain.local[i] = ct_mat4_compose(place_of(i), ct_quat_identity(), ct_vec3_make(1, 1, 1));
    plain.world[i] =
        parent == NUM ? plain.local[i] : ct_mat4_mul(plain.world[parent], plain.local[i]);
}

static void make(uint32_t i, uint32_t parent) {
    ct_transform_create(transforms, (ct_entity){i + 1}, place_of(i), ct_quat_identity(),
                        ct_vec3_make(1, 1, 1));
    link_and_copy(i, parent);
}

static void add_moving(uint32_t i) {
    moving[num_moving] = ct_transform_lookup(transforms, (ct_entity){i + 1});
    plain.moving[num_moving++] = i;
}

static void begin(void) {
    ct_allocator *const a = ct_bench_heap();
    transforms = ct_transform_manager_create(a);
    reader = ct_transform_add_reader(transforms);
    moving = CT_NEW_ARRAY(a, ct_transform, NUM);
    positions = CT_NEW_ARRAY(a, ct_vec3, NUM);
    scales = CT_NEW_ARRAY(a, ct_vec3, NUM);
    rotations = CT_NEW_ARRAY(a, ct_quat, NUM);
    matrices = ct_alloc_aligned(a, sizeof(ct_mat4) * NUM, 64);
    plain.position = CT_NEW_ARRAY(a, ct_vec3, NUM);
    plain.scale = CT_NEW_ARRAY(a, ct_vec3, NUM);
    plain.rotation = CT_NEW_ARRAY(a, ct_quat, NUM);
    plain.local = ct_alloc_aligned(a, sizeof(ct_mat4) * NUM, 64);
    plain.world = ct_alloc_aligned(a, sizeof(ct_mat4) * NUM, 64);
    plain.parent = CT_NEW_ARRAY(a, uint32_t, NUM);
    plain.moving = CT_NEW_ARRAY(a, uint32_t, NUM);
    num_moving = 0;
}

static void begin_roots(void) {
    begin();
    for (uint32_t i = 0; i < NUM; ++i)
        make(i, i % (1 + NUM_CHILDREN) ? i - i % (1 + NUM_CHILDREN) : NUM);
    for (uint32_t i = 0; i < NUM; i += 1 + NUM_CHILDREN)
        add_moving(i);
}

// As begin_roots, but made in an order that tells nothing, and tidied since; roots are set in the
// order in which they lie now.
static void begin_tidied(void) {
    begin();
    uint32_t random = 2463534242u, *const order = CT_NEW_ARRAY(ct_bench_heap(), uint32_t, NUM);
    for (uint32_t i = 0; i < NUM; ++i) { // shuffled as it grows
        random ^= random << 13, random ^= random >> 17, random ^= random << 5;
        const uint32_t k = random % (i + 1);
        order[i] = order[k];
        order[k] = i;
    }
    const ct_vec3 one = ct_vec3_make(1, 1, 1);
    for (uint32_t i = 0; i < NUM; ++i)
        ct_transform_create(transforms, (ct_entity){order[i] + 1}, place_of(order[i]),
                            ct_quat_identity(), one);
    ct_free(ct_bench_heap(), order);
    for (uint32_t i = 0; i < NUM; ++i)
        link_and_copy(i, i % (1 + NUM_CHILDREN) ? i - i % (1 + NUM_CHILDREN) : NUM);
    for (uint32_t i = 0; i < 2; ++i) // a round looks for roots, too
        ct_transform_tidy(transforms, NUM, NUM);
    for (uint32_t i = 1; i <= NUM; ++i) { // as they lie
        if (!ct_transform_parent(transforms, (ct_transform){i}).index)
            add_moving(ct_transform_entity(transforms, (ct_transform){i}).id - 1);
    }
}

static void begin_chains(void) {
    begin();
    for (uint32_t i = 0; i < NUM; ++i)
        make(i, i % CHAIN_LENGTH ? i - 1 : NUM);
    for (uint32_t i = 0; i < NUM; ++i)
        add_moving(i);
}

static void end(void) {
    ct_allocator *const a = ct_bench_heap();
    ct_transform_manager_destroy(transforms);
    void *const all[] = {moving,      positions,      scales,       rotations,
                         matrices,    plain.position, plain.scale,  plain.rotation,
                         plain.local, plain.world,    plain.parent, plain.moving};
    for (uint32_t i = 0; i < CT_COUNT_OF(all); ++i)
        ct_free(a, all[i]);
}

// --- Moving --------------------------------------------------------------------------------------

static void choose_poses(void) {
    ++frame;
    for (uint32_t i = 0; i < num_moving; ++i) {
        positions[i] = place_of(i);
        rotations[i] = ct_quat_identity();
        scales[i] = ct_vec3_make(1, 1, 1);
    }
}

static double ns_each(double start_ns, uint32_t count) {
    return (ct_bench_now_ns() - start_ns) / count;
}

static double run_many(void) {
    choose_poses();
    const double start_ns = ct_bench_now_ns();
    ct_transform_set_local_poses(transforms, moving, positions, rotations, scales, num_moving);
    const double ns = ns_each(start_ns, NUM);
    ct_transform_clear_changed(transforms, reader);
    return ns;
}

static void plain_propagate(void) {
    for (uint32_t i = 0; i < NUM; ++i) {
        const uint32_t parent = plain.parent[i];
        if (parent == NUM)
            plain.world[i] = plain.local[i];
        else
            ct_mat4_mul_to(&plain.world[i], &plain.world[parent], &plain.local[i]);
    }
}

static double plain_run_many(void) {
    choose_poses();
    const double start_ns = ct_bench_now_ns();
    ct_mat4 locals[BLOCK];
    for (uint32_t first = 0; first < num_moving; first += BLOCK) {
        const uint32_t count = num_moving - first < BLOCK ? num_moving - first : BLOCK;
        ct_mat4_compose_many(positions + first, rotations + first, scales + first, locals, count);
        for (uint32_t k = 0; k < count; ++k) {
            const uint32_t i = plain.moving[first + k];
            plain.position[i] = positions[first + k];
            plain.rotation[i] = rotations[first + k];
            plain.scale[i] = scales[first + k];
            plain.local[i] = locals[k];
        }
    }
    plain_propagate();
    return ns_each(start_ns, NUM);
}

static double plain_run_matrices(void) {
    choose_poses();
    ct_mat4_compose_many(positions, rotations, scales, matrices, num_moving);
    const double start_ns = ct_bench_now_ns();
    for (uint32_t k = 0; k < num_moving; ++k)
        plain.local[plain.moving[k]] = matrices[k];
    plain_propagate();
    return ns_each(start_ns, NUM);
}

static double run_one(void) {
    choose_poses();
    const double start_ns = ct_bench_now_ns();
    for (uint32_t k = 0; k < num_moving; ++k)
        ct_transform_set_local_position(transforms, moving[k], positions[k]);
    const double ns = ns_each(start_ns, num_moving);
    ct_transform_clear_changed(transforms, reader);
    return ns;
}

static double plain_run_one(void) {
    choose_poses();
    const double start_ns = ct_bench_now_ns();
    for (uint32_t k = 0; k < num_moving; ++k) {
        const uint32_t i = plain.moving[k];
        plain.position[i] = positions[k];
        plain.local[i].col[3] = (ct_vec4){{positions[k].x, positions[k].y, positions[k].z, 1}};
        plain.world[i] = plain.local[i];
        for (uint32_t child = i + 1; child <= i + NUM_CHILDREN; ++child)
            ct_mat4_mul_to(&plain.world[child], &plain.world[i], &plain.local[child]);
    }
    return ns_each(start_ns, num_moving);
}

static const ct_bench_case cases[] = {
    {"transform_roots", "10,000 roots of 9, bulk", "arrays", "ns", 1.3, 0, begin_roots, end,
     run_many, plain_run_many},
    {"transform_tidied", "the same, made in any order", "arrays", "ns", 1.3, 0, begin_tidied, end,
     run_many, plain_run_many},
    {"transform_chains", "1,000 chains of 100, bulk", "arrays", "ns", 1.5, 0, begin_chains, end,
     run_many, plain_run_many},
    {"transform_roots", "10,000 roots of 9, bulk", "matrices alone", "ns", 0, 0, begin_roots, end,
     run_many, plain_run_matrices},
    {"transform_chains", "1,000 chains of 100, bulk", "matrices alone", "ns", 0, 0, begin_chains,
     end, run_many, plain_run_matrices},
    {"transform_one", "a root of 9 by a call", "arrays", "ns", 2, 0, begin_roots, end, run_one,
     plain_run_one},
};

const ct_bench_group ct_bench_transform = {"transform", cases, CT_COUNT_OF(cases)};
