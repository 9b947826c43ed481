// What the tables of all modules say of their functions.
#include "script/fake_host.h"
#include "script/script_modules.h"

#include "lua/lua_module.h"

static bool ends_with(const char *text, char c) {
    const size_t length = strlen(text);
    return length > 1 && text[length - 1] == c;
}

static void checks_function(const char *module, const ct_lua_function *function) {
    if (!function->name || !function->name[0] || !function->function)
        fail_msg("%s has a function without a name or a body", module);
    if (!function->signature || function->signature[0] != '(' ||
        !strstr(function->signature, ") -> "))
        fail_msg("%s.%s has no signature", module, function->name);
    if (!function->doc || !ends_with(function->doc, '.'))
        fail_msg("%s.%s has no doc that is a sentence", module, function->name);
    if (function->doc[0] >= 'a' && function->doc[0] <= 'z')
        fail_msg("the doc of %s.%s starts with a small letter", module, function->name);
}

static void every_function_is_described(void **state) {
    (void)state;
    uint32_t count;
    const ct_lua_module *const *modules = ct_script_modules(&count);
    assert_true(count >= 30);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_lua_module *const m = modules[i];
        if (!m->doc || !ends_with(m->doc, '.'))
            fail_msg("%s has no doc that is a sentence", m->name);
        if (m->call && (!m->call_signature || m->call_signature[0] != '('))
            fail_msg("%s has no signature of its call", m->name);
        assert_true(m->num_functions > 0 || m->call || m->num_constants > 0);
        for (uint32_t k = 0; k < m->num_functions; ++k)
            checks_function(m->name, &m->functions[k]);
    }
}

static void functions_and_modules_stand_in_the_order_of_their_names(void **state) {
    (void)state;
    uint32_t count;
    const ct_lua_module *const *modules = ct_script_modules(&count);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_lua_module *const m = modules[i];
        if (i > 0 && strcmp(modules[i - 1]->name, m->name) >= 0)
            fail_msg("%s comes after %s", m->name, modules[i - 1]->name);
        for (uint32_t k = 1; k < m->num_functions; ++k) {
            if (strcmp(m->functions[k - 1].name, m->functions[k].name) >= 0)
                fail_msg("%s.%s comes after %s", m->name, m->functions[k].name,
                         m->functions[k - 1].name);
        }
    }
}

// Wrong arguments are errors that name the function, never anything worse.
static void every_function_survives_wrong_arguments(void **state) {
    (void)state;
    script_fixture f = start_script();
    uint32_t count;
    const ct_lua_module *const *modules = ct_script_modules(&count);
    static const char *const arguments[] = {"",
                                            "nil, nil, nil, nil",
                                            "{}, {}, {}, {}",
                                            "'x', 'x', 'x', 'x'",
                                            "0/0, 0/0, 0/0, 0/0",
                                            "-1, 1e300, -1/0, 1/0",
                                            "E, 2, E, E",
                                            "W, E, 1, E",
                                            "W, W, W, W",
                                            "false, print, E, W"};
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t k = 0; k < modules[i]->num_functions; ++k) {
            const char *const name = modules[i]->functions[k].name;
            if (strcmp(name, "sleep") == 0)
                continue;
            for (uint32_t a = 0; a < CT_COUNT_OF(arguments); ++a) {
                char lua[256];
                snprintf(lua, sizeof(lua), "%s.%s(%s)", modules[i]->name, name, arguments[a]);
                run_lua(&f, "W = Application.new_world() E = EntityManager.create(W)");
                execute_lua(&f, lua);
                run_lua(&f, "for _, w in ipairs(Application.worlds()) do "
                            "Application.release_world(w) end");
            }
        }
    }
    stop_script(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_is_described),
        cmocka_unit_test(functions_and_modules_stand_in_the_order_of_their_names),
        cmocka_unit_test(every_function_survives_wrong_arguments),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
