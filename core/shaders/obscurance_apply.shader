// Takes obscurance away from the ambient light of the picture. Its alpha is the share of a surface's
// light that is ambient.
vertices = "fullscreen"
depth_test = false
depth_write = false
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"
            "core/shaders/include/reproject.glsl"]

vertex = """
layout(location = 0) out vec2 out_uv;

void main() {
    gl_Position = fullscreen_corner(out_uv);
}
"""

fragment = """
layout(set = 2, binding = 0) uniform sampler2D picture;
layout(set = 2, binding = 1) uniform sampler2D obscurance; // share of light, distance
layout(set = 2, binding = 2) uniform sampler2D depths;

layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_color;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec4 color = texelFetch(picture, at, 0);
    float depth = texelFetch(depths, at, 0).r;
    float z = linear_depth(depth);
    // Of the four nearest pixels, those at the same distance count most.
    ivec4 area = view_pixels(textureSize(obscurance, 0));
    vec2 place = in_uv * vec2(textureSize(obscurance, 0)) - 0.5;
    ivec2 first = ivec2(floor(place));
    vec2 part = place - vec2(first);
    vec2 sum = vec2(0.0);
    for (int i = 0; i < 4; ++i) {
        ivec2 corner = ivec2(i & 1, i >> 1);
        vec2 found = texelFetch(obscurance, clamp(first + corner, area.xy, area.zw), 0).rg;
        vec2 near = mix(1.0 - part, part, vec2(corner));
        float weight = near.x * near.y + 0.01;
        weight *= max(1.0 - abs(found.g - z) / (0.1 * z), 0.001);
        sum += vec2(found.r, 1.0) * weight;
    }
    float light = depth < 1.0 ? sum.r / sum.g : 1.0;
    color.rgb *= 1.0 - clamp(color.a, 0.0, 1.0) * (1.0 - light);
    out_color = color;
}
"""
