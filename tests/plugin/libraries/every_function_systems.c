// every_function_systems.c: the interfaces of the game beside those of worlds, Lua and the console.
#include "every_function.h"

#include <math.h>

static void call_poses_of(cuttle_entity e, uint32_t node) {
    cuttle_vector3 v;
    cuttle_quaternion q;
    cuttle_matrix4 m;
    cuttle_pose p = {middle, unturned, {1, 1, 1}};
    const cuttle_pose wrong = {nowhere, no_turn, nowhere};
    poses->num_nodes(me, e);
    poses->find_node(me, e, "nothing", &node);
    poses->local_position(me, e, node, &v);
    poses->local_rotation(me, e, node, &q);
    poses->local_scale(me, e, node, &v);
    poses->set_local_position(me, e, node, &middle);
    poses->set_local_rotation(me, e, node, &unturned);
    poses->set_local_scale(me, e, node, &p.scale);
    poses->set_local_pose(me, e, node, &p);
    poses->local_pose(me, e, node, &p);
    poses->world_position(me, e, node, &v);
    poses->world_rotation(me, e, node, &q);
    poses->world_pose(me, e, node, &m);
    poses->set_world_pose(me, e, &unmoved);
    poses->jump(me, e);
    if (poses->set_local_position(me, e, node, &nowhere) ||
        poses->set_local_rotation(me, e, node, &no_turn) ||
        poses->set_local_scale(me, e, node, &nowhere) ||
        poses->set_local_pose(me, e, node, &wrong) || poses->set_world_pose(me, e, &no_pose))
        logger->error(me, "every_accepted", "a wrong pose");
}

static void call_poses(void) {
    cuttle_vector3 positions[MOST];
    cuttle_matrix4 matrices[MOST];
    cuttle_pose all[MOST];
    for (uint32_t i = 0; i < MOST; ++i) {
        call_poses_of(units[i], 0);
        call_poses_of(units[i], 12345);
        poses->link(me, units[i], units[0], 0);
        poses->link(me, units[0], units[i], 0xffffffff);
        poses->link(me, units[1], units[i], 0);
        poses->unlink(me, units[i]);
    }
    for (uint32_t i = 0; i < 3; ++i) {
        cuttle_world *const w = i < 2 ? ended[i] : live;
        poses->local_positions(me, w, units, MOST, positions);
        poses->set_local_positions(me, w, units, MOST, positions);
        poses->local_poses(me, w, units, MOST, all);
        poses->set_local_poses(me, w, units, MOST, all);
        poses->world_positions(me, w, units, MOST, positions);
        poses->world_poses(me, w, units, MOST, matrices);
        positions[0] = nowhere;
        all[1].rotation = no_turn;
        poses->set_local_positions(me, w, units, MOST, positions);
        poses->set_local_poses(me, w, units, MOST, all);
        poses->set_local_positions(me, w, NULL, 0, NULL);
    }
}

static void call_data(void) {
    static char long_text[70000];
    const cuttle_id32 tag = world->id32("every"), none = {0};
    cuttle_entity found[MOST];
    char text[4];
    memset(long_text, 'x', sizeof(long_text) - 1);
    data->add_tag(me, units, MOST, tag);
    data->add_tag(me, units, MOST, none);
    for (uint32_t i = 0; i < MOST; ++i) {
        data->has_tag(me, units[i], tag);
        data->has_tag(me, units[i], none);
        data->set_number(me, units[i], none, "stats/health", 3);
        data->set_bool(me, units[i], none, "is/good", true);
        data->set_text(me, units[i], none, "name", "a long name");
        data->get_number(me, units[i], none, "stats/health", &(double){0});
        data->get_number(me, units[i], tag, "name", &(double){0});
        data->get_bool(me, units[i], none, "is/good", &(bool){false});
        data->get_text(me, units[i], none, "name", text, sizeof(text), NULL);
        data->get_text(me, units[i], none, "name", text, sizeof(text), &(uint32_t){0});
        data->remove(me, units[i], none, "name");
        data->remove(me, units[i], none, "");
        if (data->set_text(me, units[i], none, "long", long_text))
            logger->error(me, "every_accepted", "a text that is too long");
    }
    for (uint32_t i = 0; i < 3; ++i) {
        const cuttle_world *const w = i < 2 ? ended[i] : live;
        data->find_tagged(me, w, &tag, 1, &none, 1, found, MOST);
        data->find_tagged(me, w, &tag, 1, NULL, 0, NULL, 0);
        data->find_tagged(me, w, &none, 1, NULL, 0, found, MOST);
        data->find_tagged(me, w, NULL, 0, NULL, 0, found, MOST);
    }
    data->remove_tag(me, units, MOST, tag);
    data->remove_tag(me, units, MOST, none);
}

static void call_components(void) {
    const uint32_t rows[] = {0, 0xffffffff};
    thing things[MOST] = {{1, 2}, {2, 3}};
    components->find(me, live, "nothing", &why);
    components->find(me, live, NULL, &why);
    components->find(me, ended[0], "every", NULL);
    components->find(me, ended[1], "every", &why);
    cuttle_components *const c = components->find(me, live, "every", &why);
    if (!c)
        return;
    logger->info(me, "components in %s", phase);
    components->count(c);
    components->entities(c);
    components->ids(c);
    components->column(c, "strength", CUTTLE_FIELD_FLOAT, NULL);
    components->column(c, "strength", CUTTLE_FIELD_INT, &why);
    components->column(c, "nothing", 99, &why);
    components->add(me, c, units, NULL, things, 2, &why);
    components->add(me, c, units, NULL, NULL, 1, &why);
    components->add(me, c, others, NULL, NULL, COUNT(others), NULL);
    things[0].strength = NAN;
    components->add(me, c, units + 2, NULL, things, 1, &why);
    for (uint32_t i = 0; i < MOST; ++i)
        components->next_row(c, components->row(c, units[i]));
    components->next_row(c, 12345);
    components->get(c, NULL, 1, things);
    components->get(c, rows, 1, things);
    components->set(c, rows, 1, things);
    if (components->get(c, rows, 2, things) || components->set(c, rows, 2, things) ||
        components->get(c, NULL, 0xffffffff, things))
        logger->error(me, "every_accepted", "a row that is not there");
    components->remove_row(c, 0xffffffff);
    components->remove_row(c, components->row(c, units[0]));
    components->remove(c, units, MOST);
}

static void call_input(void) {
    const cuttle_input_button buttons[] = {input->button(me, "keyboard.space", &why),
                                           input->button(me, "keyboard.nothing", &why),
                                           input->button(me, NULL, NULL),
                                           {0xffffffff},
                                           {12345}};
    const cuttle_input_axis axes[] = {input->axis(me, "mouse.cursor", &why),
                                      input->axis(me, "nothing", &why),
                                      input->axis(me, NULL, NULL),
                                      {0xffffffff},
                                      {12345}};
    const char *const actions[] = {"nothing", "", NULL};
    for (uint32_t i = 0; i < COUNT(buttons); ++i) {
        input->is_down(me, buttons[i]);
        input->pressed(me, buttons[i]);
        input->released(me, buttons[i]);
        input->value(me, buttons[i]);
        input->axis_value(me, axes[i]);
    }
    for (uint32_t i = 0; i < COUNT(actions); ++i) {
        input->action_held(me, actions[i]);
        input->action_pressed(me, actions[i]);
        input->action_released(me, actions[i]);
        input->action_value(me, actions[i]);
    }
}

static void call_physics_of(cuttle_world *w, const cuttle_physics_filter *filter) {
    const cuttle_ray rays[] = {{middle, {0, 0, -1}, 10},
                               {nowhere, nowhere, NAN},
                               {middle, {0, 0, 0}, 1},
                               {far, {0, 0, 1}, -1}};
    const cuttle_physics_shape shapes[] = {
        {.type = CUTTLE_PHYSICS_SPHERE, .radius = 1},
        {.type = CUTTLE_PHYSICS_BOX, .half_size = {1, 1, 1}},
        {.type = CUTTLE_PHYSICS_CAPSULE, .radius = 1, .half_height = 1},
        {.type = 99, .radius = 1},
        {.type = CUTTLE_PHYSICS_SPHERE, .radius = NAN},
        {.type = CUTTLE_PHYSICS_BOX}};
    cuttle_physics_hit hits[MOST];
    physics->raycast(me, w, rays, 1, filter, hits);
    physics->raycast(me, w, rays, COUNT(rays), filter, hits);
    physics->raycast(me, w, NULL, 0, filter, NULL);
    for (uint32_t i = 0; i < COUNT(rays); ++i) {
        physics->raycast_any(me, w, &rays[i], filter);
        physics->raycast_all(me, w, &rays[i], filter, hits, MOST);
    }
    for (uint32_t i = 0; i < COUNT(shapes); ++i) {
        physics->sweep(me, w, &shapes[i], unturned, middle, (cuttle_vector3){0, 0, -1}, filter,
                       hits, MOST);
        physics->sweep(me, w, &shapes[i], no_turn, nowhere, far, filter, hits, 1);
        physics->sweep(me, w, &shapes[i], unturned, middle, middle, filter, hits, 1);
        physics->overlap(me, w, &shapes[i], unturned, middle, filter, hits, MOST);
        physics->overlap(me, w, &shapes[i], no_turn, nowhere, filter, hits, MOST);
    }
}

static void call_actor(cuttle_world *w, cuttle_actor actor) {
    cuttle_vector3 v;
    physics->velocity(me, w, actor, &v, &v);
    physics->velocity(me, w, actor, NULL, NULL);
    physics->set_velocity(me, w, actor, middle);
    physics->set_velocity(me, w, actor, nowhere);
    physics->set_angular_velocity(me, w, actor, middle);
    physics->set_angular_velocity(me, w, actor, far);
    physics->add_impulse(me, w, actor, middle, NULL);
    physics->add_impulse(me, w, actor, middle, &nowhere);
    physics->add_impulse(me, w, actor, far, &middle);
}

static void call_physics(void) {
    const cuttle_physics_filter filters[] = {{.kinds = 0xffffffff},
                                             {.collision_filter = "nothing"},
                                             {.ignored = {0xffffffff}},
                                             {.ignored = units[0]}};
    cuttle_actor actors[MOST];
    for (uint32_t i = 0; i < 3; ++i) {
        cuttle_world *const w = i < 2 ? ended[i] : live;
        call_physics_of(w, NULL);
        for (uint32_t k = 0; k < COUNT(filters); ++k)
            call_physics_of(w, &filters[k]);
        call_actor(w, (cuttle_actor){0});
        call_actor(w, (cuttle_actor){0xffffffff});
        call_actor(w, (cuttle_actor){12345});
        for (uint32_t k = 0; k < MOST; ++k)
            if (physics->actors(me, units[k], actors, MOST) > 0) {
                logger->info(me, "an actor in %s", phase);
                call_actor(w, actors[0]);
            }
    }
    physics->actors(me, units[0], NULL, 0);
}

static void call_navigation(void) {
    const cuttle_path_desc paths[] = {
        {.from = middle, .to = middle},
        {.agents = "nothing", .from = nowhere, .to = far},
        {.agents = "human", .to = nowhere, .most_polygons = 0xffffffff}};
    cuttle_vector3 points[MOST];
    cuttle_path path;
    for (uint32_t i = 0; i < 3; ++i) {
        cuttle_world *const w = i < 2 ? ended[i] : live;
        const char *const agents = i == 0 ? NULL : i == 1 ? "nothing" : "human";
        for (uint32_t k = 0; k < COUNT(paths); ++k)
            navigation->find_path(me, w, &paths[k], points, MOST, &path);
        navigation->find_path(me, w, &paths[0], NULL, 0, &path);
        navigation->nearest(me, w, agents, middle, 1, points);
        navigation->nearest(me, w, agents, nowhere, NAN, points);
        navigation->nearest(me, w, agents, middle, 1e9f, points);
        navigation->ray(me, w, agents, middle, middle, points, points + 1);
        navigation->ray(me, w, agents, nowhere, far, NULL, NULL);
        navigation->random_point(me, w, agents, middle, 1, &(uint64_t){1}, points);
        navigation->random_point(me, w, agents, nowhere, NAN, &(uint64_t){0}, points);
    }
}

static void call_network(void) {
    const cuttle_network_receiver wrong = {NULL};
    const cuttle_network_value values[] = {{.kind = CUTTLE_NETWORK_BOOL, .integer = 2},
                                           {.kind = 99},
                                           {.kind = CUTTLE_NETWORK_STRING, .count = 0},
                                           {.kind = CUTTLE_NETWORK_ARRAY, .count = 0}};
    network->is_running(me);
    network->own_peer(me);
    network->is_host(me);
    network->peers(me, (uint64_t[MOST]){0}, MOST);
    network->peers(me, NULL, 0);
    if (network->send(me, "nothing", 0, NULL, 0, &why) ||
        network->send(me, NULL, 12345, values, COUNT(values), &why) ||
        network->send(me, "every", 0, values, COUNT(values), NULL) ||
        network->add_receiver(me, "wrong", &wrong, &why) ||
        network->add_receiver(me, "wrong", NULL, &why) ||
        network->add_receiver(me, NULL, &every_receiver, &why) ||
        network->add_receiver(me, "every", &every_receiver, NULL))
        logger->error(me, "every_accepted", "a wrong message or receiver");
}

static void call_mesh(void) {
    const cuttle_mesh_vertex v[] = {
        {.position = {0, 0, 0}}, {.position = {1, 0, 0}}, {.position = {0, 0, 1}}};
    const cuttle_mesh_vertex bad[] = {{.position = {NAN}}, {.position = {1}}, {.position = {2}}};
    const uint32_t indices[] = {0, 1, 2}, bad_indices[] = {0, 1, 3};
    const cuttle_mesh_part part = {0, 3, NULL}, bad_part = {2, 0xffffffff, "x"};
    const cuttle_mesh right = {v, 3, indices, 3, &part, 1};
    const cuttle_mesh wrong[] = {
        {bad, 3, indices, 3, NULL, 0},        {v, 3, bad_indices, 3, NULL, 0},
        {v, 2, indices, 3, NULL, 0},          {v, 3, indices, 2, NULL, 0},
        {v, 3, indices, 3, &bad_part, 1},     {v, 3, indices, 3, &part, 65},
        {v, 0xffffffff, indices, 3, NULL, 0}, {NULL, 0, NULL, 0, NULL, 0}};
    renderer->set_mesh(me, "plugins/every", &right, &why);
    if (renderer->set_mesh(me, NULL, &right, &why))
        logger->error(me, "every_accepted", "a mesh without a name");
    for (uint32_t i = 0; i < COUNT(wrong); ++i)
        if (renderer->set_mesh(me, "plugins/wrong", &wrong[i], i ? &why : NULL))
            logger->error(me, "every_accepted", "the wrong mesh %u", i);
    renderer->remove_mesh(me, "plugins/nothing");
    renderer->remove_mesh(me, NULL);
}

static void call_objects(void) {
    const char *const materials[] = {"materials/nothing", NULL};
    const cuttle_render_object_desc
        right = {.mesh = "plugins/every"},
        wrong[] = {{.mesh = "plugins/nothing"},
                   {.mesh = NULL},
                   {.mesh = "plugins/every", .materials = materials, .num_materials = 2},
                   {.mesh = "plugins/every", .materials = materials, .num_materials = 65}};
    const cuttle_render_object objects[] = {
        renderer->create_object(me, live, &right, &unmoved, &why),
        {0},
        {0xffffffffffffffff},
        {12345}};
    const cuttle_matrix4 matrices[] = {unmoved, no_pose, unmoved, unmoved};
    if (objects[0].id)
        logger->info(me, "an object in %s", phase);
    for (uint32_t i = 0; i < COUNT(wrong); ++i)
        if (renderer->create_object(me, live, &wrong[i], &unmoved, &why).id)
            logger->error(me, "every_accepted", "the wrong object %u", i);
    if (renderer->create_object(me, live, &right, &no_pose, &why).id ||
        renderer->create_object(me, ended[0], &right, &unmoved, &why).id ||
        renderer->create_object(me, ended[1], &right, &unmoved, NULL).id)
        logger->error(me, "every_accepted", "an object in a wrong place");
    renderer->set_poses(me, objects, matrices, COUNT(objects));
    renderer->set_visible(me, objects, COUNT(objects), true);
    renderer->destroy_objects(me, objects, COUNT(objects));
    renderer->set_poses(me, objects, matrices, COUNT(objects));
    renderer->destroy_objects(me, objects, COUNT(objects));
    renderer->destroy_objects(me, NULL, 0);
    renderer->remove_mesh(me, "plugins/every");
}

static void call_renderer(void) {
    const cuttle_color white = {1, 1, 1, 1};
    const cuttle_line lines[] = {{middle, {1, 1, 1}, white}, {nowhere, far, {NAN, 0, 0, 0}}};
    const cuttle_setting settings[] = {{.kind = CUTTLE_SETTING_BOOL},
                                       {.kind = 99},
                                       {.kind = CUTTLE_SETTING_TEXT},
                                       {.kind = CUTTLE_SETTING_VECTOR, .count = 99},
                                       {.kind = CUTTLE_SETTING_NUMBER, .numbers = {NAN}}};
    for (uint32_t i = 0; i < 3; ++i) {
        cuttle_world *const w = i < 2 ? ended[i] : live;
        renderer->lines(me, w, lines, 1);
        renderer->lines(me, w, lines, 2);
        renderer->lines(me, w, NULL, 0);
        renderer->box(me, w, &unmoved, middle, white);
        renderer->box(me, w, &no_pose, nowhere, white);
        renderer->sphere(me, w, middle, 1, white);
        renderer->sphere(me, w, nowhere, NAN, white);
    }
    call_mesh();
    call_objects();
    bool is_wrong = false;
    for (uint32_t i = 0; i < COUNT(settings); ++i)
        is_wrong |= renderer->set_setting(me, i % 2 ? "nothing" : NULL, &settings[i], &why);
    is_wrong |= renderer->set_material_value(me, "materials/nothing", "x", &(float){1}, 1, &why);
    is_wrong |= renderer->set_material_value(me, NULL, NULL, NULL, 0, &why);
    is_wrong |= renderer->set_material_value(me, "core/units/cube", "x", (float[5]){1}, 5, NULL);
    is_wrong |= renderer->setting(me, "nothing", &(cuttle_setting){0});
    is_wrong |= renderer->setting(me, NULL, &(cuttle_setting){0});
    if (is_wrong)
        logger->error(me, "every_accepted", "a wrong setting or value");
}

static void call_sound(void) {
    const cuttle_sound_parameter parameters[] = {{"nothing", NULL, NAN}, {NULL, "x", 0}};
    const cuttle_sound_start start = {&nowhere, parameters, 2, NAN, -1},
                             right = {.position = &middle};
    for (uint32_t i = 0; i < 3; ++i) {
        cuttle_world *const w = i < 2 ? ended[i] : live;
        sound->play(me, w, "nothing", NULL);
        sound->play(me, w, NULL, &right);
        sound->play(me, w, "nothing", &start);
    }
    const cuttle_sound sounds[] = {
        {0}, {12345}, {0xffffffff}, sound->play(me, live, "sounds/every", &right)};
    if (sounds[3].id)
        logger->info(me, "a sound in %s", phase);
    for (uint32_t i = 0; i < COUNT(sounds); ++i) {
        sound->stop(me, sounds[i], -1);
        sound->stop(me, sounds[i], NAN);
        sound->is_playing(me, sounds[i]);
        sound->set_position(me, sounds[i], middle);
        sound->set_position(me, sounds[i], nowhere);
        sound->set_volume(me, sounds[i], NAN);
        sound->set_volume(me, sounds[i], 1);
        sound->set_pitch(me, sounds[i], 100);
        sound->set_parameter(me, sounds[i], &parameters[0]);
        sound->set_parameter(me, sounds[i], &parameters[1]);
    }
}

void call_systems(void) {
    call_poses();
    call_data();
    call_components();
    call_input();
    call_physics();
    call_navigation();
    call_network();
    call_renderer();
    call_sound();
}
