// component_actor.h: the bytes of actor and trigger components, and checks of movers.
#pragma once
#include "compiler/types/unit/worker_template.h"

// Append a ct_actor_data or ct_trigger_data and its shapes. As ct_component_compiler.write.
bool ct_component_write_actor(ct_template *t, const ct_template_component *component,
                              ct_blob_writer *w);
bool ct_component_write_trigger(ct_template *t, const ct_template_component *component,
                                ct_blob_writer *w);

// Checks that an actor or trigger has shapes, or that its unit has a mesh component. As
// ct_component_compiler.check.
bool ct_component_check_shapes(ct_template *t, const ct_template_component *component,
                               const ct_template_components *components);

// Checks that a mover's capsule is as high as its two ends, and that its skin is thinner than it. As
// ct_component_compiler.check.
bool ct_component_check_mover(ct_template *t, const ct_template_component *component,
                              const ct_template_components *components);
