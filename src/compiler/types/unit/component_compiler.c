#include "compiler/types/unit/component_compiler.h"

#include "compiler/types/unit/component_actor.h"
#include "compiler/types/unit/component_tag.h"

#include <string.h>

// A row for each such type; the last ends the table.
static const ct_component_compiler compilers[] = {
    {.type = "mesh", .finish = ct_component_finish_mesh},
    {.type = "actor", .write = ct_component_write_actor, .check = ct_component_check_shapes},
    {.type = "trigger", .write = ct_component_write_trigger, .check = ct_component_check_shapes},
    {.type = "mover", .check = ct_component_check_mover},
    {.type = "data", .write = ct_component_write_data},
    {.type = "render_data", .write = ct_component_write_render_data},
    {.type = "particles", .write = ct_component_write_particles},
    {.type = "sound_source", .write = ct_component_write_sound_source},
    {.type = "tag", .write = ct_component_write_tags},
    {.type = NULL},
};

const ct_component_compiler *ct_component_compiler_of(const ct_component_type *type) {
    for (const ct_component_compiler *c = compilers; c->type; ++c) {
        if (strcmp(c->type, type->name) == 0)
            return c;
    }
    return NULL;
}
