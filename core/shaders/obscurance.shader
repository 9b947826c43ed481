// Obscurance: how much of the ambient light near surfaces keep away from a point. From McGuire, Mara
// and Luebke 2012, "Scalable Ambient Obscurance": samples of the depth around a point, the farther
// ones from coarser mips, each weighted by how far it rises above the point's plane.
vertices = "fullscreen"
depth_test = false
depth_write = false
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"
            "core/shaders/include/noise.glsl" "core/shaders/include/reproject.glsl"
            "core/shaders/include/obscurance.glsl"]

parameters = {
    radius = { type = "scalar"  default = 0.5  doc = "Farther surfaces do not count, in metres." }
    intensity = { type = "scalar"  default = 1  doc = "Multiplies the obscurance." }
    taps = { type = "scalar"  default = 6  doc = "Samples of each pixel in a frame." }
}

vertex = """
layout(location = 0) out vec2 out_uv;

void main() {
    gl_Position = fullscreen_corner(out_uv);
}
"""

fragment = """
layout(set = 2, binding = 0) uniform sampler2D depths;
layout(set = 2, binding = 1) uniform sampler2D distances; // with all mips

layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_obscurance;

const int num_mips = 5;
// Each sample is turned by this angle to the one before: 1 - 1 / golden ratio of a turn.
const mat2 golden_turn = mat2(-0.737369, 0.675490, -0.675490, -0.737369);

// From pixels to positions: x and y right and down on a plane one metre away.
struct picture_plane {
    vec2 scale, offset;  // pixels of the depth target
    vec2 full_over_own; // pixels of the depth target in one of ours
};

// A corner of the picture, right and down of the camera's axis, a metre away.
vec2 find_corner(vec2 view_uv) {
    float z = min(100.0 * view.lens.x, view.lens.y);
    vec3 v = world_position(view_uv, device_depth(z)) - view.camera_position.xyz;
    vec2 place = vec2(dot(v, view.camera_pose[0].xyz), -dot(v, view.camera_pose[2].xyz));
    return view.lens.w > 0.5 ? place : place / dot(v, view.camera_pose[1].xyz);
}

picture_plane find_plane() {
    picture_plane p;
    vec2 full = vec2(textureSize(depths, 0));
    p.full_over_own = full / vec2(textureSize(distances, 0));
    vec2 corner = find_corner(vec2(0.0));
    p.scale = (find_corner(vec2(1.0)) - corner) / (full * view.rectangle.zw);
    p.offset = corner - view.rectangle.xy * full * p.scale;
    return p;
}

// The position, in the camera's space (right, down, forwards), of a pixel at distance z.
vec3 position_of(picture_plane p, ivec2 pixel, float z) {
    vec2 full = floor((vec2(pixel) + 0.5) * p.full_over_own + 0.01) + 0.5;
    return vec3((full * p.scale + p.offset) * (view.lens.w > 0.5 ? 1.0 : z), z);
}

float distance_at(ivec2 pixel, ivec4 area) {
    return abs(texelFetch(distances, clamp(pixel, area.xy, area.zw), 0).r);
}

// The surface's normal, towards the camera: from the neighbour on each axis that is nearer in depth,
// so that it is right up to an edge.
vec3 normal_at(picture_plane p, ivec2 at, vec3 position, ivec4 area) {
    float left = distance_at(at - ivec2(1, 0), area);
    float right = distance_at(at + ivec2(1, 0), area);
    float above = distance_at(at - ivec2(0, 1), area);
    float below = distance_at(at + ivec2(0, 1), area);
    bool is_right = at.x == area.x ||
                    (at.x < area.z && abs(right - position.z) < abs(left - position.z));
    bool is_below = at.y == area.y ||
                    (at.y < area.w && abs(below - position.z) < abs(above - position.z));
    vec3 x = is_right ? position_of(p, at + ivec2(1, 0), right) - position
                      : position - position_of(p, at - ivec2(1, 0), left);
    vec3 y = is_below ? position_of(p, at + ivec2(0, 1), below) - position
                      : position - position_of(p, at - ivec2(0, 1), above);
    return normalize(cross(y, x)); // right, down, forwards is a right-handed space
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    ivec4 area = view_pixels(textureSize(distances, 0));
    picture_plane plane = find_plane();
    float z = distance_at(at, area);
    vec3 position = position_of(plane, at, z);
    vec3 normal = normal_at(plane, at, position, area);

    // The radius in pixels; a sample must lie beside the pixel to see anything.
    vec2 pixel_size = plane.scale * plane.full_over_own * (view.lens.w > 0.5 ? 1.0 : z);
    float radius = material.radius / pixel_size.y;
    float radius2 = material.radius * material.radius;
    float bias = 0.02 * material.radius + 0.0005 * z;
    float least_distance2 = 0.01 * radius2;

    // Turned in each frame, and in each pixel of the pattern that stretches the spiral.
    float dither = bayer4(at);
    float start = 6.2831853 * (halton3_of_8(view.history.y) + dither);
    vec2 direction = vec2(cos(start), sin(start));
    int taps = int(material.taps);
    float sum = 0.0;
    float moving = 0.0;
    float count = 0.0; // samples inside the picture
    for (int i = 0; i < taps; ++i) {
        float share = (float(i) + dither) / float(taps) * radius;
        // From 16 pixels on, a mip less each time the distance doubles.
        int mip = int(share >= 16.0) + int(share >= 32.0) + int(share >= 64.0) + int(share >= 128.0);
        ivec2 pixel = at + ivec2(floor(direction * share + 0.5));
        float is_inside = all(equal(pixel, clamp(pixel, area.xy, area.zw))) ? 1.0 : 0.0;
        pixel = clamp(pixel, area.xy, area.zw);
        ivec2 texel = min(pixel >> mip, max(textureSize(distances, 0) >> mip, 1) - 1);
        float found = texelFetch(distances, texel, mip).r;
        moving += found < 0.0 ? is_inside : 0.0;
        count += is_inside;
        // The pixel of mip 0 that obscurance_mip.shader kept.
        pixel = (texel << mip) | (ivec2(5, 10) & ((1 << mip) - 1));
        vec3 v = position_of(plane, pixel, abs(found)) - position;
        float v2 = dot(v, v);
        float near = max(1.0 - v2 / radius2, 0.0);
        sum += is_inside * near * near * near * max(dot(v, normal) - bias, 0.0) / (v2 + least_distance2);
        direction = golden_turn * direction;
    }
    // Twice the mean: about half of the light is left in a right-angled corner.
    float obscurance = 2.0 * material.intensity * material.radius * sum / max(count, 1.0);
    // It fades out where the radius is a pixel or two, and where there is only the sky.
    obscurance *= clamp(radius - 1.0, 0.0, 1.0) * (is_sky(z) ? 0.0 : 1.0);
    out_obscurance = vec4(clamp(1.0 - obscurance, 0.0, 1.0), min(z, most_distance), moving / max(count, 1.0), 0.0);
}
"""
