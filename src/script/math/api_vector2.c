#define PARTS 2
#include "script/math/vector_module.inc"

const ct_lua_module ct_api_vector2 = {
    .name = NAME,
    .doc = "A point or direction in the plane.",
    .functions = functions,
    .num_functions = CT_COUNT_OF(functions),
    .call = make,
    .call_signature = "(" NUMBERS ") -> " NAME,
};
