// Writes a particle effect that was read to its blob.
#include <string.h>

#include "compiler/types/particles/worker_particles.h"

static ct_blob_string write_name(ct_blob_writer *w, const char *name) {
    return ct_blob_write_string(w, name, strlen(name));
}

static ct_blob_array write_variables(ct_worker_particles *p, ct_blob_writer *w) {
    const ct_blob_array array =
        ct_blob_reserve_items(w, &ct_particle_variable_layout, p->variables.count);
    for (uint32_t i = 0; i < p->variables.count; ++i)
        p->variables.items[i].name_text = write_name(w, p->variable_names.items[i]);
    ct_blob_fill_items(w, &ct_particle_variable_layout, array, p->variables.items);
    return array;
}

static ct_blob_array write_events(ct_worker_particles *p, ct_blob_writer *w,
                                  const ct_worker_emitter *e) {
    ct_particle_event *const events =
        CT_NEW_ARRAY(p->c->allocator, ct_particle_event, (uint64_t)e->events.count + 1);
    for (uint32_t i = 0; i < e->events.count; ++i)
        events[i] = e->events.items[i].event;
    return ct_blob_write_items(w, &ct_particle_event_layout, events, e->events.count);
}

static void write_emitter(ct_worker_particles *p, ct_blob_writer *w, ct_worker_emitter *e) {
    ct_particle_emitter *const out = &e->out;
    out->name_text = write_name(w, e->source.name);
    out->bursts =
        ct_blob_write_items(w, &ct_particle_burst_layout, e->bursts.items, e->bursts.count);
    out->points =
        ct_blob_write_items(w, &ct_particle_point_layout, e->points.items, e->points.count);
    out->events = write_events(p, w, e);
    out->init = ct_blob_write_items(w, &ct_particle_step_layout, e->init.items, e->init.count);
    out->update =
        ct_blob_write_items(w, &ct_particle_step_layout, e->update.items, e->update.count);
    out->values =
        ct_blob_write_items(w, &ct_particle_value_layout, e->values.items, e->values.count);
    out->samples =
        ct_blob_write_items(w, &ct_particle_sample_layout, e->samples.items, e->samples.count);
}

void ct_worker_particle_write(ct_worker_particles *p) {
    ct_blob_writer *const w = &p->c->blob;
    ct_particles_resource r = {.cull_distance = p->source.cull_distance,
                               .prewarm = p->source.prewarm,
                               .bounds_radius = p->source.bounds_radius,
                               .seed = (uint32_t)p->source.seed};
    ct_particle_emitter *const emitters =
        CT_NEW_ARRAY(p->c->allocator, ct_particle_emitter, p->emitters.count);
    ct_blob_begin(w, &ct_particles_layout);
    r.variables = write_variables(p, w);
    r.emitters = ct_blob_reserve_items(w, &ct_particle_emitter_layout, p->emitters.count);
    for (uint32_t i = 0; i < p->emitters.count; ++i) {
        write_emitter(p, w, p->emitters.items[i]);
        emitters[i] = p->emitters.items[i]->out;
    }
    ct_blob_fill_items(w, &ct_particle_emitter_layout, r.emitters, emitters);
    ct_blob_end(w, &ct_particles_layout, &r);
}
