// Triggers that ask for tags: entities without actors, tags of actors, and a naive check of each step.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/math/math_shapes.h"
#include "foundation/math/random.h"
#include "physics/actor/actor_fixture.h"

// --- A world with tags ---------------------------------------------------------------------------

enum { MOST_BOXES = 512 };

typedef struct tagged_fixture {
    actor_fixture f;
    ct_tag_manager *tags;
    ct_component_manager actors;
    // Entities that show a mesh, whose name is that of the place from 1.
    ct_entity shown[MOST_BOXES];
    ct_aabb boxes[MOST_BOXES];
    uint32_t num_boxes;
} tagged_fixture;

static uint32_t place_of(const tagged_fixture *t, ct_entity e) {
    uint32_t i = 0;
    while (i < t->num_boxes && t->shown[i].id != e.id)
        ++i;
    return i;
}

static ct_string_id64 mesh_of(void *user, ct_entity e) {
    const tagged_fixture *const t = user;
    const uint32_t i = place_of(t, e);
    return (ct_string_id64){i < t->num_boxes ? i + 1 : 0};
}

static bool box_of(void *user, ct_entity e, ct_aabb *bounds, uint32_t *node) {
    const tagged_fixture *const t = user;
    *bounds = t->boxes[place_of(t, e)];
    *node = 0;
    return true;
}

static tagged_fixture *start_tagged(void) {
    tagged_fixture *const t = CT_NEW(test_heap(), tagged_fixture);
    t->f = start_actors();
    t->tags = ct_tag_manager_create(test_heap());
    t->actors = ct_actor_component_manager(t->f.world);
    ct_physics_world_set_entities(
        t->f.world,
        &(ct_physics_entities){
            .user = t, .mesh = mesh_of, .box = box_of, .tags = t->tags, .alive = t->f.entities});
    return t;
}

static void stop_tagged(tagged_fixture *t) {
    stop_actors(&t->f);
    ct_tag_manager_destroy(t->tags);
    ct_free_sized(test_heap(), t, sizeof(*t));
}

static const ct_string_id32 enemy = {11}, player = {12}, lamp = {13};

static ct_entity make_tagged(tagged_fixture *t, float x, float y, float z, ct_string_id32 tag) {
    const ct_entity e = make_entity(&t->f, x, y, z);
    ct_tag_add(t->tags, &e, 1, tag);
    return e;
}

static void show_box(tagged_fixture *t, ct_entity e, float half) {
    t->shown[t->num_boxes] = e;
    t->boxes[t->num_boxes++] = (ct_aabb){{{-half, -half, -half}}, {{half, half, half}}};
}

static void end_entity(tagged_fixture *t, ct_entity e) {
    ct_entity_destroy(t->f.entities, &e, 1);
    t->actors.entities_destroyed(t->actors.manager, &e, 1);
    ct_transform_destroy(t->f.transforms, &e, 1);
}

static ct_actor make_trigger(tagged_fixture *t, ct_entity e, const ct_actor_shape_data *shape,
                             const ct_string_id32 *tags, uint32_t num_tags) {
    const ct_trigger_data trigger = {.is_enabled = 1};
    const ct_actor_data data = ct_trigger_actor_data(&trigger);
    ct_error error = {0};
    const ct_actor a = ct_actor_create(t->f.world,
                                       &(ct_actor_desc){.entity = e,
                                                        .data = &data,
                                                        .shapes = shape,
                                                        .num_shapes = 1,
                                                        .is_trigger = true,
                                                        .tags = tags,
                                                        .num_tags = num_tags},
                                       &error);
    if (!a.id)
        fail_msg("%s", error.message);
    return a;
}

// A box of 2 m that asks for one tag.
static ct_actor make_gate(tagged_fixture *t, ct_entity e, ct_string_id32 tag) {
    const ct_actor_shape_data shape = box_shape(1, 1, 1);
    return make_trigger(t, e, &shape, &tag, 1);
}

static void step(tagged_fixture *t) {
    ct_physics_world_update(t->f.world, STEP);
    ct_physics_world_find_tagged(t->f.world);
}

static uint32_t num_events(const tagged_fixture *t) {
    uint32_t count;
    ct_physics_world_events(t->f.world, &count);
    return count;
}

// Checks that a step has this one event.
static void expect_event(tagged_fixture *t, uint32_t kind, ct_entity trigger, ct_entity e) {
    uint32_t count;
    step(t);
    const ct_physics_event *const events = ct_physics_world_events(t->f.world, &count);
    assert_int_equal(count, 1);
    assert_int_equal(events[0].kind, kind);
    assert_int_equal(events[0].entity_a.id, trigger.id);
    assert_int_equal(events[0].entity_b.id, e.id);
}

static void expect_none(tagged_fixture *t) {
    step(t);
    assert_int_equal(num_events(t), 0);
}

// --- Behaviours ----------------------------------------------------------------------------------

static void an_entity_without_an_actor_enters_and_leaves(void **state) {
    (void)state;
    tagged_fixture *const t = start_tagged();
    const ct_entity gate = make_entity(&t->f, 0, 0, 0), one = make_tagged(t, 3, 0, 0, player);
    const ct_actor a = make_gate(t, gate, player);
    make_tagged(t, 0, 0, 0, enemy); // of another tag
    expect_none(t);
    place(&t->f, one, 0.9f, 0, 0);
    expect_event(t, CT_PHYSICS_TRIGGER_ENTER, gate, one);
    uint32_t count;
    const ct_physics_event event = *ct_physics_world_events(t->f.world, &count);
    assert_int_equal(event.a.id, a.id);
    assert_int_equal(event.b.id, 0);
    assert_true(event.position.x == 0.9f);
    assert_true(fabsf(event.time - (float)STEP) < 1e-6f);
    expect_none(t);
    place(&t->f, one, 1.1f, 0, 0);
    expect_event(t, CT_PHYSICS_TRIGGER_LEAVE, gate, one);
    expect_none(t);
    stop_tagged(t);
}

static void a_mesh_is_as_large_as_its_bounds(void **state) {
    (void)state;
    tagged_fixture *const t = start_tagged();
    const ct_entity gate = make_entity(&t->f, 0, 0, 0), one = make_tagged(t, 3, 0, 0, player);
    make_gate(t, gate, player);
    show_box(t, one, 1);
    expect_none(t);
    place(&t->f, one, 1.9f, 0, 0);
    expect_event(t, CT_PHYSICS_TRIGGER_ENTER, gate, one);
    place(&t->f, one, 2.1f, 0, 0);
    expect_event(t, CT_PHYSICS_TRIGGER_LEAVE, gate, one);
    // Twice as large; then turned, so that a corner reaches in.
    const ct_transform transform = ct_transform_lookup(t->f.transforms, one);
    ct_transform_set_local_scale(t->f.transforms, transform, (ct_vec3){{2, 2, 2}});
    expect_event(t, CT_PHYSICS_TRIGGER_ENTER, gate, one);
    place(&t->f, one, 3.5f, 0, 0);
    expect_event(t, CT_PHYSICS_TRIGGER_LEAVE, gate, one);
    const ct_quat turned = {{0, 0, 0.38268343f, 0.92387953f}};
    ct_transform_set_local_rotation(t->f.transforms, transform, turned);
    expect_event(t, CT_PHYSICS_TRIGGER_ENTER, gate, one);
    stop_tagged(t);
}

static void triggers_move_over_what_rests(void **state) {
    (void)state;
    tagged_fixture *const t = start_tagged();
    const ct_entity gate = make_entity(&t->f, 0, 0, 0), one = make_tagged(t, 5, 0, 0, player);
    const ct_actor a = make_gate(t, gate, player);
    expect_none(t);
    place(&t->f, gate, 5, 0.5f, 0);
    expect_event(t, CT_PHYSICS_TRIGGER_ENTER, gate, one);
    ct_actor_set_collision_enabled(t->f.world, a, false);
    expect_event(t, CT_PHYSICS_TRIGGER_LEAVE, gate, one);
    expect_none(t);
    ct_actor_set_collision_enabled(t->f.world, a, true);
    expect_event(t, CT_PHYSICS_TRIGGER_ENTER, gate, one);
    place(&t->f, gate, 5, 5, 0);
    expect_event(t, CT_PHYSICS_TRIGGER_LEAVE, gate, one);
    stop_tagged(t);
}

static void a_trigger_has_the_scale_that_it_was_made_with(void **state) {
    (void)state;
    tagged_fixture *const t = start_tagged();
    const ct_entity gate = make_entity(&t->f, 0, 0, 0), one = make_tagged(t, 2.5f, 0, 0, player);
    ct_transform_set_local_scale(t->f.transforms, ct_transform_lookup(t->f.transforms, gate),
                                 (ct_vec3){{3, 1, 1}});
    make_gate(t, gate, player);
    expect_event(t, CT_PHYSICS_TRIGGER_ENTER, gate, one);
    place(&t->f, one, 0, 1.5f, 0);
    expect_event(t, CT_PHYSICS_TRIGGER_LEAVE, gate, one);
    stop_tagged(t);
}

static void a_trigger_follows_its_node(void **state) {
    (void)state;
    tagged_fixture *const t = start_tagged();
    const ct_entity gate = make_entity(&t->f, 0, 0, 0), one = make_tagged(t, 0, 7, 0, player);
    const ct_scene_graph_node_data node = {
        .name = {77}, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
    const ct_scene_graph g = ct_scene_graph_create(t->f.graphs, gate, 1, &node, 1);
    const ct_trigger_data trigger = {.node = {77}, .is_enabled = 1};
    const ct_actor_data data = ct_trigger_actor_data(&trigger);
    const ct_actor_shape_data shape = box_shape(1, 1, 1);
    ct_actor_create(t->f.world,
                    &(ct_actor_desc){.entity = gate,
                                     .data = &data,
                                     .shapes = &shape,
                                     .num_shapes = 1,
                                     .is_trigger = true,
                                     .tags = &player,
                                     .num_tags = 1},
                    NULL);
    expect_none(t);
    ct_scene_graph_set_local_position(t->f.graphs, g, 1, (ct_vec3){{0, 6.5f, 0}});
    expect_event(t, CT_PHYSICS_TRIGGER_ENTER, gate, one);
    stop_tagged(t);
}

static void tags_that_change_count_at_once(void **state) {
    (void)state;
    tagged_fixture *const t = start_tagged();
    const ct_entity gate = make_entity(&t->f, 0, 0, 0), one = make_entity(&t->f, 0, 0, 0);
    const ct_string_id32 asked[] = {player, lamp};
    const ct_actor_shape_data shape = box_shape(1, 1, 1);
    make_trigger(t, gate, &shape, asked, 2);
    expect_none(t);
    ct_tag_add(t->tags, &one, 1, player);
    expect_event(t, CT_PHYSICS_TRIGGER_ENTER, gate, one);
    ct_tag_add(t->tags, &one, 1, lamp);
    ct_tag_remove(t->tags, &one, 1, player);
    expect_none(t);
    ct_tag_remove(t->tags, &one, 1, lamp);
    expect_event(t, CT_PHYSICS_TRIGGER_LEAVE, gate, one);
    stop_tagged(t);
}

static void make_transform(tagged_fixture *t, ct_entity e) {
    ct_transform_create(t->f.transforms, e, (ct_vec3){{0, 0, 0}}, (ct_quat){{0, 0, 0, 1}},
                        (ct_vec3){{1, 1, 1}});
}

static void transforms_come_and_go_while_tags_stay(void **state) {
    (void)state;
    tagged_fixture *const t = start_tagged();
    ct_entity one;
    const ct_entity gate = make_entity(&t->f, 0, 0, 0);
    make_gate(t, gate, player);
    ct_entity_create(t->f.entities, &one, 1);
    ct_tag_add(t->tags, &one, 1, player);
    expect_none(t);
    make_transform(t, one);
    expect_event(t, CT_PHYSICS_TRIGGER_ENTER, gate, one);
    ct_transform_destroy(t->f.transforms, &one, 1);
    expect_event(t, CT_PHYSICS_TRIGGER_LEAVE, gate, one);
    expect_none(t);
    make_transform(t, one);
    expect_event(t, CT_PHYSICS_TRIGGER_ENTER, gate, one);
    stop_tagged(t);
}

static void what_ends_inside_leaves(void **state) {
    (void)state;
    tagged_fixture *const t = start_tagged();
    const ct_entity gate = make_entity(&t->f, 0, 0, 0), one = make_tagged(t, 0, 0, 0, player);
    const ct_actor a = make_gate(t, gate, player);
    expect_event(t, CT_PHYSICS_TRIGGER_ENTER, gate, one);
    end_entity(t, one);
    expect_event(t, CT_PHYSICS_TRIGGER_LEAVE, gate, one);
    const ct_entity two = make_tagged(t, 0, 0.5f, 0, player);
    expect_event(t, CT_PHYSICS_TRIGGER_ENTER, gate, two);
    ct_actor_destroy(t->f.world, a);
    expect_event(t, CT_PHYSICS_TRIGGER_LEAVE, gate, two);
    expect_none(t);
    make_gate(t, gate, player); // the tag is asked for again
    expect_event(t, CT_PHYSICS_TRIGGER_ENTER, gate, two);
    end_entity(t, gate);
    expect_event(t, CT_PHYSICS_TRIGGER_LEAVE, gate, two);
    stop_tagged(t);
}

static void a_trigger_does_not_find_its_own_entity(void **state) {
    (void)state;
    tagged_fixture *const t = start_tagged();
    const ct_entity gate = make_tagged(t, 0, 0, 0, player);
    make_gate(t, gate, player);
    expect_none(t);
    stop_tagged(t);
}

static void actors_count_by_the_tags_of_their_entity(void **state) {
    (void)state;
    tagged_fixture *const t = start_tagged();
    const ct_entity gate = make_entity(&t->f, 0, 0, 0), one = make_tagged(t, 0, 0, 0, player);
    const ct_entity other = make_tagged(t, 0.2f, 0, 0, enemy);
    make_gate(t, gate, player);
    const ct_actor a = make_actor(&t->f, one, CT_ACTOR_KINEMATIC, box_shape(0.2f, 0.2f, 0.2f));
    make_actor(&t->f, other, CT_ACTOR_KINEMATIC, box_shape(0.2f, 0.2f, 0.2f));
    expect_event(t, CT_PHYSICS_TRIGGER_ENTER, gate, one); // once: by its actor
    uint32_t count;
    assert_int_equal(ct_physics_world_events(t->f.world, &count)->b.id, a.id);
    for (uint32_t i = 0; i < 5; ++i)
        expect_none(t); // all rest
    ct_tag_add(t->tags, &other, 1, player);
    step(t);
    expect_event(t, CT_PHYSICS_TRIGGER_ENTER, gate, other);
    ct_tag_remove(t->tags, &one, 1, player);
    step(t);
    expect_event(t, CT_PHYSICS_TRIGGER_LEAVE, gate, one);
    // From here on the box counts, not the actor.
    ct_actor_destroy(t->f.world, ct_actor_first(t->f.world, other));
    step(t);
    assert_int_equal(num_events(t), 2);
    stop_tagged(t);
}

static void static_actors_are_found_by_tag(void **state) {
    (void)state;
    tagged_fixture *const t = start_tagged();
    const ct_entity gate = make_entity(&t->f, 9, 0, 0), one = make_tagged(t, 0, 0, 0, player);
    make_gate(t, gate, player);
    make_actor(&t->f, one, CT_ACTOR_STATIC, box_shape(0.2f, 0.2f, 0.2f));
    expect_none(t);
    place(&t->f, gate, 0, 0, 0);
    expect_event(t, CT_PHYSICS_TRIGGER_ENTER, gate, one);
    stop_tagged(t);
}

static void far_away_and_without_size_is_no_error(void **state) {
    (void)state;
    tagged_fixture *const t = start_tagged();
    const ct_entity gate = make_entity(&t->f, 0, 0, 0), one = make_tagged(t, 0, 0, 0, player);
    make_gate(t, gate, player);
    expect_event(t, CT_PHYSICS_TRIGGER_ENTER, gate, one);
    place(&t->f, one, 3e38f, -3e38f, 0);
    expect_event(t, CT_PHYSICS_TRIGGER_LEAVE, gate, one);
    show_box(t, one, 1);
    place(&t->f, one, 0, 0, 0);
    ct_transform_set_local_scale(t->f.transforms, ct_transform_lookup(t->f.transforms, one),
                                 (ct_vec3){{0, 0, 0}});
    expect_event(t, CT_PHYSICS_TRIGGER_ENTER, gate, one);
    ct_transform_set_local_scale(t->f.transforms, ct_transform_lookup(t->f.transforms, one),
                                 (ct_vec3){{3e38f, 3e38f, 1}});
    expect_event(t, CT_PHYSICS_TRIGGER_LEAVE, gate, one);
    stop_tagged(t);
}

static uint64_t hash_after_rest(tagged_fixture *t) {
    ct_state_hash hash = {0};
    for (uint32_t i = 0; i < 100; ++i) // also the body of the trigger
        step(t);
    t->actors.hash(t->actors.manager, &hash);
    return hash.value;
}

static void who_is_inside_is_in_the_hash(void **state) {
    (void)state;
    tagged_fixture *const t = start_tagged();
    const ct_entity gate = make_entity(&t->f, 0, 0, 0), one = make_tagged(t, 5, 0, 0, player);
    const ct_entity felt = make_tagged(t, 0, 0, 0, enemy);
    const ct_string_id32 asked[] = {player, enemy};
    const ct_actor_shape_data shape = box_shape(1, 1, 1);
    make_trigger(t, gate, &shape, asked, 2);
    make_actor(&t->f, felt, CT_ACTOR_KINEMATIC, box_shape(0.2f, 0.2f, 0.2f));
    const uint64_t outside = hash_after_rest(t);
    place(&t->f, one, 0, 0, 0);
    assert_true(hash_after_rest(t) != outside);
    place(&t->f, one, 5, 0, 0);
    assert_true(hash_after_rest(t) == outside);
    ct_tag_remove(t->tags, &felt, 1, enemy); // an actor that sleeps
    assert_true(hash_after_rest(t) != outside);
    ct_tag_add(t->tags, &felt, 1, enemy);
    assert_true(hash_after_rest(t) == outside);
    stop_tagged(t);
}

// --- Against a naive check -----------------------------------------------------------------------

enum { NUM_ENTITIES = 60, NUM_TRIGGERS = 9, NUM_TAGS = 4 };

typedef struct naive {
    tagged_fixture *t;
    ct_random r;
    ct_entity entities[NUM_ENTITIES], owners[NUM_TRIGGERS];
    ct_actor triggers[NUM_TRIGGERS];
    ct_actor_shape_data shapes[NUM_TRIGGERS];
    ct_string_id32 tags[NUM_TRIGGERS][2];
    bool inside[NUM_TRIGGERS][NUM_ENTITIES]; // by events
    bool ended[NUM_ENTITIES];                // since the last step
} naive;

static float next(ct_random *r, float most) {
    return most * (2 * ct_random_float(r) - 1);
}

static ct_string_id32 next_tag(ct_random *r) {
    return (ct_string_id32){21 + ct_random_below(r, NUM_TAGS)};
}

static ct_entity next_entity(naive *n) {
    const ct_entity e =
        make_tagged(n->t, next(&n->r, 6), next(&n->r, 6), next(&n->r, 2), next_tag(&n->r));
    if (ct_random_below(&n->r, 2) && n->t->num_boxes < MOST_BOXES)
        show_box(n->t, e, ct_random_float(&n->r));
    return e;
}

static ct_actor_shape_data next_shape(ct_random *r) {
    ct_actor_shape_data shape = box_shape(1, 2, 1);
    shape.type = (uint32_t[]){CT_ACTOR_SHAPE_BOX, CT_ACTOR_SHAPE_SPHERE, CT_ACTOR_SHAPE_CAPSULE,
                              CT_ACTOR_SHAPE_CYLINDER}[ct_random_below(r, 4)];
    shape.radius = 1.2f, shape.height = 4;
    shape.position[0] = next(r, 1);
    return shape;
}

static naive *start_naive(uint64_t seed) {
    naive *const n = CT_NEW(test_heap(), naive);
    n->t = start_tagged();
    n->r = ct_random_seeded(seed, 0);
    for (uint32_t i = 0; i < NUM_ENTITIES; ++i)
        n->entities[i] = next_entity(n);
    for (uint32_t i = 0; i < NUM_TRIGGERS; ++i) {
        n->owners[i] = make_entity(&n->t->f, next(&n->r, 6), next(&n->r, 6), 0);
        ct_transform_set_local_scale(n->t->f.transforms,
                                     ct_transform_lookup(n->t->f.transforms, n->owners[i]),
                                     (ct_vec3){{1, 0.5f + ct_random_float(&n->r), 1}});
        n->shapes[i] = next_shape(&n->r);
        n->tags[i][0] = next_tag(&n->r);
        do
            n->tags[i][1] = next_tag(&n->r);
        while (n->tags[i][1].value == n->tags[i][0].value);
        n->triggers[i] = make_trigger(n->t, n->owners[i], &n->shapes[i], n->tags[i], 2);
    }
    return n;
}

static void move(naive *n, ct_entity e) {
    const ct_transform t = ct_transform_lookup(n->t->f.transforms, e);
    ct_quat q = {{next(&n->r, 1), next(&n->r, 1), next(&n->r, 1), 1.5f}};
    place(&n->t->f, e, next(&n->r, 6), next(&n->r, 6), next(&n->r, 2));
    q = ct_quat_normalize(q);
    ct_transform_set_local_rotation(n->t->f.transforms, t, q);
}

static void change_something(naive *n) {
    const uint32_t i = ct_random_below(&n->r, NUM_ENTITIES);
    const uint32_t k = ct_random_below(&n->r, NUM_TRIGGERS);
    switch (ct_random_below(&n->r, 8)) {
    case 0:
        ct_tag_add(n->t->tags, &n->entities[i], 1, next_tag(&n->r));
        break;
    case 1:
        ct_tag_remove(n->t->tags, &n->entities[i], 1, next_tag(&n->r));
        break;
    case 2:
        if (n->ended[i])
            break;
        end_entity(n->t, n->entities[i]);
        n->ended[i] = true; // another takes its place after the step
        break;
    case 3:
        ct_actor_set_collision_enabled(n->t->f.world, n->triggers[k],
                                       ct_random_below(&n->r, 3) > 0);
        break;
    case 4:
        move(n, n->owners[k]);
        break;
    default:
        if (!n->ended[i])
            move(n, n->entities[i]);
    }
}

static uint32_t find(const ct_entity *entities, uint32_t count, ct_entity e) {
    uint32_t i = 0;
    while (i < count && entities[i].id != e.id)
        ++i;
    assert_true(i < count);
    return i;
}

// Each event changes what is known, and they come in their order.
static void take_events(naive *n) {
    uint32_t count;
    const ct_physics_event *const events = ct_physics_world_events(n->t->f.world, &count);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_physics_event *const e = &events[i];
        bool *const is_inside = &n->inside[find(n->owners, NUM_TRIGGERS, e->entity_a)]
                                          [find(n->entities, NUM_ENTITIES, e->entity_b)];
        const bool enters = e->kind == CT_PHYSICS_TRIGGER_ENTER;
        assert_true(*is_inside != enters);
        *is_inside = enters;
        if (i == 0)
            continue;
        assert_true(e[-1].a.id < e->a.id ||
                    (e[-1].a.id == e->a.id && e[-1].entity_b.id < e->entity_b.id));
    }
}

static bool is_inside(const naive *n, uint32_t k, uint32_t i) {
    const actor_fixture *const f = &n->t->f;
    const ct_entity e = n->entities[i];
    if (n->ended[i] || !ct_actor_data_of(f->world, n->triggers[k]).is_collision_enabled ||
        !(ct_tag_has(n->t->tags, e, n->tags[k][0]) || ct_tag_has(n->t->tags, e, n->tags[k][1])))
        return false;
    ct_vec3 scale;
    ct_rigid_pose pose;
    const ct_mat4 owner =
        *ct_transform_world(f->transforms, ct_transform_lookup(f->transforms, n->owners[k]));
    const ct_mat4 world = *ct_transform_world(f->transforms, ct_transform_lookup(f->transforms, e));
    ct_mat4_decompose(&owner, &pose.position, &pose.rotation, &scale);
    const uint32_t shown = place_of(n->t, e);
    ct_aabb local = {{{0, 0, 0}}, {{0, 0, 0}}};
    if (shown < n->t->num_boxes)
        local = n->t->boxes[shown];
    const ct_obb box = ct_obb_from_pose(&world, local);
    ct_error error = {0};
    // The scale is still the one that it was made with.
    ct_physics_shape *const shape =
        ct_physics_shape_take(f->system, &n->shapes[k], 1, scale, false, &error);
    const bool is_met = ct_bullet_shape_meets_box(ct_physics_shape_bullet(shape), pose, &box);
    ct_physics_shape_give(f->system, shape);
    return is_met;
}

static void check_all(const naive *n) {
    for (uint32_t k = 0; k < NUM_TRIGGERS; ++k) {
        for (uint32_t i = 0; i < NUM_ENTITIES; ++i) {
            if (n->inside[k][i] != is_inside(n, k, i))
                fail_msg("entity %u and trigger %u: found %d", i, k, n->inside[k][i]);
        }
    }
}

static void run_naive(uint64_t seed, uint32_t num_steps) {
    naive *const n = start_naive(seed);
    uint32_t num_inside = 0, num_seen = 0;
    for (uint32_t i = 0; i < num_steps; ++i) {
        for (uint32_t k = ct_random_below(&n->r, 12); k > 0; --k)
            change_something(n);
        if (i % 7 == 0)
            ct_tag_collect_garbage(n->t->tags, n->t->f.entities);
        step(n->t);
        take_events(n);
        num_seen += num_events(n->t);
        check_all(n);
        for (uint32_t k = 0; k < NUM_TRIGGERS * NUM_ENTITIES; ++k)
            num_inside += n->inside[k / NUM_ENTITIES][k % NUM_ENTITIES];
        for (uint32_t k = 0; k < NUM_ENTITIES; ++k) {
            if (n->ended[k])
                n->entities[k] = next_entity(n);
            n->ended[k] = false;
        }
    }
    assert_true(num_inside > num_steps && num_seen > num_steps / 4);
    stop_tagged(n->t);
    ct_free_sized(test_heap(), n, sizeof(*n));
}

static void random_moves_are_found_as_by_a_naive_check(void **state) {
    (void)state;
    for (uint32_t i = 0; i < test_rounds(3, 40); ++i)
        run_naive(100 + i, 150);
}

// --- Memory --------------------------------------------------------------------------------------

static void a_warm_pass_takes_no_memory(void **state) {
    (void)state;
    naive *const n = start_naive(1);
    uint64_t num_before = 0;
    for (uint32_t i = 0; i < 300; ++i) {
        for (uint32_t k = 0; k < NUM_ENTITIES; ++k)
            move(n, n->entities[k]);
        if (i == 250)
            num_before = ct_allocator_stats_of(test_heap()).total_blocks;
        step(n->t);
    }
    assert_int_equal(ct_allocator_stats_of(test_heap()).total_blocks, num_before);
    stop_tagged(n->t);
    ct_free_sized(test_heap(), n, sizeof(*n));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_entity_without_an_actor_enters_and_leaves),
        cmocka_unit_test(a_mesh_is_as_large_as_its_bounds),
        cmocka_unit_test(triggers_move_over_what_rests),
        cmocka_unit_test(a_trigger_has_the_scale_that_it_was_made_with),
        cmocka_unit_test(a_trigger_follows_its_node),
        cmocka_unit_test(tags_that_change_count_at_once),
        cmocka_unit_test(transforms_come_and_go_while_tags_stay),
        cmocka_unit_test(what_ends_inside_leaves),
        cmocka_unit_test(a_trigger_does_not_find_its_own_entity),
        cmocka_unit_test(actors_count_by_the_tags_of_their_entity),
        cmocka_unit_test(static_actors_are_found_by_tag),
        cmocka_unit_test(far_away_and_without_size_is_no_error),
        cmocka_unit_test(who_is_inside_is_in_the_hash),
        cmocka_unit_test(random_moves_are_found_as_by_a_naive_check),
        cmocka_unit_test(a_warm_pass_takes_no_memory),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
