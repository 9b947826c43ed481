// Behaviours: who is called when, errors, destruction and creation in callbacks, reload, worlds.
#include "script/behaviour/behaviour_fixture.h"
#include "script/script_private.h"

#include "script/api_check.h"
#include "script/behaviour/script_behaviour_private.h"

// --- Calls ---------------------------------------------------------------------------------------

static void calls_spawned_and_then_update_each_step(void **state) {
    (void)state;
    run_lua(&f, "A = add('a') B = add('b')");
    assert_lua(&f, "take()", "");
    run_lua(&f, "step(0.5)");
    assert_lua(&f, "take()", "spawned:a spawned:b");
    assert_lua(&f, "self_of(A).t, self_of(B).t", "1\t1");
    run_lua(&f, "self_of(B).speed = 4 step(1)");
    assert_lua(&f, "take(), self_of(A).t, self_of(B).t", "\t3\t5");
}

static void gives_instances_what_they_belong_to(void **state) {
    (void)state;
    run_lua(&f, "i = ScriptComponent.create(SC, L, 7, 'behaviours/guard') "
                "S = ScriptComponent.state(SC, i)");
    assert_lua(&f, "S.entity == L, S.world == W, S.speed", "true\ttrue\t2");
    assert_lua(&f, "ScriptComponent.get_property(SC, i, 'script')", "behaviours/guard");
}

static void calls_destroyed_with_what_is_left(void **state) {
    (void)state;
    run_lua(&f, "A = add('a') B = add('b') D = add('d') step() take()");
    run_lua(&f, "EntityManager.destroy(A) ScriptComponent.destroy(SC, ScriptComponent.lookup(SC, "
                "B, 'ai'))");
    assert_lua(&f, "take()", "");
    run_lua(&f, "step()");
    assert_lua(&f, "take(), EntityManager.alive(A), EntityManager.alive(B)",
               "destroyed:a destroyed:b\tfalse\ttrue");
    run_lua(&f, "step()");
    assert_lua(&f, "take(), self_of(D).t", "\t6");
}

static void ends_many_at_once_in_their_order(void **state) {
    (void)state;
    run_lua(&f, "E = {} for i = 1, 300 do E[i] = add(i) end step() take() gone = {} "
                "expected = {} for i = 1, 300 do if i % 3 > 0 then gone[#gone + 1] = E[i] "
                "expected[#expected + 1] = 'destroyed:' .. i end end");
    run_lua(&f, "for i = 301, 303 do E[i] = add(i) end EntityManager.destroy_many(gone) step()");
    assert_lua(&f,
               "take() == table.concat(expected, ' ') .. ' spawned:301 spawned:302 spawned:303'",
               "true");
    run_lua(&f, "for i = 3, 300, 3 do assert(self_of(E[i]).name == i and self_of(E[i]).t == 4) end "
                "ScriptComponent.dispatch(SC, 'hit', {ScriptComponent.lookup(SC, E[300], 'ai'), "
                "ScriptComponent.lookup(SC, E[302], 'ai')}, 'x', '')");
    assert_lua(&f, "take(), self_of(E[302]).t", "hit x:300 hit x:302\t2");
}

// What is kept of those who ended goes with their entities, also when nobody else has one.
static void keeps_no_numbers_of_the_dead(void **state) {
    (void)state;
    run_lua(&f, "A = add('a') ScriptComponent.destroy(SC, ScriptComponent.lookup(SC, A, 'ai'))");
    lua_getglobal(f.script->lua.lua, "W");
    const ct_behaviours *const b = ct_behaviours_in(ct_check_world(f.script->lua.lua, -1));
    lua_pop(f.script->lua.lua, 1);
    assert_int_equal(ct_behaviour_count(b), 0);
    assert_int_equal(b->table.newest.count, 1);
    run_lua(&f, "EntityManager.destroy(A)");
    assert_int_equal(b->table.newest.count, 0);
}

// Each entity has two; of those that stay one fails and another ends later.
static void ends_many_of_two_each(void **state) {
    (void)state;
    load_script(&f, "behaviours/other",
                "return {update = function(self) self.n = (self.n or 0) + 1 "
                "if self.name == bad then error('oops') end end}");
    run_lua(&f,
            "E = {} for i = 1, 200 do local e = add('a' .. i, 'behaviours/other') E[i] = e "
            "  local k = ScriptComponent.create(SC, e, 'too', 'behaviours/guard') "
            "  ScriptComponent.set_property(SC, k, 'name', 'b' .. i) end "
            "step() take() gone = {} for i = 1, 200 do if i % 4 > 0 then gone[#gone + 1] = E[i] "
            "end end EntityManager.destroy_many(gone) bad = 'a4' step()");
    run_lua(&f, "local n = 0 for name in take():gmatch('destroyed:b(%d+)') do n = n + 1 "
                "assert(tonumber(name) % 4 > 0) end assert(n == 150, n)");
    assert_lua(&f, "is_on(E[4]), is_on(E[8]), is_on(E[200])", "false\ttrue\ttrue");
    run_lua(&f, "bad = 'a200' step() EntityManager.destroy(E[8]) step()");
    assert_lua(&f, "take(), is_on(E[4]), is_on(E[12]), is_on(E[200])",
               "destroyed:b8\tfalse\ttrue\tfalse");
    run_lua(&f, "for i = 12, 196, 4 do assert(self_of(E[i]).n == 4, i) end "
                "assert(#ScriptComponent.entities_with_script(SC, 'behaviours/guard') == 49)");
}

static void tells_nobody_of_an_end_who_was_not_told_of_a_beginning(void **state) {
    (void)state;
    run_lua(&f, "A = add('a') EntityManager.destroy(A) step()");
    assert_lua(&f, "take()", "");
}

static void spawns_from_templates(void **state) {
    (void)state;
    static const template_entity guards[] = {
        {CT_NO_PARENT, {{0, 0, 0}}, "tower", 0, false, false, false, 0},
        {0, {{0, 0, 1}}, "man", 0, false, false, false, 0},
    };
    template_script = "behaviours/guard";
    load_unit(&f.world, "units/tower", guards, 2);
    template_script = NULL;
    run_lua(&f, "function name(u, n) ScriptComponent.set_property_by_id(SC, u, 1, 'name', n) end "
                "U = World.spawn_units(W, 'units/tower', {0, 0, 0, 1, 1, 1}) name(U[1], 'x') "
                "name(U[2], 'y') step()");
    assert_lua(&f, "take()", "spawned:x spawned:nil spawned:y spawned:nil");
    assert_lua(&f, "#ScriptComponent.entities_with_script(SC, 'behaviours/guard')", "4");
    run_lua(&f, "local a = EntityArray() "
                "assert(ScriptComponent.entities_with_script(SC, 'behaviours/guard', a) == a) "
                "assert(a:size() == 4)");
    run_lua(&f, "World.destroy_unit(W, U[1]) step()");
    assert_lua(&f, "take()", "destroyed:nil destroyed:x");
    assert_false(is_logged("2cf63026") || is_logged("type script"));
}

static void lets_behaviours_loop_themselves(void **state) {
    (void)state;
    load_script(&f, "behaviours/bulk",
                "return {update_all = function(selves, first, last, at, dt) "
                "  sums = (sums or '') .. first .. '-' .. last .. ':' .. dt .. ' ' "
                "  for i = first, last do at[1] = i local self = selves[i] "
                "    if self then if self.name == bad then error('oops') end "
                "      self.n = (self.n or 0) + 1 end end end}");
    run_lua(&f, "A = add('a', 'behaviours/bulk') B = add('b', 'behaviours/bulk') "
                "D = add('d', 'behaviours/bulk') step()");
    assert_lua(&f, "sums, self_of(A).n, self_of(D).n", "1-3:1 \t1\t1");
    run_lua(&f, "sums = '' bad = 'b' step()");
    assert_lua(&f, "sums, self_of(A).n, self_of(B).n, self_of(D).n, is_on(B)",
               "1-3:1 3-3:1 \t2\t1\t2\tfalse");
    assert_true(is_logged("in update_all of the behaviour behaviours/bulk of the "));
}

static void says_when_it_cannot_know_who_failed(void **state) {
    (void)state;
    load_script(&f, "behaviours/bulk", "return {update_all = function() error('oops') end}");
    run_lua(&f, "A = add('a', 'behaviours/bulk') B = add('b') step() step()");
    assert_lua(&f, "is_on(A), self_of(B).t", "true\t4");
    assert_int_equal(count_logged("the instance is unknown"), 1);
}

static void sends_events_with_arguments(void **state) {
    (void)state;
    run_lua(&f, "A = add('a') B = add('b') step() take() "
                "ScriptComponent.broadcast(SC, 'hit', 'x', 3)");
    assert_lua(&f, "take()", "hit x3:a hit x3:b");
    run_lua(&f, "D = add('d') "
                "function i(e) return ScriptComponent.lookup(SC, e, 'ai') end "
                "ScriptComponent.dispatch(SC, 'hit', {i(D), i(A), i(A)}, 'y', '')");
    assert_lua(&f, "take()", "spawned:d hit y:a hit y:d");
    run_lua(&f, "ScriptComponent.broadcast(SC, 'nobody has it')");
    run_lua(&f, "EntityManager.destroy(A) ScriptComponent.broadcast(SC, 'hit', 'z', '')");
    assert_lua(&f, "take()", "hit z:b hit z:d");
    assert_lua_error(&f, "ScriptComponent.dispatch(SC, 'hit', {i(D), 0.5})",
                     "argument 3 (instances): expected an instance at index 2, got number");
    run_lua(&f, "K = i(D) ScriptComponent.destroy(SC, K)");
    assert_lua_error(&f, "ScriptComponent.dispatch(SC, 'hit', {i(B), K})",
                     "ScriptComponent.dispatch: argument 3 (instances): expected the instance of a "
                     "script at index 2, got a destroyed one");
    assert_lua_error(&f, "ScriptComponent.broadcast(SC, 'hit', 1, 2, 3, 4, 5, 6, 7, 8, 9)",
                     "9 arguments for the function; the most is 8");
}

// What Lua and the engine hold once all garbage is collected.
static uint64_t held_bytes(void) {
    run_lua(&f, "collectgarbage() collectgarbage()");
    return ct_allocator_stats_of(f.world.allocator).live_bytes;
}

static void keeps_no_names_that_nobody_hears(void **state) {
    (void)state;
    run_lua(&f, "A = add('a') step() take() "
                "function send(first, last) for i = first, last do "
                "  ScriptComponent.broadcast(SC, 'unheard_' .. i, i) end end send(1, 1000)");
    const uint64_t before = held_bytes();
    run_lua(&f, "send(1001, 30000)");
    assert_in_range(held_bytes(), 0, before + (1u << 20));
    // One that is heard is kept meanwhile, and one is heard as soon as somebody has the function.
    run_lua(&f, "ScriptComponent.broadcast(SC, 'hit', 'x', 1) send(1, 600) "
                "ScriptComponent.broadcast(SC, 'hit', 'x', 2) "
                "require('behaviours/guard').unheard_600 = function(self, n) note('late ' .. n, "
                "self) end send(1, 600)");
    assert_lua(&f, "take()", "hit x1:a hit x2:a late 600:a");
}

// Pushes the loop that calls the function that called this.
static int push_loop(lua_State *L) {
    lua_Debug frame;
    assert_true(lua_getstack(L, 2, &frame));
    lua_getinfo(L, "f", &frame);
    return 1;
}

static void keeps_no_names_that_come_once(void **state) {
    (void)state;
    lua_register(f.script->lua.lua, "loop_of", push_loop);
    load_script(&f, "behaviours/curious",
                "return setmetatable({update = function(self) loops[loop_of()] = true end}, "
                "{__index = function(_, name) if not name:find('_all$') then "
                "  return function(self, n) sum = sum + n end end end})");
    run_lua(&f, "loops, sum = {}, 0 A = add('a', 'behaviours/curious') B = add('b') "
                "function send(first, last) for i = first, last do "
                "  ScriptComponent.broadcast(SC, 'heard_' .. i, i) "
                "  if i % 10 == 0 then step() end end end "
                "function again(n) for i = 1, n do send(1, 600) end end "
                "require('behaviours/curious').spawned = function() end step() send(1, 2000)");
    const uint64_t before = held_bytes();
    run_lua(&f, "send(2001, 30000)"); // 600 bytes for each that is kept
    assert_in_range(held_bytes(), 0, before + (1u << 20));
    assert_lua(&f, "sum", "450015000");
    run_lua(&f, "sum = 0 again(10) take()");
    assert_lua(&f, "sum", "1803000");
    run_lua(&f, "N = 0 for _ in pairs(loops) do N = N + 1 end"); // of update
    assert_lua(&f, "N", "1");
}

static void tells_apart_events_by_what_they_are_given(void **state) {
    (void)state;
    run_lua(&f, "A = add('a') step() take() "
                "require('behaviours/guard').any = function(self, ...) "
                "  note(table.concat({...}, ','), self) end "
                "for n = 0, 8 do local t = {} for i = 1, n do t[i] = i end "
                "  ScriptComponent.broadcast(SC, 'any', unpack(t)) end");
    assert_lua(&f, "take()",
               ":a 1:a 1,2:a 1,2,3:a 1,2,3,4:a 1,2,3,4,5:a 1,2,3,4,5,6:a 1,2,3,4,5,6,7:a "
               "1,2,3,4,5,6,7,8:a");
}

// Behaviours that send names of their own while a name is being sent.
static void keeps_the_name_in_hand_through_inner_names(void **state) {
    (void)state;
    load_script(&f, "behaviours/loud",
                "return {call = function(self, n) "
                "  for i = 1, 1000 do ScriptComponent.broadcast(SC, 'echo_' .. n .. '_' .. i) end "
                "  note('called ' .. n, self) end}");
    run_lua(&f, "A = add('a', 'behaviours/loud') B = add('b', 'behaviours/loud') step() take() "
                "for n = 1, 3 do ScriptComponent.broadcast(SC, 'call', n) end");
    assert_lua(&f, "take()", "called 1:a called 1:b called 2:a called 2:b called 3:a called 3:b");
}

static void makes_no_garbage_when_a_name_is_sent_again(void **state) {
    (void)state;
    run_lua(&f, "A = add('a') step() take() jit.off() "
                "require('behaviours/guard').quiet = function(self) end "
                "function send(n) for i = 1, n do ScriptComponent.broadcast(SC, 'quiet') "
                "  ScriptComponent.broadcast(SC, 'unheard') end end "
                "function garbage(n) collectgarbage() collectgarbage('stop') "
                "  local before = collectgarbage('count') send(n) "
                "  local made = collectgarbage('count') - before collectgarbage('restart') "
                "  return made end "
                "garbage(10) FEW, MANY = garbage(10), garbage(1000) jit.on()");
    assert_lua(&f, "MANY - FEW", "0");
}

static void tells_new_ones_of_events_after_their_beginning(void **state) {
    (void)state;
    load_script(&f, "behaviours/early",
                "return {spawned = function() ScriptComponent.broadcast(SC, 'hit', 'x', 1) end}");
    run_lua(&f, "add('a', 'behaviours/early') add('b') step()");
    assert_lua(&f, "take()", "spawned:b hit x1:b");
}

static void tells_new_ones_when_asked_to(void **state) {
    (void)state;
    run_lua(&f, "A = add('a') B = add('b') ScriptComponent.spawned(SC, {B})");
    assert_lua(&f, "take()", "spawned:b");
    run_lua(&f, "step()");
    assert_lua(&f, "take(), self_of(A).t, self_of(B).t", "spawned:a\t2\t2");
}

// --- Errors --------------------------------------------------------------------------------------

static void disables_who_fails_and_goes_on(void **state) {
    (void)state;
    load_script(&f, "behaviours/weak",
                "return {update = function(self)\n if self.name == 'b' then self.x.y = 1 end "
                "self.n = (self.n or 0) + 1 end}");
    run_lua(&f, "A = add('a', 'behaviours/weak') B = add('b', 'behaviours/weak') "
                "D = add('d', 'behaviours/weak') EntityManager.set_debug_name(B, 'bert') "
                "step() step()");
    assert_lua(&f, "self_of(A).n, self_of(B).n, self_of(D).n", "2\tnil\t2");
    assert_lua(&f, "is_on(A), is_on(B), is_on(D)", "true\tfalse\ttrue");
    assert_int_equal(count_logged("behaviours/weak.lua:2: attempt to index field 'x'"), 1);
    assert_true(is_logged("in update of the behaviour behaviours/weak of the entity \"bert\", "
                          "disabled until a script is saved\nstack traceback:"));
    assert_non_null(strstr(logged_from, "behaviours/weak.lua:2"));
    run_lua(&f, "self_of(B).name = 'well' ScriptComponent.set_enabled(SC, "
                "ScriptComponent.lookup(SC, B, 'ai'), true) step()");
    assert_lua(&f, "self_of(B).n, is_on(B)", "1\ttrue");
}

// One that an error had disabled, too.
static void a_save_leaves_disabled_what_the_game_disabled(void **state) {
    (void)state;
    load_script(&f, "behaviours/weak",
                "return {update = function(self) if self.bad then error('bad') end "
                "self.n = (self.n or 0) + 1 end}");
    run_lua(&f, "A = add('a', 'behaviours/weak') B = add('b', 'behaviours/weak') step() "
                "self_of(A).bad = true self_of(B).bad = true step() "
                "self_of(A).bad = false self_of(B).bad = false "
                "ScriptComponent.set_enabled(SC, ScriptComponent.lookup(SC, B, 'ai'), false)");
    assert_lua(&f, "is_on(A), is_on(B)", "false\tfalse");
    reload_script(&f, "behaviours/weak", "return {update = function(self) self.n = 7 end}");
    run_lua(&f, "step()");
    assert_lua(&f, "is_on(A), is_on(B), self_of(A).n, self_of(B).n", "true\tfalse\t7\t1");
    run_lua(&f,
            "ScriptComponent.set_enabled(SC, ScriptComponent.lookup(SC, B, 'ai'), true) step()");
    assert_lua(&f, "is_on(B), self_of(B).n", "true\t7");
}

static void names_unit_and_resource(void **state) {
    (void)state;
    load_script(&f, "behaviours/weak", "return {hit = function() error('ouch') end}");
    run_lua(&f, "ScriptComponent.create(SC, L, 1, 'behaviours/weak') step() "
                "ScriptComponent.broadcast(SC, 'hit')");
    assert_true(is_logged("in hit of the behaviour behaviours/weak of the entity \"lamp\" ("));
}

static void reports_many_errors_at_once(void **state) {
    (void)state;
    load_script(&f, "behaviours/weak", "return {update = function(self) self.x.y = 1 end}");
    run_lua(&f, "for i = 1, 10000 do add(i, 'behaviours/weak') end step()");
    assert_int_equal(count_logged("attempt to index field 'x'"), 1);
    assert_true(is_logged("; and the same for 9999 more instances"));
    logged[0] = 0;
    run_lua(&f, "step()");
    assert_false(is_logged("attempt"));
}

static void names_errors_of_different_lines_apart(void **state) {
    (void)state;
    load_script(&f, "behaviours/weak",
                "return {update = function(self)\nif self.name % 2 == 0 then\nerror('even')\n"
                "else\nerror('odd')\nend end}");
    run_lua(&f, "for i = 1, 100 do add(i, 'behaviours/weak') end step()");
    assert_int_equal(count_logged(": even"), 1);
    assert_int_equal(count_logged(": odd"), 1);
    assert_int_equal(count_logged("; and the same for 49 more instances"), 2);
}

static void tells_of_error_values_that_cannot_be_told(void **state) {
    (void)state;
    load_script(
        &f, "behaviours/bad",
        "local bad = setmetatable({}, {__tostring = function() error('worse') end})\n"
        "return {update = function(self)\nerror(bad) end, hit = function() error(bad) end}");
    run_lua(&f, "for i = 1, 3 do add('x', 'behaviours/bad') end");
    assert_lua(&f, "pcall(step)", "true");
    assert_true(is_logged("error lua: (an error value of type table, whose __tostring failed: "
                          "behaviours/bad.lua:1: worse)\nin update of the behaviour "
                          "behaviours/bad of the entity"));
    assert_true(is_logged("and the same for 2 more instances\nstack traceback:"));
    assert_true(is_logged("behaviours/bad.lua:3: in function"));
    assert_int_equal(count_logged("error lua"), 1);
}

static void keeps_errors_of_behaviours_out_of_those_around_them(void **state) {
    (void)state;
    load_script(&f, "behaviours/bad", "return {update = function(self) error('inner') end}");
    run_lua(&f, "add('x', 'behaviours/bad')");
    assert_true(boot_script(&f, "function update()\nWorld.update(W, 1)\nerror('outer') end"));
    assert_false(ct_script_update(f.script, 0.1));
    const char *const outer = strstr(logged, "error lua: main.lua:3: outer\nstack traceback:");
    assert_non_null(outer);
    assert_null(strstr(outer, "inner"));
    assert_null(strstr(outer, "behaviours/bad"));
    assert_int_equal(count_logged("inner"), 1);
    // In the value of an error, too.
    run_lua(&f, "V = Application.new_world() "
                "ScriptComponent.create(EntityManager.script_component(V), "
                "  EntityManager.create(V), 'ai', 'behaviours/bad')");
    logged[0] = 0;
    assert_lua_error(&f,
                     "error(setmetatable({}, {__tostring = function() World.update(V, 1) "
                     "return 'outer' end}))",
                     "outer");
    assert_string_equal(ct_string_builder_text(&f.result), "outer");
    assert_null(strstr(ct_string_builder_text(&f.traceback), "behaviours/bad"));
    assert_int_equal(count_logged("inner"), 1);
}

static const char strict[] = "local M = setmetatable({}, {__index = function(t, name)\n"
                             "  error('no member ' .. name) end}) "
                             "function M.update(self) self.n = (self.n or 0) + 1 end "
                             "M.n = false return M";

static void goes_on_after_an_error_in_looking_functions_up(void **state) {
    (void)state;
    load_script(&f, "behaviours/strict", strict);
    run_lua(&f, "A = add('a', 'behaviours/strict') B = add('b') step() step() "
                "ScriptComponent.broadcast(SC, 'hit', 'x', 1)");
    assert_lua(&f, "self_of(A).n, self_of(B).t, take()", "2\t4\tspawned:b hit x1:b");
    assert_int_equal(count_logged("behaviours/strict.lua:2: no member update_all\nwhile looking up "
                                  "update_all in the behaviour behaviours/strict\nstack"),
                     1);
    assert_int_equal(
        count_logged(
            "no member hit\nwhile looking up hit in the behaviour behaviours/strict\nstack"),
        1);
}

static void finds_functions_by_index(void **state) {
    (void)state;
    load_script(&f, "behaviours/heir",
                "local base = {update = function(self) self.n = (self.n or 0) + 1 end} "
                "local asked = setmetatable({}, {__index = function(t, name) "
                "  if name == 'spawned' then return function(self) self.n = 5 end end end}) "
                "setmetatable(base, {__index = asked}) "
                "return setmetatable({}, {__index = base})");
    run_lua(&f, "A = add('a', 'behaviours/heir') step() step()");
    assert_lua(&f, "self_of(A).n", "7");
    assert_false(is_logged("heir"));
    load_script(&f, "behaviours/ring",
                "local M = {update = function(self) self.n = 1 end} "
                "M.__index = M return setmetatable(M, M)");
    run_lua(&f, "A = add('a', 'behaviours/ring') B = add('b') step()");
    assert_lua(&f, "self_of(A).n, self_of(B).t", "1\t2");
    assert_true(is_logged("while looking up update_all in the behaviour behaviours/ring"));
}

// An entity may end meanwhile, though no loop runs yet.
static void looks_functions_up_before_it_looks_who_lives(void **state) {
    (void)state;
    load_script(&f, "behaviours/heir",
                "return setmetatable({update = function(self) self.n = self.n + 1 end}, "
                "{__index = function(t, name) if B and name == 'update_all' then "
                "EntityManager.destroy(B) B = nil end end})");
    run_lua(&f, "A = add('a', 'behaviours/heir') B = add('b', 'behaviours/heir') "
                "self_of(A).n = 0 step()");
    assert_lua(&f, "self_of(A).n, B", "1\tnil");
    assert_false(is_logged("heir"));
}

// The thread sanitizer keeps back the signal that stops loops of Lua.
static void need_signals(void) {
#ifdef __SANITIZE_THREAD__
    skip();
#endif
}

static void stops_looking_functions_up_that_hangs(void **state) {
    need_signals();
    tear_down(state);
    f = start_api_with((ct_script_desc){.time_limit_seconds = 0.2, .stops_long_calls = true});
    load_script(&f, "behaviours/slow",
                "return setmetatable({}, {__index = function(t, name) "
                "while name == 'update_all' do end end})");
    run_lua(&f, "SC = EntityManager.script_component(W) "
                "ScriptComponent.create(SC, L, 'ai', 'behaviours/slow')");
    assert_lua_error(&f, "World.update(W, 1)", "stopped after");
    assert_true(is_logged("while looking up update_all in the behaviour behaviours/slow"));
}

static void waits_for_a_script_that_fails(void **state) {
    (void)state;
    load_script(&f, "behaviours/broken", "error('not yet')");
    load_script(&f, "behaviours/odd", "return 5");
    run_lua(&f, "A = add('a', 'behaviours/broken') B = add('b', 'behaviours/odd') D = add('d') "
                "step() step() take()");
    assert_int_equal(count_logged("not yet"), 1);
    assert_true(is_logged("the instances of the behaviour behaviours/broken wait until a script"));
    assert_int_equal(count_logged("expected a behaviour's script to return a table, got number"),
                     1);
    assert_lua(&f, "self_of(D).t", "4");
    reload_script(&f, "behaviours/broken", guard);
    run_lua(&f, "step()");
    assert_lua(&f, "take()", "spawned:a");
}

static void stops_what_hangs(void **state) {
    need_signals();
    tear_down(state);
    f = start_api_with((ct_script_desc){.time_limit_seconds = 0.2, .stops_long_calls = true});
    load_script(&f, "behaviours/slow",
                "return {update = function(self)\nself.n = 1 while self.hangs do end end}");
    run_lua(&f, "SC = EntityManager.script_component(W) S = {} for i = 1, 3 do "
                "S[i] = ScriptComponent.state(SC, ScriptComponent.create(SC, "
                "EntityManager.create(W), 1, 'behaviours/slow')) end S[2].hangs = true");
    assert_lua_error(&f, "World.update(W, 1)", "stopped after");
    assert_true(is_logged("in update of the behaviour behaviours/slow of the entity #"));
    assert_lua(&f, "S[1].n, S[2].n, S[3].n", "1\t1\tnil");
    run_lua(&f, "S[1].n = 0 World.update(W, 1)");
    assert_lua(&f, "S[1].n, S[2].n, S[3].n", "1\t1\t1");
}

// Each is stopped and reported in a frame of its own, and then the game goes on.
static void reports_each_of_several_that_hang(void **state) {
    need_signals();
    tear_down(state);
    f = start_api_with((ct_script_desc){.time_limit_seconds = 0.2, .stops_long_calls = true});
    load_script(&f, "behaviours/slow",
                "return {update = function(self)\nself.n = 1 while true do end end}");
    load_script(&f, "behaviours/slower",
                "return {update = function(self)\nself.n = 1 while true do end end}");
    assert_true(boot_script(&f,
                            "W = Application.new_world() "
                            "SC = EntityManager.script_component(W) S = {} "
                            "for i, name in ipairs {'slow', 'slow', 'slower'} do "
                            "  local e = EntityManager.create(W) "
                            "  EntityManager.set_debug_name(e, 'same') "
                            "  S[i] = ScriptComponent.state(SC, ScriptComponent.create(SC, e, 1, "
                            "    'behaviours/' .. name)) end "
                            "function update(dt) World.update(W, dt) frames = (frames or 0) + 1 "
                            "end"));
    for (uint32_t frame = 0; frame < 3; ++frame)
        assert_false(ct_script_update(f.script, 1.0 / 60));
    assert_true(ct_script_update(f.script, 1.0 / 60));
    assert_lua(&f, "frames, S[1].n, S[2].n, S[3].n", "1\t1\t1\t1");
    assert_int_equal(
        count_logged("error lua: behaviours/slow.lua:2: stopped after 0.2 s; expected at "
                     "most 0.2 s (lua.time_limit_seconds)\n"
                     "in update of the behaviour behaviours/slow of the entity"),
        2);
    assert_int_equal(count_logged("in update of the behaviour behaviours/slower of the entity"), 1);
}

static void keeps_the_place_in_hand_through_inner_calls(void **state) {
    (void)state;
    load_script(&f, "behaviours/outer",
                "return {update = function(self) if self.name == 'b' then "
                "ScriptComponent.broadcast(SC, 'hit', 1, 2) error('after') end end}");
    run_lua(&f, "D = add('d') A = add('a', 'behaviours/outer') B = add('b', 'behaviours/outer') "
                "E = add('e', 'behaviours/outer') step()");
    assert_lua(&f, "is_on(A), is_on(B), is_on(E), is_on(D)", "true\tfalse\ttrue\ttrue");
}

// --- Changes while functions run -----------------------------------------------------------------

static void passes_over_who_dies_meanwhile(void **state) {
    (void)state;
    load_script(&f, "behaviours/killer",
                "return {update = function(self) note('update', self) "
                "  if self.victim and EntityManager.alive(self.victim) then "
                "    EntityManager.destroy(self.victim) end end, "
                "destroyed = function(self) note('destroyed', self) end}");
    run_lua(&f, "A = add('a', 'behaviours/killer') B = add('b', 'behaviours/killer') "
                "D = add('d', 'behaviours/killer') self_of(A).victim = B step()");
    assert_lua(&f, "take()", "update:a update:d");
    run_lua(&f, "self_of(A).victim = A step()"); // itself
    assert_lua(&f, "take()", "destroyed:b update:a update:d");
    run_lua(&f, "step()");
    assert_lua(&f, "take()", "destroyed:a update:d");
}

static void lets_new_ones_wait_for_the_next_step(void **state) {
    (void)state;
    load_script(&f, "behaviours/parent",
                "return {spawned = function(self) note('spawned', self) end, "
                "update = function(self) note('update', self) "
                "if #self.name < 3 then add(self.name .. 'x', 'behaviours/parent') end end}");
    run_lua(&f, "add('a', 'behaviours/parent') step()");
    assert_lua(&f, "take()", "spawned:a update:a");
    run_lua(&f, "step()");
    assert_lua(&f, "take()", "spawned:ax update:a update:ax");
}

static void survives_random_changes(void **state) {
    (void)state;
    load_script(&f, "behaviours/wild",
                "local function act(self) local k = math.random(8) "
                "  local other = all[math.random(#all)] "
                "  if k == 1 and EntityManager.alive(other) then EntityManager.destroy(other) "
                "  elseif k == 2 then all[#all + 1] = add('x', 'behaviours/wild') "
                "  elseif k == 3 then error('wild') "
                "  elseif k == 4 and depth < 2 and math.random(8) == 1 then depth = depth + 1 "
                "    pcall(ScriptComponent.broadcast, SC, 'act') depth = depth - 1 end end "
                "return {act = act, update = function(self) assert(EntityManager.alive("
                "self.entity)) updated = updated + 1 act(self) end, "
                "spawned = act, destroyed = function(self) "
                "assert(not EntityManager.alive(self.entity)) gone = gone + 1 end}");
    run_lua(&f, "math.randomseed(3) gone, depth, updated = 0, 0, 0 all = {} "
                "for i = 1, 50 do all[i] = add(i, 'behaviours/wild') end "
                "for n = 1, 60 do local alive = {} for _, e in ipairs(all) do "
                "  if EntityManager.alive(e) then alive[#alive + 1] = e end end all = alive "
                "  for _, e in ipairs(all) do ScriptComponent.set_enabled(SC, "
                "ScriptComponent.lookup(SC, e, "
                "    'ai'), true) end "
                "  while #all < 50 do all[#all + 1] = add(n, 'behaviours/wild') end "
                "  pcall(step) end");
    assert_lua(&f, "gone > 50, updated > 500", "true\ttrue");
    assert_false(is_logged("assertion failed"));
    assert_lua(&f,
               "(function() local n = 0 for _, e in ipairs(all) do if EntityManager.alive(e) then "
               "n = n + select('#', ScriptComponent.instances(SC, e)) end end "
               "return n == #ScriptComponent.entities_with_script(SC, 'behaviours/wild') end)()",
               "true");
}

static void refuses_to_update_or_end_a_world_from_its_behaviours(void **state) {
    (void)state;
    load_script(&f, "behaviours/bad",
                "return {update = function(self) e1 = select(2, pcall(World.update, W, 1)) "
                "e2 = select(2, pcall(Application.release_world, W)) end}");
    run_lua(&f, "add('a', 'behaviours/bad') step()");
    assert_lua(&f, "e1", "World.update: behaviours of this world are being called");
    assert_lua(&f, "e2",
               "Application.release_world: argument 1 (world): behaviours of this world are being "
               "called");
}

// --- Reload --------------------------------------------------------------------------------------

static void keeps_state_when_the_script_is_saved(void **state) {
    (void)state;
    run_lua(&f, "A = add('a') step() take()");
    reload_script(&f, "behaviours/guard",
                  "return {update = function(self, dt) self.t = self.t + 100 end, "
                  "reloaded = function(self) note('reloaded', self) end}");
    assert_lua(&f, "take()", "reloaded:a");
    run_lua(&f, "step()");
    assert_lua(&f, "self_of(A).t", "102");
}

static void enables_who_failed_when_a_script_is_saved(void **state) {
    (void)state;
    load_script(&f, "parts", "return {go = function(self) error('hm') end}");
    load_script(&f, "behaviours/weak",
                "local parts = require 'parts' "
                "return {update = function(self) parts.go(self) end}");
    run_lua(&f, "A = add('a', 'behaviours/weak') B = add('b', 'behaviours/weak') step() "
                "ScriptComponent.set_enabled(SC, ScriptComponent.lookup(SC, B, 'ai'), false)");
    assert_lua(&f, "is_on(A)", "false");
    reload_script(&f, "parts", "return {go = function(self) self.n = 1 end}");
    assert_true(is_logged("2 instances of behaviours that errors had disabled run again"));
    run_lua(&f, "step()");
    assert_lua(&f, "is_on(A), self_of(A).n", "true\t1");
}

static void runs_again_after_a_save_that_returned_no_table(void **state) {
    (void)state;
    run_lua(&f, "A = add('a') B = add('b') step() take()");
    reload_script(&f, "behaviours/guard", "return 5");
    assert_int_equal(count_logged("expected a behaviour's script to return a table, got number"),
                     1);
    run_lua(&f, "EntityManager.destroy(B) D = add('d') step() "
                "ScriptComponent.dispatch(SC, 'hit', {ScriptComponent.lookup(SC, A, 'ai')}, 1, 2)");
    assert_lua(&f, "take(), self_of(A).t", "\t2");
    reload_script(&f, "behaviours/guard",
                  "return {spawned = function(self) self.t = 0 note('spawned', self) end, "
                  "update = function(self, dt) self.t = self.t + 100 end, "
                  "reloaded = function(self) note('reloaded', self) end}");
    assert_lua(&f, "take()", "spawned:d reloaded:a reloaded:d");
    run_lua(&f, "step()");
    assert_lua(&f, "take(), self_of(A).t, self_of(D).t", "\t102\t100");
}

// What the instances run stays as it was.
static void a_save_that_lost_its_return_is_an_error(void **state) {
    (void)state;
    run_lua(&f, "A = add('a') step() take() n = self_of(A).t");
    reload_script(&f, "behaviours/guard",
                  "local Guard = {} function Guard:update(dt) self.t = -1 end");
    assert_int_equal(count_logged("behaviours/guard: expected a behaviour's script to return a "
                                  "table, got nothing; does it end in \"return Guard\"?"),
                     1);
    run_lua(&f, "step()");
    assert_lua(&f, "self_of(A).t > n", "true");
    reload_script(&f, "behaviours/guard",
                  "local Guard = {} function Guard:update(dt) self.t = -1 end return Guard");
    run_lua(&f, "step()");
    assert_lua(&f, "self_of(A).t", "-1");
}

static void a_new_behaviour_without_a_return_is_an_error(void **state) {
    (void)state;
    load_script(&f, "behaviours/coin", "Coin = {} function Coin.update(self) end");
    run_lua(&f, "X = EntityManager.create(W) ScriptComponent.create(SC, X, 1, 'behaviours/coin') "
                "step()");
    assert_int_equal(count_logged("got nothing; does it end in \"return Coin\"?"), 1);
}

// Any save may be the mend: of a script that the behaviour's requires, say.
static void tries_scripts_of_running_instances_again_after_each_save(void **state) {
    (void)state;
    static const char no_table[] = "expected a behaviour's script to return a table, got number";
    load_script(&f, "parts", "return {}");
    run_lua(&f, "require 'parts' A = add('a') step() take()");
    reload_script(&f, "behaviours/guard", "return 5");
    run_lua(&f, "step() step()");
    assert_int_equal(count_logged(no_table), 1);
    reload_script(&f, "parts", "return {}");
    run_lua(&f, "step() step()");
    assert_int_equal(count_logged(no_table), 2);
}

// --- Worlds and memory ---------------------------------------------------------------------------

static void keeps_worlds_apart(void **state) {
    (void)state;
    run_lua(&f, "A = add('a') V = Application.new_world() VC = EntityManager.script_component(V) "
                "X = EntityManager.create(V) "
                "i = ScriptComponent.create(VC, X, 1, 'behaviours/guard') "
                "ScriptComponent.set_property(VC, i, 'name', 'v') World.update(V, 1)");
    assert_lua(&f, "take()", "spawned:v");
    run_lua(&f, "step() take() Application.release_world(V)");
    assert_lua(&f, "take()", "destroyed:v");
    assert_lua_error(&f, "ScriptComponent.instances(VC, X)",
                     "argument 1 (self): expected ScriptComponent, got a");
    assert_lua(&f, "self_of(A).t", "2");
}

// An entity may have instances in worlds that it does not live in, and in several.
static void binds_entities_of_any_world(void **state) {
    (void)state;
    run_lua(&f, "V = Application.new_world() VC = EntityManager.script_component(V) "
                "A = add('a') X = EntityManager.create() "
                "function bind(e, name) local i = ScriptComponent.create(VC, e, 'ai', "
                "  'behaviours/guard') ScriptComponent.set_property(VC, i, 'name', name) end "
                "bind(A, 'a in v') bind(X, 'x in v') step()");
    assert_lua(&f, "take()", "spawned:a");
    run_lua(&f, "World.update(V, 1) ScriptComponent.spawned(VC, {A, X})");
    assert_lua(&f, "take()", "spawned:a in v spawned:x in v");
    assert_lua(&f,
               "ScriptComponent.get_property_by_id(SC, A, 'ai', 'name'), "
               "ScriptComponent.get_property_by_id(VC, A, 'ai', 'name'), "
               "ScriptComponent.get_property_by_id(VC, A, 'ai', 'world') == V, "
               "#ScriptComponent.entities_with_script(VC, 'behaviours/guard')",
               "a\ta in v\ttrue\t2");
    assert_lua(&f, "ScriptComponent.lookup(SC, X, 'ai')", "nil");
    run_lua(&f, "EntityManager.destroy(A) step() World.update(V, 1)");
    assert_lua(&f, "take()", "destroyed:a destroyed:a in v");
    run_lua(&f, "Application.release_world(V)");
    assert_lua(&f, "take(), EntityManager.alive(X)", "destroyed:x in v\ttrue");
}

static void takes_no_memory_in_a_step(void **state) {
    (void)state;
    load_script(&f, "behaviours/bulk",
                "return {update_all = function(selves, first, last, at, dt) "
                "for i = first, last do selves[i].t = dt end end}");
    run_lua(&f, "for i = 1, 100 do add('a') add('b', 'behaviours/bulk') end");
    assert_true(boot_script(&f, "function update(dt) World.update(W, dt) end"));
    for (uint32_t i = 0; i < 300; ++i)
        assert_true(ct_script_update(f.script, 0.01));
    const uint64_t before = ct_allocator_stats_of(f.world.allocator).total_blocks;
    for (uint32_t i = 0; i < 300; ++i)
        assert_true(ct_script_update(f.script, 0.01));
    assert_int_equal(ct_allocator_stats_of(f.world.allocator).total_blocks, before);
}

// --- Properties and bad arguments ----------------------------------------------------------------

static void reads_and_writes_members(void **state) {
    (void)state;
    run_lua(&f, "A = add('a') i = ScriptComponent.lookup(SC, A, 'ai') "
                "ScriptComponent.set_property(SC, i, {'stats', 'health'}, 10)");
    assert_lua(&f, "ScriptComponent.get_property(SC, i, {'stats', 'health'})", "10");
    assert_lua(&f, "ScriptComponent.get_property_by_id(SC, A, 'ai', {'stats', 'none', 'x'})",
               "nil");
    assert_lua(&f, "ScriptComponent.set_property_by_id(SC, A, 'ai', 'x', 1) == i", "true");
    assert_lua(&f, "ScriptComponent.get_property(SC, i, 'speed')", "2");
    assert_lua_error(&f, "ScriptComponent.set_property(SC, i, 'x')",
                     "ScriptComponent.set_property: argument 4 (value): expected a value, got "
                     "nothing");
    assert_lua_error(&f, "ScriptComponent.set_property_by_id(SC, A, 'ai', 'x')",
                     "ScriptComponent.set_property_by_id: argument 5 (value): expected a value, "
                     "got nothing");
    assert_lua_error(&f, "ScriptComponent.set_property(SC, i, 'entity', 1)",
                     "argument 3 (key): the property \"entity\" cannot be set");
    assert_lua_error(&f, "ScriptComponent.set_property(SC, i, {'x', 'y'}, 1)",
                     "argument 3 (key): expected \"x\" to be a table, found a number");
    assert_lua_error(&f, "ScriptComponent.get_property(SC, i, {})", "expected 1 to 16 keys");
    assert_lua_error(&f, "ScriptComponent.get_property(SC, 2, 'x')", "argument 2 (instance)");
}

static void finds_instances(void **state) {
    (void)state;
    load_script(&f, "behaviours/other", "return {}");
    run_lua(&f, "A = EntityManager.create(W) "
                "a = ScriptComponent.create(SC, A, 1, 'behaviours/guard') "
                "b = ScriptComponent.create(SC, A, 2, 'behaviours/other') "
                "c = ScriptComponent.create(SC, A, 3, 'behaviours/guard')");
    assert_lua(&f, "ScriptComponent.instance_ids(SC, A)", "1\t2\t3");
    assert_lua(&f, "local x, y, z = ScriptComponent.instances(SC, A) return x == a, y == b, z == c",
               "true\ttrue\ttrue");
    assert_lua(&f, "ScriptComponent.instance_ids_with_script(SC, A, 'behaviours/guard')",
               "{1, 3}\t2");
    assert_lua(&f, "#ScriptComponent.entities_with_script(SC, 'behaviours/guard')", "1");
    assert_lua(&f, "ScriptComponent.lookup(SC, A, 4)", "nil");
    run_lua(&f, "ScriptComponent.destroy(SC, a)");
    assert_lua(&f, "ScriptComponent.lookup(SC, A, 1), ScriptComponent.lookup(SC, A, 3) == c",
               "nil\ttrue");
    run_lua(&f, "ScriptComponent.destroy_all(SC, A)");
    assert_lua(&f, "select('#', ScriptComponent.instances(SC, A))", "0");
}

// Others take the places of those that end, and ids are given again; instances mean neither.
static void refuses_stale_instances(void **state) {
    (void)state;
    run_lua(&f, "A, B = EntityManager.create(W), EntityManager.create(W) "
                "function make(e, id) "
                "  return ScriptComponent.create(SC, e, id, 'behaviours/guard') end "
                "a1, a2, b1 = make(A, 1), make(A, 2), make(B, 1) step() "
                "ScriptComponent.destroy(SC, a1)");
    assert_lua_error(&f, "ScriptComponent.state(SC, a1)",
                     "ScriptComponent.state: argument 2 (instance): expected the instance of a "
                     "script, got a destroyed one");
    assert_lua(&f,
               "ScriptComponent.state(SC, a2).entity == A, "
               "ScriptComponent.state(SC, b1).entity == B",
               "true\ttrue");
    run_lua(&f, "again = make(A, 1) ScriptComponent.destroy(SC, a2) "
                "ScriptComponent.destroy(SC, again)");
    assert_lua_error(&f, "ScriptComponent.set_enabled(SC, again, true)", "got a destroyed one");
    run_lua(&f, "last = make(A, 1)"); // after it had none
    assert_lua_error(&f, "ScriptComponent.is_enabled(SC, again)", "got a destroyed one");
    assert_lua_error(&f, "ScriptComponent.is_enabled(SC, a1)", "got a destroyed one");
    assert_lua(&f, "ScriptComponent.is_enabled(SC, last)", "true");
    run_lua(&f, "EntityManager.destroy(B)");
    assert_lua_error(&f, "ScriptComponent.get_property(SC, b1, 'x')", "got a destroyed one");
}

static void refuses_bad_arguments(void **state) {
    (void)state;
    run_lua(&f, "A = add('a')");
    assert_lua_error(&f, "ScriptComponent.create(SC, A, 'ai', 'behaviours/guard')",
                     "ScriptComponent.create: argument 3 (id): the entity already has an instance "
                     "with the id ai");
    assert_lua_error(&f, "ScriptComponent.create(SC, A, 'x', 'behaviours/gard')",
                     "ScriptComponent.create: argument 4 (script_name): there is no lua");
    assert_lua_error(&f, "ScriptComponent.get_property_by_id(SC, A, 'x', 'y')",
                     "argument 3 (id): the entity has no instance with the id x");
    run_lua(&f, "EntityManager.destroy(A)");
    assert_lua_error(&f, "ScriptComponent.instances(SC, A)",
                     "argument 2 (entity): expected Unit, got a destroyed Unit");
    assert_lua_error(&f, "ScriptComponent.destroy(SC, 1)",
                     "ScriptComponent.destroy: argument 2 (instance): expected the instance of a "
                     "script, got a destroyed one");
    assert_lua_error(&f, "ScriptComponent.broadcast(SC, 5)", "argument 2 (function_name)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        BEHAVIOUR_TEST(calls_spawned_and_then_update_each_step),
        BEHAVIOUR_TEST(gives_instances_what_they_belong_to),
        BEHAVIOUR_TEST(calls_destroyed_with_what_is_left),
        BEHAVIOUR_TEST(ends_many_at_once_in_their_order),
        BEHAVIOUR_TEST(keeps_no_numbers_of_the_dead),
        BEHAVIOUR_TEST(ends_many_of_two_each),
        BEHAVIOUR_TEST(tells_nobody_of_an_end_who_was_not_told_of_a_beginning),
        BEHAVIOUR_TEST(spawns_from_templates),
        BEHAVIOUR_TEST(lets_behaviours_loop_themselves),
        BEHAVIOUR_TEST(says_when_it_cannot_know_who_failed),
        BEHAVIOUR_TEST(sends_events_with_arguments),
        BEHAVIOUR_TEST(keeps_no_names_that_nobody_hears),
        BEHAVIOUR_TEST(keeps_no_names_that_come_once),
        BEHAVIOUR_TEST(tells_apart_events_by_what_they_are_given),
        BEHAVIOUR_TEST(keeps_the_name_in_hand_through_inner_names),
        BEHAVIOUR_TEST(makes_no_garbage_when_a_name_is_sent_again),
        BEHAVIOUR_TEST(tells_new_ones_of_events_after_their_beginning),
        BEHAVIOUR_TEST(tells_new_ones_when_asked_to),
        BEHAVIOUR_TEST(disables_who_fails_and_goes_on),
        BEHAVIOUR_TEST(a_save_leaves_disabled_what_the_game_disabled),
        BEHAVIOUR_TEST(names_unit_and_resource),
        BEHAVIOUR_TEST(reports_many_errors_at_once),
        BEHAVIOUR_TEST(names_errors_of_different_lines_apart),
        BEHAVIOUR_TEST(tells_of_error_values_that_cannot_be_told),
        BEHAVIOUR_TEST(keeps_errors_of_behaviours_out_of_those_around_them),
        BEHAVIOUR_TEST(goes_on_after_an_error_in_looking_functions_up),
        BEHAVIOUR_TEST(finds_functions_by_index),
        BEHAVIOUR_TEST(looks_functions_up_before_it_looks_who_lives),
        BEHAVIOUR_TEST(stops_looking_functions_up_that_hangs),
        BEHAVIOUR_TEST(waits_for_a_script_that_fails),
        BEHAVIOUR_TEST(stops_what_hangs),
        BEHAVIOUR_TEST(reports_each_of_several_that_hang),
        BEHAVIOUR_TEST(keeps_the_place_in_hand_through_inner_calls),
        BEHAVIOUR_TEST(passes_over_who_dies_meanwhile),
        BEHAVIOUR_TEST(lets_new_ones_wait_for_the_next_step),
        BEHAVIOUR_TEST(survives_random_changes),
        BEHAVIOUR_TEST(refuses_to_update_or_end_a_world_from_its_behaviours),
        BEHAVIOUR_TEST(keeps_state_when_the_script_is_saved),
        BEHAVIOUR_TEST(enables_who_failed_when_a_script_is_saved),
        BEHAVIOUR_TEST(runs_again_after_a_save_that_returned_no_table),
        BEHAVIOUR_TEST(a_save_that_lost_its_return_is_an_error),
        BEHAVIOUR_TEST(a_new_behaviour_without_a_return_is_an_error),
        BEHAVIOUR_TEST(tries_scripts_of_running_instances_again_after_each_save),
        BEHAVIOUR_TEST(keeps_worlds_apart),
        BEHAVIOUR_TEST(binds_entities_of_any_world),
        BEHAVIOUR_TEST(takes_no_memory_in_a_step),
        BEHAVIOUR_TEST(reads_and_writes_members),
        BEHAVIOUR_TEST(finds_instances),
        BEHAVIOUR_TEST(refuses_stale_instances),
        BEHAVIOUR_TEST(refuses_bad_arguments),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
