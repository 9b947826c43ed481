// Colours as they are stored for the screen, and as linear light; 0 to 1.

vec3 srgb_to_linear(vec3 color) {
    vec3 high = pow((color + 0.055) / 1.055, vec3(2.4));
    return mix(high, color / 12.92, lessThanEqual(color, vec3(0.04045)));
}

vec3 linear_to_srgb(vec3 light) {
    vec3 high = 1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055;
    return mix(high, light * 12.92, lessThanEqual(light, vec3(0.0031308)));
}
