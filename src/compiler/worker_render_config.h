// worker_render_config.h: a render config's source while it is read.
//
// Names are looked up as they are read: targets first, then layers, steps, viewports. Every error
// is reported at the value that is wrong, and reading goes on.
#pragma once
#include "compiler/compile.h"
#include "foundation/array.h"
#include "resource/render_config_resource.h"

typedef struct ct_worker_target {
    const char *name;
    ct_render_target target;
} ct_worker_target;

typedef struct ct_worker_layer {
    const char *name;
    ct_render_layer layer;
} ct_worker_layer;

typedef struct ct_worker_generator {
    const char *name;
    ct_render_generator generator;
} ct_worker_generator;

typedef struct ct_worker_viewport {
    ct_string_id32 name;
    ct_u32_array generators;
} ct_worker_viewport;

typedef struct ct_worker_render_config {
    ct_compile *c;
    const ct_sjson *doc;
    ct_render_config_source source;
    CT_ARRAY(ct_worker_target) targets;
    CT_ARRAY(ct_worker_layer) layers;
    CT_ARRAY(ct_render_step) steps;
    CT_ARRAY(ct_worker_generator) generators;
    CT_ARRAY(ct_worker_viewport) viewports;
} ct_worker_render_config;

// What kind of target a place wants.
typedef enum ct_worker_target_use {
    CT_WORKER_TARGET_USE_COLOR,
    CT_WORKER_TARGET_USE_DEPTH,
    CT_WORKER_TARGET_USE_INPUT, // of a pass: any but the back buffer
} ct_worker_target_use;

// Reports an error at `v` of the source. Returns false.
bool ct_worker_render_error(ct_worker_render_config *r, ct_sjson_value v, const char *format, ...)
    CT_PRINTF(3, 4);

// Reports members of `object`, which is `what`, that are not among the `count` names.
void ct_worker_render_members(ct_worker_render_config *r, ct_sjson_value object, const char *what,
                              const char *const *names, uint32_t count);

// The position in `names` of the string `v`; `count` after reporting.
uint32_t ct_worker_render_choice(ct_worker_render_config *r, ct_sjson_value v, const char *what,
                                 const char *const *names, uint32_t count);

// The id of the target that the string `v` names; {0} after reporting.
ct_string_id32 ct_worker_render_target_at(ct_worker_render_config *r, ct_sjson_value v,
                                          ct_worker_target_use use);

// Reads an array of target names for drawing colours to `targets` of CT_RENDER_MAX_COLOR_TARGETS;
// none ({0}) is fine. Returns how many there are. All must have one size.
uint32_t ct_worker_render_colors(ct_worker_render_config *r, ct_sjson_value v,
                                 ct_string_id32 *targets);

// Reports at `v` when the colour targets and the depth target (or {0}) differ in size.
void ct_worker_render_sizes(ct_worker_render_config *r, ct_sjson_value v,
                            const ct_string_id32 *colors, uint32_t num_colors,
                            ct_string_id32 depth);

// Reads `count` to `most` numbers between least and most to `out`. False after reporting.
bool ct_worker_render_numbers(ct_worker_render_config *r, ct_sjson_value v, const char *what,
                              uint32_t least_count, uint32_t most_count, double least, double most,
                              double *out);

// Read the target `v` of global_resources, or the layer `v` of layers, and add it. In
// worker_render_target.c.
void ct_worker_render_target(ct_worker_render_config *r, ct_sjson_value v);
void ct_worker_render_layer(ct_worker_render_config *r, ct_sjson_value v);

// Reads the step `v` of a generator and adds it. In worker_render_step.c.
void ct_worker_render_step(ct_worker_render_config *r, ct_sjson_value v);

// Writes what was read to the blob. In worker_render_write.c.
void ct_worker_render_write(const ct_worker_render_config *r);
