#include "particles/particle_gpu.h"

#include <math.h>
#include <string.h>

#include "foundation/math/math.h"
#include "particles/particle_system_private.h"

// --- The choice ----------------------------------------------------------------------------------

bool ct_particle_gpu_takes(const ct_particle_world *w, const ct_particle_emitter *e) {
    const uint32_t threshold = w->system->gpu_threshold;
    const bool is_wanted =
        e->flags & CT_PARTICLE_EMITTER_WANTS_GPU || (threshold > 0 && e->capacity >= threshold);
    return is_wanted && e->flags & CT_PARTICLE_EMITTER_GPU && w->renderer &&
           ct_render_emitters_are_ready(w->renderer);
}

// --- Blobs ---------------------------------------------------------------------------------------

// The id of a resource's blob, which is sent when it is the first.
static ct_render_effect_id blob_of(ct_particle_system *s, const ct_particles_resource *resource) {
    const uint64_t key = (uint64_t)(uintptr_t)resource;
    ct_render_effect_id id = {(uint32_t)ct_hash_map_get(&s->gpu_blobs, key, 0)};
    if (!id.value) {
        id = ct_render_effect_create(s->renderer, resource);
        ct_hash_map_set(&s->gpu_blobs, key, id.value);
    }
    return id;
}

ct_render_effect_id ct_particle_gpu_forget_blob(ct_particle_system *s,
                                                const ct_particles_resource *resource) {
    const uint64_t key = (uint64_t)(uintptr_t)resource;
    const ct_render_effect_id id = {(uint32_t)ct_hash_map_get(&s->gpu_blobs, key, 0)};
    if (id.value)
        ct_hash_map_erase(&s->gpu_blobs, key);
    return id;
}

void ct_particle_gpu_remove_blob(ct_particle_system *s, ct_render_effect_id blob) {
    if (blob.value)
        ct_render_effect_destroy(s->renderer, blob);
}

void ct_particle_gpu_remove_blobs(ct_particle_system *s) {
    uint32_t cursor = 0;
    for (const ct_hash_map_entry *entry; (entry = ct_hash_map_next(&s->gpu_blobs, &cursor));)
        ct_render_effect_destroy(s->renderer, (ct_render_effect_id){(uint32_t)entry->value});
    ct_hash_map_clear(&s->gpu_blobs);
}

// --- Emitters ------------------------------------------------------------------------------------

void ct_particle_gpu_start(ct_particle_world *w, ct_particle_effect *fx) {
    for (uint32_t i = 0; i < fx->num_emitters; ++i) {
        ct_particle_emitter_state *const s = &fx->emitters[i];
        if (!s->gpu)
            continue;
        *s->gpu = (ct_particle_gpu_emitter){.id = {0}};
        if (s->capacity)
            s->gpu->id = ct_render_emitter_create(
                w->renderer,
                &(ct_render_emitter_desc){blob_of(w->system, fx->resource), i, s->capacity});
    }
}

void ct_particle_gpu_stop(ct_particle_world *w, ct_particle_effect *fx) {
    for (uint32_t i = 0; i < fx->num_emitters; ++i) {
        ct_particle_gpu_emitter *const gpu = fx->emitters[i].gpu;
        if (!gpu || !gpu->id.value)
            continue;
        ct_render_emitter_destroy(w->renderer, gpu->id);
        gpu->id.value = 0;
    }
}

// --- The queue -----------------------------------------------------------------------------------

enum {
    RECORD_WORDS = sizeof(ct_particle_record) / sizeof(uint32_t),
    RUN_WORDS = sizeof(ct_particle_run) / sizeof(uint32_t),
    VARIABLE_WORDS = 4,
};

ct_particle_gpu_queue *ct_particle_gpu_queue_create(ct_allocator *a) {
    ct_particle_gpu_queue *const queue = CT_NEW(a, ct_particle_gpu_queue);
    ct_mutex_init(&queue->mutex);
    ct_array_init(&queue->words, a);
    return queue;
}

void ct_particle_gpu_queue_destroy(ct_allocator *a, ct_particle_gpu_queue *queue) {
    ct_mutex_shutdown(&queue->mutex);
    ct_array_free(&queue->words);
    ct_free_sized(a, queue, sizeof(*queue));
}

// Sends what was counted so far.
static void push(ct_particle_gpu_step *step) {
    ct_particle_gpu_queue *const queue = step->world->gpu;
    const ct_particle_effect *const fx = step->effect;
    const ct_particle_record *const record = &step->record;
    if (!step->state->gpu->id.value || fx->time < fx->gpu_from)
        return;
    ct_mutex_lock(&queue->mutex);
    ct_array_push(&queue->words, step->state->gpu->id.value);
    ct_array_push_many(&queue->words, (const uint32_t *)(const void *)record, RECORD_WORDS);
    ct_array_push_many(&queue->words, (const uint32_t *)(const void *)step->runs,
                       RUN_WORDS * record->num_runs);
    ct_array_push_many(&queue->words, (const uint32_t *)(const void *)fx->variables,
                       VARIABLE_WORDS * record->num_variables);
    ct_mutex_unlock(&queue->mutex);
}

void ct_particle_gpu_flush(ct_particle_world *w) {
    const ct_u32_array *const words = &w->gpu->words;
    for (uint32_t at = 0; at < words->count;) {
        const uint32_t *const from = words->items + at;
        ct_particle_record record;
        memcpy(&record, from + 1, sizeof(record));
        const uint32_t *const runs = from + 1 + RECORD_WORDS;
        const uint32_t *const variables = runs + RUN_WORDS * record.num_runs;
        ct_render_emitter_step(w->renderer, (ct_render_emitter_id){from[0]}, &record,
                               (const ct_particle_run *)(const void *)runs,
                               (const float(*)[4])(const void *)variables);
        at +=
            1 + RECORD_WORDS + RUN_WORDS * record.num_runs + VARIABLE_WORDS * record.num_variables;
    }
    w->gpu->words.count = 0;
}

// --- Counting ------------------------------------------------------------------------------------

static double bucket_seconds(const ct_particle_gpu_emitter *gpu) {
    return gpu->life / (CT_PARTICLE_GPU_BUCKETS - 2);
}

static uint64_t sum_of_births(const ct_particle_gpu_emitter *gpu) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < CT_PARTICLE_GPU_BUCKETS; ++i)
        sum += gpu->births[i];
    return sum;
}

uint32_t ct_particle_gpu_count(const ct_particle_emitter_state *s) {
    const uint64_t sum = sum_of_births(s->gpu);
    return sum < s->capacity ? (uint32_t)sum : s->capacity;
}

// A longer life makes longer parts: what was born so far counts as born now.
static void lengthen(ct_particle_gpu_emitter *gpu, double life, double time) {
    const uint64_t sum = sum_of_births(gpu);
    gpu->life = life;
    gpu->bucket = (int64_t)(time / bucket_seconds(gpu));
    memset(gpu->births, 0, sizeof(gpu->births));
    gpu->births[gpu->bucket % CT_PARTICLE_GPU_BUCKETS] = (uint32_t)sum;
}

// Goes on to a time of the effect.
static void advance(ct_particle_gpu_emitter *gpu, const ct_particle_effect *fx, double life) {
    if (life > gpu->life)
        lengthen(gpu, life, fx->time);
    const int64_t bucket = (int64_t)(fx->time / bucket_seconds(gpu));
    if (bucket - gpu->bucket >= CT_PARTICLE_GPU_BUCKETS) {
        memset(gpu->births, 0, sizeof(gpu->births));
        gpu->bucket = bucket;
    }
    while (gpu->bucket < bucket)
        gpu->births[++gpu->bucket % CT_PARTICLE_GPU_BUCKETS] = 0;
}

static void add_births(ct_particle_gpu_emitter *gpu, uint32_t capacity, uint64_t count) {
    uint32_t *const births = &gpu->births[gpu->bucket % CT_PARTICLE_GPU_BUCKETS];
    const uint64_t sum = *births + count;
    *births = sum < capacity ? (uint32_t)sum : capacity;
}

// --- Steps ---------------------------------------------------------------------------------------

static ct_aabb box_of(ct_vec3 a, ct_vec3 b) {
    ct_aabb box;
    for (uint32_t i = 0; i < 3; ++i) {
        box.min.raw[i] = fminf(a.raw[i], b.raw[i]);
        box.max.raw[i] = fmaxf(a.raw[i], b.raw[i]);
    }
    return box;
}

// Remembers where the effect was.
static void note_way(ct_particle_gpu_emitter *gpu, const ct_particle_effect *fx) {
    const ct_aabb way = box_of(fx->before.position, fx->now.position);
    const bool is_first = !gpu->has_boxes;
    gpu->has_boxes = true;
    if (is_first || fx->time - gpu->since >= gpu->life) {
        gpu->box_before = is_first ? way : gpu->box;
        gpu->box = way;
        gpu->since = fx->time;
    }
    for (uint32_t i = 0; i < 3; ++i) {
        gpu->box.min.raw[i] = fminf(gpu->box.min.raw[i], way.min.raw[i]);
        gpu->box.max.raw[i] = fmaxf(gpu->box.max.raw[i], way.max.raw[i]);
    }
    gpu->speed = fmaxf(gpu->speed, ct_vec3_length(fx->velocity));
}

static void copy_columns(const ct_mat4 *m, float columns[12]) {
    for (uint32_t i = 0; i < 4; ++i)
        memcpy(columns + 3 * i, m->raw[i], 3 * sizeof(float));
}

void ct_particle_gpu_begin(ct_particle_gpu_step *step, const ct_particle_chunk *c) {
    ct_particle_effect *const fx = (ct_particle_effect *)(uintptr_t)c->effect;
    const ct_particle_place *const now = &fx->now;
    step->world = c->world;
    step->effect = fx;
    step->state = c->state;
    ct_particle_record *const r = &step->record;
    *r = (ct_particle_record){.seconds = c->dt,
                              .dt = c->dt,
                              .time = (float)fx->time,
                              .clock = c->clock,
                              .size_scale = ct_particle_size_scale(fx),
                              .seed = fx->seed,
                              .num_variables = fx->num_variables};
    memcpy(r->before, fx->before.position.raw, sizeof(r->before));
    memcpy(r->position, now->position.raw, sizeof(r->position));
    memcpy(r->rotation, now->rotation.raw, sizeof(r->rotation));
    memcpy(r->scale, now->scale.raw, sizeof(r->scale));
    memcpy(r->velocity, fx->velocity.raw, sizeof(r->velocity));
    const ct_mat4 inverse = ct_mat4_inverse(fx->pose);
    copy_columns(&fx->pose, r->to_world);
    copy_columns(&inverse, r->from_world);
    advance(c->state->gpu, fx, ct_particle_longest_life(fx, c->emitter));
    note_way(c->state->gpu, fx);
}

void ct_particle_gpu_bear(ct_particle_gpu_step *step, uint32_t first, uint64_t count, double age,
                          double interval) {
    const uint32_t capacity = step->state->capacity;
    // More find no slot.
    const uint32_t sent = count < capacity ? (uint32_t)count : capacity;
    if (!sent)
        return;
    if (step->record.num_runs == CT_PARTICLE_GPU_RUNS) {
        push(step);
        step->record.seconds = 0.0f;
        step->record.num_runs = 0;
    }
    step->runs[step->record.num_runs++] =
        (ct_particle_run){first, sent, (float)age, (float)interval};
    add_births(step->state->gpu, capacity, sent);
}

void ct_particle_gpu_end(ct_particle_gpu_step *step) {
    if (step->record.num_runs || sum_of_births(step->state->gpu))
        push(step);
}

void ct_particle_gpu_seek(ct_particle_effect *fx, double seconds) {
    double life = 0.0;
    for (uint32_t i = 0; i < fx->num_emitters && fx->resource; ++i)
        if (fx->emitters[i].gpu)
            life =
                fmax(life, ct_particle_longest_life(fx, ct_particle_emitter_at(fx->resource, i)));
    fx->gpu_from = seconds - life - 0.5; // a step is shorter
}
