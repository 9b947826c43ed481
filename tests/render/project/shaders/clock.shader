// Grey that grows with the world's time, over a whole viewport.
vertices = "fullscreen"
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"]
vertex = """
layout(location = 0) out vec2 out_uv;

void main() {
    gl_Position = fullscreen_corner(out_uv);
}
"""
fragment = """
layout(location = 0) out vec4 out_color;

void main() {
    out_color = vec4(vec3(view.time.x), 1.0);
}
"""
