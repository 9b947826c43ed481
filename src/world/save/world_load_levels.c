// The levels of a world that is loaded: which stay, go, and come.
#include <math.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/math/math.h"
#include "world/save/world_save_private.h"

static const ct_saved_level *levels_of(const ct_world_loading *l) {
    return ct_saved_at(l->saved, &l->saved->levels);
}

ct_level_record *ct_world_load_level_record(const ct_world_loading *l, ct_level level) {
    const ct_world *const w = l->world;
    for (uint32_t i = 0; level.id && i < w->levels.count; ++i) {
        if (w->levels.items[i].id == level.id)
            return &w->level_records.items[i];
    }
    return NULL;
}

static bool is_taken(const ct_world_loading *l, ct_level level) {
    for (uint32_t i = 0; i < l->levels.count; ++i) {
        if (l->levels.items[i].id == level.id)
            return true;
    }
    return false;
}

// --- Finding -------------------------------------------------------------------------------------

static double square(double x) {
    return x * x;
}

// How far the poses of a saved level and of one in the world are from each other; 0: they are the same.
static double distance(const ct_saved_level *s, const ct_level_record *record) {
    const ct_vec3 position = ct_mat4_position(record->pose.matrix);
    const float *const rotation = (const float *)&record->pose.rotation;
    double sum = 0, dot = 0;
    for (uint32_t i = 0; i < 3; ++i)
        sum += square((double)s->position[i] - (double)(&position.x)[i]) +
               square((double)s->scale[i] - (double)(&record->pose.scale.x)[i]);
    for (uint32_t i = 0; i < 4; ++i)
        dot += (double)s->rotation[i] * (double)rotation[i];
    const bool is_same_rotation = memcmp(s->rotation, rotation, sizeof(s->rotation)) == 0;
    return sum + (is_same_rotation ? 0 : fmax(1 - fabs(dot), 1e-12));
}

// Pairs saved levels with those in the world of the same resource, the nearest first.
static void find_levels(ct_world_loading *l) {
    const ct_world *const w = l->world;
    const uint32_t count = l->levels.count;
    for (;;) {
        double least = 0;
        uint32_t saved = 0, place = 0;
        for (uint32_t k = 0; k < w->levels.count; ++k) {
            const ct_level_record *const record = &w->level_records.items[k];
            const bool is_free = !record->is_ending && !is_taken(l, w->levels.items[k]);
            for (uint32_t i = 0; is_free && i < count; ++i) {
                if (l->levels.items[i].id || levels_of(l)[i].resource != record->resource.value)
                    continue;
                const double far = distance(&levels_of(l)[i], record);
                if (saved == 0 || far < least) {
                    least = far;
                    saved = i + 1;
                    place = k;
                }
            }
        }
        if (saved == 0)
            return;
        l->levels.items[saved - 1] = w->levels.items[place];
        if (least > 0)
            ct_world_load_problem(l, 0,
                                  "the level \"%s\" is at another place than it was: its units are "
                                  "restored, its markers and the like are not",
                                  ct_saved_text(l->saved, levels_of(l)[saved - 1].name));
    }
}

// --- Destroying and spawning ---------------------------------------------------------------------

void ct_world_load_destroy_levels(ct_world_loading *l, bool is_reported) {
    ct_world *const w = l->world;
    CT_ARRAY(ct_level) others;
    ct_array_init(&others, w->allocator);
    for (uint32_t i = 0; i < w->levels.count; ++i) {
        if (!w->level_records.items[i].is_ending && !is_taken(l, w->levels.items[i]))
            ct_array_push(&others, w->levels.items[i]);
    }
    for (uint32_t i = 0; i < others.count; ++i) { // the end of one may end others
        const ct_level_record *const record = ct_world_load_level_record(l, others.items[i]);
        if (record && is_reported)
            ct_world_load_problem(l, 0, "the level \"%s\" is not in the save: it is destroyed",
                                  ct_string_id64_name(record->resource));
        if (record)
            ct_world_destroy_level(w, others.items[i]);
    }
    ct_array_free(&others);
}

static void spawn_missing(ct_world_loading *l) {
    for (uint32_t i = 0; i < l->levels.count; ++i) {
        const ct_saved_level *const s = &levels_of(l)[i];
        ct_error error = {0};
        if (ct_world_load_level_record(l, l->levels.items[i]))
            continue;
        l->levels.items[i] = ct_world_spawn_level_of(
            l->world, (ct_string_id64){s->resource},
            ct_vec3_make(s->position[0], s->position[1], s->position[2]),
            (ct_quat){{s->rotation[0], s->rotation[1], s->rotation[2], s->rotation[3]}},
            ct_vec3_make(s->scale[0], s->scale[1], s->scale[2]), &error);
        if (!l->levels.items[i].id)
            ct_world_load_problem(l, 0, "the level \"%s\" of the saved world cannot be spawned: %s",
                                  ct_saved_text(l->saved, s->name), error.message);
    }
}

void ct_world_load_levels(ct_world_loading *l) {
    ct_array_resize(&l->levels, (uint32_t)l->saved->levels.count);
    find_levels(l);
    ct_world_load_destroy_levels(l, true);
    spawn_missing(l);
    if (l->levels.count > 0)
        ct_array_push_many(&l->now.levels, l->levels.items, l->levels.count);
}
