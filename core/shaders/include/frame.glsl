// Set 0: data for every shader of a frame. src/render/render_frame.h has the same structs.

layout(std140, set = 0, binding = 0) uniform view_block {
    mat4 view_projection; // world to clip space
    mat4 inverse_view_projection;
    mat4 still_view_projection;    // without jitter
    mat4 previous_view_projection; // the last frame's, without jitter
    vec4 jitter;                   // xy: this frame's, zw: the last one's; in uv of the viewport
    mat4 camera_pose;
    vec4 camera_position; // world space
    vec4 previous_camera_position;
    vec4 rectangle; // x, y, width, height of the viewport, in fractions of the targets
    vec4 size;      // of the back buffer: width, height in pixels; 1 / width, 1 / height
    vec4 time;      // x: the world's game time in seconds
    vec4 history;   // x: 1 if pictures of the last frame are of use, else 0; y: frames since the
                    // last cut; z: seconds of game time since the last frame
    vec4 lens;      // near, far in metres; tangent of half the vertical angle, or half the height
                    // in metres; w: 1 if orthographic
    vec4 sky;       // ambient light from above; linear
    vec4 ground;    // ambient light from below; linear
    vec4 fog_color;
    vec4 fog_sun_color;
    vec4 fog;           // density, falloff, height, start: see the render config
    vec4 sky_intensity; // x
    vec4 custom[4];     // the render config says what these are
} view;

struct directional_light {
    vec4 direction; // the direction it shines in; w: 0 for an unused light
    vec4 color;     // linear, times intensity
};

// A point or spot light.
struct local_light {
    vec4 position_reach; // world space; w: metres, 0 for an unused light
    vec4 color_start;    // linear, times intensity; w: metres, where the falloff starts
    vec4 cone;           // brightness in a direction: clamp(dot(direction, xyz) + w, 0, 1) squared
};

// A cascade of the shadow map; core/shaders/include/lighting.glsl reads it.
struct shadow_cascade {
    mat4 to_map;    // world to shadow map: x and y from 0 to 1 over the whole map, and depth
    vec4 rectangle; // smallest and largest x, y of the filter's centre
    vec4 range;     // metres from the camera where it begins to blend into the next one,
                    // and where it ends (0: unused); size of a texel in metres; depth bias
};

layout(std140, set = 0, binding = 2) uniform lights_block {
    uint num_directional;
    uint num_local;
    directional_light directional[4];
    local_light local[64];
    shadow_cascade cascades[4];
} lights;

// Whether directional[0] casts shadows and there are cascades. A constant of the pipeline, because
// Mesa's CPU driver runs both sides of a condition.
layout(constant_id = 0) const bool has_shadows = false;

// What surfaces show in place of their light: the position of a choice; 0: their light. And whether
// sky_map holds the sky.
layout(constant_id = 3) const int surface_view = 0;
layout(constant_id = 4) const bool has_sky_map = false;

layout(set = 0, binding = 3) uniform sampler2DShadow shadow_map; // for fragment stages

// Copies of what is drawn before transparent surfaces, for fragment stages; one white pixel in a
// frame without copies (core/shaders/include/behind.glsl).
layout(set = 0, binding = 7) uniform sampler2D scene_color;
layout(set = 0, binding = 8) uniform sampler2D scene_depth;

#ifdef VERTEX_STAGE

// The first three rows of an object's world matrix; x: position of its instanced values; y and z:
// positions of its joints' matrices of this frame and the last, if it is skinned; w: position of its
// rows of the last frame, or 0 if it did not move, and in the highest 4 bits its level of detail.
struct instance_data {
    vec4 rows[3];
    uvec4 values;
};

layout(std430, set = 0, binding = 1) readonly buffer instances_block {
    instance_data instances[];
};

// Transforms a point of this draw's object from mesh to world space.
vec3 to_world_point(vec3 p) {
    instance_data i = instances[gl_InstanceIndex];
    vec4 h = vec4(p, 1.0);
    return vec3(dot(i.rows[0], h), dot(i.rows[1], h), dot(i.rows[2], h));
}

layout(std430, set = 0, binding = 4) readonly buffer instance_vectors_block {
    vec4 instance_vectors[];
};

// Transforms a point from mesh space to where it was in the last frame's world space. Points of
// skinned meshes are moved by the object only.
vec3 to_previous_world_point(vec3 p) {
    instance_data i = instances[gl_InstanceIndex];
    uint at = i.values.w & 0x0fffffffu;
    if (at == 0u)
        return to_world_point(p);
    vec4 h = vec4(p, 1.0);
    return vec3(dot(instance_vectors[at], h), dot(instance_vectors[at + 1u], h),
                dot(instance_vectors[at + 2u], h));
}

// The object's level of detail: 0 is the full one.
uint level_of_detail() { return instances[gl_InstanceIndex].values.w >> 28; }

// Transforms a tangent: a direction along the surface, and the sign of the bitangent, which a
// mirrored object flips.
vec4 to_world_tangent(vec4 t) {
    instance_data i = instances[gl_InstanceIndex];
    float side = sign(dot(i.rows[0].xyz, cross(i.rows[1].xyz, i.rows[2].xyz)));
    return vec4(dot(i.rows[0].xyz, t.xyz), dot(i.rows[1].xyz, t.xyz), dot(i.rows[2].xyz, t.xyz),
                t.w * side);
}

// Transforms a normal by the cofactors of the matrix, so that it stays perpendicular to the surface
// at any scale, mirrored ones included. The result is not of unit length.
vec3 to_world_normal(vec3 n) {
    instance_data i = instances[gl_InstanceIndex];
    vec3 x = cross(i.rows[1].xyz, i.rows[2].xyz);
    vec3 y = cross(i.rows[2].xyz, i.rows[0].xyz);
    vec3 z = cross(i.rows[0].xyz, i.rows[1].xyz);
    return vec3(dot(x, n), dot(y, n), dot(z, n)) * sign(dot(i.rows[0].xyz, x));
}

#endif
