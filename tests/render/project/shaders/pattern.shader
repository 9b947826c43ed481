// Puts known light into the picture.
vertices = "fullscreen"
depth_test = false
depth_write = false
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"]

parameters = {
    kind = { type = "scalar"  default = 0  doc = "The position in `kinds` of the render config." }
    light = { type = "scalar"  default = 1 }
    place = { type = "vector2"  default = [0.5 0.5] }
}

vertex = """
layout(location = 0) out vec2 out_uv;

void main() {
    gl_Position = fullscreen_corner(out_uv);
}
"""

fragment = """
layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_color;

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    bool is_place = pixel == ivec2(material.place * view.size.xy);
    int kind = int(material.kind + 0.5);
    float light = material.light;
    if (kind == 1) // one pixel
        light = is_place ? light : 0.0;
    if (kind == 2) // a ramp
        light *= in_uv.x;
    if (kind == 3 && is_place)
        light = uintBitsToFloat(0x7fc00000u + uint(material.kind)); // not a number
    if (kind == 4 && is_place)
        light = uintBitsToFloat(0x7f800000u - 4u + uint(material.kind)); // infinite
    vec3 color = vec3(light);
    if (kind == 5) // many sizes and colours
        color = light * (vec3(0.5) + 0.5 * sin(vec3(pixel.x * 3 + pixel.y, pixel.y / 7, pixel.x / 11)));
    out_color = vec4(color, 1.0);
}
"""
