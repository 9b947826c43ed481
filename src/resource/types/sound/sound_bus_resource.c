#include "resource/types/sound_bus_resource.h"

#include <math.h>

#include "foundation/error.h"
#include "resource/types/sound_event_resource.h"

// --- Layouts -------------------------------------------------------------------------------------

static const ct_blob_layout reverb_layout = CT_BLOB_ALL_NUMBERS(ct_sound_reverb, 4);

const ct_blob_layout ct_sound_one_bus_layout =
    CT_BLOB_STRUCT(ct_sound_bus, CT_BLOB_STRING(ct_sound_bus, name_text),
                   CT_BLOB_NUMBERS(4, ct_sound_bus, name, duck_release),
                   CT_BLOB_STRUCTS(ct_sound_bus, reverb, reverb_layout),
                   CT_BLOB_NUMBERS(4, ct_sound_bus, is_place, order));
const ct_blob_layout ct_sound_bus_send_layout = CT_BLOB_ALL_NUMBERS(ct_sound_bus_send, 4);
const ct_blob_layout ct_sound_snapshot_layout =
    CT_BLOB_STRUCT(ct_sound_snapshot, CT_BLOB_STRING(ct_sound_snapshot, name_text),
                   CT_BLOB_NUMBERS(4, ct_sound_snapshot, name, num_settings));
const ct_blob_layout ct_sound_bus_setting_layout = CT_BLOB_ALL_NUMBERS(ct_sound_bus_setting, 4);

const ct_blob_layout ct_sound_bus_layout =
    CT_BLOB_ROOT(ct_sound_bus_resource, "a tree of sound buses",
                 CT_BLOB_ARRAY(ct_sound_bus_resource, buses, ct_sound_one_bus_layout),
                 CT_BLOB_ARRAY(ct_sound_bus_resource, sends, ct_sound_bus_send_layout),
                 CT_BLOB_ARRAY(ct_sound_bus_resource, snapshots, ct_sound_snapshot_layout),
                 CT_BLOB_ARRAY(ct_sound_bus_resource, settings, ct_sound_bus_setting_layout));

// --- Names ---------------------------------------------------------------------------------------

static const ct_sound_bus *buses_of(const ct_sound_bus_resource *r) {
    return ct_blob_at(r, r->buses.offset);
}

uint32_t ct_sound_find_bus(const ct_sound_bus_resource *r, ct_string_id32 name) {
    const ct_sound_bus *const buses = buses_of(r);
    for (uint32_t i = 0; i < r->buses.count; ++i) {
        if (buses[i].name.value == name.value)
            return i;
    }
    return UINT32_MAX;
}

uint32_t ct_sound_find_snapshot(const ct_sound_bus_resource *r, ct_string_id32 name) {
    const ct_sound_snapshot *const snapshots = ct_blob_at(r, r->snapshots.offset);
    for (uint32_t i = 0; i < r->snapshots.count; ++i) {
        if (snapshots[i].name.value == name.value)
            return i;
    }
    return UINT32_MAX;
}

// --- Validation ----------------------------------------------------------------------------------

static bool is_between(float x, float least, float most) {
    return x >= least && x <= most;
}

bool ct_sound_bus_member_range(uint32_t member, float *least, float *most) {
    static const float ranges[CT_SOUND_BUS_MEMBER_COUNT][2] = {
        [CT_SOUND_BUS_VOLUME] = {CT_SOUND_SILENCE_DB, CT_SOUND_MAX_DB},
        [CT_SOUND_BUS_LOW_PASS] = {CT_SOUND_LEAST_HZ, CT_SOUND_OPEN_HZ},
        [CT_SOUND_BUS_SEND] = {CT_SOUND_SILENCE_DB, CT_SOUND_MAX_DB},
        [CT_SOUND_BUS_REVERB_SECONDS] = {0, CT_SOUND_MAX_REVERB_SECONDS},
        [CT_SOUND_BUS_REVERB_DAMPING] = {0, 1},
    };
    if (member >= CT_SOUND_BUS_MEMBER_COUNT)
        return false;
    *least = ranges[member][0];
    *most = ranges[member][1];
    return true;
}

static bool is_in_range(uint32_t member, float value) {
    float least = 0, most = 0;
    return ct_sound_bus_member_range(member, &least, &most) && is_between(value, least, most);
}

// Without seconds the other numbers have no meaning.
static bool is_reverb(const ct_sound_reverb *r) {
    if (r->seconds == 0)
        return true;
    return is_between(r->seconds, 0, CT_SOUND_MAX_REVERB_SECONDS) && is_between(r->size, 1, 100) &&
           is_between(r->damping, 0, 1) && is_between(r->pre_delay, 0, CT_SOUND_MAX_PRE_DELAY) &&
           is_between(r->width, 0, 1) && is_between(r->dry, 0, 1);
}

static bool check_duck(const ct_sound_bus_resource *r, uint32_t i, ct_error *error) {
    const ct_sound_bus *const b = &buses_of(r)[i];
    if (b->duck_by == CT_SOUND_NO_BUS)
        return true;
    if (b->duck_by >= r->buses.count || b->duck_by == i)
        return ct_error_set(error, "buses[%u].duck_by: found %u of %u", i, b->duck_by,
                            r->buses.count);
    if (!is_between(b->duck_threshold, CT_SOUND_SILENCE_DB, CT_SOUND_MAX_DB) ||
        !is_between(b->duck_volume, CT_SOUND_SILENCE_DB, 0) ||
        !is_between(b->duck_attack, 0, CT_SOUND_MAX_BUS_SECONDS) ||
        !is_between(b->duck_release, 0, CT_SOUND_MAX_BUS_SECONDS))
        return ct_error_set(error, "buses[%u]: found duck %g at %g dB, attack %g, release %g", i,
                            (double)b->duck_volume, (double)b->duck_threshold,
                            (double)b->duck_attack, (double)b->duck_release);
    return true;
}

static bool check_bus(const ct_sound_bus_resource *r, uint32_t i, ct_error *error) {
    const ct_sound_bus *const b = &buses_of(r)[i];
    if (b->name.value == 0 ||
        ct_string_id32_of(ct_blob_at(r, b->name_text.offset)).value != b->name.value)
        return ct_error_set(error, "buses[%u].name: its id does not match its text", i);
    if (ct_sound_find_bus(r, b->name) != i)
        return ct_error_set(error, "buses[%u].name: another bus has it", i);
    if (i == 0 ? b->parent != CT_SOUND_NO_BUS : b->parent >= i)
        return ct_error_set(error,
                            "buses[%u].parent: found %u, expected one before it, but for "
                            "the first, which has none",
                            i, b->parent);
    if (!is_in_range(CT_SOUND_BUS_VOLUME, b->volume) ||
        !is_in_range(CT_SOUND_BUS_LOW_PASS, b->low_pass))
        return ct_error_set(error, "buses[%u]: found volume %g, low_pass %g", i, (double)b->volume,
                            (double)b->low_pass);
    if (!is_reverb(&b->reverb))
        return ct_error_set(error,
                            "buses[%u].reverb: found seconds %g, size %g, damping %g, "
                            "pre_delay %g, width %g, dry %g",
                            i, (double)b->reverb.seconds, (double)b->reverb.size,
                            (double)b->reverb.damping, (double)b->reverb.pre_delay,
                            (double)b->reverb.width, (double)b->reverb.dry);
    if (b->is_place > 1)
        return ct_error_set(error, "buses[%u].is_place: found %u", i, b->is_place);
    return check_duck(r, i, error);
}

// Every number once, children before parents.
static bool check_order(const ct_sound_bus_resource *r, ct_error *error) {
    const ct_sound_bus *const buses = buses_of(r);
    uint32_t seen = 0, num_places = 0;
    for (uint32_t i = 0; i < r->buses.count; ++i) {
        const uint32_t order = buses[i].order;
        if (order >= r->buses.count || seen >> order & 1)
            return ct_error_set(error, "buses[%u].order: found %u of %u, or a second time", i,
                                order, r->buses.count);
        if (i > 0 && order >= buses[buses[i].parent].order)
            return ct_error_set(error, "buses[%u].order: it comes after its parent", i);
        seen |= UINT32_C(1) << order;
        num_places += buses[i].is_place;
    }
    return num_places <= 1 ||
           ct_error_set(error, "buses: found %u with is_place, expected at most one", num_places);
}

static bool check_sends(const ct_sound_bus_resource *r, ct_error *error) {
    const ct_sound_bus *const buses = buses_of(r);
    const ct_sound_bus_send *const sends = ct_blob_at(r, r->sends.offset);
    if (r->sends.count > CT_SOUND_MAX_SENDS)
        return ct_error_set(error, "sends: found %u, expected at most %d", r->sends.count,
                            CT_SOUND_MAX_SENDS);
    for (uint32_t i = 0; i < r->sends.count; ++i) {
        const ct_sound_bus_send *const s = &sends[i];
        if (s->from >= r->buses.count || s->to >= r->buses.count ||
            buses[s->from].order >= buses[s->to].order)
            return ct_error_set(error, "sends[%u]: found %u to %u, expected one mixed later", i,
                                s->from, s->to);
        if (!is_in_range(CT_SOUND_BUS_SEND, s->volume))
            return ct_error_set(error, "sends[%u].volume: found %g", i, (double)s->volume);
    }
    return true;
}

static bool check_setting(const ct_sound_bus_resource *r, uint32_t i, ct_error *error) {
    const ct_sound_bus_setting *const s =
        (const ct_sound_bus_setting *)ct_blob_at(r, r->settings.offset) + i;
    const ct_sound_bus_send *const sends = ct_blob_at(r, r->sends.offset);
    if (s->bus >= r->buses.count)
        return ct_error_set(error, "settings[%u].bus: found %u of %u", i, s->bus, r->buses.count);
    if (!is_in_range(s->member, s->value))
        return ct_error_set(error, "settings[%u]: found %g for member %u", i, (double)s->value,
                            s->member);
    if (s->member == CT_SOUND_BUS_SEND &&
        (s->send >= r->sends.count || sends[s->send].from != s->bus))
        return ct_error_set(error, "settings[%u].send: found %u, expected one of bus %u", i,
                            s->send, s->bus);
    if (s->member >= CT_SOUND_BUS_REVERB_SECONDS && buses_of(r)[s->bus].reverb.seconds == 0)
        return ct_error_set(error, "settings[%u]: bus %u has no reverb", i, s->bus);
    return true;
}

static bool check_snapshots(const ct_sound_bus_resource *r, ct_error *error) {
    const ct_sound_snapshot *const snapshots = ct_blob_at(r, r->snapshots.offset);
    if (r->snapshots.count > CT_SOUND_MAX_SNAPSHOTS || r->settings.count > CT_SOUND_MAX_SETTINGS)
        return ct_error_set(error, "found %u snapshots and %u settings, expected at most %d, %d",
                            r->snapshots.count, r->settings.count, CT_SOUND_MAX_SNAPSHOTS,
                            CT_SOUND_MAX_SETTINGS);
    for (uint32_t i = 0; i < r->snapshots.count; ++i) {
        const ct_sound_snapshot *const s = &snapshots[i];
        if (s->name.value == 0 ||
            ct_string_id32_of(ct_blob_at(r, s->name_text.offset)).value != s->name.value)
            return ct_error_set(error, "snapshots[%u].name: its id does not match its text", i);
        if (ct_sound_find_snapshot(r, s->name) != i)
            return ct_error_set(error, "snapshots[%u].name: another snapshot has it", i);
        if (!is_between(s->fade, 0, CT_SOUND_MAX_BUS_SECONDS))
            return ct_error_set(error, "snapshots[%u].fade: found %g", i, (double)s->fade);
        if (s->first_setting > r->settings.count ||
            s->num_settings > r->settings.count - s->first_setting)
            return ct_error_set(error, "snapshots[%u]: found settings %u + %u of %u", i,
                                s->first_setting, s->num_settings, r->settings.count);
    }
    return true;
}

bool ct_sound_bus_validate(const void *blob, ct_error *error) {
    const ct_sound_bus_resource *const r = blob;
    if (!ct_blob_check_layout(&ct_sound_bus_layout, r, error))
        return false;
    if (r->buses.count == 0 || r->buses.count > CT_SOUND_MAX_BUSES)
        return ct_error_set(error, "buses: found %u, expected 1 to %d", r->buses.count,
                            CT_SOUND_MAX_BUSES);
    for (uint32_t i = 0; i < r->buses.count; ++i) {
        if (!check_bus(r, i, error))
            return false;
    }
    if (!check_order(r, error) || !check_sends(r, error) || !check_snapshots(r, error))
        return false;
    for (uint32_t i = 0; i < r->settings.count; ++i) {
        if (!check_setting(r, i, error))
            return false;
    }
    return true;
}
