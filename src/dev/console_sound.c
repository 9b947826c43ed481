#include "dev/console_sound.h"

#include <inttypes.h>
#include <stdlib.h>

#include "dev/inspect/sound_rows.h"
#include "foundation/error.h"

enum { DEFAULT_COUNT = 50, MOST_COUNT = 10000 };

// --- Parameters ----------------------------------------------------------------------------------

static void add_parameter(const char *name, bool is_text, ct_sound_parameter_value value,
                          ct_string_builder *result) {
    if (is_text)
        ct_string_builder_addf(result, "  %s=%s", name, ct_string_id32_name(value.text));
    else
        ct_string_builder_addf(result, "  %s=%g", name, (double)value.number);
}

// Adds a parameter of the event that the instance does not have: as it is for all, or as it is declared.
static void add_declared(const ct_sound_system *s, const ct_sound_event_resource *event,
                         const ct_sound_parameter_info *info, ct_string_builder *result) {
    const bool is_text = info->kind == CT_SOUND_PARAMETER_TEXT;
    const ct_sound_parameter *const global = ct_sound_parameter_find(
        ct_sound_system_parameters(s), ct_sound_system_globals(s), info->name);
    ct_sound_parameter_value value = {.number = info->number};
    if (is_text)
        value.text = info->text;
    add_parameter(ct_blob_at(event, info->name_text.offset), is_text,
                  global ? global->value : value, result);
}

static void add_parameters(const ct_sound_system *s, const ct_sound_instance_info *info,
                           ct_string_builder *result) {
    const ct_sound_parameters *const parameters = ct_sound_system_parameters(s);
    const ct_sound_event_resource *const event = ct_sound_system_event(s, info->event);
    for (uint32_t i = info->parameters.first; i;) {
        const ct_sound_parameter *const p =
            ct_linked_node(&parameters->nodes, ct_sound_parameter, i);
        const ct_sound_parameter_info *const known =
            event ? ct_sound_find_parameter(event, p->key) : NULL;
        add_parameter(known ? ct_blob_at(event, known->name_text.offset)
                            : ct_string_id32_name(p->key),
                      known && known->kind == CT_SOUND_PARAMETER_TEXT, p->value, result);
        i = p->next;
    }
    const ct_sound_parameter_info *const infos =
        event ? ct_blob_at(event, event->parameters.offset) : NULL;
    for (uint32_t i = 0; event && i < event->parameters.count; ++i)
        if (!ct_sound_parameter_find(parameters, info->parameters, infos[i].name))
            add_declared(s, event, &infos[i], result);
}

// --- Instances -----------------------------------------------------------------------------------

static void add_instances(const ct_sound_system *s, const ct_sound_rows *rows, uint32_t most,
                          ct_string_builder *result) {
    const uint32_t count = rows->items.count;
    for (uint32_t i = 0; i < count && i < most; ++i) {
        const ct_sound_row *const row = &rows->items.items[i];
        const ct_sound_instance_info *const info = &row->info;
        ct_string_builder_addf(result, "\n%7.1f dB  %-7s  %u/%u  world %u  ", (double)info->volume,
                               ct_sound_row_state(row), info->num_real, info->num_voices,
                               row->world_place + 1);
        if (info->is_placed)
            ct_string_builder_addf(result, "(%.1f, %.1f, %.1f)", (double)info->position.x,
                                   (double)info->position.y, (double)info->position.z);
        else
            ct_string_builder_add(result, "at the listeners");
        ct_string_builder_addf(result, "  %s", ct_string_id64_name(info->event));
        add_parameters(s, info, result);
    }
    if (count > most)
        ct_string_builder_addf(result, "\n... and %u more", count - most);
}

// --- Buses ---------------------------------------------------------------------------------------

static void add_buses(ct_sound_system *s, ct_string_builder *result) {
    const ct_sound_bus_resource *const r = ct_sound_system_buses(s);
    const ct_sound_bus *const buses = r ? ct_blob_at(r, r->buses.offset) : NULL;
    for (uint32_t i = 0; r && i < r->buses.count; ++i)
        ct_string_builder_addf(result, "\nbus %s: volume %g dB, player's %g, peak %.1f dB",
                               (const char *)ct_blob_at(r, buses[i].name_text.offset),
                               (double)buses[i].volume,
                               (double)ct_sound_system_volume(s, buses[i].name),
                               ct_sound_row_db(ct_sound_system_peak(s, i)));
    if (!r)
        ct_string_builder_add(result, "\nthe buses are not loaded");
}

bool ct_console_run_sound(ct_console_target *target, uint32_t num_arguments,
                          const char *const *arguments, ct_string_builder *result,
                          ct_error *error) {
    long most = DEFAULT_COUNT;
    if (num_arguments == 1) {
        char *end = NULL;
        most = strtol(arguments[0], &end, 10);
        if (end == arguments[0] || *end != '\0' || most < 0 || most > MOST_COUNT)
            return ct_error_set(error, "found \"%.64s\"; expected a number of instances up to %d",
                                arguments[0], (int)MOST_COUNT);
    }
    ct_sound_system *const s = ct_app_sound(target->app);
    const ct_mixer_stats stats = ct_mixer_get_stats(ct_sound_system_mixer(s));
    ct_sound_rows rows;
    ct_sound_rows_collect(&rows, target->allocator, ct_app_worlds(target->app));
    ct_string_builder_addf(result,
                           "output %s, %u instances, %u voices, %u real; mixing takes %.3f ms for "
                           "10 ms; %" PRIu64 " blocks of streams came late",
                           ct_sound_system_output(s), rows.items.count, stats.num_voices,
                           stats.num_real, (double)stats.mix_ns * 1e-6, stats.num_starved);
    add_buses(s, result);
    add_instances(s, &rows, (uint32_t)most, result);
    ct_sound_rows_free(&rows);
    return true;
}
