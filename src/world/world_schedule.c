#include "world/world_schedule.h"

#include <string.h>

#include "foundation/error.h"
#include "world/world_private.h"

static const char *const phase_names[CT_WORLD_NUM_PHASES] = {
    "none", "spawn", "collect", "animate", "simulate", "react", "pose", "send", "clear",
};

const char *ct_world_phase_name(ct_world_phase phase) {
    CT_ASSERT(phase < CT_WORLD_NUM_PHASES, "there is no phase %u", phase);
    return phase_names[phase];
}

ct_world_phase ct_world_phase_named(const char *name) {
    for (uint32_t i = 1; i < CT_WORLD_NUM_PHASES; ++i) {
        if (strcmp(phase_names[i], name) == 0)
            return (ct_world_phase)i;
    }
    return CT_WORLD_PHASE_NONE;
}

// In the place of rows that were removed.
static const ct_world_row removed_row = {.name = "removed"};

// Inserts a step after all steps of its phase and of earlier phases.
static void add_step(ct_world_schedule *schedule, const ct_world_step *step, uint32_t row) {
    CT_ASSERT(step->phase > CT_WORLD_PHASE_NONE && step->phase < CT_WORLD_NUM_PHASES,
              "step \"%s\" of \"%s\" has no phase", step->name, schedule->rows[row]->name);
    uint32_t at = schedule->num_steps++;
    for (; at > 0 && schedule->steps[at - 1].step->phase > step->phase; --at)
        schedule->steps[at] = schedule->steps[at - 1];
    schedule->steps[at] = (ct_world_scheduled_step){step, row};
    schedule->first_send_step += step->phase < CT_WORLD_PHASE_POSE;
}

static uint32_t free_place(const ct_world_schedule *schedule) {
    uint32_t place = 0;
    while (place < schedule->num_rows && schedule->rows[place] != &removed_row)
        ++place;
    return place;
}

bool ct_world_schedule_has_room(const ct_world_schedule *schedule) {
    return free_place(schedule) < CT_WORLD_MAX_ROWS;
}

ct_world_row_id ct_world_schedule_add(ct_world_schedule *schedule, const ct_world_row *row) {
    CT_ASSERT(ct_world_schedule_has_room(schedule), "no room for the row \"%s\" of worlds",
              row->name);
    const uint32_t index = free_place(schedule);
    schedule->num_rows += index == schedule->num_rows;
    schedule->rows[index] = row;
    for (uint32_t i = 0; i < CT_WORLD_MAX_ROW_STEPS && row->steps[i].run; ++i)
        add_step(schedule, &row->steps[i], index);
    return (ct_world_row_id){index + 1};
}

void ct_world_schedule_remove(ct_world_schedule *schedule, ct_world_row_id row) {
    CT_ASSERT(row.index > 0 && row.index <= schedule->num_rows, "there is no row %u", row.index);
    uint32_t num_kept = 0;
    for (uint32_t i = 0; i < schedule->num_steps; ++i) {
        const ct_world_scheduled_step step = schedule->steps[i];
        if (step.row == row.index - 1)
            schedule->first_send_step -= step.step->phase < CT_WORLD_PHASE_POSE;
        else
            schedule->steps[num_kept++] = step;
    }
    schedule->num_steps = num_kept;
    schedule->rows[row.index - 1] = &removed_row;
}

// --- Rows of a world -----------------------------------------------------------------------------

void ct_world_create_managers(ct_world *w) {
    const ct_world_schedule *const schedule = &w->system->schedule;
    for (uint32_t i = 0; i < schedule->num_rows; ++i) {
        const ct_world_row *const row = schedule->rows[i];
        ct_component_manager component = {0};
        w->managers[i] = row->create ? row->create(w, &component) : row->user;
        if (component.type_name)
            ct_component_registry_add(&w->registry, &component);
    }
}

void ct_world_destroy_managers(ct_world *w) {
    const ct_world_schedule *const schedule = &w->system->schedule;
    ct_component_registry_destroy_all(&w->registry);
    for (uint32_t i = schedule->num_rows; i-- > 0;) {
        if (schedule->rows[i]->destroy)
            schedule->rows[i]->destroy(w->managers[i]);
    }
}

void *ct_world_manager(const ct_world *w, ct_world_row_id row) {
    CT_ASSERT(row.index > 0 && row.index <= w->system->schedule.num_rows, "there is no row %u",
              row.index);
    return w->managers[row.index - 1];
}

bool ct_world_system_can_change_rows(const ct_world_system *s) {
    return s->num_calls == 0;
}

ct_world_row_id ct_world_system_add_row(ct_world_system *s, const ct_world_row *row) {
    CT_ASSERT(s->worlds.count == 0 || (!row->create && !row->component),
              "the row \"%s\" must be added while no world exists", row->name);
    CT_ASSERT(s->num_calls == 0, "the row \"%s\" was added while rows are called", row->name);
    if (row->component) {
        ct_error error = {0};
        const bool is_new = ct_component_type_register(row->component, !row->is_single, &error);
        CT_ASSERT(is_new, "row \"%s\": %s", row->name, error.message);
    }
    s->has_units_destroyed |= row->units_destroyed != NULL;
    const ct_world_row_id id = ct_world_schedule_add(&s->schedule, row);
    for (uint32_t i = 0; i < s->worlds.count; ++i)
        s->worlds.items[i]->managers[id.index - 1] = row->user;
    return id;
}

void ct_world_system_remove_row(ct_world_system *s, ct_world_row_id row) {
    CT_ASSERT(s->num_calls == 0, "the row %u was removed while rows are called", row.index);
    CT_ASSERT(row.index > 0 && row.index <= s->schedule.num_rows, "there is no row %u", row.index);
    const ct_world_row *const removed = s->schedule.rows[row.index - 1];
    CT_ASSERT(!removed->create && !removed->component, "the row \"%s\" has a manager",
              removed->name);
    for (uint32_t i = 0; i < s->worlds.count; ++i)
        s->worlds.items[i]->managers[row.index - 1] = NULL;
    ct_world_schedule_remove(&s->schedule, row);
}

void ct_world_system_forget_rows(ct_world_system *s) {
    for (uint32_t i = 0; i < s->schedule.num_rows; ++i) {
        if (s->schedule.rows[i]->component)
            ct_component_type_unregister(s->schedule.rows[i]->component);
    }
}

// --- Calls of rows -------------------------------------------------------------------------------

// Returns the units that are still alive: rows called before may have destroyed some.
static uint32_t those_alive(const ct_world *w, const ct_entity *units, uint32_t count,
                            ct_entity *alive) {
    uint32_t num_alive = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (ct_world_of(w->system, units[i]) == w)
            alive[num_alive++] = units[i];
    }
    return num_alive;
}

// Keeps the units for which the row was not called yet, and stores how many rows were called.
static uint32_t those_untold(ct_world_system *s, ct_entity *units, uint32_t count,
                             uint32_t rows_told) {
    uint32_t num_untold = 0;
    for (uint32_t i = 0; i < count; ++i) {
        ct_entity_family *const family = &s->families.items[ct_entity_index(units[i])];
        if (family->rows_told >= rows_told)
            continue;
        family->rows_told = (uint16_t)rows_told;
        units[num_untold++] = units[i];
    }
    return num_untold;
}

void ct_world_call_started(ct_world *w) {
    ct_world_system *const s = w->system;
    ++s->num_calls;
    for (uint32_t i = 0; i < s->schedule.num_rows; ++i) {
        if (s->schedule.rows[i]->world_started)
            s->schedule.rows[i]->world_started(w, w->managers[i]);
    }
    --s->num_calls;
}

void ct_world_call_ended(ct_world *w) {
    ct_world_system *const s = w->system;
    ++s->num_calls;
    for (uint32_t i = s->schedule.num_rows; i-- > 0;) {
        if (s->schedule.rows[i]->world_ended)
            s->schedule.rows[i]->world_ended(w, w->managers[i]);
    }
    --s->num_calls;
}

void ct_world_call_units_spawned(ct_world *w, const ct_entity *units, uint32_t count) {
    ct_world_system *const s = w->system;
    ++s->num_calls;
    const ct_frame_mark mark = ct_frame_allocator_mark(s->scratch);
    ct_entity *const alive =
        ct_alloc(ct_frame_allocator_interface(s->scratch), sizeof(*alive) * (uint64_t)count);
    for (uint32_t i = 0; i < s->schedule.num_rows; ++i) {
        const ct_world_row *const row = s->schedule.rows[i];
        const uint32_t num_alive = row->units_spawned ? those_alive(w, units, count, alive) : 0;
        if (num_alive > 0)
            row->units_spawned(w, w->managers[i], alive, num_alive);
    }
    --s->num_calls;
    ct_frame_allocator_reset(s->scratch, mark);
}

void ct_world_call_units_destroyed(ct_world *w, const ct_entity *units, uint32_t count) {
    ct_world_system *const s = w->system;
    ++s->num_calls;
    const ct_frame_mark mark = ct_frame_allocator_mark(s->scratch);
    ct_entity *const untold =
        ct_alloc(ct_frame_allocator_interface(s->scratch), sizeof(*untold) * (uint64_t)count);
    for (uint32_t i = s->schedule.num_rows; i-- > 0;) {
        const ct_world_row *const row = s->schedule.rows[i];
        if (!row->units_destroyed)
            continue;
        const uint32_t num_alive = those_alive(w, units, count, untold);
        const uint32_t num_untold = those_untold(s, untold, num_alive, s->schedule.num_rows - i);
        if (num_untold > 0)
            row->units_destroyed(w, w->managers[i], untold, num_untold);
    }
    --s->num_calls;
    ct_frame_allocator_reset(s->scratch, mark);
}

void ct_world_call_level_started(ct_world *w, ct_level level) {
    const ct_world_schedule *const schedule = &w->system->schedule;
    ++w->system->num_calls;
    for (uint32_t i = 0; i < schedule->num_rows; ++i) {
        if (schedule->rows[i]->level_started)
            schedule->rows[i]->level_started(w, w->managers[i], level);
    }
    --w->system->num_calls;
}

void ct_world_call_level_spawned(ct_world *w, ct_level level) {
    const ct_world_schedule *const schedule = &w->system->schedule;
    ++w->system->num_calls;
    for (uint32_t i = 0; i < schedule->num_rows; ++i) {
        if (schedule->rows[i]->level_spawned)
            schedule->rows[i]->level_spawned(w, w->managers[i], level);
    }
    --w->system->num_calls;
}

void ct_world_call_level_destroyed(ct_world *w, ct_level level, bool was_spawned) {
    const ct_world_schedule *const schedule = &w->system->schedule;
    ++w->system->num_calls;
    for (uint32_t i = schedule->num_rows; i-- > 0;) {
        const ct_world_row *const row = schedule->rows[i];
        if (row->level_destroyed && (was_spawned || row->level_started))
            row->level_destroyed(w, w->managers[i], level);
    }
    --w->system->num_calls;
}
