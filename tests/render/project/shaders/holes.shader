// As flat, with round holes: what is left out must cast no shadow.
layer = "opaque"
cull = "none"
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/lighting.glsl"]

vertex = """
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 3) in vec2 uv;

layout(location = 0) out vec3 out_position;
layout(location = 1) out vec3 out_normal;
layout(location = 2) out vec2 out_uv;

void main() {
    out_position = to_world_point(position);
    out_normal = to_world_normal(normal);
    out_uv = uv;
    gl_Position = view.view_projection * vec4(out_position, 1.0);
}
"""

fragment = """
layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec2 in_uv;

layout(location = 0) out vec4 out_color;

void main() {
    if (length(in_uv - 0.5) < 0.3)
        discard;
    surface s;
    s.position = in_position;
    s.normal = normalize(in_normal);
    s.to_eye = normalize(view.camera_position.xyz - in_position);
    s.diffuse = vec3(0.9, 0.2, 0.1);
    s.specular = vec3(0.04);
    s.roughness = 0.5;
    out_color = vec4(light_surface(s), 1.0);
}
"""
