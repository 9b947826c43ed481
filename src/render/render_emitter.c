#include "render/render_emitter.h"

#include <string.h>

#include "render/renderer_private.h"

static void *push(ct_renderer *r, ct_render_command_type type, uint64_t bytes) {
    return ct_render_stream_push(ct_renderer_recording(r), type, bytes);
}

ct_render_effect_id ct_render_effect_create(ct_renderer *r, const ct_particles_resource *effect) {
    const ct_render_effect_id id = {ct_renderer_issue_id(r)};
    const uint64_t bytes = effect->header.size_bytes;
    ct_render_command_effect *const x =
        push(r, CT_RENDER_COMMAND_TYPE_EFFECT_CREATE, sizeof(*x) + bytes);
    *x = (ct_render_command_effect){.effect = id};
    memcpy(x + 1, effect, bytes);
    return id;
}

void ct_render_effect_destroy(ct_renderer *r, ct_render_effect_id effect) {
    ct_render_command_effect *const x = push(r, CT_RENDER_COMMAND_TYPE_EFFECT_DESTROY, sizeof(*x));
    *x = (ct_render_command_effect){.effect = effect};
}

ct_render_emitter_id ct_render_emitter_create(ct_renderer *r, const ct_render_emitter_desc *desc) {
    const ct_render_emitter_id id = {ct_renderer_issue_id(r)};
    ct_render_command_emitter *const x = push(r, CT_RENDER_COMMAND_TYPE_EMITTER_CREATE, sizeof(*x));
    *x = (ct_render_command_emitter){.desc = *desc, .emitter = id};
    return id;
}

void ct_render_emitter_destroy(ct_renderer *r, ct_render_emitter_id emitter) {
    ct_render_command_emitter *const x =
        push(r, CT_RENDER_COMMAND_TYPE_EMITTER_DESTROY, sizeof(*x));
    *x = (ct_render_command_emitter){.emitter = emitter};
}

void ct_render_emitter_step(ct_renderer *r, ct_render_emitter_id emitter,
                            const ct_particle_record *record, const ct_particle_run *runs,
                            const float (*variables)[4]) {
    const uint64_t run_bytes = sizeof(*runs) * (uint64_t)record->num_runs;
    const uint64_t variable_bytes = sizeof(*variables) * (uint64_t)record->num_variables;
    ct_render_command_emitter_step *const x =
        push(r, CT_RENDER_COMMAND_TYPE_EMITTER_STEP, sizeof(*x) + run_bytes + variable_bytes);
    *x = (ct_render_command_emitter_step){.emitter = emitter, .record = *record};
    char *const behind = (char *)(x + 1);
    if (run_bytes)
        memcpy(behind, runs, run_bytes);
    if (variable_bytes)
        memcpy(behind + run_bytes, variables, variable_bytes);
}

void ct_render_particles_add_emitter(ct_renderer *r, ct_render_world_id world,
                                     const ct_render_cloud_desc *desc,
                                     ct_render_emitter_id emitter) {
    ct_render_command_cloud *const x = push(r, CT_RENDER_COMMAND_TYPE_CLOUD, sizeof(*x));
    *x = (ct_render_command_cloud){.desc = *desc, .world = world, .emitter = emitter};
}

void ct_render_emitter_read(ct_renderer *r, ct_render_emitter_id emitter,
                            void (*done)(void *user, const float *channels, uint32_t num_channels,
                                         uint32_t capacity),
                            void *user) {
    ct_render_command_emitter_read *const x =
        push(r, CT_RENDER_COMMAND_TYPE_EMITTER_READ, sizeof(*x));
    *x = (ct_render_command_emitter_read){.done = done, .user = user, .emitter = emitter};
}
