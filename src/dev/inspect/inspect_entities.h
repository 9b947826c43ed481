// inspect_entities.h: the messages of the area `entities`, in the files of their kind. Each writes the
// members of its answer, or fails with r->error (protocol/protocol.h).
#pragma once
#include "dev/protocol/protocol_request.h"

// inspect_entities.c: what is there.
bool ct_inspect_run_world_list(ct_console_request *r);
bool ct_inspect_run_entity_list(ct_console_request *r);
bool ct_inspect_run_entity_changes(ct_console_request *r);

// inspect_components.c: what an entity has, and setting it.
bool ct_inspect_run_entity_components(ct_console_request *r);
bool ct_inspect_run_entity_set(ct_console_request *r);

// inspect_pick.c: what is at a point of a picture.
bool ct_inspect_run_entity_pick(ct_console_request *r);

// inspect_select.c: what a tool has selected.
bool ct_inspect_run_entity_select(ct_console_request *r);

// Writes the members of an entity: its number, name, resource, level, unit and parent. `level` is the
// number of its level, 0: none.
void ct_inspect_write_entity(ct_sjson_writer *w, ct_world_system *worlds, ct_world *world,
                             ct_entity e, uint32_t level);
