// TagComponent.
#include "script/api_fixture.h"

static int set_up_tags(void **state) {
    set_up(state);
    run_lua(&f, "TC = EntityManager.tag_component() E = {} "
                "for i = 1, 6 do E[i] = EntityManager.create() end "
                "function numbers(entities) local at = {} "
                "for i = 1, #entities do for k = 1, 6 do "
                "if entities[i] == E[k] then at[#at + 1] = k end end end "
                "table.sort(at) return table.concat(at, ' ') end");
    return 0;
}

#define TAG_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_tags, tear_down)

static void gives_and_takes_tags(void **state) {
    (void)state;
    run_lua(&f, "TagComponent.add_tag(TC, E[1], 'enemy') TagComponent.add_tag(TC, E[2], 'enemy') "
                "TagComponent.add_tag(TC, E[2], IdString32('flying'))");
    assert_lua(&f, "numbers(TagComponent.get_entities(TC, 'enemy'))", "1 2");
    assert_lua(&f, "TagComponent.has_tag(TC, E[2], 'flying'), TagComponent.has_tag(TC, E[1], 'x')",
               "true\tfalse");
    assert_lua(&f, "#TagComponent.tags(TC, E[2]), #TagComponent.tags(TC, E[3])", "2\t0");
    assert_lua(&f, "IdString32.to_string(TagComponent.tags(TC, E[1])[1])", "enemy");
    run_lua(&f, "TagComponent.remove_tag(TC, E[2], 'enemy')");
    assert_lua(&f, "numbers(TagComponent.get_entities(TC, 'enemy'))", "1");
    run_lua(&f, "TagComponent.remove_all_tags(TC, E[2])");
    assert_lua(&f, "numbers(TagComponent.get_entities(TC, 'flying'))", "");
    run_lua(&f, "TagComponent.add_tag_to_all(TC, E, 'boss') "
                "TagComponent.remove_tag_from_all(TC, {E[1], E[6]}, 'boss')");
    assert_lua(&f, "numbers(TagComponent.get_entities(TC, 'boss'))", "2 3 4 5");
}

static void finds_intersections_and_differences(void **state) {
    (void)state;
    run_lua(&f, "for i = 1, 6 do TagComponent.add_tag(TC, E[i], 'enemy') end "
                "for i = 3, 5 do TagComponent.add_tag(TC, E[i], 'flying') end "
                "TagComponent.add_tag(TC, E[4], 'boss')");
    assert_lua(&f, "numbers(TagComponent.find_entities(TC, {'enemy', 'flying'}))", "3 4 5");
    assert_lua(&f, "numbers(TagComponent.find_entities(TC, 'enemy', 'flying'))", "1 2 6");
    assert_lua(&f, "numbers(TagComponent.find_entities(TC, {'flying'}, {'boss', 'none'}))", "3 5");
    run_lua(&f, "EntityManager.destroy(E[3])");
    assert_lua(&f, "numbers(TagComponent.find_entities(TC, {'enemy', 'flying'}, {}))", "4 5");
}

static void fills_tables_that_are_given(void **state) {
    (void)state;
    run_lua(&f, "R = {1, 2, 3, 4, 5, 6, 7, 8} TagComponent.add_tag(TC, E[3], 'enemy')");
    assert_lua(&f, "TagComponent.get_entities(TC, 'enemy', R) == R, #R, numbers(R)", "true\t1\t3");
    assert_lua(&f, "TagComponent.find_entities(TC, 'nobody', nil, R) == R, #R", "true\t0");
    assert_lua(&f, "TagComponent.tags(TC, E[3], R) == R, #R", "true\t1");
}

static void takes_and_fills_arrays_of_the_engine(void **state) {
    (void)state;
    run_lua(&f, "A = EntityArray({E[2], E[3], E[5]}) R = EntityArray({E[1]}) "
                "function listed(array) local t = {} for i = 1, EntityArray.size(array) do "
                "t[i] = EntityArray.get(array, i) end return numbers(t) end "
                "TagComponent.add_tag_to_all(TC, A, 'boss') TagComponent.add_tag(TC, E[3], 'old')");
    assert_lua(&f, "TagComponent.get_entities(TC, 'boss', R) == R, listed(R)", "true\t2 3 5");
    assert_lua(&f, "TagComponent.find_entities(TC, 'boss', 'old', R) == R, listed(R)", "true\t2 5");
    run_lua(&f,
            "G = EntityArray() L = EntityArray() TagComponent.changes(TC, 'me', 'boss', G, L) "
            "TagComponent.clear_changes(TC, 'me') TagComponent.remove_tag_from_all(TC, R, 'boss') "
            "TagComponent.changes(TC, 'me', 'boss', G, L)");
    assert_lua(&f, "listed(G), listed(L), numbers(TagComponent.get_entities(TC, 'boss'))",
               "\t2 5\t3");
    run_lua(&f, "EntityManager.destroy(E[3])");
    assert_lua_error(&f, "TagComponent.add_tag_to_all(TC, A, 'x')",
                     "expected Unit at index 2, got a destroyed Unit");
    assert_lua(&f, "#TagComponent.get_entities(TC, 'x')", "0");
}

static void makes_no_garbage_with_tables_that_are_given(void **state) {
    (void)state;
    run_lua(&f,
            "TagComponent.add_tag_to_all(TC, E, 'enemy') R, S, T = {}, {}, {} "
            "local function use() for i = 1, 1000 do TagComponent.get_entities(TC, 'enemy', R) "
            "TagComponent.find_entities(TC, 'enemy', 'boss', R) "
            "TagComponent.changes(TC, 'test', 'enemy', S, T) "
            "TagComponent.clear_changes(TC, 'test') TagComponent.tags(TC, E[1], S) "
            "TagComponent.remove_tag(TC, E[1], 'enemy') TagComponent.add_tag(TC, E[1], 'enemy') "
            "end end "
            "jit.off() use() collectgarbage() collectgarbage('stop') " // the compiler makes some
            "local before = collectgarbage('count') use() "
            "GARBAGE = collectgarbage('count') - before collectgarbage('restart')");
    assert_lua(&f, "GARBAGE < 1, GARBAGE < 1 or GARBAGE", "true\ttrue");
}

static void tells_what_changed(void **state) {
    (void)state;
    run_lua(&f, "function all(reader) local gained, lost, anew = "
                "TagComponent.changes(TC, reader, 'enemy') "
                "return numbers(gained), numbers(lost), anew end "
                "TagComponent.add_tag(TC, E[1], 'enemy')");
    assert_lua(&f, "all('hud')", "1\t\ttrue");
    run_lua(&f, "TagComponent.clear_changes(TC, 'hud')");
    assert_lua(&f, "all('hud')", "\t\tfalse");
    run_lua(&f, "TagComponent.add_tag(TC, E[2], 'enemy') "
                "TagComponent.remove_tag(TC, E[1], 'enemy')");
    assert_lua(&f, "all('hud')", "2\t1\tfalse");
    assert_lua(&f, "all('sound')", "2\t\ttrue");
    run_lua(&f, "for i = 1, 62 do TagComponent.clear_changes(TC, 'reader' .. i) end");
    assert_lua_error(&f, "TagComponent.changes(TC, 'one more', 'enemy')",
                     "TagComponent.changes: argument 2 (reader): there are already 64 tag readers");
}

static void has_instances_as_other_components(void **state) {
    (void)state;
    run_lua(&f, "I = TagComponent.create(TC, E[5], 'tags')");
    assert_lua(&f, "TagComponent.instance_ids(TC, E[5])", "0");
    assert_lua(&f, "TagComponent.lookup(TC, E[5]) == I, TagComponent.instances(TC, E[5]) == I",
               "true\ttrue");
    run_lua(&f, "TagComponent.set_property(TC, I, 'tags', {'enemy', 'boss'})");
    assert_lua(&f,
               "#TagComponent.get_property(TC, I, 'tags'), TagComponent.has_tag(TC, E[5], "
               "'boss')",
               "2\ttrue");
    assert_lua(&f, "TagComponent.set_property_by_id(TC, E[5], 'tags', {'tags'}, {'calm'}) == I",
               "true");
    assert_lua(&f,
               "IdString32.to_string(TagComponent.get_property_by_id(TC, E[5], nil, "
               "'tags')[1])",
               "calm");
    run_lua(&f, "TagComponent.destroy(TC, I)");
    assert_lua(&f, "TagComponent.lookup(TC, E[5])", "nil");
    run_lua(&f, "TagComponent.add_tag(TC, E[5], 'enemy') TagComponent.destroy_all(TC, E[5])");
    assert_lua(&f, "select('#', TagComponent.instance_ids(TC, E[5]))", "0");
    assert_lua(&f, "select('#', TagComponent.instances(TC, E[5]))", "0");
    assert_lua(&f, "#TagComponent.get_entities(TC, 'enemy')", "0");
}

static void refuses_wrong_arguments(void **state) {
    (void)state;
    assert_lua_error(&f, "TagComponent.add_tag(TC, E[1], '')",
                     "TagComponent.add_tag: argument 3 (tag): expected a tag, got an empty string");
    assert_lua_error(&f, "TagComponent.add_tag(W, E[1], 'enemy')",
                     "TagComponent.add_tag: argument 1 (self): expected TagComponent, got World");
    assert_lua_error(&f, "TagComponent.add_tag(TC, E[1], 5)",
                     "TagComponent.add_tag: argument 3 (tag): expected IdString32");
    assert_lua_error(&f, "TagComponent.find_entities(TC, {'enemy', 5})",
                     "argument 2 (all): expected a string at index 2, got number");
    assert_lua_error(&f, "TagComponent.find_entities(TC, {})",
                     "argument 2 (all): expected at least one tag");
    assert_lua_error(&f,
                     "local many = {} for i = 1, 65 do many[i] = 'tag' .. i end "
                     "TagComponent.find_entities(TC, many)",
                     "argument 2 (all): expected at most 64 tags, got 65");
    assert_lua_error(&f, "TagComponent.get_entities(TC, 'enemy', 5)",
                     "argument 3 (results): expected EntityArray or table, got number");
    assert_lua_error(&f, "TagComponent.destroy(TC, 0)", "argument 2 (instance): expected an int");
    run_lua(&f, "TagComponent.add_tag_to_all(TC, E, 'enemy') I = TagComponent.lookup(TC, E[1])");
    assert_lua_error(&f, "TagComponent.set_property(TC, I, 'tags', {'boss', ''})",
                     "argument 4 (value): expected a tag at index 2, got an empty string");
    assert_lua(&f, "#TagComponent.get_entities(TC, 'enemy')", "6"); // nothing changed
    assert_lua_error(&f, "TagComponent.get_property(TC, I, 'tag')", "did you mean \"tags\"?");
}

static void refuses_stale_entities_and_instances(void **state) {
    (void)state;
    run_lua(&f, "TagComponent.add_tag_to_all(TC, E, 'enemy') "
                "I, K = TagComponent.lookup(TC, E[2]), TagComponent.lookup(TC, E[6]) "
                "EntityManager.destroy(E[2])");
    assert_lua_error(&f, "TagComponent.has_tag(TC, E[2], 'enemy')",
                     "TagComponent.has_tag: argument 2 (e): expected Unit, got a destroyed Unit");
    assert_lua_error(&f, "TagComponent.add_tag_to_all(TC, E, 'boss')",
                     "TagComponent.add_tag_to_all: argument 2 (entities): expected Unit at index "
                     "2, got a destroyed Unit");
    assert_lua(&f, "#TagComponent.get_entities(TC, 'boss')", "0");
    assert_lua_error(&f, "TagComponent.get_property(TC, I, 'tags')",
                     "TagComponent.get_property: argument 2 (instance): expected the instance of a "
                     "tag, got a destroyed one");
    // The last row takes the place of what ends: instances do not follow rows.
    run_lua(&f, "TagComponent.destroy(TC, TagComponent.lookup(TC, E[1]))");
    assert_lua_error(&f, "TagComponent.destroy(TC, I)", "got a destroyed one");
    assert_lua(&f, "K == TagComponent.lookup(TC, E[6]), #TagComponent.get_property(TC, K, 'tags')",
               "true\t1");
    assert_lua_error(&f, "TagComponent.get_property(TC, 2^40, 'tags')",
                     "argument 2 (instance): expected an integer from 1 to");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TAG_TEST(gives_and_takes_tags),
        TAG_TEST(finds_intersections_and_differences),
        TAG_TEST(fills_tables_that_are_given),
        TAG_TEST(takes_and_fills_arrays_of_the_engine),
        TAG_TEST(makes_no_garbage_with_tables_that_are_given),
        TAG_TEST(tells_what_changed),
        TAG_TEST(has_instances_as_other_components),
        TAG_TEST(refuses_wrong_arguments),
        TAG_TEST(refuses_stale_entities_and_instances),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
