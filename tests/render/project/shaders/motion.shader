// Shows how the first joint of a skinned object has moved since the frame before: red is right, blue
// is left, green is not at all.
layer = "opaque"
includes = ["core/shaders/include/frame.glsl"]
vertex = """
layout(location = 0) in vec3 position;
layout(location = 0) out float out_motion;
layout(std430, set = 0, binding = 5) readonly buffer palettes_block {
    vec4 palettes[];
};

void main() {
    uvec4 values = instances[gl_InstanceIndex].values;
    out_motion = palettes[values.y].w - palettes[values.z].w;
    gl_Position = view.view_projection * vec4(to_world_point(position), 1.0);
}
"""
fragment = """
layout(location = 0) in float in_motion;
layout(location = 0) out vec4 out_color;

void main() {
    out_color = vec4(in_motion > 0.05 ? 1.0 : 0.0, abs(in_motion) > 0.05 ? 0.0 : 1.0,
                     in_motion < -0.05 ? 1.0 : 0.0, 1.0);
}
"""
