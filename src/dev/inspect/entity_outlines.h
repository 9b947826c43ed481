// entity_outlines.h: the outlines of the worlds that tools watch (entity_outline.h).
//
// A world has one from the first question on, for all tools together; one that no tool has asked for in a minute is
// freed. So a game that no tool watches pays nothing. Update thread.
#pragma once
#include "dev/inspect/entity_outline.h"
#include "world/world.h"

typedef struct ct_entity_outlines ct_entity_outlines;

// Makes the empty list, and frees it with all outlines (NULL is fine).
ct_entity_outlines *ct_entity_outlines_create(ct_allocator *a);
void ct_entity_outlines_destroy(ct_entity_outlines *o);

// Frees the outlines that no tool has asked for in a minute. Call it each frame.
void ct_entity_outlines_tidy(ct_entity_outlines *o);

// Brings the outline of a world, with the number `number`, up to date: its units with their names and parents. Returns
// it, to be asked before the next call.
ct_entity_outline *ct_entity_outlines_of(ct_entity_outlines *o, ct_world_system *worlds,
                                         ct_world *world, uint32_t number);
