// Set 0: what every shader of a frame may read. The structs stand in src/render/render_frame.h too.

layout(std140, set = 0, binding = 0) uniform view_block {
    mat4 view_projection; // world to clip space
    mat4 inverse_view_projection;
    mat4 camera_pose;
    vec4 camera_position; // world space
    vec4 rectangle;       // x, y, width, height of the viewport, in fractions of the targets
    vec4 size;            // of the back buffer: width, height in pixels; 1 / width, 1 / height
    vec4 time;            // x: the world's game time in seconds
    vec4 sky;             // light from above, everywhere; linear
    vec4 ground;          // and from below
} view;

struct directional_light {
    vec4 direction; // in which it shines; w is 0 for a light that is not used
    vec4 color;     // linear, times intensity
};

// A point or spot light.
struct local_light {
    vec4 position_reach; // world space; metres, 0 for a light that is not used
    vec4 color_start;    // linear, times intensity; w: metres, where the falloff starts
    vec4 cone;           // share of a direction: clamp(dot(direction, xyz) + w, 0, 1) squared
};

// A part of the shadow map; core/shaders/include/lighting.glsl reads it.
struct shadow_cascade {
    mat4 to_map;    // world to the map: x, y from 0 to 1 over all of it, and depth
    vec4 rectangle; // the least and the greatest x, y that the filter may be centred on
    vec4 range;     // metres before the camera where it begins to blend into the next, and where it
                    // ends (0: not used); metres of a texel; bias in depth
};

layout(std140, set = 0, binding = 2) uniform lights_block {
    uint num_directional;
    uint num_local;
    directional_light directional[4];
    local_light local[64];
    shadow_cascade cascades[4];
} lights;

// Whether directional[0] casts shadows and there are cascades. Known when a pipeline is made: Mesa's
// CPU driver runs both sides of a condition.
layout(constant_id = 0) const bool has_shadows = false;

layout(set = 0, binding = 3) uniform sampler2DShadow shadow_map; // for fragment stages

#ifdef VERTEX_STAGE

// The first three rows of an object's world matrix; x: where its values of instanced parameters are.
struct instance_data {
    vec4 rows[3];
    uvec4 values;
};

layout(std430, set = 0, binding = 1) readonly buffer instances_block {
    instance_data instances[];
};

// A point of this draw's object, from mesh to world space.
vec3 to_world_point(vec3 p) {
    instance_data i = instances[gl_InstanceIndex];
    vec4 h = vec4(p, 1.0);
    return vec3(dot(i.rows[0], h), dot(i.rows[1], h), dot(i.rows[2], h));
}

// A tangent: a direction along the surface, and the sign of the bitangent, which a mirrored object
// turns round.
vec4 to_world_tangent(vec4 t) {
    instance_data i = instances[gl_InstanceIndex];
    float side = sign(dot(i.rows[0].xyz, cross(i.rows[1].xyz, i.rows[2].xyz)));
    return vec4(dot(i.rows[0].xyz, t.xyz), dot(i.rows[1].xyz, t.xyz), dot(i.rows[2].xyz, t.xyz),
                t.w * side);
}

// A normal: by the cofactors of the matrix, so that it stays upright on the surface whatever the
// scale, mirrored ones included. Not of unit length.
vec3 to_world_normal(vec3 n) {
    instance_data i = instances[gl_InstanceIndex];
    vec3 x = cross(i.rows[1].xyz, i.rows[2].xyz);
    vec3 y = cross(i.rows[2].xyz, i.rows[0].xyz);
    vec3 z = cross(i.rows[0].xyz, i.rows[1].xyz);
    return vec3(dot(x, n), dot(y, n), dot(z, n)) * sign(dot(i.rows[0].xyz, x));
}

#endif
