vertices = "fullscreen"
depth_test = false  depth_write = false
vertex = """
void main() { gl_Position = vec4(float(gl_VertexIndex & 1) * 4.0 - 1.0, 0.0, 0.0, 1.0); }
"""
fragment = """
layout(set = 2, binding = 0) uniform sampler2D picture;
layout(location = 0) out vec4 out_color;
void main() { out_color = texture(picture, vec2(0.5)); }
"""
