// Buses by a resource, and the way from one resource to the next.
#include <math.h>
#include <string.h>

#include "sound/event/sound_curves.h"
#include "sound/mixer/mixer_bus.h"
#include "sound/mixer/mixer_read.h"

// A tree without a resource.
static const ct_sound_bus lone_root = {
    .parent = CT_SOUND_NO_BUS, .low_pass = CT_SOUND_OPEN_HZ, .duck_by = CT_SOUND_NO_BUS};

static const ct_sound_bus *buses_of(const ct_sound_bus_resource *r, uint32_t *count) {
    *count = r ? r->buses.count : 1;
    return r ? ct_blob_at(r, r->buses.offset) : &lone_root;
}

// --- Life ----------------------------------------------------------------------------------------

void ct_mixer_buses_init(ct_mixer_buses *b, ct_allocator *a) {
    const uint32_t moved[CT_SOUND_MAX_BUSES] = {0};
    *b = (ct_mixer_buses){.place = CT_SOUND_NO_BUS};
    ct_mixer_buses_set(b, a, NULL, moved);
}

void ct_mixer_buses_free(ct_mixer_buses *b, ct_allocator *a) {
    for (uint32_t i = 0; i < b->num_buses; ++i)
        ct_mixer_reverb_destroy(b->buses[i].reverb, a);
    ct_free(a, b->buses);
    b->buses = NULL;
}

// --- One bus -------------------------------------------------------------------------------------

// Returns by how much a factor moves with each block to go from 1 to `least` in `seconds`.
static float speed_of(float least, float seconds) {
    const float blocks = seconds * CT_MIXER_RATE / CT_MIXER_BLOCK;
    return blocks > 1 ? fabsf(1 - least) / blocks : fabsf(1 - least);
}

// Sets all of a bus but what it carries over.
static void describe(ct_mixer_bus *to, const ct_sound_bus *from) {
    to->name = from->name;
    to->parent = from->parent;
    to->gain_target = ct_sound_gain_of_db(from->volume);
    to->low_pass = from->low_pass;
    to->duck_by = from->duck_by;
    to->duck_threshold = ct_sound_gain_of_db(from->duck_threshold);
    to->duck_least = ct_sound_gain_of_db(from->duck_volume);
    to->duck_attack = speed_of(to->duck_least, from->duck_attack);
    to->duck_release = speed_of(to->duck_least, from->duck_release);
    to->reverb_seconds = from->reverb.seconds;
    to->reverb_damping = from->reverb.damping;
}

// --- From one tree to the next -------------------------------------------------------------------

void ct_mixer_buses_match(const ct_mixer_buses *b, const ct_sound_bus_resource *r,
                          uint32_t moved[CT_SOUND_MAX_BUSES]) {
    uint32_t count;
    const ct_sound_bus *const buses = buses_of(r, &count);
    moved[0] = 0;
    for (uint32_t i = 1; i < b->num_buses; ++i) {
        moved[i] = CT_SOUND_NO_BUS;
        for (uint32_t k = 1; k < count; ++k)
            if (buses[k].name.value == b->buses[i].name.value)
                moved[i] = k;
    }
}

uint32_t ct_mixer_buses_place(const ct_sound_bus_resource *r) {
    uint32_t count;
    const ct_sound_bus *const buses = buses_of(r, &count);
    for (uint32_t i = 0; i < count; ++i)
        if (buses[i].is_place)
            return i;
    return CT_SOUND_NO_BUS;
}

// From the buses before to those that take their place.
typedef struct ct_mixer_change {
    const ct_mixer_buses *before;
    ct_mixer_buses *after;
    const uint32_t *moved;
} ct_mixer_change;

// Adds channels to what is mixed into a bus of before: where it is now, or in itself when it is gone.
static void put(const ct_mixer_change *c, uint32_t position, float *const *channels, float gain) {
    const uint32_t moved = c->moved[position];
    ct_mixer_bus *const to =
        moved == CT_SOUND_NO_BUS ? &c->before->buses[position] : &c->after->buses[moved];
    for (uint32_t i = 0; i < CT_MIXER_CHANNELS; ++i)
        ct_mixer_add(to->mixed[i], channels[i], 0, CT_MIXER_BLOCK, gain, 0);
    to->has_mixed = true;
}

static void fade_out(float *x, float gain) {
    for (uint32_t i = 0; i < CT_MIXER_BLOCK; ++i)
        x[i] *= gain * (1 - (float)(i + 1) / CT_MIXER_BLOCK);
}

// Ends what a bus of before still puts out, which fades over the next block: all of one that is gone,
// with what is mixed into it; of one that stays, the reverb that it does not keep.
static void end_bus(const ct_mixer_change *c, uint32_t position, ct_allocator *a) {
    ct_mixer_bus *const bus = &c->before->buses[position];
    float *const channels[] = {bus->mixed[0], bus->mixed[1]};
    if (c->moved[position] != CT_SOUND_NO_BUS)
        memset(bus->mixed, 0, sizeof(bus->mixed)); // it was carried over
    else
        ct_mixer_low_pass_block(&bus->filter, bus->low_pass, channels, CT_MIXER_CHANNELS, 0,
                                CT_MIXER_BLOCK);
    if (bus->reverb)
        ct_mixer_reverb_block(bus->reverb, bus->reverb_seconds, bus->reverb_damping, channels[0],
                              channels[1]);
    for (uint32_t i = 0; i < CT_MIXER_CHANNELS; ++i)
        fade_out(channels[i], bus->gain * bus->duck);
    put(c, bus->parent == CT_SOUND_NO_BUS ? position : bus->parent, channels, 1);
    for (uint32_t i = 0; i < c->before->num_sends; ++i)
        if (c->before->sends[i].from == position)
            put(c, c->before->sends[i].to, channels, c->before->sends[i].gain);
    ct_mixer_reverb_destroy(bus->reverb, a);
}

// Takes over what a bus of before had in it, and was.
static void carry_over(ct_mixer_bus *to, const ct_mixer_bus *from) {
    memcpy(to->mixed, from->mixed, sizeof(to->mixed));
    to->has_mixed = from->has_mixed;
    to->is_ringing = from->is_ringing;
    to->gain = from->gain;
    to->parent_gain = from->parent_gain;
    to->filter = from->filter;
    to->duck = from->duck;
    to->duck_hold = from->duck_hold;
    to->peak = from->peak;
    atomic_init(&to->highest_peak, atomic_load(&from->highest_peak));
}

// Gives a bus its reverb: that of the bus before, when its delays are the same, or a new one.
static void make_reverb(ct_mixer_bus *to, ct_mixer_bus *before, const ct_sound_bus *bus,
                        ct_allocator *a) {
    if (!before || !before->reverb || !ct_mixer_reverb_fits(before->reverb, &bus->reverb)) {
        to->reverb = ct_mixer_reverb_create(a, &bus->reverb);
        if (before)
            ct_mixer_reverb_follow(to->reverb, before->reverb);
        return;
    }
    to->reverb = before->reverb;
    before->reverb = NULL;
    ct_mixer_reverb_set(to->reverb, &bus->reverb);
}

static void sort_by_order(ct_mixer_buses *b, const ct_sound_bus *buses) {
    for (uint32_t i = 0; i < b->num_buses; ++i) {
        uint32_t k = i;
        for (; k > 0 && buses[b->order[k - 1]].order > buses[i].order; --k)
            b->order[k] = b->order[k - 1];
        b->order[k] = i;
    }
}

// Adds a link that fades out over the next block. One to a bus that is now mixed before cannot.
static void fade_link(ct_mixer_buses *b, const ct_sound_bus *buses, ct_mixer_bus_link link) {
    const uint32_t count = b->num_sends + b->num_fading;
    if (link.gain == 0 || link.from == CT_SOUND_NO_BUS || link.to == CT_SOUND_NO_BUS ||
        buses[link.to].order <= buses[link.from].order || count == CT_COUNT_OF(b->sends))
        return;
    b->sends[count] = link;
    ++b->num_fading;
}

static bool has_send(const ct_mixer_buses *b, uint32_t from, uint32_t to) {
    for (uint32_t i = 0; i < b->num_sends; ++i)
        if (b->sends[i].from == from && b->sends[i].to == to)
            return true;
    return false;
}

static void set_sends(ct_mixer_buses *b, const ct_mixer_buses *before,
                      const ct_sound_bus_resource *r, const uint32_t *moved) {
    const ct_sound_bus_send *const sends = r ? ct_blob_at(r, r->sends.offset) : NULL;
    uint32_t num_buses;
    const ct_sound_bus *const buses = buses_of(r, &num_buses);
    b->num_sends = r ? r->sends.count : 0;
    b->num_fading = 0;
    for (uint32_t i = 0; i < b->num_sends; ++i) {
        const float gain = ct_sound_gain_of_db(sends[i].volume);
        b->sends[i] = (ct_mixer_bus_link){sends[i].from, sends[i].to, 0, gain};
        for (uint32_t k = 0; k < before->num_sends; ++k)
            if (moved[before->sends[k].from] == sends[i].from &&
                moved[before->sends[k].to] == sends[i].to)
                b->sends[i].gain = before->sends[k].gain;
    }
    for (uint32_t k = 0; k < before->num_sends + before->num_fading; ++k) {
        const ct_mixer_bus_link *const old = &before->sends[k];
        const uint32_t from = moved[old->from], to = moved[old->to];
        if (k >= before->num_sends || !has_send(b, from, to))
            fade_link(b, buses, (ct_mixer_bus_link){from, to, old->gain, 0});
    }
}

// Lets a bus that has another parent, or whose parent of before is gone, fade from there.
static void fade_parent(ct_mixer_buses *b, const ct_mixer_buses *before, const ct_sound_bus *buses,
                        const uint32_t *moved, uint32_t source) {
    ct_mixer_bus *const bus = &b->buses[moved[source]];
    uint32_t parent = before->buses[source].parent;
    float gain = bus->parent_gain;
    while (parent != CT_SOUND_NO_BUS && moved[parent] == CT_SOUND_NO_BUS) {
        gain *= before->buses[parent].gain * before->buses[parent].duck;
        parent = before->buses[parent].parent;
    }
    if (parent == CT_SOUND_NO_BUS || (moved[parent] == bus->parent && gain == bus->parent_gain))
        return;
    fade_link(b, buses, (ct_mixer_bus_link){moved[source], moved[parent], gain, 0});
    bus->parent_gain = 0;
}

static uint32_t source_of(const ct_mixer_buses *before, const uint32_t *moved, uint32_t position) {
    for (uint32_t i = 0; i < before->num_buses; ++i)
        if (moved[i] == position)
            return i;
    return CT_SOUND_NO_BUS;
}

void ct_mixer_buses_set(ct_mixer_buses *b, ct_allocator *a, const ct_sound_bus_resource *r,
                        const uint32_t moved[CT_SOUND_MAX_BUSES]) {
    const ct_mixer_buses before = *b;
    const ct_sound_bus *const buses = buses_of(r, &b->num_buses);
    b->buses = ct_alloc_zero(a, sizeof(ct_mixer_bus) * b->num_buses);
    b->place = ct_mixer_buses_place(r);
    for (uint32_t i = 0; i < b->num_buses; ++i) {
        ct_mixer_bus *const to = &b->buses[i];
        const uint32_t source = source_of(&before, moved, i);
        ct_mixer_bus *const from = source == CT_SOUND_NO_BUS ? NULL : &before.buses[source];
        if (from) {
            carry_over(to, from);
        } else {
            to->gain = ct_sound_gain_of_db(buses[i].volume);
            to->duck = to->parent_gain = 1;
            ct_mixer_low_pass_reset(&to->filter, buses[i].low_pass);
        }
        describe(to, &buses[i]);
        if (buses[i].reverb.seconds > 0 || (from && from->reverb)) // 0 seconds pass all
            make_reverb(to, from, &buses[i], a);
    }
    const ct_mixer_change change = {&before, b, moved};
    for (uint32_t i = 0; i < before.num_buses; ++i) {
        const uint32_t position = before.order[i];
        if (moved[position] == CT_SOUND_NO_BUS || before.buses[position].reverb)
            end_bus(&change, position, a);
    }
    set_sends(b, &before, r, moved);
    for (uint32_t i = 0; i < before.num_buses; ++i)
        if (moved[i] != CT_SOUND_NO_BUS)
            fade_parent(b, &before, buses, moved, i);
    sort_by_order(b, buses);
    ct_free(a, before.buses);
}
