#include "app/plugin/app_world_steps.h"

#include <string.h>

#include "app/app_private.h"
#include "app/plugin/app_plugin_check.h"
#include "foundation/error.h"

// A world as an observer knows it.
typedef struct observed_world {
    ct_world *world;
    void *data; // of the plugin
} observed_world;

// A row that calls an addition. Its address stays.
typedef struct plugin_row {
    ct_world_row row;
    ct_world_row_id id;
    ct_plugin_addition *addition;
    CT_ARRAY(observed_world) observed; // of observers: worlds for which world_started was called
} plugin_row;

static ct_app *app_of(const plugin_row *r) {
    return ct_app_of_plugin(r->addition->plugin);
}

static bool can_change(const ct_plugin *plugin, ct_error *error) {
    const ct_world_system *const s = ct_app_worlds_of(plugin);
    return !s || ct_world_system_can_change_rows(s) ||
           ct_error_set(error, "not while a world is updated, or things are spawned or destroyed");
}

// --- Steps ---------------------------------------------------------------------------------------

static void run_step(ct_world *w, void *manager, double dt) {
    const plugin_row *const r = manager;
    const cuttle_world_step *const step = r->addition->desc;
    ct_app *const app = app_of(r);
    const bool only_reads = r->row.steps[0].phase >= CT_WORLD_PHASE_POSE;
    app->num_spawn_locks += only_reads;
    app->num_reading += only_reads;
    const uint32_t entered = ct_plugin_enter(r->addition->plugin);
    step->run(r->addition->plugin, (cuttle_world *)w, dt);
    ct_plugin_leave(entered);
    app->num_spawn_locks -= only_reads;
    app->num_reading -= only_reads;
}

static ct_world_phase phase_of(const cuttle_world_step *step) {
    const ct_world_phase phase =
        step->phase ? ct_world_phase_named(step->phase) : CT_WORLD_PHASE_NONE;
    return phase >= CT_WORLD_PHASE_ANIMATE && phase <= CT_WORLD_PHASE_SEND ? phase
                                                                           : CT_WORLD_PHASE_NONE;
}

static bool check_step(const ct_plugin_addition *a, ct_error *error) {
    const cuttle_world_step *const step = a->desc;
    if (!step->run)
        return ct_error_set(error, "the step \"%s\" has no function `run`", a->name);
    return phase_of(step) != CT_WORLD_PHASE_NONE ||
           ct_error_set(error,
                        "the step \"%s\" has the phase \"%.32s\"; expected \"animate\", "
                        "\"simulate\", \"react\", \"pose\" or \"send\"",
                        a->name, step->phase ? step->phase : "");
}

// --- Observers -----------------------------------------------------------------------------------

static uint32_t place_of(const plugin_row *r, const ct_world *w) {
    uint32_t place = 0;
    while (place < r->observed.count && r->observed.items[place].world != w)
        ++place;
    return place;
}

static void *data_of(const plugin_row *r, const ct_world *w) {
    const uint32_t place = place_of(r, w);
    return place < r->observed.count ? r->observed.items[place].data : NULL;
}

// A call of world_started or world_ended, which come while a library is brought in, too.
typedef struct world_call {
    const plugin_row *row;
    observed_world observed;
} world_call;

static void call_started(void *user) {
    world_call *const call = user;
    const ct_plugin_addition *const a = call->row->addition;
    const cuttle_world_observer *const o = a->desc;
    call->observed.data = o->world_started(a->plugin, (cuttle_world *)call->observed.world);
}

static void call_ended(void *user) {
    const world_call *const call = user;
    const ct_plugin_addition *const a = call->row->addition;
    const cuttle_world_observer *const o = a->desc;
    if (o->world_ended)
        o->world_ended(a->plugin, (cuttle_world *)call->observed.world, call->observed.data);
}

static void world_started(ct_world *w, void *manager) {
    plugin_row *const r = manager;
    world_call call = {r, {w, NULL}};
    const uint32_t entered = ct_plugin_enter(r->addition->plugin);
    const bool has_returned = ct_plugin_try(r->addition->plugin, call_started, &call);
    ct_plugin_leave(entered);
    if (has_returned)
        ct_array_push(&r->observed, call.observed);
}

static void world_ended(ct_world *w, void *manager) {
    plugin_row *const r = manager;
    const uint32_t place = place_of(r, w);
    if (place == r->observed.count)
        return;
    world_call call = {r, r->observed.items[place]};
    ++app_of(r)->num_spawn_locks;
    const uint32_t entered = ct_plugin_enter(r->addition->plugin);
    ct_plugin_try(r->addition->plugin, call_ended, &call);
    ct_plugin_leave(entered);
    --app_of(r)->num_spawn_locks;
    ct_array_erase(&r->observed, place, 1);
}

static void units_spawned(ct_world *w, void *manager, const ct_entity *units, uint32_t count) {
    const plugin_row *const r = manager;
    const cuttle_world_observer *const o = r->addition->desc;
    if (!o->units_spawned)
        return;
    const uint32_t entered = ct_plugin_enter(r->addition->plugin);
    o->units_spawned(r->addition->plugin, (cuttle_world *)w, data_of(r, w),
                     (const cuttle_entity *)(const void *)units, count);
    ct_plugin_leave(entered);
}

static void units_destroyed(ct_world *w, void *manager, const ct_entity *units, uint32_t count) {
    const plugin_row *const r = manager;
    const cuttle_world_observer *const o = r->addition->desc;
    if (!o->units_destroyed)
        return;
    ++app_of(r)->num_spawn_locks;
    const uint32_t entered = ct_plugin_enter(r->addition->plugin);
    o->units_destroyed(r->addition->plugin, (cuttle_world *)w, data_of(r, w),
                       (const cuttle_entity *)(const void *)units, count);
    ct_plugin_leave(entered);
    --app_of(r)->num_spawn_locks;
}

static void level_spawned(ct_world *w, void *manager, ct_level level) {
    const plugin_row *const r = manager;
    const cuttle_world_observer *const o = r->addition->desc;
    if (!o->level_spawned)
        return;
    const uint32_t entered = ct_plugin_enter(r->addition->plugin);
    o->level_spawned(r->addition->plugin, (cuttle_world *)w, data_of(r, w),
                     (cuttle_level){level.id});
    ct_plugin_leave(entered);
}

static void level_destroyed(ct_world *w, void *manager, ct_level level) {
    const plugin_row *const r = manager;
    const cuttle_world_observer *const o = r->addition->desc;
    if (!o->level_destroyed)
        return;
    const uint32_t entered = ct_plugin_enter(r->addition->plugin);
    o->level_destroyed(r->addition->plugin, (cuttle_world *)w, data_of(r, w),
                       (cuttle_level){level.id});
    ct_plugin_leave(entered);
}

static bool check_observer(const ct_plugin_addition *a, ct_error *error) {
    const cuttle_world_observer *const o = a->desc;
    return o->world_started ||
           ct_error_set(error, "the observer \"%s\" has no function `world_started`", a->name);
}

// --- Rows ----------------------------------------------------------------------------------------

static bool add_row(ct_plugin_addition *a, const ct_world_row *row, ct_error *error) {
    ct_app *const app = ct_app_of_plugin(a->plugin);
    if (!can_change(a->plugin, error))
        return false;
    if (!ct_world_schedule_has_room(ct_world_system_schedule(app->worlds)))
        return ct_error_set(error, "there are already %d systems and steps of plugins in worlds",
                            CT_WORLD_MAX_ROWS);
    plugin_row *const r = CT_NEW(app->allocator, plugin_row);
    *r = (plugin_row){.row = *row, .addition = a};
    r->row.name = a->name;
    r->row.user = r;
    ct_array_init(&r->observed, app->allocator);
    a->user = r;
    r->id = ct_world_system_add_row(app->worlds, &r->row);
    for (uint32_t i = 0; row->world_started && i < ct_world_system_num_worlds(app->worlds); ++i)
        world_started(ct_world_system_world(app->worlds, i), r);
    return true;
}

static ct_world_step step_of(const ct_plugin_addition *a) {
    return (ct_world_step){.name = a->name, .phase = phase_of(a->desc), .run = run_step};
}

static bool add_step(ct_plugin_addition *a, ct_error *error) {
    return add_row(a, &(ct_world_row){.steps = {step_of(a)}}, error);
}

static bool add_observer(ct_plugin_addition *a, ct_error *error) {
    static const ct_world_row row = {.world_started = world_started,
                                     .world_ended = world_ended,
                                     .units_spawned = units_spawned,
                                     .units_destroyed = units_destroyed,
                                     .level_spawned = level_spawned,
                                     .level_destroyed = level_destroyed};
    return add_row(a, &row, error);
}

static bool can_replace(const ct_plugin_addition *a, const void *desc, ct_error *error) {
    (void)desc;
    return can_change(a->plugin, error);
}

// Its phase may be another.
static void step_replaced(ct_plugin_addition *a) {
    plugin_row *const r = a->user;
    const ct_world_step step = step_of(a);
    ct_world_system *const worlds = ct_app_worlds_of(a->plugin);
    if (step.phase == r->row.steps[0].phase)
        return;
    ct_world_system_remove_row(worlds, r->id);
    r->row.steps[0] = step;
    r->id = ct_world_system_add_row(worlds, &r->row);
}

static bool can_remove(const ct_plugin_addition *a, ct_error *error) {
    return can_change(a->plugin, error);
}

// All worlds end for an observer.
static void end_worlds(ct_plugin_addition *a) {
    plugin_row *const r = a->user;
    while (r->observed.count > 0)
        world_ended(r->observed.items[r->observed.count - 1].world, r);
}

// When the game ends, the worlds have ended before. Worlds are left where a library is not loaded after
// all.
static void remove_row(ct_plugin_addition *a) {
    plugin_row *const r = a->user;
    ct_app *const app = ct_app_of_plugin(a->plugin);
    end_worlds(a);
    if (app->worlds)
        ct_world_system_remove_row(app->worlds, r->id);
    ct_array_free(&r->observed);
    ct_free_sized(app->allocator, r, sizeof(*r));
    a->user = NULL;
}

// The data that the plugin has for its worlds.
static bool kept(const ct_plugin_addition *a, uint32_t index, const void **address) {
    const plugin_row *const r = a->user;
    if (!r || index >= r->observed.count)
        return false;
    *address = r->observed.items[index].data;
    return true;
}

static const ct_plugin_kind step_kind = {.name = "step of worlds",
                                         .desc_bytes = sizeof(cuttle_world_step),
                                         .check = check_step,
                                         .add = add_step,
                                         .can_replace = can_replace,
                                         .replaced = step_replaced,
                                         .can_remove = can_remove,
                                         .remove = remove_row};

static const ct_plugin_kind observer_kind = {.name = "observer of worlds",
                                             .desc_bytes = sizeof(cuttle_world_observer),
                                             .check = check_observer,
                                             .add = add_observer,
                                             .can_replace = can_replace,
                                             .can_remove = can_remove,
                                             .ending = end_worlds,
                                             .remove = remove_row,
                                             .kept = kept};

static bool add(ct_plugin *self, const ct_plugin_kind *kind, const char *name, const void *desc,
                cuttle_error *error) {
    ct_error own = {0};
    return ct_plugin_add(self, kind, name, desc, &own) || ct_plugin_error_to(error, &own);
}

bool ct_app_add_world_step(cuttle_plugin *self, const cuttle_world_step *step,
                           cuttle_error *error) {
    if (!step)
        return ct_plugin_error_to(error, &(ct_error){.message = "a step needs a description"});
    return add(self, &step_kind, step->name, step, error);
}

bool ct_app_add_world_observer(cuttle_plugin *self, const cuttle_world_observer *observer,
                               cuttle_error *error) {
    if (!observer)
        return ct_plugin_error_to(error, &(ct_error){.message = "an observer needs a description"});
    return add(self, &observer_kind, observer->name, observer, error);
}

void *ct_app_world_observer_data(cuttle_plugin *self, const cuttle_world *world, const char *name) {
    const ct_plugin_addition *const a =
        ct_plugin_host_addition(ct_plugin_host_of(self), &observer_kind, name);
    return a && a->plugin == self && a->user ? data_of(a->user, (const ct_world *)world) : NULL;
}
