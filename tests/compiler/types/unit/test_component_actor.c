// Actor and trigger components: from sources to heads with shapes behind them.
#include "compiler/types/unit/template_support.h"

#include "resource/types/component/actor_data.h"

#include <stdio.h>

#define CRATE                                                                                      \
    "components = [ { id = \"a\" type = \"actor\" body = \"dynamic\" mass = 5 shapes = [\n"        \
    "  { id = \"s\" type = \"box\" half_size = [1 2 3] }\n"                                        \
    "  { id = \"r\" type = \"sphere\" position = [0 0 4] radius = 0.25 } ] } ]"

static ct_compile_answer compile_unit(const char *text) {
    const char *const project = test_scratch_folder();
    write_text(project, "crate.unit", CRATE);
    write_text(project, "x.unit", text);
    return compile_file(project, "unit", "x");
}

static const ct_actor_data *actor_of(const ct_unit_resource *unit, uint32_t i) {
    const ct_actor_data *const actor = varying_data_of(unit, &unit->entities, "actor", i);
    ct_error error = {0};
    const uint32_t bytes =
        (uint32_t)(sizeof(*actor) + actor->num_shapes * sizeof(ct_actor_shape_data));
    if (!ct_actor_check(actor, bytes, &error))
        fail_msg("%s", error.message);
    return actor;
}

static void expect_refused(const char *text, uint32_t line, uint32_t column, const char *message) {
    ct_compile_answer answer = compile_unit(text);
    expect_error(&answer, "x.unit", line, column, message);
}

static void keeps_members_shapes_and_what_was_given(void **state) {
    (void)state;
    ct_compile_answer answer = compile_unit(CRATE);
    const ct_actor_data *const actor = actor_of(expect_blob(&answer, "unit"), 0);
    assert_int_equal(actor->body, CT_ACTOR_DYNAMIC);
    assert_float_equal(actor->mass, 5, 0);
    assert_int_equal(actor->material.value, ct_string_id32_of("default").value);
    assert_int_equal(actor->given, 1 << 3 | 1 << 6);
    assert_int_equal(actor->num_shapes, 2);
    const ct_actor_shape_data *const shapes = ct_actor_shapes(actor);
    assert_int_equal(shapes[0].type, CT_ACTOR_SHAPE_BOX);
    expect_vector3(shapes[0].half_size, 1, 2, 3);
    assert_int_equal(shapes[1].type, CT_ACTOR_SHAPE_SPHERE);
    expect_vector3(shapes[1].position, 0, 0, 4);
    ct_compile_answer_free(&answer);
}

static void shapes_are_merged_by_id_over_inherited_ones(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_unit("inherit = \"crate\" components = [ { id = \"a\" friction_is = 1 } ]");
    expect_error(&answer, "x.unit", 1, 45, "friction_is");
    answer = compile_unit("inherit = \"crate\" components = [ { id = \"a\" filter = \"debris\"\n"
                          "shapes = [ { id = \"s\" half_size = [1 1 1] } { id = \"r\" removed = "
                          "true } { id = \"n\" type = \"capsule\" } ] } ]");
    const ct_actor_data *const actor = actor_of(expect_blob(&answer, "unit"), 0);
    assert_int_equal(actor->num_shapes, 2);
    assert_int_equal(actor->given, 1 << 3 | 1 << 5 | 1 << 6);
    const ct_actor_shape_data *const shapes = ct_actor_shapes(actor);
    expect_vector3(shapes[0].half_size, 1, 1, 1);
    assert_int_equal(shapes[1].type, CT_ACTOR_SHAPE_CAPSULE);
    ct_compile_answer_free(&answer);
}

static void overrides_of_a_child_change_its_shapes_only(void **state) {
    (void)state;
    ct_compile_answer answer = compile_unit(
        "children = [ { id = \"a\" unit = \"crate\" }\n"
        "  { id = \"b\" unit = \"crate\" overrides = [ { id = \"a\" shapes = [ { id = \"r\" radius "
        "= 2 } ] } ] } ]");
    const ct_unit_resource *const unit = expect_blob(&answer, "unit");
    assert_float_equal(ct_actor_shapes(actor_of(unit, 0))[1].radius, 0.25, 0);
    assert_float_equal(ct_actor_shapes(actor_of(unit, 1))[1].radius, 2, 0);
    ct_compile_answer_free(&answer);
    expect_refused("children = [ { id = \"b\" unit = \"crate\"\n"
                   "overrides = [ { id = \"a\" shapes = [ { id = \"q\" radius = 2 } ] } ] } ]",
                   2, 39, "there is no shape with the id \"q\" here");
}

static void meshes_and_height_fields_are_references(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_unit("components = [ { id = \"a\" type = \"actor\" shapes = [\n"
                     "  { id = \"m\" type = \"mesh\" mesh = \"rock\" part = \"collision_1\" }\n"
                     "  { id = \"h\" type = \"height_field\" height_field = \"hills\" } ] } ]");
    const ct_actor_shape_data *const shapes =
        ct_actor_shapes(actor_of(expect_blob(&answer, "unit"), 0));
    assert_int_equal(shapes[0].resource.value, ct_string_id64_of("rock").value);
    assert_int_equal(shapes[0].part.value, ct_string_id32_of("collision_1").value);
    assert_int_equal(shapes[1].resource.value, ct_string_id64_of("hills").value);
    assert_true(has_reference(&answer, "mesh", "rock"));
    assert_true(has_reference(&answer, "height_field", "hills"));
    ct_compile_answer_free(&answer);
    expect_refused("components = [ { id = \"a\" type = \"actor\" shapes = [\n"
                   "  { id = \"m\" type = \"mesh\" } ] } ]",
                   2, 3, "a shape of type mesh needs `mesh`");
    expect_refused("components = [ { id = \"a\" type = \"actor\" shapes = [\n"
                   "  { id = \"m\" type = \"mesh\" height_field = \"hills\" } ] } ]",
                   2, 3, "a shape of type mesh needs `mesh`");
}

#define ACTOR "components = [ { id = \"a\" type = \"actor\"\n"
#define BOX "shapes = [ { id = \"s\" } ] } ]"

static void refuses_sizes_masses_and_types_that_cannot_be(void **state) {
    (void)state;
    expect_refused(ACTOR "shapes = [ { id = \"s\" half_size = [1 0 1] } ] } ]", 2, 38,
                   "half_size[1]: found 0, expected 0.0001 to");
    expect_refused(ACTOR "shapes = [ { id = \"s\" type = \"sphere\" radius = -1 } ] } ]", 2, 39,
                   "radius: found -1");
    expect_refused(ACTOR "shapes = [ { id = \"s\" type = \"cone\" } ] } ]", 2, 23,
                   "found \"cone\", expected one of: box");
    expect_refused(ACTOR "shapes = [ { id = \"s\" type = \"capsule\" radius = 1 } ] } ]", 2, 12,
                   "found a capsule of height 2 and radius 1; its height must be more than twice");
    expect_refused(ACTOR "mass = -1 " BOX, 2, 1, "actor.mass: found -1");
    expect_refused(ACTOR "mass = 1e30 " BOX, 2, 1, "actor.mass: found 1e+30");
}

static void knows_the_nearest_shape_type(void **state) {
    (void)state;
    expect_refused(ACTOR "shapes = [ { id = \"s\" type = \"spere\" } ] } ]", 2, 23,
                   "did you mean \"sphere\"?");
}

static void refuses_two_shapes_with_one_id(void **state) {
    (void)state;
    expect_refused(ACTOR "shapes = [ { id = \"s\" }\n  { id = \"s\" } ] } ]", 3, 5,
                   "the id \"s\" is used twice here; every shape needs its own");
    expect_refused(ACTOR "shapes = [ { type = \"box\" } ] } ]", 2, 12, "this shape needs an `id`");
}

// An actor with `count` shapes, each in a line of its own from line 2 on.
static const char *with_shapes(uint32_t count) {
    static char text[8192];
    size_t used = (size_t)snprintf(text, sizeof(text),
                                   "components = [ { id = \"a\" type = \"actor\" shapes = [");
    for (uint32_t i = 0; i < count; ++i)
        used += (size_t)snprintf(text + used, sizeof(text) - used, "\n  { id = \"%u\" }", i);
    snprintf(text + used, sizeof(text) - used, " ] } ]");
    return text;
}

static void an_actor_has_up_to_64_shapes(void **state) {
    (void)state;
    ct_compile_answer answer = compile_unit(with_shapes(64));
    assert_int_equal(actor_of(expect_blob(&answer, "unit"), 0)->num_shapes, 64);
    ct_compile_answer_free(&answer);
    expect_refused(with_shapes(65), 66, 3, "found 65 shapes, expected at most 64");
}

static void errors_of_what_is_inherited_are_in_its_file(void **state) {
    (void)state;
    const char *const project = test_scratch_folder();
    write_text(project, "base.unit",
               "components = [ { id = \"a\" type = \"actor\" shapes = [\n"
               "  { id = \"s\" type = \"box\"\n    half_size = [1 -1 1] } ] } ]");
    write_text(project, "x.unit", "inherit = \"base\"");
    ct_compile_answer answer = compile_file(project, "unit", "x");
    expect_error(&answer, "base.unit", 3, 20, "half_size[1]: found -1");
}

static void removing_unknown_shapes_is_an_error(void **state) {
    (void)state;
    expect_refused("inherit = \"crate\" components = [ { id = \"a\"\n"
                   "shapes = [ { id = \"q\" removed = true } ] } ]",
                   2, 14, "there is no shape with the id \"q\" here, so it cannot be removed");
}

static void a_template_may_be_named_and_its_members_are_not_given(void **state) {
    (void)state;
    ct_compile_answer answer = compile_unit(ACTOR "template = \"crate\" " BOX);
    const ct_actor_data *const actor = actor_of(expect_blob(&answer, "unit"), 0);
    assert_int_equal(actor->template_name.value, ct_string_id32_of("crate").value);
    assert_int_equal(actor->given, 1 << 2);
    assert_int_equal(actor->has_gravity, 1);
    ct_compile_answer_free(&answer);
}

static void a_unit_has_several_movers(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_unit("components = [ { id = \"a\" type = \"mover\" }\n"
                     "  { id = \"b\" type = \"mover\" name = \"low\" height = 0.9 } ]");
    const ct_unit_resource *const unit = expect_blob(&answer, "unit");
    assert_int_equal(count_of(unit, &unit->entities, "mover"), 2);
    const ct_mover_data *const low = data_of(unit, &unit->entities, "mover", 1);
    assert_int_equal(low->name.value, ct_string_id32_of("low").value);
    assert_float_equal(low->height, 0.9f, 0);
    assert_float_equal(low->radius, 0.35f, 0);
    ct_compile_answer_free(&answer);
}

static void refuses_movers_that_are_no_capsules(void **state) {
    (void)state;
    expect_refused("components = [ { id = \"a\" type = \"mover\"\n  height = 0.5 } ]", 2, 3,
                   "mover.height: found 0.5, expected at least 0.7, twice the radius");
    expect_refused("components = [ { id = \"a\" type = \"mover\" radius = 2 } ]", 1, 16,
                   "mover.height: found 1.8, expected at least 4");
    expect_refused("components = [ { id = \"a\" type = \"mover\"\n  skin = 0.5 } ]", 2, 3,
                   "mover.skin: found 0.5, expected at most 0.175, half the radius");
    expect_refused("components = [ { id = \"a\" type = \"mover\" radius = 0.5\n  skin = 0.4 } ]", 2,
                   3, "mover.skin: found 0.4, expected at most 0.25, half the radius");
}

static void refuses_axes_that_are_none(void **state) {
    (void)state;
    expect_refused(ACTOR "lock_position = \"w\" " BOX, 2, 1,
                   "actor.lock_position: found \"w\", expected some of the letters x, y and z");
    expect_refused(ACTOR "lock_rotation = \"xx\" " BOX, 2, 1, "has the axis x twice");
    expect_refused(ACTOR "lock_rotation = \"xyzx\" " BOX, 2, 1, "found 4 bytes of text");
}

static void refuses_shapes_that_a_moving_actor_cannot_have(void **state) {
    (void)state;
    expect_refused(ACTOR "body = \"dynamic\" shapes = [ { id = \"s\" type = \"plane\" } ] } ]", 2,
                   29, "a plane never moves, but this actor is dynamic");
    expect_refused(ACTOR "body = \"dynamic\" shapes = [ { id = \"s\" type = \"height_field\" "
                         "height_field = \"h\" } ] } ]",
                   2, 29, "a height field has no volume, but this actor is dynamic");
}

static void refuses_an_actor_without_any_shape(void **state) {
    (void)state;
    expect_refused(ACTOR "} ]", 1, 16,
                   "this actor has no shape: it has no `shapes`, and the unit has no mesh");
    expect_refused("components = [ { id = \"a\" type = \"trigger\" } ]", 1, 16,
                   "this trigger has no shape");
    ct_compile_answer answer = compile_unit("components = [ { id = \"a\" type = \"actor\" }\n"
                                            "  { id = \"m\" type = \"mesh\" mesh = \"rock\" } ]");
    assert_int_equal(actor_of(expect_blob(&answer, "unit"), 0)->num_shapes, 0);
    ct_compile_answer_free(&answer);
}

static void refuses_a_node_that_the_unit_does_not_have(void **state) {
    (void)state;
    expect_refused(ACTOR "node = \"wheel\" " BOX, 2, 1, "there is no node \"wheel\"");
}

static void triggers_have_shapes_too(void **state) {
    (void)state;
    ct_compile_answer answer =
        compile_unit("components = [ { id = \"t\" type = \"trigger\" is_enabled = false\n"
                     "  shapes = [ { id = \"s\" type = \"sphere\" radius = 3 } ] } ]");
    const ct_unit_resource *const unit = expect_blob(&answer, "unit");
    const ct_trigger_data *const trigger = varying_data_of(unit, &unit->entities, "trigger", 0);
    ct_error error = {0};
    assert_true(ct_trigger_check(trigger, sizeof(*trigger) + sizeof(ct_actor_shape_data), &error));
    assert_int_equal(trigger->is_enabled, 0);
    assert_float_equal(ct_trigger_shapes(trigger)->radius, 3, 0);
    ct_compile_answer_free(&answer);
}

#define GATE "components = [ { id = \"t\" type = \"trigger\"\n"

static void triggers_have_tags(void **state) {
    (void)state;
    ct_compile_answer answer = compile_unit(GATE "  tags = [\"enemy\" \"player\" \"lamp\"]\n" BOX);
    const ct_unit_resource *const unit = expect_blob(&answer, "unit");
    const ct_trigger_data *const trigger = varying_data_of(unit, &unit->entities, "trigger", 0);
    ct_error error = {0};
    assert_true(
        ct_trigger_check(trigger, sizeof(*trigger) + sizeof(ct_actor_shape_data) + 16, &error));
    assert_int_equal(trigger->num_tags, 3);
    assert_int_equal(ct_trigger_tags(trigger)[1].value, ct_string_id32_of("player").value);
    ct_compile_answer_free(&answer);
    expect_refused(GATE "  tags = [\"enemy\" \"enemy\"]\n" BOX, 2, 19,
                   "trigger.tags: \"enemy\" is listed twice");
    expect_refused(GATE "  tags = [7]\n" BOX, 2, 11,
                   "trigger.tags: found a number, expected a string");
    char text[512] = GATE "  tags = [";
    for (uint32_t i = 0; i <= CT_TRIGGER_MAX_TAGS; ++i)
        snprintf(text + strlen(text), sizeof(text) - strlen(text), "\"tag_%u\" ", i);
    strcat(text, "]\n" BOX);
    expect_refused(text, 2, 3, "trigger.tags: found 17 tags, expected at most 16");
}

// --- Names in the project's physics --------------------------------------------------------------

#define GAME                                                                                       \
    "materials = [ { id = \"1\" name = \"wood\" } { id = \"2\" name = \"stone\" } ]\n"             \
    "filters = [ { id = \"1\" name = \"wall\" collides = \"all\" } ]\n"                            \
    "templates = [ { id = \"1\" name = \"crate\" actor = { mass = 2 } } ]"

// A project of its own, where settings.config names physics/game.
static const char *physics_project(const char *unit) {
    static const char *folder;
    if (!folder)
        folder = test_scratch_folder();
    write_settings(folder, "physics = \"physics/game\"");
    write_text(folder, "physics/game.physics", GAME);
    write_text(folder, "x.unit", unit);
    return folder;
}

static void expect_unknown(const char *unit, uint32_t line, uint32_t column, const char *message) {
    ct_compile_answer answer = compile_file(physics_project(unit), "unit", "x");
    expect_error(&answer, "x.unit", line, column, message);
}

static void unknown_names_of_the_physics_are_errors(void **state) {
    (void)state;
    expect_unknown(ACTOR "material = \"woood\" " BOX, 2, 1,
                   "there is no material \"woood\"; did you mean \"wood\"?");
    expect_unknown(ACTOR "filter = \"wal\" " BOX, 2, 1,
                   "there is no filter \"wal\"; did you mean \"wall\"?");
    expect_unknown(ACTOR "template = \"crat\" " BOX, 2, 1,
                   "there is no template \"crat\"; did you mean \"crate\"?");
    expect_unknown(ACTOR "material = \"marble\" " BOX, 2, 1,
                   "there is no material \"marble\"; physics/game.physics has \"default\", "
                   "\"wood\", \"stone\"");
    expect_unknown("components = [ { id = \"t\" type = \"trigger\" filter = \"wal\"\n"
                   "  shapes = [ { id = \"s\" type = \"sphere\" } ] } ]",
                   1, 44, "there is no filter \"wal\"");
    expect_unknown("components = [ { id = \"m\" type = \"mover\" filter = \"wal\" } ]", 1, 42,
                   "there is no filter \"wal\"");
}

static void known_names_of_the_physics_are_accepted(void **state) {
    (void)state;
    const char *const folder = physics_project(ACTOR "material = \"stone\" filter = \"wall\" "
                                                     "template = \"crate\" " BOX);
    ct_compile_answer answer = compile_file(folder, "unit", "x");
    assert_int_equal(actor_of(expect_blob(&answer, "unit"), 0)->filter.value,
                     ct_string_id32_of("wall").value);
    // A change of any of these compiles it again.
    assert_true(has_include(&answer, "physics/game.physics"));
    assert_true(has_include(&answer, "settings.config:physics"));
    ct_compile_answer_free(&answer);
}

static void physics_is_read_only_for_names_in_it(void **state) {
    (void)state;
    const char *const folder =
        physics_project(ACTOR "material = \"default\" filter = \"default\" template = \"\" " BOX);
    ct_compile_answer answer = compile_file(folder, "unit", "x");
    expect_blob(&answer, "unit");
    assert_false(has_include(&answer, "physics/game.physics"));
    ct_compile_answer_free(&answer);
}

static void what_overrides_an_unknown_name_mends_it(void **state) {
    (void)state;
    const char *const folder =
        physics_project("inherit = \"base\" components = [ { id = \"a\" filter = \"wall\" } ]");
    write_text(folder, "base.unit", ACTOR "filter = \"wal\" " BOX);
    ct_compile_answer answer = compile_file(folder, "unit", "x");
    expect_blob(&answer, "unit");
    ct_compile_answer_free(&answer);
    write_text(folder, "x.level",
               "units = [ { id = \"1\" unit = \"x\" overrides = [\n"
               "  { id = \"a\" filter = \"walll\" } ] } ]");
    answer = compile_file(folder, "level", "x");
    expect_error(&answer, "x.level", 2, 14, "there is no filter \"walll\"; did you mean \"wall\"?");
}

static void physics_that_cannot_be_read_accepts_all_names(void **state) {
    (void)state;
    const char *const folder = physics_project(ACTOR "filter = \"wal\" " BOX);
    write_text(folder, "physics/game.physics", "filters = [");
    ct_compile_answer answer = compile_file(folder, "unit", "x");
    expect_blob(&answer, "unit");
    assert_true(has_include(&answer, "physics/game.physics"));
    ct_compile_answer_free(&answer);
    write_settings(folder, "physics = \"physics/gone\"");
    answer = compile_file(folder, "unit", "x");
    expect_blob(&answer, "unit");
    ct_compile_answer_free(&answer);
}

static void names_of_variants_of_the_physics_are_known(void **state) {
    (void)state;
    const char *const folder = physics_project(ACTOR "filter = \"swamp\" " BOX);
    write_text(folder, "physics/game.windows.physics",
               "filters = [ { id = \"1\" name = \"swamp\" collides = \"all\" } ]");
    ct_compile_answer answer = compile_file(folder, "unit", "x");
    expect_blob(&answer, "unit");
    ct_compile_answer_free(&answer);
    char path[CT_PATH_BYTES];
    snprintf(path, sizeof(path), "%s/physics/game.windows.physics", folder);
    assert_int_equal(remove(path), 0);
    answer = compile_file(folder, "unit", "x");
    expect_error(&answer, "x.unit", 2, 1, "there is no filter \"swamp\"");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_members_shapes_and_what_was_given),
        cmocka_unit_test(shapes_are_merged_by_id_over_inherited_ones),
        cmocka_unit_test(overrides_of_a_child_change_its_shapes_only),
        cmocka_unit_test(meshes_and_height_fields_are_references),
        cmocka_unit_test(refuses_sizes_masses_and_types_that_cannot_be),
        cmocka_unit_test(knows_the_nearest_shape_type),
        cmocka_unit_test(refuses_two_shapes_with_one_id),
        cmocka_unit_test(an_actor_has_up_to_64_shapes),
        cmocka_unit_test(errors_of_what_is_inherited_are_in_its_file),
        cmocka_unit_test(removing_unknown_shapes_is_an_error),
        cmocka_unit_test(a_template_may_be_named_and_its_members_are_not_given),
        cmocka_unit_test(a_unit_has_several_movers),
        cmocka_unit_test(refuses_movers_that_are_no_capsules),
        cmocka_unit_test(refuses_axes_that_are_none),
        cmocka_unit_test(refuses_shapes_that_a_moving_actor_cannot_have),
        cmocka_unit_test(refuses_an_actor_without_any_shape),
        cmocka_unit_test(refuses_a_node_that_the_unit_does_not_have),
        cmocka_unit_test(triggers_have_shapes_too),
        cmocka_unit_test(triggers_have_tags),
        cmocka_unit_test(unknown_names_of_the_physics_are_errors),
        cmocka_unit_test(known_names_of_the_physics_are_accepted),
        cmocka_unit_test(physics_is_read_only_for_names_in_it),
        cmocka_unit_test(what_overrides_an_unknown_name_mends_it),
        cmocka_unit_test(physics_that_cannot_be_read_accepts_all_names),
        cmocka_unit_test(names_of_variants_of_the_physics_are_known),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
