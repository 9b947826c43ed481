// protocol_areas.h: the areas of the protocol, and how rows are found in them. Constant; any thread.
#pragma once
#include "dev/protocol/protocol.h"

// The areas, each in the file of its functions.
extern const ct_protocol_area ct_console_area;    // console_messages.c
extern const ct_protocol_area ct_authorize_area;  // entrance/console_authorize.c
extern const ct_protocol_area ct_engine_area;     // inspect/inspect_engine.c
extern const ct_protocol_area ct_frames_area;     // frames/frames_protocol.c
extern const ct_protocol_area ct_memory_area;     // inspect/inspect_memory.c
extern const ct_protocol_area ct_resources_area;  // inspect/inspect_resources.c
extern const ct_protocol_area ct_entities_area;   // inspect/inspect_entities_area.c
extern const ct_protocol_area ct_statistics_area; // inspect/inspect_statistics.c
extern const ct_protocol_area ct_network_area;    // inspect/inspect_network.c
extern const ct_protocol_area ct_debugger_area;   // debugger/debugger_protocol.c

// Returns all areas, in the order of the documentation, and sets `count`.
const ct_protocol_area *const *ct_protocol_areas(uint32_t *count);

// Returns the row of a message, or NULL.
const ct_protocol_message *ct_protocol_message_named(const char *type);

// Returns a shape of any area, or NULL. `name` has `bytes` bytes.
const ct_protocol_shape *ct_protocol_shape_named(const char *name, uint32_t bytes);
