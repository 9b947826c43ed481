// worker_level_units.h: places the units of a level's source, for the level and for what is made of it.
#pragma once
#include "compiler/types/unit/worker_template.h"
#include "resource/types/unit_resource.h"

typedef CT_ARRAY(ct_level_unit) ct_worker_level_units;

// Adds all entities of the elements of `units` in t->compile->doc, the source of a level, to `t`, and
// those that were placed to `placed`. Reports errors.
void ct_worker_level_place_units(ct_template *t, ct_sjson_value units,
                                 ct_worker_level_units *placed);
