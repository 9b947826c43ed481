// ARCHITECTURE's "Where to add" from end to end: the component of wind_component.h, which nothing
// below this test knows, is compiled from text, spawned and moved by its row, and reached from Lua.
#include "script/api_check.h"
#include "script/fake_host.h"
#include "world/compiled_fixture.h"
#include "world/wind_component.h"

// --- Its row -------------------------------------------------------------------------------------

static void blow(ct_world *w, void *manager, double dt) {
    (void)w;
    wind_blow(manager, dt);
}

static const ct_world_row wind_row = {.name = "wind",
                                      .component = &wind_schema,
                                      .is_single = true,
                                      .create = create_wind,
                                      .steps = {{"blow", CT_WORLD_PHASE_SIMULATE, blow, false}}};
static ct_world_row_id wind;

// --- Its module ----------------------------------------------------------------------------------

// The data of the unit at argument 1.
static wind_data *check_wind(lua_State *L) {
    ct_world *world;
    const ct_entity unit = ct_check_unit(L, 1, &world);
    wind_manager *const m = ct_world_manager(world, wind);
    const uint32_t i = ct_instance_table_first(&m->table, unit);
    if (!i)
        ct_argument_error(L, 1, "the unit has no wind");
    return &m->data[i];
}

static int set_speed(lua_State *L) {
    check_wind(L)->speed = ct_check_float(L, 2);
    return 0;
}

static int speed(lua_State *L) {
    lua_pushnumber(L, (lua_Number)check_wind(L)->speed);
    return 1;
}

static const ct_lua_function functions[] = {
    {"set_speed", set_speed, "(self: Unit, speed: number) -> nil", "Sets the speed of a unit."},
    {"speed", speed, "(self: Unit) -> number", "The speed of a unit."},
};
static const ct_lua_module wind_module = {
    .name = "Wind", .doc = "Blows units away.", .functions = functions, .num_functions = 2};
static const ct_lua_module *const modules[] = {&wind_module};

// --- The test ------------------------------------------------------------------------------------

static void goes_from_text_to_lua(void **state) {
    (void)state;
    script_fixture f = start_script_with((ct_script_desc){.modules = modules, .num_modules = 1});
    ct_world_destroy(f.world.world); // rows are added while there is no world
    wind = ct_world_system_add_row(f.world.system, &wind_row);
    f.world.world = ct_world_create(f.world.system);
    const char *const project = test_scratch_folder();
    write_text(project, "kite.unit",
               "components = [ { id = \"a\" type = \"transform\" }\n"
               "  { id = \"b\" type = \"wind\" speed = 4 } ]");
    write_text(project, "stone.unit", "components = [ { id = \"a\" type = \"transform\" } ]");
    load_compiled(&f.world, project, "unit", "kite");
    load_compiled(&f.world, project, "unit", "stone");
    run_lua(&f, "W = Application.new_world() K = World.spawn_unit(W, 'kite') "
                "S = World.spawn_unit(W, 'stone') World.update(W, 0.5)");
    assert_lua(&f, "Wind.speed(K), Unit.world_position(K, 1).x", "4\t2");
    run_lua(&f, "Wind.set_speed(K, 10) World.update(W, 0.5)");
    assert_lua(&f, "Unit.world_position(K, 1).x, Unit.world_position(S, 1).x", "7\t0");
    assert_lua_error(&f, "Wind.speed(S)", "Wind.speed: argument 1 (self): the unit has no wind");
    assert_lua_error(&f, "Wind.set_speed(K, 'fast')",
                     "Wind.set_speed: argument 2 (speed): expected number, got string");
    stop_script(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(goes_from_text_to_lua)};
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
