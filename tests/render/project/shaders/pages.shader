// The layers of an array side by side.
layer = "opaque"
cull = "none"
includes = ["core/shaders/include/frame.glsl"]
textures = { pages = { kind = "array"  default = "core/textures/white_array" } }

vertex = """
layout(location = 3) in vec2 uv;
layout(location = 0) out vec2 out_uv;

// Over the whole picture, wherever the mesh is.
void main() {
    out_uv = uv;
    gl_Position = vec4(uv * 2.0 - 1.0, 0.5, 1.0);
}
"""

fragment = """
layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_color;

void main() {
    out_color = texture(pages, vec3(in_uv.x * 3.0, in_uv.y, floor(in_uv.x * 3.0)));
}
"""
