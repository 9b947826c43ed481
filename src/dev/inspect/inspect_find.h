// inspect_find.h: what messages of tools name: worlds, levels, entities.
//
// A world has the number of its render world, which no later world gets. An entity has its id, which is
// a weak reference, too. So what has ended is never taken for something else. Update thread.
#pragma once
#include "dev/protocol/protocol_request.h"

// Returns the number of a world, from 1.
uint32_t ct_inspect_world_number(const ct_world *w);

// Returns the world with a number, or NULL when it has ended or never was.
ct_world *ct_inspect_world_numbered(const ct_world_system *worlds, double number);

// Returns the world that the member `world` names, or the first one where it is left out. NULL with
// r->error, which lists the worlds, when it has ended, or the game has no world.
ct_world *ct_inspect_world(ct_console_request *r);

// Returns the living entity of a world with this id, and its world. {0} with r->error, where `name` names
// what had the id.
ct_entity ct_inspect_entity(ct_console_request *r, double id, const char *name, ct_world **world);

// Writes a member with the name of an id: the text where it is known, else its number after a `#`.
// Leaves it out for {0}.
void ct_inspect_write_id64(ct_sjson_writer *w, const char *key, ct_string_id64 id);

// Writes an array of numbers; NaN and infinities are null.
void ct_inspect_write_floats(ct_sjson_writer *w, const float *values, uint32_t count);
