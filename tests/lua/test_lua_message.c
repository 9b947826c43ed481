// Messages between Lua machines: what arrives, what is refused and how errors name it, arrays that
// move, limits, and that errors leave nothing behind. `second` is a worker of the fixture's machine.
#include "script/api_fixture.h"

#include "lua/lua_array.h"
#include "lua/lua_message.h"

static ct_script second;
static ct_lua_message message;
static ct_lua_message_check known;
static ct_allocator *own; // of the message and what checks know

static int open_second(lua_State *L) {
    ct_script_open_boxes(L);
    return 0;
}

static int set_up_machines(void **state) {
    set_up(state);
    own = ct_proxy_allocator_create(test_heap(), "message");
    memset(&second, 0, sizeof(second));
    second.worlds = f.script->worlds;
    const ct_lua_desc desc = {.allocator = own,
                              .entities = f.script->lua.entities,
                              .modules = f.script->lua.modules,
                              .num_modules = f.script->lua.num_modules,
                              .open = open_second,
                              .parent = &f.script->lua};
    ct_lua_init(&second.lua, &desc);
    ct_lua_message_init(&message, own, &f.script->lua);
    known = (ct_lua_message_check){.seen = {.allocator = own}};
    return 0;
}

static int tear_down_machines(void **state) {
    ct_array_free(&known.seen);
    ct_lua_message_free(&message);
    ct_lua_shutdown(&second.lua);
    ct_proxy_allocator_destroy(own); // asserts that it is empty
    return tear_down(state);
}

// --- Sending -------------------------------------------------------------------------------------

static bool run(ct_lua *m, lua_CFunction function, const char *chunk) {
    return ct_lua_run(m, function, (void *)(uintptr_t)chunk);
}

// Runs a chunk, and leaves its one result on the stack.
static void evaluate(lua_State *L, const char *chunk) {
    if (luaL_loadstring(L, chunk) != 0)
        lua_error(L);
    lua_call(L, 0, 1);
}

static int check_and_add(lua_State *L) {
    evaluate(L, ct_lua_run_data(L));
    const int top = lua_gettop(L);
    ct_lua_message_check_value(L, -1, "value", &known);
    assert_int_equal(lua_gettop(L), top);
    assert_true(ct_lua_message_add(L, -1, &message));
    return 0;
}

static int add_unchecked(lua_State *L) {
    evaluate(L, ct_lua_run_data(L));
    lua_pushboolean(L, ct_lua_message_add(L, -1, &message));
    lua_setglobal(L, "is_added");
    return 0;
}

// Reads the message into globals `a`, `b`, `c`, … and checks that the chunk returns true.
static int read_and_test(lua_State *L) {
    const int count = ct_lua_message_push(L, &message);
    lua_pushinteger(L, count);
    lua_setglobal(L, "count");
    for (int i = count; i > 0; --i) {
        const char name[2] = {(char)('a' + i - 1), 0};
        lua_setglobal(L, name);
    }
    evaluate(L, ct_lua_run_data(L));
    if (!lua_toboolean(L, -1))
        luaL_error(L, "false: %s", (const char *)ct_lua_run_data(L));
    return 0;
}

static const char *error_of(const ct_lua *m) {
    return ct_string_builder_text(&m->error_message);
}

static void send(const char *chunk) {
    if (!run(&f.script->lua, check_and_add, chunk))
        fail_msg("%s: %s", chunk, error_of(&f.script->lua));
}

static void arrives(const char *chunk) {
    const ct_lua_newest before = ct_lua_enter(&second.lua);
    const bool is_right = run(&second.lua, read_and_test, chunk);
    ct_lua_leave(before);
    if (!is_right)
        fail_msg("%s", error_of(&second.lua));
}

static uint64_t live_bytes(void) {
    return ct_allocator_stats_of(own).live_bytes;
}

// What is left of it is nothing: no bytes, no arrays, no memory.
static void refuses(const char *chunk, const char *expected) {
    const uint64_t before = live_bytes(), of_game = f.script->lua.memory.bytes;
    if (run(&f.script->lua, check_and_add, chunk))
        fail_msg("%s: was sent", chunk);
    if (!strstr(error_of(&f.script->lua), expected))
        fail_msg("%s: expected %s", error_of(&f.script->lua), expected);
    assert_int_equal(message.num_values + message.bytes.count + message.arrays.count, 0);
    ct_array_free(&known.seen);
    known.bytes = 0;
    assert_int_equal(live_bytes(), before);
    lua_gc(f.script->lua.lua, LUA_GCCOLLECT, 0);
    assert_true(f.script->lua.memory.bytes < of_game + 65536);
}

// --- Values --------------------------------------------------------------------------------------

static void carries_plain_values(void **state) {
    (void)state;
    send("return nil");
    send("return true");
    send("return false");
    send("return 0.1");
    send("return -0");
    send("return 1 / 0");
    send("return 0 / 0");
    send("return ''");
    send("return 'a\\0b'");
    assert_int_equal(message.num_values, 9);
    arrives("return count == 9 and a == nil and b == true and c == false and d == 0.1 and "
            "1 / e == -1 / 0 and f == 1 / 0 and g ~= g and h == '' and i == 'a\\0b' and #i == 3");
}

static void carries_tables(void **state) {
    (void)state;
    send("return {}");
    send("return {1, 2, {3, {4}}, x = {y = {z = 'deep'}}, [true] = 'yes', [0.5] = 'half', "
         "[-1] = false}");
    arrives("return next(a) == nil and #b == 3 and b[3][2][1] == 4 and b.x.y.z == 'deep' and "
            "b[true] == 'yes' and b[0.5] == 'half' and b[-1] == false");
}

static void carries_tables_with_keys_of_the_engine(void **state) {
    (void)state;
    send("return {[C] = 'crate', [IdString32('k')] = 'id', [{1}] = 'table'}");
    send("return C");
    arrives("local found for k, v in pairs(a) do if type(k) == 'table' then found = k[1] end end "
            "return a[b] == 'crate' and a[IdString32('k')] == 'id' and found == 1");
}

// Two that were one; and their metatables stay.
static void copies_a_table_that_occurs_twice(void **state) {
    (void)state;
    send("local t = setmetatable({1}, {__index = error}) return {t, t}");
    arrives("return a[1] ~= a[2] and a[1][1] == 1 and a[2][1] == 1 and not getmetatable(a[1])");
}

static void carries_vectors_and_ids(void **state) {
    (void)state;
    send("return Vector2(1, 2)");
    send("return Vector3(1, 2, 3)");
    send("return Vector4(1, 2, 3, 4)");
    send("return Quaternion.from_elements(1, 2, 3, 4)");
    send("return Matrix4x4.from_translation(Vector3(4, 5, 6))");
    send("return IdString32('thirty')");
    send("return IdString64('sixty')");
    send("return {at = Vector3(7, 8, 9)}");
    arrives("local m = Matrix4x4.translation(e) return a.x == 1 and a.y == 2 and b.z == 3 and "
            "c.w == 4 and d.x == 1 and d.w == 4 and m.x == 4 and m.z == 6 and "
            "f == IdString32('thirty') and IdString64.equal(g, IdString64('sixty')) and "
            "h.at.y == 8");
}

static void carries_boxes(void **state) {
    (void)state;
    send("return Vector2Box(1, 2)");
    send("return Vector3Box(1, 2, 3)");
    send("return Vector4Box(1, 2, 3, 4)");
    send("return QuaternionBox(1, 2, 3, 4)");
    send("return Matrix4x4Box(Matrix4x4.from_translation(Vector3(4, 5, 6)))");
    send("return IdString32Box('thirty')");
    send("return IdString64Box('sixty')");
    arrives("local m = Matrix4x4.translation(e:unbox()) return a:unbox().y == 2 and "
            "b:unbox().z == 3 and c:unbox().w == 4 and d:unbox().x == 1 and m.y == 5 and "
            "f:unbox() == IdString32('thirty') and "
            "IdString64.equal(g:unbox(), IdString64('sixty'))");
}

static int same_handles(lua_State *L) {
    ct_lua_message_push(L, &message);
    lua_getglobal(L, "kept");
    for (int i = 1; i <= 5; ++i) {
        lua_rawgeti(L, -1, i);
        assert_true(ct_value_at(L, -1) == ct_value_at(L, i));
        lua_pop(L, 1);
    }
    return 0;
}

static void carries_handles(void **state) {
    (void)state;
    run_lua(&f, "R = World.spawn_unit(W, 'units/robot') PW = World.physics_world(W) "
                "kept = {C, W, Unit.camera(R, 1), EntityManager.data_component(W), "
                "PhysicsWorld.spawn_sphere(PW, Vector3(0, 0, 0), 1)}");
    for (int i = 1; i <= 5; ++i) {
        char chunk[32];
        snprintf(chunk, sizeof(chunk), "return kept[%d]", i);
        send(chunk);
    }
    assert_true(run(&f.script->lua, same_handles, NULL));
    arrives("return Script.type_name(a) == 'Unit' and Script.type_name(b) == 'World' and "
            "Script.type_name(c) == 'Camera' and Script.type_name(d) == 'DataComponent'");
}

static void carries_a_message_again_after_it_was_cleared(void **state) {
    (void)state;
    send("return 'first'");
    ct_lua_message_clear(&message);
    send("return 'second'");
    arrives("return count == 1 and a == 'second'");
    arrives("return a == 'second'"); // without arrays it can be read twice
}

// --- Arrays --------------------------------------------------------------------------------------

static void moves_arrays(void **state) {
    (void)state;
    run_lua(&f, "A = Float32Array(100000) Float32Array.set(A, 7, 0.5) E = EntityArray({C, C})");
    const uint64_t before = f.script->lua.memory.bytes, of_second = second.lua.memory.bytes;
    send("return {a = A, e = {E}}");
    assert_lua(&f, "#A, #E, (pcall(Float32Array.get, A, 1))", "0\t0\tfalse");
    assert_true(f.script->lua.memory.bytes < before - 390000);
    assert_int_equal(message.arrays.count, 2);
    arrives("return #a.a == 100000 and Float32Array.get(a.a, 7) == 0.5 and #a.e[1] == 2");
    assert_true(second.lua.memory.bytes > of_second + 400000);
    run_lua(&f, "Float32Array.push(A, 3) assert(#A == 1)"); // the sender's array goes on
}

static void moves_empty_arrays(void **state) {
    (void)state;
    send("return {Float32Array(), EntityArray()}");
    arrives("return #a[1] == 0 and #a[2] == 0");
}

// What was not read is freed with the message: the allocator of Lua's memory asserts that.
static void frees_arrays_that_are_not_read(void **state) {
    (void)state;
    send("return {Float32Array(5000), EntityArray({C})}");
    ct_lua_message_clear(&message);
    assert_int_equal(message.arrays.count, 0);
    send("return Float32Array(5000)");
}

static void reads_arrays_once(void **state) {
    (void)state;
    send("return Float32Array({1, 2})");
    arrives("return #a == 2");
    arrives("return #a == 0");
}

static void refuses_an_array_twice(void **state) {
    (void)state;
    run_lua(&f, "A = Float32Array({1, 2})");
    refuses("return {A, {x = A}}", "value[2].x is an array that is sent twice; arrays are moved");
    assert_lua(&f, "#A", "2"); // nothing moved
    send("return A");
    assert_false(run(&f.script->lua, check_and_add, "return {A}")); // of the same message
    assert_non_null(strstr(error_of(&f.script->lua), "value[1] is an array that is sent twice"));
}

// --- What cannot be sent -------------------------------------------------------------------------

static void refuses_other_values_with_their_path(void **state) {
    (void)state;
    refuses("return print", "value: expected nil, a boolean, number, string, table, array or a "
                            "value of the engine, got function");
    refuses("return {1, {enemies = {1, 2, print}}}", "value[2].enemies[3]: expected nil");
    refuses("return {[true] = {[0.5] = print}}", "value[boolean][0.5]: expected nil");
    refuses("return {[C] = print}", "value[Unit]: expected nil");
    refuses("return {x = {[print] = 1}}", "value.x (a key): expected nil");
    refuses("return {[{y = print}] = 1}", "value (a key).y: expected nil");
    refuses("return {co = coroutine.create(print)}", "value.co: expected nil");
    refuses("return {coroutine.create(print)}", "got thread, which cannot be sent");
    refuses("return {w = {Broadphase(1, 8)}, x = setmetatable({}, {}), y = io or print}", "got ");
    refuses("return {[('k'):rep(100)] = print}", "k: expected nil");
}

static int push_userdata(lua_State *L) {
    lua_newuserdata(L, 8);
    lua_setglobal(L, "userdata");
    static _Alignas(16) char place[16];
    lua_pushlightuserdata(L, place);
    lua_setglobal(L, "address");
    return 0;
}

static void refuses_userdata_of_others(void **state) {
    (void)state;
    assert_true(run(&f.script->lua, push_userdata, NULL));
    refuses("return {u = userdata}", "value.u: expected nil");
    refuses("return {p = address}", "value.p: expected nil");
}

static void refuses_cycles(void **state) {
    (void)state;
    refuses("local t = {} t.t = t return t", "value.t is a table that contains itself");
    refuses("local t = {{}} t[1].x = {t} return {t}", "value[1][1].x[1] is a table that contains");
    refuses("local t = {} t[t] = 1 return t", "value (a key) is a table that contains itself");
}

static void refuses_vectors_of_earlier_frames(void **state) {
    (void)state;
    run_lua(&f, "kept = Vector3(1, 2, 3)");
    ct_script_begin_frame(f.script);
    refuses("return {at = kept}", "value.at: expected nil");
    refuses("return kept",
            "got a Vector3 of an earlier frame (keep it in a Vector3Box), which cannot be sent");
}

// --- Limits --------------------------------------------------------------------------------------

static void limits_depth(void **state) {
    (void)state;
    send("local t = 'end' for i = 1, 100 do t = {t} end return t");
    arrives("local n = 0 while type(a) == 'table' do a, n = a[1], n + 1 end return n == 100");
    ct_lua_message_clear(&message);
    refuses("local t = 'end' for i = 1, 101 do t = {t} end return t",
            "is deeper than 100 tables; expected at most 100 in each other");
}

static void limits_bytes(void **state) {
    (void)state;
    known.bytes = CT_LUA_MESSAGE_MAX_BYTES - 100;
    send("return ('x'):rep(92)");
    ct_lua_message_clear(&message);
    known.bytes = CT_LUA_MESSAGE_MAX_BYTES - 100;
    refuses("return ('x'):rep(93)", "value makes the message larger than 256 MiB; send less");
    known.bytes = CT_LUA_MESSAGE_MAX_BYTES - 100;
    refuses("return {x = {1, 2, 3, 4, 5, 6}}", " makes the message larger than 256 MiB");
}

// Checked sizes are at least those that are written.
static void counts_at_least_what_it_writes(void **state) {
    (void)state;
    static const char *const chunks[] = {
        "return nil",
        "return 0.5",
        "return 'text'",
        "return {}",
        "return {{}, {x = {}}}",
        "return Matrix4x4.identity()",
        "return Matrix4x4Box()",
        "return C",
        "return W",
        "return IdString64('a')",
        "return Float32Array(8)",
        "return Unit.camera(World.spawn_unit(W, 'units/robot'), 1)"};
    for (uint32_t i = 0; i < CT_COUNT_OF(chunks); ++i) {
        known.bytes = 0;
        ct_lua_message_clear(&message);
        send(chunks[i]);
        if (message.bytes.count > known.bytes)
            fail_msg("%s: %u bytes, counted as %u", chunks[i], message.bytes.count,
                     (uint32_t)known.bytes);
    }
}

static void limits_arrays(void **state) {
    (void)state;
    send("local t = {} for i = 1, 4096 do t[i] = Float32Array() end return t");
    assert_int_equal(message.arrays.count, 4096);
    ct_lua_message_shrink(&message, 0);
    ct_array_free(&known.seen);
    refuses("local t = {} for i = 1, 4097 do t[i] = Float32Array() end return t",
            "is one array more than the 4096 that a message may have; join them");
}

// --- Values that changed since they were checked -------------------------------------------------

static void notices_values_that_changed(void **state) {
    (void)state;
    static const char *const chunks[] = {"return print",
                                         "return {1, {print}}",
                                         "return {[print] = 1}",
                                         "return {coroutine.create(print)}",
                                         "local t = {} t[1] = t return t",
                                         "local t = {} for i = 1, 101 do t = {t} end return t",
                                         "return {Float32Array(100), 'text', print}"};
    for (uint32_t i = 0; i < CT_COUNT_OF(chunks); ++i) {
        assert_true(run(&f.script->lua, add_unchecked, chunks[i]));
        assert_lua(&f, "is_added", "false");
        assert_int_equal(message.num_values, 0);
        ct_lua_message_clear(&message); // with the array that has moved already
        assert_int_equal(message.bytes.count + message.arrays.count, 0);
    }
    assert_true(run(&f.script->lua, push_userdata, NULL));
    assert_true(run(&f.script->lua, add_unchecked, "return {userdata}"));
    assert_lua(&f, "is_added", "false");
    ct_lua_message_clear(&message);
    send("return 'whole'");
    arrives("return count == 1 and a == 'whole'");
}

// --- Memory --------------------------------------------------------------------------------------

static void keeps_its_memory_and_frees_much(void **state) {
    (void)state;
    send("return ('x'):rep(100000)");
    const uint64_t capacity = message.bytes.capacity;
    ct_lua_message_clear(&message);
    assert_int_equal(message.bytes.capacity, capacity);
    ct_lua_message_shrink(&message, capacity);
    assert_int_equal(message.bytes.capacity, capacity);
    ct_lua_message_shrink(&message, 50000);
    assert_int_equal(message.bytes.capacity, 0);
    send("local t = {} for i = 1, 1000 do t[i] = Float32Array(4) end return t");
    ct_lua_message_shrink(&message, 100);
    assert_int_equal(message.arrays.capacity, 0);
    send("return 1");
    arrives("return a == 1");
}

static void leaves_nothing_when_the_reader_is_full(void **state) {
    (void)state;
    send("return {Float32Array(1000), ('x'):rep(4 * 2 ^ 20), Float32Array(1000)}");
    ct_lua_memory *const memory = &second.lua.memory;
    memory->limit_bytes = memory->error_bytes = memory->bytes + (1 << 20);
    const ct_lua_newest before = ct_lua_enter(&second.lua);
    assert_false(run(&second.lua, read_and_test, "return true"));
    lua_gc(second.lua.lua, LUA_GCCOLLECT, 0);
    ct_lua_leave(before);
    assert_non_null(strstr(error_of(&second.lua), "not enough memory"));
    memory->limit_bytes = memory->error_bytes = 64 << 20;
    ct_lua_message_clear(&message);
    send("return 'after'");
    arrives("return a == 'after'");
}

static void refuses_more_vectors_than_a_frame_has(void **state) {
    (void)state;
    send("local t = {} for i = 1, 1000 do t[i] = Vector3(i, 0, 0) end return t");
    second.lua.num_temporaries = CT_MAX_TEMPORARIES - 500;
    second.lua.max_temporaries = CT_MAX_TEMPORARIES;
    ct_free(own, second.lua.temporaries);
    second.lua.temporaries = ct_alloc(own, (uint64_t)CT_MAX_TEMPORARIES * CT_TEMPORARY_SLOT_BYTES);
    const ct_lua_newest before = ct_lua_enter(&second.lua);
    assert_false(run(&second.lua, read_and_test, "return true"));
    ct_lua_begin_frame(&second.lua);
    ct_lua_leave(before);
    arrives("return #a == 1000 and a[1000].x == 1000");
}

// What workers hold is not the game's.
static void counts_the_memory_of_workers_apart(void **state) {
    (void)state;
    assert_int_equal(ct_lua_worker_bytes(&f.script->lua), second.lua.memory.bytes);
    const uint64_t before = ct_lua_worker_bytes(&f.script->lua);
    send("return Float32Array(100000)");
    arrives("return #a == 100000");
    assert_true(ct_lua_worker_bytes(&f.script->lua) >= before + 400000);
    assert_int_equal(ct_lua_worker_bytes(&second.lua), 0);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up_machines, tear_down_machines)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(carries_plain_values),
        TEST(carries_tables),
        TEST(carries_tables_with_keys_of_the_engine),
        TEST(copies_a_table_that_occurs_twice),
        TEST(carries_vectors_and_ids),
        TEST(carries_boxes),
        TEST(carries_handles),
        TEST(carries_a_message_again_after_it_was_cleared),
        TEST(moves_arrays),
        TEST(moves_empty_arrays),
        TEST(frees_arrays_that_are_not_read),
        TEST(reads_arrays_once),
        TEST(refuses_an_array_twice),
        TEST(refuses_other_values_with_their_path),
        TEST(refuses_userdata_of_others),
        TEST(refuses_cycles),
        TEST(refuses_vectors_of_earlier_frames),
        TEST(limits_depth),
        TEST(limits_bytes),
        TEST(counts_at_least_what_it_writes),
        TEST(limits_arrays),
        TEST(notices_values_that_changed),
        TEST(keeps_its_memory_and_frees_much),
        TEST(leaves_nothing_when_the_reader_is_full),
        TEST(refuses_more_vectors_than_a_frame_has),
        TEST(counts_the_memory_of_workers_apart),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
