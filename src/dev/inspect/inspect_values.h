// inspect_values.h: the components whose state is no row of numbers: data, tags, names of meshes' materials,
// values of meshes, nodes. Update thread.
#pragma once
#include "dev/inspect/inspect_fields.h"

// Writes the fields of such a component into the open array, beside those of its row. Does nothing for
// others.
void ct_inspect_write_values(ct_console_request *r, ct_world *world, ct_entity e,
                             const ct_inspected_component *c);

// Sets a field of such a component. Returns false where another function has to; `error` is set then when
// the field is known and the value was refused.
bool ct_inspect_set_value(ct_console_request *r, ct_world *world, ct_entity e,
                          const ct_inspected_component *c, const char *field, ct_sjson_value value,
                          ct_error *error);
