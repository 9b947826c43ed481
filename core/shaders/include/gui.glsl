// Vertex stages of shaders for GUIs (vertices = "batch").
#ifdef VERTEX_STAGE

// The matrix from a GUI's space to clip space.
layout(push_constant) uniform gui_block {
    mat4 to_clip;
} gui;

// Converts a colour from sRGB to linear light and multiplies it by its alpha.
vec4 gui_color(vec4 color) {
    vec3 high = pow((color.rgb + 0.055) / 1.055, vec3(2.4));
    vec3 linear = mix(high, color.rgb / 12.92, lessThanEqual(color.rgb, vec3(0.04045)));
    return vec4(linear * color.a, color.a);
}

#endif
