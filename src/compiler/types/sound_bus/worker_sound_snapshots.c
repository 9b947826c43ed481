// Snapshots of the settings of buses.
#include <string.h>

#include "compiler/types/sound_bus/worker_sound_buses.h"
#include "compiler/types/sound_bus/worker_sound_names.h"
#include "resource/types/sound_event_resource.h"

// Adds a setting; reports one that the snapshot has already.
static void add_setting(ct_worker_sound_buses *b, uint32_t first, ct_sjson_value v,
                        ct_sound_bus_setting setting) {
    for (uint32_t i = first; i < b->settings.count; ++i) {
        const ct_sound_bus_setting *const other = &b->settings.items[i];
        if (other->bus == setting.bus && other->member == setting.member &&
            other->send == setting.send) {
            ct_compile_error(b->c, b->doc, v,
                             "the snapshot sets this number of \"%.64s\" twice: remove one",
                             b->names.items[setting.bus]);
            return;
        }
    }
    ct_array_push(&b->settings, setting);
}

static void read_send(ct_worker_sound_buses *b, uint32_t first, uint32_t bus, ct_sjson_value v) {
    const char *const name = ct_sjson_key(b->doc, v);
    float least = 0, most = 0;
    const uint32_t to = ct_worker_sound_bus_named(b, v, name);
    uint32_t send = 0;
    if (to == CT_SOUND_NO_BUS)
        return;
    while (send < b->sends.count &&
           (b->sends.items[send].out.from != bus || b->sends.items[send].out.to != to))
        ++send;
    if (send == b->sends.count) {
        ct_compile_error(b->c, b->doc, v,
                         "the bus \"%.64s\" has no send to \"%.64s\": add one to it, with volume = "
                         "%g",
                         b->names.items[bus], name, (double)CT_SOUND_SILENCE_DB);
        return;
    }
    ct_sound_bus_member_range(CT_SOUND_BUS_SEND, &least, &most);
    const double number = ct_sjson_number(b->doc, v, -1000);
    if (!(number >= (double)least && number <= (double)most)) {
        ct_compile_error(b->c, b->doc, v, "sends: expected a number from %g to %g", (double)least,
                         (double)most);
        return;
    }
    add_setting(b, first, v, (ct_sound_bus_setting){bus, CT_SOUND_BUS_SEND, send, (float)number});
}

static void read_setting(ct_worker_sound_buses *b, uint32_t first, ct_sjson_value v) {
    ct_sound_setting_source s;
    if (!ct_schema_read(&ct_sound_setting_schema, b->doc, v, &s, &b->listener))
        return;
    const uint32_t bus = ct_worker_sound_bus_named(b, s.bus_value, s.bus);
    if (bus == CT_SOUND_NO_BUS)
        return;
    const struct {
        ct_sjson_value at;
        uint32_t member;
        float value;
    } members[] = {
        {s.volume_value, CT_SOUND_BUS_VOLUME, s.volume},
        {s.low_pass_value, CT_SOUND_BUS_LOW_PASS, s.low_pass},
        {s.reverb_seconds_value, CT_SOUND_BUS_REVERB_SECONDS, s.reverb_seconds},
        {s.reverb_damping_value, CT_SOUND_BUS_REVERB_DAMPING, s.reverb_damping},
    };
    const uint32_t before = b->settings.count;
    for (uint32_t i = 0; i < CT_COUNT_OF(members); ++i) {
        const bool is_reverb = members[i].member >= CT_SOUND_BUS_REVERB_SECONDS;
        if (!members[i].at.entry)
            continue;
        if (is_reverb && !b->buses.items[bus].source.reverb.entry)
            ct_compile_error(
                b->c, b->doc, members[i].at,
                "the bus \"%.64s\" has no reverb, and a snapshot cannot start one: add "
                "one to it, or to another bus, and let the snapshot set the send to "
                "that",
                s.bus);
        else
            add_setting(b, first, members[i].at,
                        (ct_sound_bus_setting){bus, members[i].member, 0, members[i].value});
    }
    for (ct_sjson_value m = ct_sjson_first(b->doc, s.sends); m.entry; m = ct_sjson_next(b->doc, m))
        read_send(b, first, bus, m);
    if (b->settings.count == before && ct_compile_error_count(b->c) == 0)
        ct_compile_warning(b->c, b->doc, v,
                           "the setting changes nothing: give it a `volume`, or another number");
}

static void read_snapshot(ct_worker_sound_buses *b, ct_sjson_value v) {
    ct_sound_snapshot_source s;
    if (!ct_schema_read(&ct_sound_snapshot_schema, b->doc, v, &s, &b->listener) ||
        !ct_worker_sound_check_name(b->c, s.name_value, "a snapshot", s.name,
                                    b->snapshot_names.items, b->snapshot_names.count))
        return;
    ct_sound_snapshot out = {
        .name = ct_string_id32_of(s.name), .fade = s.fade, .first_setting = b->settings.count};
    for (ct_sjson_value e = ct_sjson_first(b->doc, s.settings); e.entry;
         e = ct_sjson_next(b->doc, e)) {
        ct_worker_sound_check_id(b->c, s.settings, e);
        read_setting(b, out.first_setting, e);
    }
    out.num_settings = b->settings.count - out.first_setting;
    ct_array_push(&b->snapshots, out);
    ct_array_push(&b->snapshot_names, s.name);
    if (b->settings.count > CT_SOUND_MAX_SETTINGS)
        ct_compile_error(b->c, b->doc, s.settings, "settings: found %u in all, expected at most %d",
                         b->settings.count, (int)CT_SOUND_MAX_SETTINGS);
}

void ct_worker_sound_read_snapshots(ct_worker_sound_buses *b, ct_sjson_value all) {
    if (ct_sjson_count(b->doc, all) > CT_SOUND_MAX_SNAPSHOTS) {
        ct_compile_error(b->c, b->doc, all, "snapshots: found %u, expected at most %d",
                         ct_sjson_count(b->doc, all), (int)CT_SOUND_MAX_SNAPSHOTS);
        return;
    }
    for (ct_sjson_value v = ct_sjson_first(b->doc, all); v.entry; v = ct_sjson_next(b->doc, v)) {
        ct_worker_sound_check_id(b->c, all, v);
        read_snapshot(b, v);
    }
}
