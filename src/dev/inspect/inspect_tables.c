// The tables of figures.
#include <stdio.h>
#include <string.h>

#include "dev/inspect/inspect_find.h"
#include "dev/inspect/inspect_statistics.h"
#include "dev/inspect/sound_rows.h"
#include "foundation/math/math.h"
#include "foundation/os/os.h"
#include "foundation/task/task_counts.h"
#include "particles/particle_list.h"
#include "physics/bullet/bullet_counts.h"
#include "resource/types/sound_resource.h"
#include "script/debug/script_inspect.h"
#include "world/world_navigation.h"

#define COLUMNS(...)                                                                               \
    (const char *const[]) {                                                                        \
        __VA_ARGS__, NULL                                                                          \
    }

// --- Single figures ------------------------------------------------------------------------------

static void figure(ct_console_request *r, const char *name, double value, const char *unit) {
    ct_sjson_begin_array(&r->w);
    ct_sjson_write_string(&r->w, name);
    ct_sjson_write_number(&r->w, value);
    ct_sjson_write_string(&r->w, unit);
    ct_sjson_end_array(&r->w);
}

static void write_frame(ct_console_request *r) {
    float frame_ms = 0, update_ms = 0, submit_ms = 0;
    ct_frame_times_last(ct_app_frame_times(r->target->app), 1, &frame_ms, &update_ms, &submit_ms);
    figure(r, "frame", (double)ct_renderer_frame(ct_app_renderer(r->target->app)), "");
    figure(r, "frame time", (double)frame_ms, "ms");
    figure(r, "update time", (double)update_ms, "ms");
    figure(r, "submit time", (double)submit_ms, "ms");
    figure(r, "budget", ct_app_frame_budget(r->target->app) * 1000, "ms");
    figure(r, "task workers", ct_task_num_workers(ct_app_tasks(r->target->app)), "");
    figure(r, "waiting streams", ct_resource_manager_num_streams(ct_app_resources(r->target->app)),
           "");
}

static void write_render(ct_console_request *r) {
    const ct_render_stats s = ct_renderer_stats(ct_app_renderer(r->target->app));
    figure(r, "draw calls", s.num_draws, "");
    figure(r, "objects", s.num_instances, "");
    figure(r, "triangles", s.num_triangles, "");
    figure(r, "particles", s.num_particles, "");
    figure(r, "late pipelines", s.num_late_pipelines, "");
    figure(r, "submit time", s.submit_seconds * 1000, "ms");
    figure(r, "device memory", (double)s.device_bytes, "bytes");
    figure(r, "device ranges", s.num_device_ranges, "");
}

static void write_sound(ct_console_request *r) {
    const ct_mixer_stats s =
        ct_mixer_get_stats(ct_sound_system_mixer(ct_app_sound(r->target->app)));
    figure(r, "voices", s.num_voices, "");
    figure(r, "real voices", s.num_real, "");
    figure(r, "mixing of 10 ms", (double)s.mix_ns * 1e-6, "ms");
    figure(r, "late blocks of streams", (double)s.num_starved, "");
    figure(r, "late commands", (double)s.num_dropped, "");
}

// --- Tasks ---------------------------------------------------------------------------------------

static void write_tasks(ct_console_request *r) {
    enum { MAX_THREADS = 256 };
    ct_task_thread_counts counts[MAX_THREADS];
    const uint32_t num_threads = ct_task_counts(ct_app_tasks(r->target->app), counts, MAX_THREADS);
    uint32_t num_workers = 0;
    for (uint32_t i = 0; i < num_threads && i < MAX_THREADS; ++i) {
        char name[32];
        if (counts[i].affinity == 0)
            snprintf(name, sizeof(name), "worker %u", ++num_workers);
        else
            snprintf(name, sizeof(name), "main %u", counts[i].affinity);
        ct_sjson_begin_array(&r->w);
        ct_sjson_write_string(&r->w, name);
        ct_sjson_write_number(&r->w, (double)counts[i].num_run);
        ct_sjson_write_number(&r->w, (double)counts[i].num_waits);
        ct_sjson_write_number(&r->w, (double)counts[i].num_idle);
        ct_sjson_end_array(&r->w);
    }
}

// --- Sound ---------------------------------------------------------------------------------------

static void write_buses(ct_console_request *r) {
    ct_sound_system *const s = ct_app_sound(r->target->app);
    const ct_sound_bus_resource *const resource = ct_sound_system_buses(s);
    const ct_sound_bus *const buses =
        resource ? ct_blob_at(resource, resource->buses.offset) : NULL;
    for (uint32_t i = 0; resource && i < resource->buses.count; ++i) {
        ct_sjson_begin_array(&r->w);
        ct_sjson_write_string(&r->w, ct_blob_at(resource, buses[i].name_text.offset));
        ct_sjson_write_number(&r->w, (double)buses[i].volume);
        ct_sjson_write_number(&r->w, (double)ct_sound_system_volume(s, buses[i].name));
        ct_sjson_write_number(&r->w, ct_sound_row_db(ct_sound_system_peak(s, i)));
        ct_sjson_end_array(&r->w);
    }
}

static void write_playing(ct_console_request *r) {
    ct_sound_rows rows;
    ct_sound_rows_collect(&rows, r->target->allocator, ct_app_worlds(r->target->app));
    for (uint32_t i = 0; i < rows.items.count && i < CT_INSPECT_MAX_ROWS; ++i) {
        const ct_sound_row *const row = &rows.items.items[i];
        ct_sjson_begin_array(&r->w);
        ct_sjson_write_number(&r->w, ct_inspect_world_number(row->world));
        ct_sjson_write_string(&r->w, ct_string_id64_name(row->info.event));
        ct_sjson_write_string(&r->w, ct_sound_row_state(row));
        ct_sjson_write_number(&r->w, (double)row->info.volume);
        ct_sjson_write_number(&r->w, row->info.num_voices);
        ct_sjson_write_number(&r->w, row->info.num_real);
        if (row->info.is_placed)
            ct_inspect_write_floats(&r->w, &row->info.position.x, 3);
        else
            ct_sjson_write_null(&r->w);
        ct_sjson_end_array(&r->w);
    }
    ct_sound_rows_free(&rows);
}

// --- Worlds --------------------------------------------------------------------------------------

// Calls `write` for each world, between the brackets of its row, which begins with the world's number.
static void for_worlds(ct_console_request *r, void (*write)(ct_console_request *r, ct_world *w)) {
    const ct_world_system *const worlds = ct_app_worlds(r->target->app);
    for (uint32_t i = 0; i < ct_world_system_num_worlds(worlds) && i < CT_INSPECT_MAX_ROWS; ++i) {
        ct_world *const w = ct_world_system_world(worlds, i);
        ct_sjson_begin_array(&r->w);
        ct_sjson_write_number(&r->w, ct_inspect_world_number(w));
        write(r, w);
        ct_sjson_end_array(&r->w);
    }
}

// Rows of a table that has several for each world.
typedef struct world_rows {
    ct_console_request *request;
    ct_world *world;
    uint32_t count;
} world_rows;

static void write_world(ct_console_request *r, ct_world *w) {
    uint32_t num_units, num_levels;
    ct_world_units(w, &num_units);
    ct_world_levels(w, &num_levels);
    ct_sjson_write_number(&r->w, num_units);
    ct_sjson_write_number(&r->w, num_levels);
    ct_sjson_write_number(&r->w, ct_transform_count(ct_world_transforms(w)));
    ct_sjson_write_number(&r->w, ct_mesh_count(ct_world_meshes(w)));
    ct_sjson_write_number(&r->w, ct_light_count(ct_world_lights(w)));
    ct_sjson_write_number(&r->w,
                          ct_world_animations(w) ? ct_animation_count(ct_world_animations(w)) : 0);
    ct_sjson_write_number(&r->w, ct_world_time(w));
}

static void write_worlds(ct_console_request *r) {
    for_worlds(r, write_world);
}

static void write_physics_world(ct_console_request *r, ct_world *w) {
    ct_physics_world *const p = ct_world_physics(w);
    uint32_t num_moved = 0, num_contacts = 0, num_events = 0;
    ct_bullet_counts counts = {0};
    if (p) {
        counts = ct_bullet_world_counts(ct_physics_world_bullet(p));
        ct_bullet_world_moved(ct_physics_world_bullet(p), &num_moved);
        ct_bullet_world_contacts(ct_physics_world_bullet(p), &num_contacts);
        ct_physics_world_events(p, &num_events);
    }
    ct_sjson_write_number(&r->w, p ? ct_actor_count(p) : 0);
    ct_sjson_write_number(&r->w, counts.dynamic);
    ct_sjson_write_number(&r->w, counts.awake);
    ct_sjson_write_number(&r->w, counts.islands);
    ct_sjson_write_number(&r->w, counts.pairs);
    ct_sjson_write_number(&r->w, num_moved);
    ct_sjson_write_number(&r->w, num_contacts);
    ct_sjson_write_number(&r->w, num_events);
    ct_sjson_write_number(&r->w, ct_world_movers(w) ? ct_mover_count(ct_world_movers(w)) : 0);
}

static void write_physics(ct_console_request *r) {
    for_worlds(r, write_physics_world);
}

static void write_particle_world(ct_console_request *r, ct_world *w) {
    const ct_particle_world *const p = ct_world_particles(w);
    ct_sjson_write_number(&r->w,
                          p ? ct_particles_count(p, (ct_particle_effect_id){0}, UINT32_MAX) : 0);
}

static void write_particles(ct_console_request *r) {
    for_worlds(r, write_particle_world);
}

static void write_effect(void *user, const ct_particle_effect_info *info) {
    world_rows *const rows = user;
    ct_sjson_writer *const w = &rows->request->w;
    if (rows->count++ >= CT_INSPECT_MAX_ROWS)
        return;
    ct_sjson_begin_array(w);
    ct_sjson_write_number(w, ct_inspect_world_number(rows->world));
    ct_sjson_write_string(w, ct_string_id64_name(info->resource));
    ct_sjson_write_number(w, info->num_particles);
    ct_inspect_write_floats(w, &info->position.x, 3);
    ct_sjson_end_array(w);
}

static void write_effects(ct_console_request *r) {
    const ct_world_system *const worlds = ct_app_worlds(r->target->app);
    world_rows rows = {.request = r};
    for (uint32_t i = 0; i < ct_world_system_num_worlds(worlds); ++i) {
        rows.world = ct_world_system_world(worlds, i);
        const ct_particle_world *const p = ct_world_particles(rows.world);
        if (p)
            ct_particles_visit(p, write_effect, &rows);
    }
}

static void write_navigation_world(ct_console_request *r, ct_world *w) {
    const ct_navigation_counts c = ct_navigation_world_counts(ct_world_navigation(w));
    ct_sjson_write_number(&r->w, c.instances);
    ct_sjson_write_number(&r->w, c.tiles);
    ct_sjson_write_number(&r->w, c.polygons);
    ct_sjson_write_number(&r->w, c.obstacles);
    ct_sjson_write_number(&r->w, c.waiting_tiles);
    ct_sjson_write_number(&r->w, c.queries);
    ct_sjson_write_number(&r->w, c.agents);
}

static void write_navigation(ct_console_request *r) {
    for_worlds(r, write_navigation_world);
}

static void write_agents_of(world_rows *rows, const ct_navigation_parts *parts) {
    static const char *const states[] = {
        [CT_NAVIGATION_IDLE] = "idle",       [CT_NAVIGATION_SEARCHING] = "searching",
        [CT_NAVIGATION_WALKING] = "walking", [CT_NAVIGATION_ON_LINK] = "on a link",
        [CT_NAVIGATION_ARRIVED] = "arrived", [CT_NAVIGATION_FAILED] = "failed",
        [CT_NAVIGATION_OFF] = "off",
    };
    const ct_navigation_agents_view view = ct_navigation_agents_all(parts->agents);
    ct_sjson_writer *const w = &rows->request->w;
    for (uint32_t i = 0; i < view.count && rows->count < CT_INSPECT_MAX_ROWS; ++i, ++rows->count) {
        ct_sjson_begin_array(w);
        ct_sjson_write_number(w, ct_inspect_world_number(rows->world));
        ct_sjson_write_string(w, ct_string_id64_name(parts->name));
        ct_sjson_write_number(w, (double)view.users[i]);
        ct_sjson_write_string(w, states[view.states[i]]);
        ct_sjson_write_number(w, (double)ct_vec3_length(view.velocities[i]));
        ct_inspect_write_floats(w, &view.positions[i].x, 3);
        ct_sjson_end_array(w);
    }
}

static void write_agents(ct_console_request *r) {
    const ct_world_system *const worlds = ct_app_worlds(r->target->app);
    world_rows rows = {.request = r};
    for (uint32_t i = 0; i < ct_world_system_num_worlds(worlds); ++i) {
        uint32_t count;
        rows.world = ct_world_system_world(worlds, i);
        ct_navigation_world *const n = ct_world_navigation(rows.world);
        const ct_navigation_instance *const all = ct_navigation_world_instances(n, &count);
        for (uint32_t k = 0; k < count; ++k) {
            const ct_navigation_parts parts = ct_navigation_world_parts(n, all[k]);
            write_agents_of(&rows, &parts);
        }
    }
}

// --- Scripts -------------------------------------------------------------------------------------

static void write_script(void *user, const ct_script_inspect_script *script) {
    world_rows *const rows = user;
    ct_sjson_writer *const w = &rows->request->w;
    if (rows->count++ >= CT_INSPECT_MAX_ROWS)
        return;
    ct_sjson_begin_array(w);
    ct_sjson_write_number(w, ct_inspect_world_number(rows->world));
    ct_sjson_write_string(w, script->name);
    ct_sjson_write_number(w, script->num_instances);
    ct_sjson_write_bool(w, script->has_failed);
    ct_sjson_end_array(w);
}

static void write_scripts(ct_console_request *r) {
    const ct_world_system *const worlds = ct_app_worlds(r->target->app);
    world_rows rows = {.request = r};
    for (uint32_t i = 0; i < ct_world_system_num_worlds(worlds); ++i) {
        ct_world *const w = ct_world_system_world(worlds, i);
        rows.world = w;
        ct_script_inspect_scripts(ct_app_script(r->target->app), w, write_script, &rows);
    }
}

// --- The tables ----------------------------------------------------------------------------------

const ct_inspect_table ct_inspect_tables[] = {
    {"frame", "the last frame", COLUMNS("figure", "value", "unit"), write_frame},
    {"render", "what the last frame drew", COLUMNS("figure", "value", "unit"), write_render},
    {"tasks", "threads, and what they did since the start",
     COLUMNS("thread", "tasks", "waits", "idle"), write_tasks},
    {"worlds", "what worlds have",
     COLUMNS("world", "units", "levels", "transforms", "meshes", "lights", "characters", "seconds"),
     write_worlds},
    {"physics",
     "actors, dynamic ones, those awake and the islands they form, pairs of bounds that meet, and "
     "what the last step did",
     COLUMNS("world", "actors", "dynamic", "awake", "islands", "pairs", "moved", "contacts",
             "events", "movers"),
     write_physics},
    {"particles", "living particles", COLUMNS("world", "particles"), write_particles},
    {"particle_effects", "effects that play, or whose particles still live",
     COLUMNS("world", "effect", "particles", "position"), write_effects},
    {"navigation", "meshes, and what the last step did",
     COLUMNS("world", "meshes", "tiles", "polygons", "obstacles", "waiting tiles", "queries",
             "agents"),
     write_navigation},
    {"navigation_agents", "agents, with their speed in m/s and their place",
     COLUMNS("world", "mesh", "entity", "state", "speed", "position"), write_agents},
    {"scripts", "behaviours by their script", COLUMNS("world", "script", "instances", "failed"),
     write_scripts},
    {"sound", "the mixer", COLUMNS("figure", "value", "unit"), write_sound},
    {"sound_buses", "volumes and meters in dB; the player's volume is a factor",
     COLUMNS("bus", "volume", "player's volume", "peak"), write_buses},
    {"sound_playing", "sounds, the loudest first; volumes in dB",
     COLUMNS("world", "event", "state", "volume", "voices", "real voices", "position"),
     write_playing},
};
const uint32_t ct_inspect_num_tables = CT_COUNT_OF(ct_inspect_tables);
