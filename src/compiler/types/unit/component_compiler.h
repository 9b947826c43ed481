// component_compiler.h: component types whose data in blobs is not just what their schema reads.
//
// Most components are structs that a schema reads, field by field, later sources over earlier ones.
// Some of these have fields that no source gives, which a function here computes. Components of
// varying size hold more than a struct: their type has a function here that makes the bytes of one
// component from all the objects that were applied to it. The schema of the type still reads each
// object, so that unknown members and wrong types are reported; the function reads the rest.
#pragma once
#include "compiler/types/unit/worker_template.h"

typedef struct ct_component_compiler {
    const char *type; // "data"
    // Appends the bytes of `component`, from component->objects, to `w`, which is aligned to 8 and
    // has the byte order of the destination; the caller pads to 8. The type's `check_instance` must
    // accept them. Returns false after reporting an error at the place in the source that is wrong
    // (ct_template_error); the caller then drops what was appended.
    // NULL for types whose data are structs.
    bool (*write)(ct_template *t, const ct_template_component *component, ct_blob_writer *w);
    // Computes the fields of a struct (a copy) that no source gives; NULL: there are no such
    // fields.
    void (*finish)(void *data);
    // Checks a component against the others of its unit. Returns false after reporting an error
    // (ct_template_error). NULL: nothing is checked.
    bool (*check)(ct_template *t, const ct_template_component *component,
                  const ct_template_components *components);
} ct_component_compiler;

// The functions of a component type; NULL for the many that need none.
const ct_component_compiler *ct_component_compiler_of(const ct_component_type *type);

// --- One for each file ---------------------------------------------------------------------------

// component_mesh.c: computes the fields of a ct_mesh_data that no source gives.
void ct_component_finish_mesh(void *data);

// component_data.c: `values` of the objects, merged key by key, as a buffer
// (resource/blob/data_buffer.h). A null removes what was there.
bool ct_component_write_data(ct_template *t, const ct_template_component *component,
                             ct_blob_writer *w);

// component_render_data.c: `values` and `colors` of the objects, merged name by name, as a
// ct_render_data. A null drops what was there.
bool ct_component_write_render_data(ct_template *t, const ct_template_component *component,
                                    ct_blob_writer *w);

// component_particles.c: the head, and `variables` of the objects, merged name by name, which the
// effect must have. A null drops what was there.
bool ct_component_write_particles(ct_template *t, const ct_template_component *component,
                                  ct_blob_writer *w);

// component_sound_source.c: the head, and `parameters` of the objects, merged name by name, which the
// event must have. A null drops what was there.
bool ct_component_write_sound_source(ct_template *t, const ct_template_component *component,
                                     ct_blob_writer *w);
