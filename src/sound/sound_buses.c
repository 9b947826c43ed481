#include <math.h>

#include "sound/sound_system_private.h"

// The root of a system without buses.
static const ct_sound_bus only_root = {
    .parent = CT_SOUND_NO_BUS, .low_pass = CT_SOUND_OPEN_HZ, .duck_by = CT_SOUND_NO_BUS};

void ct_sound_buses_init(ct_sound_system *s) {
    ct_array_init(&s->buses.volumes, s->allocator);
    ct_array_init(&s->buses.snapshots, s->allocator);
    s->buses.num_buses = 1;
    s->buses.gains[0] = 1;
    s->buses.must_send = true;
}

void ct_sound_buses_free(ct_sound_system *s) {
    ct_array_free(&s->buses.volumes);
    ct_array_free(&s->buses.snapshots);
}

const ct_sound_bus_resource *ct_sound_system_buses(const ct_sound_system *s) {
    return s->buses.resource;
}

void ct_sound_system_set_buses(ct_sound_system *s, const ct_sound_bus_resource *buses) {
    s->buses.resource = buses;
    s->buses.num_buses = buses ? buses->buses.count : 1;
    s->buses.num_sends = buses ? buses->sends.count : 0;
    s->buses.must_send = true;
    memset(s->buses.peaks, 0, sizeof(s->buses.peaks));
    ct_mixer_set_buses(s->mixer, buses);
    ct_sound_buses_update(s, 0); // voices that start before the next frame count with the new gains
    for (uint32_t slot = 1; slot < s->instances.block.count; ++slot)
        if (ct_sound_has_flag(s, slot, CT_SOUND_INSTANCE_LIVE))
            ct_sound_find_instance_bus(s, slot);
}

// --- Volumes of players --------------------------------------------------------------------------

float ct_sound_system_volume(const ct_sound_system *s, ct_string_id32 bus) {
    for (uint32_t i = 0; i < s->buses.volumes.count; ++i)
        if (s->buses.volumes.items[i].name.value == bus.value)
            return s->buses.volumes.items[i].volume;
    return 1;
}

static void keep_volume(ct_sound_buses *b, ct_string_id32 bus, float volume) {
    for (uint32_t i = 0; i < b->volumes.count; ++i) {
        if (b->volumes.items[i].name.value == bus.value) {
            b->volumes.items[i].volume = volume;
            return;
        }
    }
    ct_array_push(&b->volumes, (ct_sound_player_volume){bus, volume});
}

bool ct_sound_system_set_volume(ct_sound_system *s, ct_string_id32 bus, float volume) {
    if (!isfinite(volume)) {
        ct_log_warning("sound", "sound_not_finite", "volume of bus %s: found no finite number",
                       ct_string_id32_name(bus));
    } else {
        keep_volume(&s->buses, bus, fminf(fmaxf(volume, 0), 1));
    }
    return s->buses.resource && ct_sound_find_bus(s->buses.resource, bus) != CT_SOUND_NO_BUS;
}

// --- Snapshots -----------------------------------------------------------------------------------

static const ct_sound_snapshot *snapshot_named(const ct_sound_buses *b, ct_string_id32 name) {
    const ct_sound_bus_resource *const r = b->resource;
    const uint32_t index = r ? ct_sound_find_snapshot(r, name) : UINT32_MAX;
    return index == UINT32_MAX
               ? NULL
               : (const ct_sound_snapshot *)ct_blob_at(r, r->snapshots.offset) + index;
}

// Returns the state of a snapshot, which becomes the last one if it had no weight.
static ct_sound_snapshot_state *state_of_snapshot(ct_sound_buses *b, ct_string_id32 name) {
    for (uint32_t i = 0; i < b->snapshots.count; ++i)
        if (b->snapshots.items[i].name.value == name.value)
            return &b->snapshots.items[i];
    ct_array_push(&b->snapshots, (ct_sound_snapshot_state){.name = name});
    return &b->snapshots.items[b->snapshots.count - 1];
}

bool ct_sound_system_set_snapshot(ct_sound_system *s, ct_string_id32 name, float weight,
                                  float seconds) {
    const ct_sound_snapshot *const snapshot = snapshot_named(&s->buses, name);
    if (!snapshot)
        return false;
    if (!isfinite(weight) || !isfinite(seconds)) {
        ct_log_warning("sound", "sound_not_finite", "snapshot %s: found no finite number",
                       ct_string_id32_name(name));
        return true;
    }
    ct_sound_snapshot_state *const state = state_of_snapshot(&s->buses, name);
    const float fade = seconds < 0 ? snapshot->fade : seconds;
    state->target = fminf(fmaxf(weight, 0), 1);
    if (fade > 0)
        state->speed = fabsf(state->target - state->weight) / fade;
    else
        state->weight = state->target;
    return true;
}

float ct_sound_system_snapshot(const ct_sound_system *s, ct_string_id32 name) {
    for (uint32_t i = 0; i < s->buses.snapshots.count; ++i)
        if (s->buses.snapshots.items[i].name.value == name.value)
            return s->buses.snapshots.items[i].weight;
    return 0;
}

static void move_snapshots(ct_sound_buses *b, float dt) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < b->snapshots.count; ++i) {
        ct_sound_snapshot_state state = b->snapshots.items[i];
        const float step = state.speed * dt;
        state.weight = state.weight < state.target ? fminf(state.weight + step, state.target)
                                                   : fmaxf(state.weight - step, state.target);
        if (state.weight > 0 || state.target > 0)
            b->snapshots.items[count++] = state;
    }
    b->snapshots.count = count;
}

// --- Meters --------------------------------------------------------------------------------------

float ct_sound_system_peak(ct_sound_system *s, uint32_t bus) {
    if (bus >= s->buses.num_buses)
        return 0;
    float *const peak = &s->buses.peaks[bus];
    *peak = fmaxf(*peak, ct_mixer_bus_peak(s->mixer, bus)); // since it was asked last
    return *peak;
}

static void move_meters(ct_sound_system *s, float dt) {
    const float fall = ct_sound_gain_of_db(-CT_SOUND_METER_FALL * dt);
    for (uint32_t i = 0; i < s->buses.num_buses; ++i) {
        s->buses.peaks[i] *= fall;
        ct_sound_system_peak(s, i);
    }
}

// --- Numbers -------------------------------------------------------------------------------------

// The numbers of all buses and sends, in dB and Hz as in the resource.
typedef struct bus_numbers {
    ct_sound_bus buses[CT_SOUND_MAX_BUSES];
    float sends[CT_SOUND_MAX_SENDS];
} bus_numbers;

// Frequencies go evenly in octaves.
static float mix_hertz(float a, float b, float t) {
    return a > 0 && b > 0 ? a * powf(b / a, t) : a + (b - a) * t;
}

static float mix(float a, float b, float t) {
    return a + (b - a) * t;
}

static void add_setting(bus_numbers *n, const ct_sound_bus_setting *setting, float weight) {
    ct_sound_bus *const bus = &n->buses[setting->bus];
    switch ((ct_sound_bus_member)setting->member) {
    case CT_SOUND_BUS_VOLUME:
        bus->volume = mix(bus->volume, setting->value, weight);
        break;
    case CT_SOUND_BUS_LOW_PASS:
        bus->low_pass = mix_hertz(bus->low_pass, setting->value, weight);
        break;
    case CT_SOUND_BUS_SEND:
        n->sends[setting->send] = mix(n->sends[setting->send], setting->value, weight);
        break;
    case CT_SOUND_BUS_REVERB_SECONDS:
        bus->reverb.seconds = mix(bus->reverb.seconds, setting->value, weight);
        break;
    case CT_SOUND_BUS_REVERB_DAMPING:
        bus->reverb.damping = mix(bus->reverb.damping, setting->value, weight);
        break;
    case CT_SOUND_BUS_MEMBER_COUNT:
        break;
    }
}

static void add_snapshots(const ct_sound_buses *b, bus_numbers *n) {
    const ct_sound_bus_setting *const settings =
        ct_blob_at(b->resource, b->resource->settings.offset);
    for (uint32_t i = 0; i < b->snapshots.count; ++i) {
        const ct_sound_snapshot *const snapshot = snapshot_named(b, b->snapshots.items[i].name);
        for (uint32_t k = 0; snapshot && k < snapshot->num_settings; ++k)
            add_setting(n, &settings[snapshot->first_setting + k], b->snapshots.items[i].weight);
    }
}

static void fill_numbers(const ct_sound_buses *b, bus_numbers *n) {
    const ct_sound_bus_resource *const r = b->resource;
    if (!r) {
        n->buses[0] = only_root;
        return;
    }
    memcpy(n->buses, ct_blob_at(r, r->buses.offset), sizeof(ct_sound_bus) * b->num_buses);
    const ct_sound_bus_send *const sends = ct_blob_at(r, r->sends.offset);
    for (uint32_t i = 0; i < b->num_sends; ++i)
        n->sends[i] = sends[i].volume;
    add_snapshots(b, n);
}

static void send_bus(ct_sound_system *s, uint32_t bus, const ct_mixer_bus_params *params) {
    ct_sound_buses *const b = &s->buses;
    const ct_mixer_bus_params *const sent = &b->sent[bus];
    if (!b->must_send && sent->gain == params->gain && sent->low_pass == params->low_pass &&
        sent->reverb_seconds == params->reverb_seconds &&
        sent->reverb_damping == params->reverb_damping)
        return;
    b->sent[bus] = *params;
    ct_mixer_set_bus(s->mixer, bus, params);
}

void ct_sound_buses_update(ct_sound_system *s, double dt) {
    ct_sound_buses *const b = &s->buses;
    const float step = isfinite(dt) && dt > 0 ? (float)dt : 0;
    move_meters(s, step);
    move_snapshots(b, step);
    bus_numbers n;
    fill_numbers(b, &n);
    for (uint32_t i = 0; i < b->num_buses; ++i) {
        const ct_sound_bus *const bus = &n.buses[i];
        const ct_mixer_bus_params params = {.gain = ct_sound_gain_of_db(bus->volume) *
                                                    ct_sound_system_volume(s, bus->name),
                                            .low_pass = bus->low_pass,
                                            .reverb_seconds = bus->reverb.seconds,
                                            .reverb_damping = bus->reverb.damping};
        b->gains[i] = params.gain * (i ? b->gains[bus->parent] : 1);
        send_bus(s, i, &params);
    }
    for (uint32_t i = 0; i < b->num_sends; ++i) {
        const float gain = ct_sound_gain_of_db(n.sends[i]);
        if (b->must_send || gain != b->sent_sends[i])
            ct_mixer_set_send(s->mixer, i, gain);
        b->sent_sends[i] = gain;
    }
    b->must_send = false;
}
