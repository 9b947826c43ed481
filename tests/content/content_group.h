// content_group.h: the set-up of tests that read scripts: what the engine's modules are.
#pragma once
#include "content/references/known_modules.h"
#include "script/script_modules.h"
#include "support/test_support.h"

// As test_group_setup, and makes the engine's Lua modules known.
static inline int content_group_setup(void **state) {
    uint32_t count;
    const ct_lua_module *const *const modules = ct_script_modules(&count);
    ct_known_modules_set(modules, count);
    return test_group_setup(state);
}
