// Columns of one pixel: red and green in turn.
vertices = "fullscreen"
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"]
vertex = """
void main() {
    vec2 uv;
    gl_Position = fullscreen_corner(uv);
}
"""
fragment = """
layout(location = 0) out vec4 out_color;

void main() {
    out_color = int(gl_FragCoord.x) % 2 == 0 ? vec4(1.0, 0.0, 0.0, 1.0) : vec4(0.0, 1.0, 0.0, 1.0);
}
"""
