// flow_picture.h: a flow graph as a picture, in SVG.
//
// Nodes are boxes at their positions; a graph without positions is laid out in columns, from what begins to
// what follows. A box shows its type, its comment, its events, and those of its values that are linked or
// given. Black lines are events, blue ones values. Any thread.
#pragma once
#include "foundation/sjson/sjson.h"
#include "foundation/string/string_builder.h"

// Appends the picture of the graph in `doc`, a source of the type flow. Returns false with `error` when it is
// not one: members of wrong types, links to nodes that are not there. Nodes in Lua are looked up in the
// folder `project` (NULL: in none); one that is not found shows what is linked and given.
bool ct_flow_picture(const ct_sjson *doc, const char *project, ct_string_builder *svg,
                     ct_error *error);
