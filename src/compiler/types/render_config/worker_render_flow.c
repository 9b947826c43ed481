// Checks the order of steps: that something was written before it is read, and that nothing is
// written over before anyone has read it.
#include <string.h>

#include "compiler/types/render_config/worker_render_config.h"

// The back buffer stands behind the declared targets.
enum { NUM_TARGETS = CT_RENDER_MAX_TARGETS + 1 };

// The content of a mip while the steps of a viewport are walked.
typedef struct content {
    const ct_worker_step *writer; // that wrote all of it, or drew to it; NULL: none, or a clear
    bool is_written, is_read;
} content;

typedef struct flow {
    ct_worker_render_config *r;
    content contents[NUM_TARGETS][CT_RENDER_MAX_MIPS];
    bool is_written_somewhere[NUM_TARGETS]; // by a step of any generator
} flow;

static uint32_t target_of(const flow *f, ct_string_id32 name) {
    for (uint32_t i = 0; i < f->r->targets.count; ++i) {
        if (f->r->targets.items[i].target.name.value == name.value)
            return i;
    }
    return CT_RENDER_MAX_TARGETS;
}

static const char *target_name(const flow *f, uint32_t target) {
    return target < f->r->targets.count ? f->r->targets.items[target].name : "back_buffer";
}

static const char *step_name(const flow *f, const ct_worker_step *step) {
    if (step->name)
        return ct_compile_text(f->r->c, "the step \"%.64s\"", step->name);
    const ct_sjson_value type = ct_sjson_find(step->doc, step->at, "type");
    return ct_compile_text(f->r->c, "a step of type %.64s", ct_sjson_string(step->doc, type, ""));
}

// --- Reads ---------------------------------------------------------------------------------------

static void mark_read(flow *f, uint32_t target, uint32_t mip) {
    const bool is_all = mip == CT_RENDER_ALL_MIPS;
    for (uint32_t i = is_all ? 0 : mip; i < (is_all ? CT_RENDER_MAX_MIPS : mip + 1); ++i)
        f->contents[target][i].is_read = true;
}

static void read_named(flow *f, ct_string_id32 name) {
    if (name.value)
        mark_read(f, target_of(f, name), CT_RENDER_ALL_MIPS);
}

static const ct_worker_step *find_writer(const flow *f, uint32_t target);

static void check_input(flow *f, ct_worker_step *step, const ct_render_input *input) {
    const uint32_t target = target_of(f, input->target);
    const uint32_t mip = input->mip == CT_RENDER_ALL_MIPS ? 0 : input->mip;
    const bool is_written = f->contents[target][mip].is_written;
    if (!input->is_previous)
        mark_read(f, target, input->mip);
    if (is_written || step->is_reported || (input->is_previous && f->is_written_somewhere[target]))
        return;
    f->r->doc = step->doc;
    const ct_worker_step *const writer = find_writer(f, target);
    if (!f->is_written_somewhere[target])
        step->is_reported =
            !ct_worker_render_error(f->r, step->at, "%s reads %s, which no step writes",
                                    step_name(f, step), target_name(f, target));
    else if (writer)
        step->is_reported = !ct_worker_render_error(
            f->r, step->at,
            "%s reads %s%s before %s writes it; move one of them, or, for what the last frame "
            "wrote, declare history = true and read { name = \"%s\"  previous = true }",
            step_name(f, step), mip ? ct_compile_text(f->r->c, "mip %u of ", mip) : "",
            target_name(f, target), step_name(f, writer), target_name(f, target));
}

// --- Writes --------------------------------------------------------------------------------------

// True for steps that put something new in place of everything that was there.
static bool is_covering(const flow *f, const ct_worker_step *step) {
    if (step->step.type != CT_RENDER_STEP_TYPE_FULLSCREEN_PASS)
        return step->step.type == CT_RENDER_STEP_TYPE_COPY;
    f->r->doc = step->doc;
    return !ct_worker_render_blends(f->r, ct_sjson_find(step->doc, step->at, "shader"));
}

static void write_mip(flow *f, ct_worker_step *step, uint32_t target, uint32_t mip) {
    content *const c = &f->contents[target][mip];
    const ct_worker_step *const before = c->writer;
    const bool is_unread = before && !c->is_read && !step->step.overwrites &&
                           !ct_worker_render_exclude(&before->step.enabled, &step->step.enabled);
    if (is_unread && !step->is_reported && is_covering(f, step)) {
        step->is_reported = !ct_worker_render_error(
            f->r, step->at,
            "%s writes over %s, which %s wrote and no step has read since; leave one of them out, "
            "or write overwrite = true",
            step_name(f, step), target_name(f, target), step_name(f, before));
    }
    const bool is_clear = step->step.type == CT_RENDER_STEP_TYPE_CLEAR;
    *c = (content){.writer = is_clear ? NULL : step, .is_written = true};
}

// Mips that a step writes.
typedef struct writes {
    uint32_t count;
    struct {
        uint32_t target, mip;
    } items[2 * CT_RENDER_MAX_COLOR_TARGETS + CT_RENDER_MAX_MIPS];
} writes;

static void add_write(const flow *f, writes *w, ct_string_id32 name, uint32_t mip) {
    if (!name.value)
        return;
    w->items[w->count].target = target_of(f, name);
    w->items[w->count++].mip = mip;
}

static const ct_render_layer *layer_of(const flow *f, ct_string_id32 name) {
    for (uint32_t i = 0; i < f->r->layers.count; ++i) {
        if (f->r->layers.items[i].layer.name.value == name.value)
            return &f->r->layers.items[i].layer;
    }
    return NULL;
}

// A layer's draws go to its targets, unless the step has its own.
static void add_layer_writes(const flow *f, const ct_render_step *s, writes *w) {
    const bool has_own = s->num_color_targets > 0 || s->depth_target.value != 0;
    const ct_render_layer *const layer = layer_of(f, s->layer);
    if (has_own || !layer)
        return;
    for (uint32_t i = 0; i < layer->num_color_targets; ++i)
        add_write(f, w, layer->color_targets[i], 0);
    add_write(f, w, layer->depth_target, 0);
    add_write(f, w, layer->velocity_target, 0);
}

static writes writes_of(const flow *f, const ct_render_step *s) {
    writes w = {.count = 0};
    for (uint32_t i = 0; i < s->num_color_targets; ++i)
        add_write(f, &w, s->color_targets[i], s->color_mips[i]);
    add_write(f, &w, s->depth_target, 0);
    for (uint32_t i = 0; i < s->num_outputs; ++i)
        add_write(f, &w, s->outputs[i].target, s->outputs[i].mip);
    if (s->type == CT_RENDER_STEP_TYPE_DRAW_LAYER)
        add_layer_writes(f, s, &w);
    for (uint32_t mip = 1; s->type == CT_RENDER_STEP_TYPE_GENERATE_MIPS && mip < CT_RENDER_MAX_MIPS;
         ++mip)
        add_write(f, &w, s->color_targets[0], mip);
    return w;
}

static void write_step(flow *f, ct_worker_step *step) {
    const writes w = writes_of(f, &step->step);
    // Objects may read what the frame gives all shaders.
    if (step->step.type == CT_RENDER_STEP_TYPE_DRAW_LAYER) {
        read_named(f, f->r->sky_map);
        read_named(f, f->r->scene_color);
        read_named(f, f->r->scene_depth);
    }
    for (uint32_t i = 0; i < w.count; ++i)
        write_mip(f, step, w.items[i].target, w.items[i].mip);
}

// --- The walk ------------------------------------------------------------------------------------

static bool does_write(const flow *f, const ct_worker_step *step, uint32_t target) {
    const writes w = writes_of(f, &step->step);
    for (uint32_t i = 0; i < w.count; ++i) {
        if (w.items[i].target == target)
            return true;
    }
    return false;
}

// The first step of any generator that writes the target; NULL when there is none.
static const ct_worker_step *find_writer(const flow *f, uint32_t target) {
    for (uint32_t i = 0; i < f->r->generators.count; ++i) {
        const ct_worker_step_array *const steps = &f->r->generators.items[i].steps;
        for (uint32_t k = 0; k < steps->count; ++k) {
            if (does_write(f, &steps->items[k], target))
                return &steps->items[k];
        }
    }
    return NULL;
}

// True when a generator that this viewport does not run writes the target: another viewport may
// have done so before in the frame.
static bool is_written_elsewhere(const flow *f, const ct_worker_viewport *viewport,
                                 uint32_t target) {
    for (uint32_t i = 0; i < f->r->generators.count; ++i) {
        bool is_run = false;
        for (uint32_t k = 0; k < viewport->generators.count; ++k)
            is_run |= viewport->generators.items[k] == i;
        const ct_worker_step_array *const steps = &f->r->generators.items[i].steps;
        for (uint32_t k = 0; !is_run && k < steps->count; ++k) {
            if (does_write(f, &steps->items[k], target))
                return true;
        }
    }
    return false;
}

static void walk_viewport(flow *f, const ct_worker_viewport *viewport) {
    memset(f->contents, 0, sizeof(f->contents));
    for (uint32_t i = 0; i < f->r->targets.count; ++i) {
        const bool is_written = is_written_elsewhere(f, viewport, i);
        for (uint32_t mip = 0; mip < CT_RENDER_MAX_MIPS; ++mip)
            f->contents[i][mip].is_written = is_written;
    }
    for (uint32_t i = 0; i < viewport->generators.count; ++i) {
        if (viewport->generators.items[i] >= f->r->generators.count)
            continue; // reported before
        const ct_worker_step_array *const steps =
            &f->r->generators.items[viewport->generators.items[i]].steps;
        for (uint32_t k = 0; k < steps->count; ++k) {
            ct_worker_step *const step = &steps->items[k];
            for (uint32_t n = 0; n < step->step.num_inputs; ++n)
                check_input(f, step, &step->step.inputs[n]);
            write_step(f, step);
        }
    }
}

void ct_worker_render_check_flow(ct_worker_render_config *r) {
    flow *const f = CT_NEW(r->c->allocator, flow);
    f->r = r;
    for (uint32_t i = 0; i < r->targets.count; ++i)
        f->is_written_somewhere[i] = find_writer(f, i) != NULL;
    f->is_written_somewhere[CT_RENDER_MAX_TARGETS] = true;
    for (uint32_t i = 0; i < r->viewports.count; ++i)
        walk_viewport(f, &r->viewports.items[i]);
}
