#include <math.h>

#include "script/script_private.h"

// Color: colors as people write them, made what the engine takes: a Vector4 of linear red, green,
// blue and alpha.

// The sRGB transfer function (IEC 61966-2-1); `value` is 0 to 255.
static float linear_of(double value) {
    const double v = value / 255;
    return (float)(v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4));
}

static double check_byte(lua_State *L, int argument) {
    const double value = ct_check_number(L, argument);
    if (value < 0 || value > 255)
        ct_argument_error(L, argument, "expected a number from 0 to 255, got %g", value);
    return value;
}

// What `Color(red, green, blue)` and `Color(alpha, red, green, blue)` call; the table itself is
// argument 1.
static int make(lua_State *L) {
    const bool has_alpha = !lua_isnoneornil(L, 5);
    const int red = has_alpha ? 3 : 2;
    ct_vec4 color = {{0, 0, 0, 1}};
    if (has_alpha)
        color.w = (float)(check_byte(L, 2) / 255);
    for (int i = 0; i < 3; ++i)
        color.raw[i] = linear_of(check_byte(L, red + i));
    ct_push_vector4(L, color);
    return 1;
}

const ct_lua_module ct_api_color = {
    .name = "Color",
    .doc = "Makes colors: a Vector4 of linear red, green, blue and alpha, from sRGB numbers from 0 "
           "to 255. With four numbers, the first is alpha.",
    .call = make,
    .call_signature =
        "(red_or_alpha: number, green_or_red: number, blue_or_green: number, blue: number?) -> "
        "Vector4",
};
