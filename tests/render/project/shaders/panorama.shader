// A cube map all around: the front in the middle, the back at both ends, up at the top.
layer = "opaque"
cull = "none"
includes = ["core/shaders/include/frame.glsl"]
textures = { cube = { kind = "cube"  default = "core/textures/black_cube" } }

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
    float longitude = (in_uv.x * 2.0 - 1.0) * 3.14159265, latitude = (0.5 - in_uv.y) * 3.14159265;
    vec3 direction = vec3(sin(longitude) * cos(latitude), cos(longitude) * cos(latitude),
                          sin(latitude));
    out_color = textureLod(cube, direction, 0.0);
}
"""
