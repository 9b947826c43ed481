// sound_rows.h: the sounds that play in all worlds, the loudest first, for tools. Update thread.
#pragma once
#include "world/world.h"

// A sound that plays.
typedef struct ct_sound_row {
    const ct_world *world;
    uint32_t world_place; // of the world, from 0
    ct_sound_instance_info info;
} ct_sound_row;

// All that play, the loudest first.
typedef struct ct_sound_rows {
    CT_ARRAY(ct_sound_row) items;
} ct_sound_rows;

// Collects the sounds. Free them before any comes or goes.
void ct_sound_rows_collect(ct_sound_rows *rows, ct_allocator *a, const ct_world_system *worlds);
void ct_sound_rows_free(ct_sound_rows *rows);

// Returns "paused", "real" or "virtual".
const char *ct_sound_row_state(const ct_sound_row *row);

// Returns the decibels of a factor; -100 for silence.
double ct_sound_row_db(float gain);
