#define PARTS 4
#include "script/math/vector_module.inc"

const ct_lua_module ct_api_vector4 = {
    .name = NAME,
    .doc = "Four numbers.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
    .call = make,
    .call_signature = "(" NUMBERS ") -> " NAME,
};
