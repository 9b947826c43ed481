// A colour and a texture, unlit.
layer = "opaque"
includes = ["core/shaders/include/frame.glsl"]
parameters = {
    color = { type = "color"  default = [1 1 1 1] }
}
textures = {
    picture = { default = "core/textures/white" }
}
vertex = """
layout(location = 0) in vec3 position;
layout(location = 3) in vec2 uv;
layout(location = 0) out vec2 out_uv;

void main() {
    out_uv = uv;
    gl_Position = view.view_projection * vec4(to_world_point(position), 1.0);
}
"""
fragment = """
layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_color;

void main() {
    out_color = material.color * texture(picture, in_uv);
}
"""
