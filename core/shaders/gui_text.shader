// Text of GUIs: glyphs from distance fields, sharp at any scale, or from pictures of coverage.
//
// The effect of a vertex: x is the page, y the value of the field where the edge is (128 / 255 is
// the outline of the glyph, less is outside of it), z how soft the edge is and w the spread of the
// field, both in 255ths of a page's pixel. Without a spread the page holds coverage.
vertices = "batch"
cull = "none"
blend = "premultiplied"
depth_write = false
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/gui.glsl"]

parameters = {
    color = { type = "color"  default = [1 1 1 1]  doc = "Multiplies the colour of the text." }
    additive = { type = "scalar"  default = 0
                 doc = "1: adds light to what is behind; 0: covers it. Values between do both." }
}
textures = {
    glyphs = { default = "core/textures/glyphs"  kind = "array"
               doc = "The pages of glyphs. The engine fills core/textures/glyphs." }
}

vertex = """
layout(location = 0) in vec3 position;
layout(location = 1) in vec2 uv;
layout(location = 2) in vec4 color;
layout(location = 3) in vec4 effect;

layout(location = 0) out vec2 out_uv;
layout(location = 1) out vec4 out_color;
layout(location = 2) flat out vec4 out_effect;

void main() {
    out_uv = uv;
    out_color = gui_color(color);
    out_effect = effect * 255.0;
    gl_Position = gui.to_clip * vec4(position, 1.0);
}
"""

fragment = """
layout(location = 0) in vec2 in_uv;
layout(location = 1) in vec4 in_color;
layout(location = 2) flat in vec4 in_effect;
layout(location = 0) out vec4 out_color;

void main() {
    vec2 size = vec2(textureSize(glyphs, 0).xy);
    vec2 texel = in_uv * size;
    float spread = in_effect.w;
    // A picture of coverage is shown in whole pixels.
    vec2 uv = spread > 0.0 ? in_uv : (floor(texel) + 0.5) / size;
    float value = texture(glyphs, vec3(uv, in_effect.x)).r;
    // How many of the page's pixels a pixel of the screen spans.
    vec2 dx = dFdx(texel), dy = dFdy(texel);
    float span = sqrt(0.5 * (dot(dx, dx) + dot(dy, dy)));
    float distance = (value * 255.0 - in_effect.y) / 127.0 * spread;
    float coverage = clamp(distance / (span + in_effect.z / 255.0 * spread * 2.0) + 0.5, 0.0, 1.0);
    float alpha = spread > 0.0 ? coverage : value;
    vec4 tint = vec4(material.color.rgb * material.color.a, material.color.a);
    out_color = in_color * tint * alpha;
    out_color.a *= 1.0 - material.additive;
}
"""
