// script_inspect.h: the fields of behaviours for tools: what their tables hold, as rows of JSON.
//
// Reads and sets tables as they are, without metatables, so that no script runs. Booleans, numbers, texts and
// boxes of vectors can be set where they have a value of that kind already. Update thread, at a frame
// boundary or while a debugger has stopped the script's own state there.
#pragma once
#include "foundation/sjson/sjson.h"
#include "foundation/sjson/sjson_writer.h"
#include "script/script.h"

enum { CT_SCRIPT_INSPECT_MAX_FIELDS = 256, CT_SCRIPT_INSPECT_MAX_TEXT = 4096 };

// Returns the number of behaviours of an entity.
uint32_t ct_script_inspect_count(ct_script *s, ct_world *world, ct_entity e);

// Returns the script of a behaviour, `place` among those of its entity, from 0; "" when it is not there.
// Borrowed; lives as long as the world.
const char *ct_script_inspect_name(ct_script *s, ct_world *world, ct_entity e, uint32_t place);

// Writes an object for each field of a behaviour into the open array: `name`, `kind`, `can_set` and `value`,
// first `enabled`, then its table's, sorted by name, at most CT_SCRIPT_INSPECT_MAX_FIELDS. Texts are cut
// after CT_SCRIPT_INSPECT_MAX_TEXT bytes.
void ct_script_inspect_write(ct_script *s, ct_world *world, ct_entity e, uint32_t place,
                             ct_sjson_writer *w);

// The instances of one script in a world.
typedef struct ct_script_inspect_script {
    const char *name;
    uint32_t num_instances; // that are called each update, or wait for their first
    bool has_failed;        // the script could not be run
} ct_script_inspect_script;

// Calls `visit` for each script of a world that has, or had, behaviours. Returns how many instances errors
// have disabled.
uint32_t ct_script_inspect_scripts(ct_script *s, ct_world *world,
                                   void (*visit)(void *user,
                                                 const ct_script_inspect_script *script),
                                   void *user);

// Sets a field. Returns false with `error`, and changes nothing.
bool ct_script_inspect_set(ct_script *s, ct_world *world, ct_entity e, uint32_t place,
                           const char *field, const ct_sjson *doc, ct_sjson_value value,
                           ct_error *error);
