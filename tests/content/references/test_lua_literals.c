#include "content/content_group.h"
#include "content/references/lua_literals.h"

#include <stdio.h>
#include <string.h>

#include "support/test_support.h"

static char found[1024];

// Appends `line:column text|`, with `+` behind the start of something longer and `!` behind a key.
static void note(void *user, const ct_lua_literal *literal) {
    (void)user;
    const size_t length = strlen(found);
    snprintf(found + length, sizeof(found) - length, "%u:%u %s%s%s|", literal->line,
             literal->column, literal->text, literal->is_start ? "+" : "",
             literal->is_key ? "!" : "");
}

static void expect(const char *lua, const char *expected) {
    // A block of exactly its size, so that a sanitizer sees reads past the end.
    const size_t bytes = strlen(lua);
    char *const text = ct_alloc(test_heap(), bytes + 1);
    memcpy(text, lua, bytes);
    found[0] = '\0';
    ct_lua_literals(test_heap(), text, bytes, note, NULL);
    ct_free(test_heap(), text);
    assert_string_equal(found, expected);
}

static void finds_strings_of_every_kind(void **state) {
    (void)state;
    expect("", "");
    expect("x = 'a' .. y", "1:5 a+|");
    expect("f \"b\"\n  g [[c\nd]] h [==[ ]] ]==]", "1:3 b|2:5 c\nd|3:7  ]] |");
    expect("x = [[\nfirst]] y[1] = a[b[2]]", "1:5 first|");
    expect("'it\\'s' \"\\65\\x42\\u{43}\\n\\z   \n  d\\\\\"", "1:1 it's|1:9 ABC\nd\\|");
}

static void passes_over_comments(void **state) {
    (void)state;
    expect("-- 'a'\n'b' --[[ 'c'\n'd' ]] 'e' --[=[ ]] 'f' ]=] 'g' --", "2:1 b|3:8 e|3:29 g|");
}

static void survives_what_does_not_end(void **state) {
    (void)state;
    expect("'a", "1:1 a|");
    expect("'a\\", "1:1 a|");
    expect("'a\n'b'", "1:1 a|2:1 b|");
    expect("[[a", "1:1 a|");
    expect("[==[", "1:1 |");
    expect("[==", "");
    expect("--[[ 'a'", "");
    expect("'\\u{d800}'", "1:1 \xef\xbf\xbd|");
    expect("'\\xg'", "1:1 xg|");
}

static void tells_starts_of_joined_texts(void **state) {
    (void)state;
    expect("'menu.' .. x .. '.title' .. y", "1:1 menu.+|");
    expect("'a', ... , 'b'", "1:1 a|1:12 b|");
}

static void tells_keys_of_look_ups(void **state) {
    (void)state;
    expect("Localizer.lookup(menu, 'a')", "1:24 a!|");
    expect("Localizer.lookup(get('x', {1, 'y'})[2], 'a', { name = 'b' })",
           "1:22 x|1:31 y|1:41 a!|1:55 b|");
    expect("menu:lookup('a', 'b') menu:lookup 'c'", "1:13 a!|1:18 b|1:35 c!|");
    expect("Localizer.lookup(menu, 'a.' .. b)", "1:24 a.+!|");
    expect("Localizer.lookup(menu, Localizer.lookup(menu, 'a'))", "1:47 a!|");
    expect("Other.lookup(menu, 'a') lookup(menu, 'b')", "1:20 a|1:38 b|");
    expect("Localizer.lookup(menu) print(x, 'a')", "1:33 a|");
    expect("Localizer.lookup(menu, key, 'a') 'lookup' ('b')", "1:29 a|1:34 lookup|1:44 b|");
    expect("Localizer.lookup(", "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_strings_of_every_kind),
        cmocka_unit_test(passes_over_comments),
        cmocka_unit_test(survives_what_does_not_end),
        cmocka_unit_test(tells_starts_of_joined_texts),
        cmocka_unit_test(tells_keys_of_look_ups),
    };
    return cmocka_run_group_tests(tests, content_group_setup, test_group_teardown);
}
