// Behaviours: what instances hear of their life, whatever happens meanwhile, and their tables after
// it.
#include "script/behaviour/behaviour_fixture.h"

#define SPARE(more)                                                                                \
    "local M = {reuses_tables = true, speed = 2} "                                                 \
    "function M.spawned(self) self.t, self.load = 0, 1 end "                                       \
    "function M.update(self, dt) self.t = self.t + dt * self.speed end " more "return M"

// Calls `in_spawned` of the test in the `spawned` of "b", between those of "a" and "d".
static void spawn_three(const char *in_spawned) {
    load_script(&f, "behaviours/crier",
                "local M = {} function M.spawned(self) self.n = 0 note('spawned', self) "
                "  if self.name == 'b' then in_spawned() end end "
                "function M.update(self) note('update', self) end "
                "function M.destroyed(self) note('destroyed', self) end "
                "function M.hear(self, n) self.n = self.n + n note('hear', self) end return M");
    run_lua(&f, in_spawned);
    run_lua(&f, "function instance(e) return ScriptComponent.lookup(SC, e, 'ai') end "
                "A = add('a', 'behaviours/crier') B = add('b', 'behaviours/crier') "
                "D = add('d', 'behaviours/crier')");
}

static void nobody_hears_a_broadcast_before_spawned(void **state) {
    (void)state;
    spawn_three("function in_spawned() ScriptComponent.broadcast(SC, 'hear', 1) end");
    run_lua(&f, "step()");
    assert_lua(&f, "take()",
               "spawned:a spawned:b hear:a hear:b spawned:d update:a update:b update:d");
}

static void nobody_hears_a_dispatch_before_spawned(void **state) {
    (void)state;
    spawn_three("function in_spawned() "
                "  ScriptComponent.dispatch(SC, 'hear', {instance(D), instance(A)}, 1) end");
    run_lua(&f, "step()");
    assert_lua(&f, "take()", "spawned:a spawned:b hear:a spawned:d update:a update:b update:d");
}

// Spawned by a call within the call of its like.
static void nobody_hears_a_broadcast_before_spawned_in_a_call_within(void **state) {
    (void)state;
    spawn_three("function in_spawned() E = add('e', 'behaviours/crier') "
                "  ScriptComponent.spawned(SC, {E}) ScriptComponent.broadcast(SC, 'hear', 1) end");
    run_lua(&f, "step()");
    assert_lua(&f, "take()",
               "spawned:a spawned:b spawned:e hear:a hear:b hear:e spawned:d "
               "update:a update:b update:d update:e");
}

static void who_ends_before_spawned_hears_nothing(void **state) {
    (void)state;
    spawn_three("function in_spawned() EntityManager.destroy(D) EntityManager.destroy(A) end");
    run_lua(&f, "step() step()");
    assert_lua(&f, "take()", "spawned:a spawned:b update:b destroyed:a update:b");
}

static void who_is_disabled_before_spawned_hears_it_later(void **state) {
    (void)state;
    spawn_three("function in_spawned() ScriptComponent.set_enabled(SC, instance(D), false) end");
    run_lua(&f, "step() ScriptComponent.set_enabled(SC, instance(D), true) step()");
    assert_lua(&f, "take()",
               "spawned:a spawned:b update:a update:b spawned:d update:a update:b update:d");
}

static void who_did_not_hear_spawned_for_an_error_hears_it_later(void **state) {
    (void)state;
    spawn_three("function in_spawned() lack_memory() end");
    assert_lua_error(&f, "step()", "not enough memory");
    run_lua(&f, "step()");
    assert_lua(&f, "take(), is_on(B)", "spawned:a spawned:b spawned:d update:a update:d\tfalse");
}

// No memory for looking up `event` once.
static void lack_memory_for(const char *event) {
    char lua[512];
    snprintf(lua, sizeof(lua),
             "local M = {} function M.spawned(self) note('spawned', self) end "
             "function M.update(self) note('update', self) end "
             "function M.destroyed(self) note('destroyed', self) end "
             "return setmetatable(M, {__index = function(t, name) "
             "  if name == '%s' and not once then once = true lack_memory() end end})",
             event);
    load_script(&f, "behaviours/forgetful", lua);
    run_lua(&f, "A = add('a', 'behaviours/forgetful') B = add('b', 'behaviours/forgetful')");
}

static void all_hear_spawned_later_when_looking_it_up_failed(void **state) {
    (void)state;
    lack_memory_for("spawned_all");
    assert_lua_error(&f, "step()", "not enough memory");
    run_lua(&f, "step() EntityManager.destroy(A) step()");
    assert_lua(&f, "take()", "spawned:a spawned:b update:a update:b destroyed:a update:b");
}

static void all_hear_destroyed_later_when_looking_it_up_failed(void **state) {
    (void)state;
    lack_memory_for("destroyed_all");
    run_lua(&f, "step() EntityManager.destroy(A)");
    assert_lua_error(&f, "step()", "not enough memory");
    run_lua(&f, "step()");
    assert_lua(&f, "take()", "spawned:a spawned:b update:a update:b destroyed:a update:b");
}

// The step goes on: only a call within it ended.
static void nobody_hears_update_before_spawned_when_a_call_within_failed(void **state) {
    (void)state;
    spawn_three("function in_spawned() E = add('e', 'behaviours/late') "
                "  F = add('f', 'behaviours/late') ScriptComponent.spawned(SC, {E, F}) end");
    load_script(&f, "behaviours/late",
                "local M = {} function M.spawned(self) note('spawned', self) "
                "  if self.name == 'e' then lack_memory() end end "
                "function M.update(self) note('update', self) end return M");
    run_lua(&f, "step()");
    assert_lua(&f, "take()", "spawned:a spawned:b spawned:e spawned:d update:a update:d");
    run_lua(&f, "step()");
    assert_lua(&f, "take()", "spawned:f update:a update:d update:f");
}

static void who_ended_while_the_script_was_broken_hears_it_when_it_is_mended(void **state) {
    (void)state;
    run_lua(&f, "A = add('a') step()");
    reload_script(&f, "behaviours/guard", "return 5");
    run_lua(&f, "step() EntityManager.destroy(A) step() take()");
    reload_script(&f, "behaviours/guard", guard);
    run_lua(&f, "step() step()");
    assert_lua(&f, "take()", "destroyed:a");
}

static void who_did_not_hear_destroyed_for_an_error_hears_it_later(void **state) {
    (void)state;
    load_script(&f, "behaviours/spare",
                SPARE("function M.destroyed(self) note('destroyed', self) "
                      "  if self.name == 'b' then lack_memory() end end "));
    run_lua(&f, "A = add('a', 'behaviours/spare') B = add('b', 'behaviours/spare') "
                "D = add('d', 'behaviours/spare') step() "
                "EntityManager.destroy(A) EntityManager.destroy(B) EntityManager.destroy(D)");
    assert_lua_error(&f, "step()", "not enough memory");
    run_lua(&f, "step() step()");
    assert_lua(&f, "take()", "destroyed:a destroyed:b destroyed:d");
    run_lua(&f, "A = add('a', 'behaviours/spare') B = add('b', 'behaviours/spare') "
                "D = add('d', 'behaviours/spare') step()");
    assert_lua(&f,
               "self_of(A) ~= self_of(B) and self_of(B) ~= self_of(D), self_of(A).entity == A, "
               "self_of(D).t",
               "true\ttrue\t2");
}

// --- Tables that are used again ------------------------------------------------------------------

static void set_up_spares(void) {
    load_script(&f, "behaviours/spare",
                SPARE("function M.destroyed(self) note('destroyed', self) end "));
    run_lua(&f, "A = add('a', 'behaviours/spare') step() OLD = self_of(A)");
}

static void gives_tables_of_the_dead_to_those_that_come(void **state) {
    (void)state;
    set_up_spares();
    run_lua(&f, "OLD.speed = 3 EntityManager.destroy(A) B = add('b', 'behaviours/spare') "
                "step() assert(self_of(B) ~= OLD) assert(next(OLD) == nil)");
    assert_lua(&f, "take()", "destroyed:a"); // with what it had
    run_lua(&f, "D = add('d', 'behaviours/spare') step(4)");
    assert_lua(&f, "self_of(D) == OLD, OLD.entity == D, OLD.t, OLD.speed, OLD.name",
               "true\ttrue\t8\t2\td");
    run_lua(&f, "E = add('e', 'behaviours/spare') step()");
    assert_lua(&f, "self_of(E) == OLD", "false");
}

static void makes_no_garbage_of_lives_whose_tables_are_used_again(void **state) {
    (void)state;
    set_up_spares();
    run_lua(&f, "jit.off() local ids = {} "
                "function live(n) for i = 1, n do ids[i] = EntityManager.create(W) "
                "  ScriptComponent.create(SC, ids[i], 7, 'behaviours/spare') end step() "
                "  for i = 1, n do EntityManager.destroy(ids[i]) end step() end "
                "note = function() end live(20) collectgarbage() collectgarbage('stop') live(20) "
                "local before = collectgarbage('count') live(20) live(20) "
                "MADE = collectgarbage('count') - before collectgarbage('restart') jit.on()");
    assert_lua(&f, "MADE", "0");
}

// What a script makes of a table, or of the array of them, does not matter to those that come.
static void tables_that_are_used_again_are_as_new(void **state) {
    (void)state;
    load_script(&f, "behaviours/spare",
                SPARE("function M.spawned(self) self.t = 0 setmetatable(self, "
                      "  {__index = M, __newindex = function() error('sealed') end}) end "
                      "function M.destroyed_all(selves, first, last) for i = first, last do "
                      "  selves[i] = i > 1 and selves[1] or nil end end "));
    run_lua(&f, "A = add('a', 'behaviours/spare') B = add('b', 'behaviours/spare') step() "
                "EntityManager.destroy(A) EntityManager.destroy(B) step() "
                "A = add('a', 'behaviours/spare') B = add('b', 'behaviours/spare') step() step()");
    assert_lua(&f,
               "self_of(A) ~= self_of(B), self_of(A).entity == A, self_of(B).entity == B, "
               "self_of(A).t, self_of(B).t",
               "true\ttrue\ttrue\t4\t4");
    assert_int_equal(count_logged("error"), 0);
}

static void a_save_may_end_that_tables_are_used_again(void **state) {
    (void)state;
    set_up_spares();
    run_lua(&f, "EntityManager.destroy(A) step()"); // the table is spare
    reload_script(&f, "behaviours/spare", "return {reuses_tables = false}");
    run_lua(&f, "B = add('b', 'behaviours/spare') step()");
    assert_lua(&f, "self_of(B) == OLD", "false");
    reload_script(&f, "behaviours/spare", SPARE(""));
    run_lua(&f, "OLD = self_of(B) EntityManager.destroy(B) step() "
                "D = add('d', 'behaviours/spare') step()");
    assert_lua(&f, "self_of(D) == OLD", "true");
}

static void an_error_in_destroyed_leaves_the_table_for_others(void **state) {
    (void)state;
    load_script(&f, "behaviours/spare", SPARE("function M.destroyed(self) error('no') end "));
    run_lua(&f, "A = add('a', 'behaviours/spare') step() OLD = self_of(A) "
                "EntityManager.destroy(A) step() B = add('b', 'behaviours/spare') step(2)");
    assert_int_equal(count_logged("no\n"), 1);
    assert_lua(&f, "self_of(B) == OLD, OLD.t", "true\t4");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        BEHAVIOUR_TEST(nobody_hears_a_broadcast_before_spawned),
        BEHAVIOUR_TEST(nobody_hears_a_dispatch_before_spawned),
        BEHAVIOUR_TEST(nobody_hears_a_broadcast_before_spawned_in_a_call_within),
        BEHAVIOUR_TEST(who_ends_before_spawned_hears_nothing),
        BEHAVIOUR_TEST(who_is_disabled_before_spawned_hears_it_later),
        BEHAVIOUR_TEST(who_did_not_hear_spawned_for_an_error_hears_it_later),
        BEHAVIOUR_TEST(all_hear_spawned_later_when_looking_it_up_failed),
        BEHAVIOUR_TEST(all_hear_destroyed_later_when_looking_it_up_failed),
        BEHAVIOUR_TEST(nobody_hears_update_before_spawned_when_a_call_within_failed),
        BEHAVIOUR_TEST(who_ended_while_the_script_was_broken_hears_it_when_it_is_mended),
        BEHAVIOUR_TEST(who_did_not_hear_destroyed_for_an_error_hears_it_later),
        BEHAVIOUR_TEST(gives_tables_of_the_dead_to_those_that_come),
        BEHAVIOUR_TEST(makes_no_garbage_of_lives_whose_tables_are_used_again),
        BEHAVIOUR_TEST(tables_that_are_used_again_are_as_new),
        BEHAVIOUR_TEST(a_save_may_end_that_tables_are_used_again),
        BEHAVIOUR_TEST(an_error_in_destroyed_leaves_the_table_for_others),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
