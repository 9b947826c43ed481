#include "sound/mixer/mixer_bus.h"

#include <math.h>
#include <string.h>

#include "foundation/math/math_lanes.h"
#include "sound/mixer/mixer_read.h"

enum { DUCK_HOLD_BLOCKS = 4 }; // low notes have blocks without a peak
static const float BLOCK_STEP = 1.0f / CT_MIXER_BLOCK;
static const float QUIET = 1e-6f;

// --- Numbers -------------------------------------------------------------------------------------

void ct_mixer_bus_set_params(ct_mixer_buses *b, uint32_t bus, const ct_mixer_bus_params *params) {
    ct_mixer_bus *const to = &b->buses[bus];
    to->gain_target = params->gain;
    to->low_pass = params->low_pass;
    to->reverb_seconds = params->reverb_seconds;
    to->reverb_damping = params->reverb_damping;
}

// --- Mixing --------------------------------------------------------------------------------------

// Multiplies a channel by a factor that moves in a line, and returns its peak. Sets `is_broken` when
// it has something infinite or that is not a number.
static float scale(float *channel, float from, float step, bool *is_broken) {
    ct_column *const x = (ct_column *)(void *)channel;
    ct_column frame = {1, 2, 3, 4}, peak = ct_column_all(0), broken = ct_column_all(0);
    for (uint32_t i = 0; i < CT_MIXER_BLOCK / 4; ++i) {
        x[i] *= from + step * frame;
        peak = ct_column_max(peak, ct_column_max(x[i], -x[i]));
        broken += x[i] * 0;
        frame += 4;
    }
    const float sum = broken[0] + broken[1] + broken[2] + broken[3];
    *is_broken = *is_broken || sum != 0;
    return fmaxf(fmaxf(peak[0], peak[1]), fmaxf(peak[2], peak[3]));
}

static float towards(float from, float to, float up, float down) {
    if (from < to)
        return from + up < to ? from + up : to;
    return from - down > to ? from - down : to;
}

// Moves the factor of a bus that others make quieter.
static void duck(const ct_mixer_buses *b, ct_mixer_bus *bus) {
    if (bus->duck_by == CT_SOUND_NO_BUS) {
        bus->duck = 1;
        return;
    }
    if (b->buses[bus->duck_by].peak > bus->duck_threshold)
        bus->duck_hold = DUCK_HOLD_BLOCKS;
    else if (bus->duck_hold > 0)
        --bus->duck_hold;
    const float target = bus->duck_hold > 0 ? bus->duck_least : 1;
    bus->duck = towards(bus->duck, target, bus->duck_release, bus->duck_attack);
}

// Remembers the peak of the block, for who asks.
static void note_peak(ct_mixer_bus *bus, float peak) {
    bus->peak = peak;
    uint32_t bits;
    memcpy(&bits, &peak, sizeof(bits)); // as whole numbers they have the same order
    uint32_t before = atomic_load_explicit(&bus->highest_peak, memory_order_relaxed);
    while (bits > before && !atomic_compare_exchange_weak(&bus->highest_peak, &before, bits)) {
    }
}

static void add_to(ct_mixer_bus *to, const ct_mixer_bus *from, float gain, float gain_target) {
    for (uint32_t c = 0; c < CT_MIXER_CHANNELS; ++c)
        ct_mixer_add(to->mixed[c], from->mixed[c], 0, CT_MIXER_BLOCK, gain,
                     (gain_target - gain) * BLOCK_STEP);
    to->has_mixed = true;
}

static void send(ct_mixer_buses *b, uint32_t position) {
    for (uint32_t i = 0; i < b->num_sends + b->num_fading; ++i) {
        ct_mixer_bus_link *const link = &b->sends[i];
        if (link->from != position)
            continue;
        if (link->gain != 0 || link->gain_target != 0)
            add_to(&b->buses[link->to], &b->buses[position], link->gain, link->gain_target);
        link->gain = link->gain_target;
    }
}

static void clear(ct_mixer_bus *bus) {
    memset(bus->mixed, 0, sizeof(bus->mixed));
    bus->has_mixed = false;
}

// Filters a bus and applies its volume, in place.
static void shape(ct_mixer_bus *bus, float duck_before) {
    float *const channels[] = {bus->mixed[0], bus->mixed[1]};
    ct_mixer_low_pass_block(&bus->filter, bus->low_pass, channels, CT_MIXER_CHANNELS, 0,
                            CT_MIXER_BLOCK);
    if (bus->reverb)
        ct_mixer_reverb_block(bus->reverb, bus->reverb_seconds, bus->reverb_damping, bus->mixed[0],
                              bus->mixed[1]);
    const float from = bus->gain * duck_before;
    const float step = (bus->gain_target * bus->duck - from) * BLOCK_STEP;
    bool is_broken = false;
    const float left = scale(bus->mixed[0], from, step, &is_broken);
    const float right = scale(bus->mixed[1], from, step, &is_broken);
    const float peak = left > right ? left : right;
    bus->gain = bus->gain_target;
    if (is_broken) { // a gain beyond all reason: start again from silence
        clear(bus);
        ct_mixer_low_pass_reset(&bus->filter, bus->low_pass);
        if (bus->reverb)
            ct_mixer_reverb_clear(bus->reverb);
    }
    bus->is_ringing = !is_broken && !bus->filter.is_open && peak > QUIET;
    note_peak(bus, is_broken ? 0 : peak);
}

static void mix_bus(ct_mixer_buses *b, uint32_t position) {
    ct_mixer_bus *const bus = &b->buses[position];
    const float duck_before = bus->duck;
    duck(b, bus);
    const bool rings = bus->is_ringing || (bus->reverb && !ct_mixer_reverb_is_quiet(bus->reverb));
    if (bus->has_mixed || rings) {
        shape(bus, duck_before);
        send(b, position);
        if (bus->parent != CT_SOUND_NO_BUS) {
            add_to(&b->buses[bus->parent], bus, bus->parent_gain, 1);
            bus->parent_gain = 1;
            clear(bus);
        }
        return;
    }
    bus->gain = bus->gain_target;
    bus->parent_gain = 1;
    bus->peak = 0;
    ct_mixer_low_pass_reset(&bus->filter, bus->low_pass);
    for (uint32_t i = 0; i < b->num_sends; ++i)
        if (b->sends[i].from == position)
            b->sends[i].gain = b->sends[i].gain_target;
}

void ct_mixer_buses_block(ct_mixer_buses *b, float *out) {
    for (uint32_t i = 0; i < b->num_buses; ++i)
        mix_bus(b, b->order[i]);
    b->num_fading = 0;
    ct_mixer_bus *const root = &b->buses[0];
    ct_mixer_limit(root->mixed[0], root->mixed[1], out);
    clear(root);
}
