// Rectangles, pictures and shapes of GUIs: a texture times a colour.
vertices = "batch"
cull = "none"
blend = "premultiplied"
depth_write = false
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/gui.glsl"]

parameters = {
    color = { type = "color"  default = [1 1 1 1]  doc = "Multiplies the colour of each object." }
    additive = { type = "scalar"  default = 0
                 doc = "1: adds light to what is behind; 0: covers it. Values between do both." }
}
textures = {
    picture = { default = "core/textures/white"  doc = "Colours (sRGB) and opacity." }
}
// premultiplied: the colours of the picture are already multiplied by its opacity, as a texture
// with premultiply_alpha = true has them.
options = ["premultiplied"]

vertex = """
layout(location = 0) in vec3 position;
layout(location = 1) in vec2 uv;
layout(location = 2) in vec4 color;

layout(location = 0) out vec2 out_uv;
layout(location = 1) out vec4 out_color;

void main() {
    out_uv = uv;
    out_color = gui_color(color);
    gl_Position = gui.to_clip * vec4(position, 1.0);
}
"""

fragment = """
layout(location = 0) in vec2 in_uv;
layout(location = 1) in vec4 in_color;
layout(location = 0) out vec4 out_color;

void main() {
    vec4 texel = texture(picture, in_uv);
    if (!option_premultiplied)
        texel.rgb *= texel.a;
    vec4 tint = vec4(material.color.rgb * material.color.a, material.color.a);
    out_color = in_color * texel * tint;
    out_color.a *= 1.0 - material.additive;
}
"""
