// Stages of shaders for particles (vertices = "particle"): makes a quad of each particle, or of a
// point of a ribbon and the next one. Needs frame.glsl.

#ifdef VERTEX_STAGE

// A particle, as src/render/render_particles.h has it, and the one after it.
layout(location = 0) in vec4 particle_position; // world space; w: rotation
layout(location = 1) in vec4 particle_axis;     // w: frame
layout(location = 2) in vec2 particle_size;
layout(location = 3) in vec4 particle_color;
layout(location = 4) in vec4 next_particle_position;
layout(location = 5) in vec4 next_particle_axis;
layout(location = 6) in vec2 next_particle_size;
layout(location = 7) in vec4 next_particle_color;

// How all particles of a draw are drawn.
layout(push_constant) uniform cloud_block {
    vec3 axis;
    float stretch; // seconds
    vec2 pivot;    // 0 0: the lower left of the picture
    vec2 grid;     // columns and rows of frames
    uint facing;   // ct_particle_facing
    uint is_ribbon;
    uint blends; // 1: between frames
} cloud;

const uint facing_camera = 0;
const uint facing_point = 1;
const uint facing_axis = 2;
const uint facing_velocity = 3;
const uint facing_stretched = 4;
const uint facing_fixed = 5;
const uint facing_normal = 6;

// A corner of a quad.
struct particle_corner {
    vec3 position; // world space
    vec4 color;    // linear, not multiplied by its alpha
    vec2 uv;       // in the texture, of the frame
    vec2 next_uv;  // and of the next frame
    float blend;   // share of the next frame
    vec2 place;    // -1 to 1 across the quad: to the right and up
    vec3 right;    // directions of the quad, of unit length
    vec3 up;
};

// The direction of a vector; of one without a direction, `otherwise`.
vec3 direction_or(vec3 v, vec3 otherwise) {
    float square = dot(v, v);
    return square > 1e-12 ? v * inversesqrt(square) : otherwise;
}

// The direction from a point to the camera.
vec3 to_camera(vec3 point) {
    vec3 back = -view.camera_pose[1].xyz;
    // An orthographic camera sees all points from the same direction. Without a condition, for which Mesa 22's CPU
    // driver makes the shader again in each frame.
    return mix(direction_or(view.camera_position.xyz - point, back), back, view.lens.w);
}

// The directions to the right and up of a quad with this normal; up as near to `upright` as it can
// be.
void stand(vec3 normal, vec3 upright, inout vec3 right, inout vec3 up) {
    right = direction_or(cross(upright, normal), right);
    up = cross(normal, right);
}

// The same of a quad that is upright along `axis` and turned to the camera.
void turn(vec3 axis, vec3 point, inout vec3 right, inout vec3 up) {
    up = axis;
    // Seen along the axis it is turned to the camera's right, or nowhere.
    right = direction_or(right - axis * dot(axis, right), direction_or(cross(axis, up.yzx), right));
    right = direction_or(cross(axis, to_camera(point)), right);
}

// The same of a quad that lies in the world with this normal.
void lie(vec3 normal, inout vec3 right, inout vec3 up) {
    vec3 upright = abs(normal.z) > 0.999 ? vec3(0.0, 1.0, 0.0) : vec3(0.0, 0.0, 1.0);
    stand(normal, upright, right, up);
}

// The directions to the right and up of the particle's quad, before it is rotated.
void face(out vec3 right, out vec3 up) {
    vec3 point = particle_position.xyz;
    right = view.camera_pose[0].xyz;
    up = view.camera_pose[2].xyz;
    if (cloud.facing == facing_camera)
        return;
    if (cloud.facing == facing_point)
        stand(to_camera(point), up, right, up);
    else if (cloud.facing == facing_axis)
        turn(direction_or(cloud.axis, up), point, right, up);
    else if (cloud.facing == facing_velocity || cloud.facing == facing_stretched)
        turn(direction_or(particle_axis.xyz, up), point, right, up);
    else if (cloud.facing == facing_fixed)
        lie(direction_or(cloud.axis, vec3(0.0, 0.0, 1.0)), right, up);
    else // the particle's normal, or the direction in which it moves
        lie(direction_or(particle_axis.xyz, to_camera(point)), right, up);
}

// The place in the texture of a place in a frame.
vec2 frame_uv(float frame, vec2 uv) {
    float count = cloud.grid.x * cloud.grid.y;
    frame = mod(floor(frame), count);
    float row = floor((frame + 0.5) / cloud.grid.x);
    return (vec2(frame - row * cloud.grid.x, row) + uv) / cloud.grid;
}

// Fills in the frames of the texture for a place in the quad.
void set_frames(inout particle_corner c, float frame, vec2 uv) {
    c.uv = frame_uv(frame, uv);
    c.next_uv = c.uv;
    c.blend = 0.0;
    if (cloud.blends != 0) {
        c.next_uv = frame_uv(frame + 1.0, uv);
        c.blend = fract(frame);
    }
}

particle_corner billboard_corner(vec2 place) {
    particle_corner c;
    vec3 right, up;
    face(right, up);
    float angle = particle_position.w, turned = sin(angle), kept = cos(angle);
    c.right = right * kept + up * turned;
    c.up = up * kept - right * turned;
    vec2 size = particle_size;
    if (cloud.facing == facing_stretched)
        size.y += length(particle_axis.xyz) * cloud.stretch;
    vec2 offset = (place - cloud.pivot) * size;
    c.position = particle_position.xyz + c.right * offset.x + c.up * offset.y;
    c.color = particle_color;
    c.place = place * 2.0 - 1.0;
    set_frames(c, particle_axis.w, vec2(place.x, 1.0 - place.y));
    return c;
}

// The direction across a ribbon at a point of it.
vec3 across(vec3 point, vec3 way) {
    vec3 normal = cloud.facing == facing_fixed
                      ? direction_or(cloud.axis, vec3(0.0, 0.0, 1.0)) : to_camera(point);
    return direction_or(cross(way, normal), vec3(0.0));
}

// Up is along the ribbon. The texture's u goes along it, and v across.
particle_corner ribbon_corner(vec2 place) {
    bool is_next = place.y > 0.5;
    vec4 point = is_next ? next_particle_position : particle_position;
    vec3 way = is_next ? next_particle_axis.xyz : particle_axis.xyz;
    vec2 size = is_next ? next_particle_size : particle_size;
    // Behind the last point nothing follows: all corners are one point.
    bool is_last = particle_axis.w > 0.5;
    particle_corner c;
    c.up = direction_or(way, view.camera_pose[2].xyz);
    c.right = across(point.xyz, c.up);
    c.position = is_last ? particle_position.xyz : point.xyz + c.right * (place.x - 0.5) * size.x;
    c.color = is_next ? next_particle_color : particle_color;
    c.uv = c.next_uv = vec2(point.w, place.x);
    c.blend = 0.0;
    c.place = vec2(place.x * 2.0 - 1.0, 0.0);
    return c;
}

// The corner that this vertex is.
particle_corner particle() {
    vec2 place = vec2(gl_VertexIndex == 1 || gl_VertexIndex == 2, gl_VertexIndex >= 2);
    if (cloud.is_ribbon != 0)
        return ribbon_corner(place);
    return billboard_corner(place);
}

#endif

#ifdef FRAGMENT_STAGE

// The colour of a texture between two frames.
vec4 blended_frames(sampler2D frames, vec2 uv, vec2 next_uv, float blend) {
    vec4 texel = texture(frames, uv);
    vec4 next = texture(frames, next_uv);
    return mix(texel, next, blend);
}

#endif
