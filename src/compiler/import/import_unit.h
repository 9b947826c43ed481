// import_unit.h: a part of an import's sources: the unit, with the model's nodes as scene graph.
#pragma once
#include "compiler/import/import_sources.h"
#include "foundation/sjson/sjson_writer.h"

// Writes the members of the unit. Ids are made from the model's project path and the names of the
// nodes, so that the next import gives the same.
void ct_import_unit_write(ct_import_sources *s, ct_sjson_writer *w);

// Writes the members position, rotation and scale of a pose of the description, unless they do
// nothing.
void ct_import_pose_write(const ct_sjson *doc, ct_sjson_value pose, ct_sjson_writer *w);
