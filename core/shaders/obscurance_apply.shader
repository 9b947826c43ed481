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
    ivec2 second = clamp(first + 1, area.xy, area.zw);
    first = clamp(first, area.xy, area.zw);
    vec2 a = texelFetch(obscurance, first, 0).rg;
    vec2 b = texelFetch(obscurance, ivec2(second.x, first.y), 0).rg;
    vec2 c = texelFetch(obscurance, ivec2(first.x, second.y), 0).rg;
    vec2 d = texelFetch(obscurance, second, 0).rg;
    vec4 light4 = vec4(a.r, b.r, c.r, d.r);
    vec4 near = vec4(1.0 - part.x, part.x, 1.0 - part.x, part.x) *
                vec4(1.0 - part.y, 1.0 - part.y, part.y, part.y);
    vec4 weights = (near + 0.01) * max(1.0 - abs(vec4(a.g, b.g, c.g, d.g) - z) * (10.0 / z), 0.001);
    vec2 sum = vec2(dot(light4, weights), dot(vec4(1.0), weights));
    float light = depth < 1.0 ? sum.r / sum.g : 1.0;
    color.rgb *= 1.0 - clamp(color.a, 0.0, 1.0) * (1.0 - light);
    out_color = color;
}
"""
