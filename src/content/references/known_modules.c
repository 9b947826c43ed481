#include "content/references/known_modules.h"

static const ct_lua_module *const *known;
static uint32_t num_known;

void ct_known_modules_set(const ct_lua_module *const *modules, uint32_t count) {
    known = modules;
    num_known = count;
}

const ct_lua_module *const *ct_known_modules(uint32_t *count) {
    *count = num_known;
    return known;
}
