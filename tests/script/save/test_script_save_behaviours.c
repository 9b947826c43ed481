// Behaviours of worlds that are loaded: `spawned` of all new ones is called before anything is restored, also of
// those that scripts had added, and of those that these add. tests/test_save_worlds.py has other runs.
#include "script/behaviour/behaviour_fixture.h"

// Notes with each call whether the light of the unit, which was 99 when it was saved, is restored.
static const char lamp[] =
    "local M = {} "
    "local function restored(self) return Light.intensity(Unit.light(self.entity, 1)) == 99 end "
    "function M.spawned(self) note('spawned ' .. tostring(restored(self)), self) "
    "  if ADD then ADD(self) end end "
    "function M.save(self) return { name = self.name } end "
    "function M.load(self, value) self.name = value.name "
    "  note('load ' .. tostring(restored(self)), self) end "
    "return M";

static int set_up_saves(void **state) {
    set_up_behaviours(state);
    load_script(&f, "behaviours/lamp", lamp);
    run_lua(&f, "U = World.spawn_unit(W, 'units/crate') "
                "Light.set_intensity(Unit.light(U, 1), 99) "
                "function give(unit, name, id) "
                "  ScriptComponent.set_property(SC, ScriptComponent.create(SC, unit, id, "
                "'behaviours/lamp'), 'name', name) end "
                "function load() S = SaveSystem.save_world(W) N = SaveSystem.unit_number(S, U) "
                "  World.destroy_unit(W, U) step() take() "
                "  P = SaveSystem.load_world(W, S) U = SaveSystem.unit(S, N) return take() end "
                "function same() return SaveSystem.hash(SaveSystem.save_world(W)) == "
                "SaveSystem.hash(S) end ");
    return 0;
}

static void added_behaviours_are_spawned_before_rows(void **state) {
    (void)state;
    run_lua(&f, "give(U, 'a', 'first') give(U, 'b', 'second') step()");
    assert_lua(&f, "load()", "spawned false:nil spawned false:nil load true:a load true:b");
    assert_lua(&f, "#P, same()", "0\ttrue");
}

// The first adds the second itself, as in the run that saved: there is one of it.
static void behaviours_that_spawned_adds_are_the_saved_ones(void **state) {
    (void)state;
    run_lua(&f, "function ADD(self) "
                "  if not ScriptComponent.lookup(SC, self.entity, 'second') then "
                "    give(self.entity, 'b', 'second') end end "
                "give(U, 'a', 'first') step()");
    assert_lua(&f, "select('#', ScriptComponent.instances(SC, U))", "2");
    assert_lua(&f, "load()", "spawned false:nil spawned false:b load true:a load true:b");
    assert_lua(&f, "select('#', ScriptComponent.instances(SC, U)), #P, same()", "2\t0\ttrue");
}

static void what_spawned_adds_beside_the_save_goes(void **state) {
    (void)state;
    run_lua(&f,
            "give(U, 'a', 'first') step() "
            "function ADD(self) ADD = nil World.spawn_unit(self.world, 'units/robot') "
            "  World.load_level(self.world, 'levels/yard') give(self.entity, 'c', 'third') end");
    assert_lua(&f, "load()", "spawned false:nil spawned false:c load true:a");
    assert_lua(&f,
               "#World.units_by_resource(W, 'units/robot'), #World.levels(W), "
               "select('#', ScriptComponent.instances(SC, U)), #P, same()",
               "0\t0\t1\t0\ttrue");
}

// It is called once, and the saved state is there all the same.
static void load_follows_an_error_in_spawned(void **state) {
    (void)state;
    run_lua(&f, "give(U, 'a', 'first') step() function ADD() error('broken') end");
    assert_lua(&f, "load()", "spawned false:nil load true:a");
    assert_int_equal(count_logged("broken\n"), 1);
    assert_lua(&f, "#P, same()", "0\ttrue");
}

#define SAVE_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_saves, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        SAVE_TEST(added_behaviours_are_spawned_before_rows),
        SAVE_TEST(behaviours_that_spawned_adds_are_the_saved_ones),
        SAVE_TEST(what_spawned_adds_beside_the_save_goes),
        SAVE_TEST(load_follows_an_error_in_spawned),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
