// plugin_description.h: what plugins add to the compiler, as text: for programs that do not load them.
//
// A worker writes it (JSON: `types`, `components` with their schemas, `faults`), the driver keeps it in the
// project's cache, and tools that read sources take the schemas from there: references, renames.
#pragma once
#include "foundation/sjson/sjson_writer.h"

#include <cuttle/schema.h>

// Where the driver keeps it in a project, whose data is in the project: a line with hashes, then the text.
#define CT_PLUGIN_DESCRIPTION_FILE ".cuttle/cache/plugins/description"

// Writes the member `schema` of an object: all that cuttle_schema has.
void ct_plugin_description_write_schema(ct_sjson_writer *w, const cuttle_schema *schema);

// Registers the resource and component types of a project's kept description in this process, with their
// schemas; those that are not right are skipped. Does nothing when there is no description, or when one was
// used before. Memory is from the process's heap. For commands that end soon: not in a program that loads the
// plugins themselves.
void ct_plugin_description_use(const char *project_folder);

// The same from the text itself, which may be damaged.
void ct_plugin_description_use_text(const char *text, uint64_t bytes);

// Takes the schemas away and frees them. Call it before the process ends; without `use` it does nothing.
void ct_plugin_description_end(void);
