// Simulates the particles of an emitter on the GPU: a thread has one slot. It takes its particle
// through all steps of time of the frame, with births, and writes what is drawn of it.
// docs/decisions/0047-particles-on-the-gpu.md has the idea.
vertices = "particle"
includes = ["core/shaders/include/particle_blob.glsl" "core/shaders/include/particle_steps.glsl"
            "core/shaders/include/particle_births.glsl"]

compute = """
layout(local_size_x = 64) in;

bool is_alive() {
    return age_of() < 1.0;
}

uint next_run;     // of births in the step of time
float since_birth; // seconds

// Whether a birth of the step of time belongs to this slot: birth n has slot n % capacity. One that
// finds the slot in use is left out.
bool is_born() {
    while (next_run < now.num_runs) {
        particle_run run = simulation.runs.at[now.first_run + next_run++];
        uint capacity = simulation.capacity;
        uint ahead = (slot + capacity - run.first % capacity) % capacity;
        if (ahead < run.count && !is_alive()) {
            since_birth = max(run.age - float(ahead) * run.interval, 0.0);
            bear(run.first + ahead, since_birth);
            return true;
        }
    }
    return false;
}

// Goes to the next pass. False: the frame is done.
bool next_pass() {
    if (pass == pass_init || pass == pass_size) {
        ++pass;
        if (pass == pass_update)
            begin_update(since_birth);
        return true;
    }
    for (;;) {
        if (pass == pass_none && now.seconds > 0.0 && is_alive()) {
            begin_update(now.seconds);
            return true;
        }
        if (is_born()) {
            pass = pass_init;
            return true;
        }
        if (now.next == no_record)
            return false;
        record = now.next;
        next_run = 0;
        pass = pass_none;
    }
}

vec3 drawn_axis() {
    uint facing = simulation.emitter.look.facing;
    bool is_along = facing == facing_velocity || facing == facing_stretched || facing == facing_motion;
    vec3 axis = vec3(0.0, 0.0, 1.0);
    if (is_along && has(semantic_velocity))
        axis = velocity_of();
    else if (facing == facing_normal && has(semantic_axis))
        axis = vector_at(channel_of(semantic_axis));
    else
        return axis;
    return is_local() ? transform_direction(now.to_world, axis) : axis;
}

vec4 drawn_color() {
    if (!has(semantic_color))
        return vec4(1.0);
    uint channel = channel_of(semantic_color);
    vec4 color = vec4(vector_at(channel), number_at(channel + 3));
    return min(max(color, vec4(0.0)), vec4(65504.0));
}

vec2 drawn_size() {
    uint channel = channel_of(semantic_size);
    vec2 size = vec2(1.0);
    if (channel != no_channel)
        size = vec2(number_at(channel), number_at(channel + 1));
    return size * now.size_scale;
}

float drawn_number(uint semantic) {
    return has(semantic) ? number_at(channel_of(semantic)) : 0.0;
}

void write(uint at, float x) {
    simulation.instances.at[slot * 12 + at] = floatBitsToUint(x);
}

// Writes the ct_particle_instance; one of a dead particle has no size.
void write_instance() {
    for (uint i = 0; i < 12; ++i)
        simulation.instances.at[slot * 12 + i] = 0;
    if (!is_alive())
        return;
    vec3 position = position_of(), axis = drawn_axis();
    if (is_local())
        position = transform_point(now.to_world, position);
    for (uint i = 0; i < 3; ++i) {
        write(i, position[i]);
        write(4 + i, axis[i]);
    }
    write(3, drawn_number(semantic_rotation));
    write(7, drawn_number(semantic_frame));
    vec2 size = drawn_size();
    write(8, size.x);
    write(9, size.y);
    vec4 color = drawn_color();
    simulation.instances.at[slot * 12 + 10] = packHalf2x16(color.xy);
    simulation.instances.at[slot * 12 + 11] = packHalf2x16(color.zw);
}

void main() {
    slot = gl_GlobalInvocationID.x;
    if (slot >= simulation.num_slots)
        return;
    record = simulation.first_record;
    next_run = 0;
    pass = pass_none;
    while (next_pass())
        run_pass();
    write_instance();
}
"""
