// A colour over what is there.
vertices = "fullscreen"
blend = "alpha"
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"]
parameters = {
    unused = { type = "vector3"  default = [1 2 3] }
    amount = { type = "scalar"  default = 0 }
    color = { type = "color"  default = [0 1 0 1] }
}
vertex = """
void main() {
    vec2 uv;
    gl_Position = fullscreen_corner(uv);
}
"""
fragment = """
layout(location = 0) out vec4 out_color;

void main() {
    out_color = vec4(material.color.rgb, material.amount);
}
"""
