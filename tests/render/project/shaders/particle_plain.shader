// The example of docs/formats/shader.md.
layer = "transparent"
vertices = "particle"
cull = "none"
blend = "premultiplied"
depth_write = false
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/particle.glsl"]
textures = { picture = { default = "core/textures/particle" } }

vertex = """
layout(location = 0) out vec4 out_color;
layout(location = 1) out vec4 out_uvs;
layout(location = 2) flat out float out_blend;

void main() {
    particle_corner c = particle();
    out_color = vec4(c.color.rgb * c.color.a, c.color.a);
    out_uvs = vec4(c.uv, c.next_uv);
    out_blend = c.blend;
    gl_Position = view.view_projection * vec4(c.position, 1.0);
}
"""

fragment = """
layout(location = 0) in vec4 in_color;
layout(location = 1) in vec4 in_uvs;
layout(location = 2) flat in float in_blend;
layout(location = 0) out vec4 out_color;

void main() {
    vec4 texel = blended_frames(picture, in_uvs.xy, in_uvs.zw, in_blend);
    out_color = in_color * vec4(texel.rgb * texel.a, texel.a);
}
"""
