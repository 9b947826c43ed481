// fake_engine.h: what fuzz targets of scripts run on: a script environment with a world, resources
// and a renderer that only records, as the tests of Lua's modules have it
// (tests/script/api_fixture.h).
//
// There is one at a time. The player's folder lies in the data folder, which ends with the engine.
#pragma once
#include "script/script.h"

typedef struct fake_engine {
    ct_allocator *allocator; // must have no more blocks at the end than at the start
    ct_resource_manager *resources;
    ct_script *script;
    ct_world_system *worlds;
    ct_renderer *renderer;
    const char *folder; // with the data
} fake_engine;

// Starts memory, log and all that a script environment needs. Lua has the globals of api_fixture.h,
// and in the table Kept values of all kinds, at most FAKE_ENGINE_MAX_KEPT. `limits` is how scripts
// are limited: the desc's fields from `is_unsafe` on. `game` is the boot script's text. Borrowed
// until it stops.
enum { FAKE_ENGINE_MAX_KEPT = 32 };
const fake_engine *fake_engine_start(const ct_script_desc *limits, const char *game);

// Ends a frame of the renderer: checks what was recorded in it, and forgets it.
void fake_engine_end_frame(void);

// Ends it all. Asserts that nothing is left: of memory, of objects of the renderer, of worlds.
void fake_engine_stop(void);
