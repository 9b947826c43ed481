// Draws the edges of outlined objects over the picture: pixels beside an object, and where one
// object is in front of another.
vertices = "fullscreen"
depth_test = false
depth_write = false
blend = "alpha"
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"]

parameters = {
    width = { type = "scalar"  default = 2  doc = "In pixels." }
    hidden = { type = "scalar"  default = 0.3  doc = "Opacity behind other objects." }
}

vertex = """
layout(location = 0) out vec2 out_uv;

void main() {
    gl_Position = fullscreen_corner(out_uv);
}
"""

fragment = """
layout(set = 2, binding = 0) uniform sampler2D outlines; // outline_id.shader drew these two
layout(set = 2, binding = 1) uniform sampler2D outline_depth;
layout(set = 2, binding = 2) uniform sampler2D scene_depths; // may be of another size

layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_color;

const vec2 directions[8] = vec2[8](vec2(1.0, 0.0), vec2(0.0, 1.0), vec2(-1.0, 0.0), vec2(0.0, -1.0),
                                   vec2(0.7071, 0.7071), vec2(-0.7071, 0.7071),
                                   vec2(-0.7071, -0.7071), vec2(0.7071, -0.7071));

// Whether the outlined object at a pixel is in front of everything else. The depths of one surface
// may differ by a little: they are of different pixels when sizes differ or the camera is jittered.
bool is_in_front(ivec2 place) {
    float own = texelFetch(outline_depth, place, 0).r;
    vec2 uv = (vec2(place) + 0.5) / vec2(textureSize(outlines, 0));
    float scene = textureLod(scene_depths, uv, 0.0).r;
    return (1.0 - scene) <= (1.0 - own) * 1.03 + 1e-6;
}

// An object of a lower id draws over one of a higher one, so that there is one line between them.
void main() {
    vec2 size = vec2(textureSize(outlines, 0));
    ivec2 first = ivec2(round(view.rectangle.xy * size));
    ivec2 last = ivec2(round((view.rectangle.xy + view.rectangle.zw) * size)) - 1;
    ivec2 place = ivec2(gl_FragCoord.xy);
    float id = texelFetch(outlines, place, 0).a;
    vec3 color = vec3(0.0);
    ivec2 edge = ivec2(-1);
    for (int i = 0; i < 16; ++i) {
        vec2 step = directions[i & 7] * (i < 8 ? material.width : material.width * 0.5);
        ivec2 at = clamp(place + ivec2(round(step)), first, last);
        vec4 other = texelFetch(outlines, at, 0);
        bool is_edge = other.a > 0.0 && (id == 0.0 || other.a < id);
        color = is_edge ? other.rgb : color;
        edge = is_edge ? at : edge;
    }
    float opacity = edge.x < 0 ? 0.0 : is_in_front(max(edge, 0)) ? 1.0 : material.hidden;
    out_color = vec4(color, opacity);
}
"""
