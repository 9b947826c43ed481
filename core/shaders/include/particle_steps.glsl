// Particles on the GPU: the steps of an emitter's program for one particle, as
// src/particles/particle_steps.c and its neighbours run them on the CPU. Needs particle_blob.glsl.

// --- Random numbers and noise (particle_random.h, particle_noise.h) ------------------------------

uint particle_hash(uint x) {
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

uint particle_seed(uint effect_seed, uint emitter, uint number) {
    return particle_hash(effect_seed + particle_hash(number ^ emitter * 0x9e3779b9u));
}

float particle_random(uint seed, uint use) {
    return float(particle_hash(seed ^ use * 0x9e3779b9u) >> 8) * (1.0 / 16777216.0);
}

// A whole number below `count`.
uint particle_random_below(uint seed, uint use, uint count) {
    uint high, low;
    umulExtended(particle_hash(seed ^ use * 0x9e3779b9u), count, high, low);
    return high;
}

vec3 particle_curl_noise(vec3 point) {
    point = clamp(point, vec3(-1e6), vec3(1e6));
    vec3 whole = floor(point);
    ivec3 cell = ivec3(whole);
    vec3 t = point - whole;
    vec3 up = t * t * t * (t * (t * 6.0 - 15.0) + 10.0), slope = 30.0 * t * t * (t * (t - 2.0) + 1.0);
    vec3 blends[2] = vec3[](1.0 - up, up);
    vec3 slopes[2] = vec3[](-slope, slope);
    vec3 dx = vec3(0.0), dy = vec3(0.0), dz = vec3(0.0); // of the three noises
    for (uint corner = 0; corner < 8; ++corner) {
        uint i = corner & 1, j = corner >> 1 & 1, k = corner >> 2;
        uint hash = particle_hash(uint(cell.x + int(i)) * 0x8da6b343u ^
                                  uint(cell.y + int(j)) * 0xd8163841u ^
                                  uint(cell.z + int(k)) * 0xcb1ab31fu);
        vec3 value = vec3(hash & 1023, hash >> 10 & 1023, hash >> 20 & 1023) * (2.0 / 1023.0) - 1.0;
        dx += slopes[i].x * blends[j].y * blends[k].z * value;
        dy += blends[i].x * slopes[j].y * blends[k].z * value;
        dz += blends[i].x * blends[j].y * slopes[k].z * value;
    }
    return vec3(dy.z - dz.y, dz.x - dx.z, dx.y - dy.x);
}

// --- The particle --------------------------------------------------------------------------------

uint slot;     // of the particle
uint record;   // of the step of time
particle_step current; // the same

#define now simulation.records.at[record]

uint channel_of(uint semantic) {
    return simulation.emitter.channels[semantic >> 2] >> (semantic & 3) * 8 & 255;
}

bool has(uint semantic) {
    return channel_of(semantic) != no_channel;
}

uint word_at(uint channel) {
    return simulation.channels.at[channel * simulation.capacity + slot];
}

float number_at(uint channel) {
    return uintBitsToFloat(word_at(channel));
}

vec3 vector_at(uint channel) {
    return vec3(number_at(channel), number_at(channel + 1), number_at(channel + 2));
}

void set_word(uint channel, uint x) {
    simulation.channels.at[channel * simulation.capacity + slot] = x;
}

void set_number(uint channel, float x) {
    set_word(channel, floatBitsToUint(x));
}

void set_vector(uint channel, vec3 x) {
    for (uint i = 0; i < 3; ++i)
        set_number(channel + i, x[i]);
}

float age_of() {
    return number_at(channel_of(semantic_age));
}

void set_age(float age) {
    set_number(channel_of(semantic_age), age);
}

vec3 position_of() {
    return vector_at(channel_of(semantic_position));
}

vec3 velocity_of() {
    return has(semantic_velocity) ? vector_at(channel_of(semantic_velocity)) : vec3(0.0);
}

bool is_local() {
    return (simulation.emitter.flags & emitter_local) != 0;
}

// --- Values (particle_value.c) -------------------------------------------------------------------

vec4 four(float numbers[4]) {
    return vec4(numbers[0], numbers[1], numbers[2], numbers[3]);
}

vec3 three(float numbers[3]) {
    return vec3(numbers[0], numbers[1], numbers[2]);
}

vec4 curve_at(uint first, float at) {
    float place = at > 0.0 ? (at < 1.0 ? at * 64.0 : 64.0) : 0.0;
    uint before = min(uint(place), 63u);
    vec4 sample_before = simulation.samples.at[first + before];
    vec4 sample_behind = simulation.samples.at[first + before + 1];
    return sample_before + (sample_behind - sample_before) * (place - float(before));
}

bool is_curve(particle_value v) {
    return (v.kind & 255) >= source_curve;
}

vec4 with_variable(particle_value v, vec4 x) {
    uint variable = v.kind >> 16 & 255;
    if (variable == 0 || variable > now.num_variables)
        return x;
    uint first = (now.first_variable + variable - 1) * 4;
    for (uint i = 0; i < 4; ++i)
        x[i] *= simulation.variables.at[first + i];
    return x;
}

// A value of the emitter.
vec4 emitter_value(uint value) {
    particle_value v = simulation.values.at[value];
    return with_variable(v, (v.kind & 255) == source_curve ? curve_at(v.curves[0], now.clock)
                                                           : four(v.a));
}

vec4 values[3]; // of the step that runs, where it has values of the emitter

// A value of the particle: `at` is the place in its curves.
vec4 particle_value_at(particle_value v, float at, uint seed, uint use) {
    vec4 x = is_curve(v) ? curve_at(v.curves[0], at) : four(v.a);
    uint source = v.kind & 255;
    if (source == source_range || source == source_curve_range) {
        vec4 most = source == source_range ? four(v.b) : curve_at(v.curves[1], at);
        bool is_uniform = (v.kind >> 24 & value_uniform) != 0;
        for (uint i = 0; i < 4; ++i)
            x[i] += (most[i] - x[i]) * particle_random(seed, use + (is_uniform ? 0 : i));
    }
    return with_variable(v, x);
}

// --- Spaces --------------------------------------------------------------------------------------

vec3 rotate_by(vec4 q, vec3 v) {
    return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

vec4 rotation_of() {
    vec4 q = four(now.rotation);
    float square = dot(q, q);
    return square > 0.0 ? q * inversesqrt(square) : vec4(0.0, 0.0, 0.0, 1.0);
}

vec4 conjugate(vec4 q) {
    return vec4(-q.xyz, q.w);
}

vec3 transform_direction(float m[12], vec3 v) {
    return vec3(m[0], m[1], m[2]) * v.x + vec3(m[3], m[4], m[5]) * v.y + vec3(m[6], m[7], m[8]) * v.z;
}

vec3 transform_point(float m[12], vec3 v) {
    return transform_direction(m, v) + vec3(m[9], m[10], m[11]);
}

vec3 direction_to_world(vec3 v) {
    return rotate_by(rotation_of(), v * three(now.scale));
}

vec3 direction_from_world(vec3 v) {
    v = rotate_by(conjugate(rotation_of()), v);
    vec3 scale = three(now.scale);
    for (uint i = 0; i < 3; ++i)
        v[i] = scale[i] != 0.0 ? v[i] / scale[i] : 0.0;
    return v;
}

// Brings what a step gives into the space of the emitter's particles.
vec3 direction_in_space(vec3 v) {
    bool step_is_local = (current.flags & step_local) != 0;
    if (step_is_local == is_local())
        return v;
    return step_is_local ? direction_to_world(v) : direction_from_world(v);
}

vec3 point_in_space(vec3 v) {
    bool step_is_local = (current.flags & step_local) != 0;
    if (step_is_local == is_local())
        return v;
    return step_is_local ? transform_point(now.to_world, v) : transform_point(now.from_world, v);
}

vec3 direction_or_zero(vec3 v) {
    float size = length(v);
    return size > 0.0 ? v / size : vec3(0.0);
}

// --- Forces and motion ---------------------------------------------------------------------------

vec3 forces; // metres / s2
float drag;
float seconds; // that the particle is stepped by

void add_noise() {
    float strength = values[0].x, frequency = values[1].x, way = values[2].x * now.time;
    if ((current.flags & step_wind) != 0)
        strength *= drag;
    vec3 point = position_of() + vec3(0.0, 0.0, way);
    forces += particle_curl_noise(point * frequency) * strength;
}

void attract() {
    vec4 how = values[2]; // power, radius, kill radius
    vec3 way = point_in_space(values[0].xyz) - position_of();
    float square = dot(way, way), distance = max(sqrt(square), 0.01);
    float divisor = how.x == 0.0 ? 1.0 : how.x == 1.0 ? distance : pow(distance, how.x);
    if (!(how.y > 0.0) || distance < how.y)
        forces += way * (values[1].x / (divisor * distance));
    if (how.z > 0.0 && square < how.z * how.z)
        set_age(1.0);
}

// The exact motion under a constant acceleration, drag and wind.
void move() {
    vec3 wind = direction_in_space(values[1].xyz);
    float product = drag * seconds, keep = exp(-product), go, fall;
    if (product < 0.1) { // series, where the differences lose their digits
        float p = product;
        go = seconds * (1.0 - p / 2.0 * (1.0 - p / 3.0 * (1.0 - p / 4.0 * (1.0 - p / 5.0))));
        fall = seconds * seconds * (0.5 - p / 6.0 * (1.0 - p / 4.0 * (1.0 - p / 5.0 * (1.0 - p / 6.0))));
    } else {
        go = (1.0 - keep) / drag;
        fall = (seconds - go) / drag;
    }
    vec3 v = velocity_of();
    set_vector(channel_of(semantic_position),
               position_of() + v * go + forces * fall + wind * (seconds - go));
    if (has(semantic_velocity))
        set_vector(channel_of(semantic_velocity), v * keep + forces * go + wind * (1.0 - keep));
}

void orbit() {
    vec3 center = point_in_space(values[0].xyz);
    vec3 axis = direction_or_zero(direction_in_space(values[1].xyz));
    vec4 speeds = values[2]; // radians a second, metres a second outwards
    if (axis == vec3(0.0))
        return;
    float angle = speeds.x * seconds * 0.5, outwards = speeds.y * seconds;
    vec4 turn = vec4(axis * sin(angle), cos(angle));
    vec3 to = rotate_by(turn, position_of() - center);
    vec3 radius = to - axis * dot(to, axis);
    float size = length(radius);
    if (size > 1e-6) // never through the axis
        to += radius * (max(outwards, -size) / size);
    set_vector(channel_of(semantic_position), center + to);
    if (has(semantic_velocity))
        set_vector(channel_of(semantic_velocity), rotate_by(turn, velocity_of()));
}

void limit_speed() {
    float most = max(values[0].x, 0.0);
    vec3 v = velocity_of();
    float speed = length(v);
    if (has(semantic_velocity) && speed > most)
        set_vector(channel_of(semantic_velocity), v * (most / max(speed, 1e-20)));
}

void kill_by_volume() {
    bool step_is_local = (current.flags & step_local) != 0;
    vec3 p = position_of();
    if (step_is_local != is_local())
        p = is_local() ? transform_point(now.to_world, p) : transform_point(now.from_world, p);
    vec4 v0 = values[0];
    float depth;
    bool kills_inside = (current.flags & step_inside) != 0 || current.op == op_kill_plane;
    if (current.op == op_kill_plane) {
        depth = v0.w - dot(p, v0.xyz);
    } else if (current.op == op_kill_sphere) {
        float radius = values[1].x;
        depth = radius * radius - dot(p - v0.xyz, p - v0.xyz);
    } else {
        vec3 ways = values[1].xyz - abs(p - v0.xyz);
        depth = min(ways.x, min(ways.y, ways.z));
    }
    if (kills_inside ? depth > 0.0 : depth <= 0.0)
        set_age(1.0);
}

// --- Planes (particle_collide.c) -----------------------------------------------------------------

const float least_hit_speed = 0.05;

// The step's plane in the space of the particles: normal and distance. A normal of 0: none.
vec4 plane_of() {
    vec4 v = values[0];
    vec3 normal = direction_or_zero(v.xyz), scale = three(now.scale);
    bool step_is_local = (current.flags & step_local) != 0;
    if (step_is_local == is_local())
        return vec4(normal, v.w);
    if (step_is_local) {
        vec3 point = transform_point(now.to_world, normal * v.w);
        vec3 n = normal * vec3(scale.y * scale.z, scale.z * scale.x, scale.x * scale.y);
        if (scale.x * scale.y * scale.z < 0.0)
            n = -n;
        normal = rotate_by(rotation_of(), direction_or_zero(n));
        return vec4(normal, dot(normal, point));
    }
    vec3 turned = rotate_by(conjugate(rotation_of()), normal) * scale;
    float size = length(turned);
    if (!(size > 0.0))
        return vec4(0.0);
    return vec4(turned / size, (v.w - dot(normal, three(now.position))) / size);
}

float seconds_since_contact(float height, float speed, float acceleration) {
    float square = speed * speed - 2.0 * acceleration * height;
    if (!(square >= 0.0))
        return seconds;
    float since = 2.0 * height / (speed - sqrt(square));
    return since >= 0.0 && since < seconds ? since : seconds;
}

void collide_plane() {
    vec4 plane = plane_of(), how = values[1]; // bounce, friction, lifetime lost, radius
    if (!has(semantic_velocity) || plane.xyz == vec3(0.0) || !(seconds > 0.0))
        return;
    float bounce = max(how.x, 0.0), friction = clamp(how.y, 0.0, 1.0), size = 1.0;
    if (has(semantic_size)) {
        uint channel = channel_of(semantic_size);
        size = max(number_at(channel), number_at(channel + 1));
    }
    vec3 position = position_of(), velocity = velocity_of(), normal = plane.xyz;
    float height = dot(position, normal) - plane.w -
                   size * max(how.w, 0.0) * (is_local() ? 1.0 : now.size_scale);
    if (!(height < 0.0))
        return;
    float speed = dot(velocity, normal), acceleration = dot(forces - velocity * drag, normal);
    float since = seconds_since_contact(height, speed, acceleration);
    float before = speed - acceleration * since; // when it met the plane
    float pressed = abs(acceleration) * seconds;
    bool is_hit = -before > least_hit_speed + 0.5 * pressed;
    float after = 0.0, rise = 0.0;
    if (before > 0.0) { // it was below and comes out
        after = max(speed, 0.0);
    } else if (-2.0 * bounce * before > -acceleration * seconds) {
        after = acceleration * since - bounce * before;
        rise = (0.5 * acceleration * since - bounce * before) * since;
    }
    vec3 along = velocity - normal * speed;
    float along_speed = length(along), lost = friction * pressed;
    float kept = is_hit ? 1.0 - friction : lost < along_speed ? 1.0 - lost / along_speed : 0.0;
    set_vector(channel_of(semantic_velocity), along * kept + normal * after);
    set_vector(channel_of(semantic_position),
               position + normal * (max(rise, 0.0) - height) - along * ((1.0 - kept) * since));
    if (has(semantic_spin) && friction > 0.0)
        set_number(channel_of(semantic_spin), number_at(channel_of(semantic_spin)) * kept);
    if (is_hit)
        set_age(age_of() + clamp(how.z, 0.0, 1.0));
}

// --- Values over life ----------------------------------------------------------------------------

// SET, at birth, and CURVE.
void set_values() {
    bool is_birth = current.op == op_set;
    uint seed = word_at(channel_of(semantic_seed));
    vec4 x = particle_value_at(simulation.values.at[current.first_value],
                               is_birth ? now.clock : age_of(), seed,
                               random_step + current.number * 8);
    for (uint i = 0; i < current.num_components; ++i) {
        if (!is_birth && current.source != no_channel)
            x[i] *= number_at(current.source + i);
        set_number(current.channel + i, x[i]);
    }
}

void add_over_time() {
    for (uint i = 0; i < current.num_components; ++i) {
        float each = current.source == no_channel ? values[0][i] : number_at(current.source + i);
        set_number(current.channel + i, number_at(current.channel + i) + each * seconds);
    }
}

// --- The program ---------------------------------------------------------------------------------

// How many values of the emitter a step has.
uint num_values_of(particle_step step) {
    switch (step.op) {
    case op_noise:
    case op_attract:
    case op_orbit: return 3;
    case op_move:
    case op_collide_plane:
    case op_kill_box:
    case op_kill_sphere: return 2;
    case op_accelerate:
    case op_limit_speed:
    case op_kill_plane: return 1;
    case op_add: return step.source == no_channel ? 1 : 0;
    default: return 0;
    }
}

void run_current() {
    uint count = num_values_of(current);
    for (uint i = 0; i < count; ++i)
        values[i] = emitter_value(current.first_value + i);
    switch (current.op) {
    case op_set:
    case op_curve: set_values(); break;
    case op_age: set_age(age_of() + number_at(channel_of(semantic_ageing)) * seconds); break;
    case op_accelerate: forces += direction_in_space(values[0].xyz); break;
    case op_noise: add_noise(); break;
    case op_attract: attract(); break;
    case op_move: move(); break;
    case op_orbit: orbit(); break;
    case op_limit_speed: limit_speed(); break;
    case op_collide_plane: collide_plane(); break;
    case op_kill_box:
    case op_kill_sphere:
    case op_kill_plane: kill_by_volume(); break;
    case op_add: add_over_time(); break;
    default: break; // others stay on the CPU
    }
}

// What is run of the emitter's steps.
const uint pass_none = 0;   // nothing yet, in this step of time
const uint pass_init = 1;   // `init`, of a birth
const uint pass_size = 2;   // curves of the size, of a birth: collisions need it
const uint pass_update = 3; // `update`, for some seconds

uint pass;

// Makes `update` the next pass.
void begin_update(float for_seconds) {
    pass = pass_update;
    seconds = for_seconds;
    forces = vec3(0.0);
    drag = 0.0;
    uint count = simulation.emitter.update.count, first = count;
    for (uint i = count; i-- > 0;)
        if (simulation.update.at[i].op == op_move)
            first = i;
    if (first < count)
        drag = max(emitter_value(simulation.update.at[first].first_value).x, 0.0);
}

// Compilers for devices put functions in line where they are called. The steps are much code:
// nothing but this loop calls them.
void run_pass() {
    bool is_init = pass == pass_init;
    uint count = is_init ? simulation.emitter.init.count : simulation.emitter.update.count;
    for (uint i = 0; i < count; ++i) {
        if (is_init)
            current = simulation.init.at[i];
        else
            current = simulation.update.at[i];
        if (pass == pass_size &&
            (current.op != op_curve || current.channel != channel_of(semantic_size)))
            continue;
        run_current();
    }
}
