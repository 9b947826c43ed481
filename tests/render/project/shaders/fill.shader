// Ones, but for zeros on the lower half.
outputs = { table = { format = "R32F" } }
compute = """
layout(local_size_x = 8, local_size_y = 8) in;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    imageStore(table, at, vec4(at.y < 4 ? 1.0 : 0.0));
}
"""
