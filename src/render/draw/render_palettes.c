#include "render/draw/render_palettes.h"

#include "foundation/profiler/profiler.h"

enum { JOB_GRAIN = 16 };

// Collects the skins of posed items that have no palette in this frame yet. Returns the vectors
// that they take.
static uint32_t list_skins(ct_render_draws *d, ct_render_world *world, uint32_t num_lists) {
    const ct_render_frames *const f = d->graph->materials->frames;
    ct_render_skeletons *const s = &world->skeletons;
    uint32_t num_vectors = 0;
    ++d->palette_round;
    d->skins.count = 0;
    for (uint32_t i = 0; i < num_lists; ++i)
        for (uint32_t k = 0; k < d->lists[i].num_items; ++k) {
            const ct_render_item *const item = &d->lists[i].sorted[k];
            if (!item->is_posed)
                continue;
            const uint32_t at = world->skins[item->object];
            ct_render_skin *const skin = &s->skins.items[at];
            const bool is_written = skin->palette.frame == f->context->frame &&
                                    skin->palette.generation == f->palette_generation;
            if (is_written || skin->listed == d->palette_round)
                continue;
            skin->listed = d->palette_round;
            ct_array_push(&d->skins, at);
            // Twice: the one of the frame before may have to be written too.
            num_vectors += 2 * 3 * skin->num_joints;
        }
    return num_vectors;
}

typedef struct palette_job {
    ct_render_draws *draws;
    ct_render_world *world;
    float (*vectors)[4]; // all of the frames'
    uint64_t frame;
} palette_job;

static void write_palettes(void *data, uint32_t begin, uint32_t end) {
    CT_PROFILER_SCOPE("write palettes");
    const palette_job *const job = data;
    const ct_render_skeletons *const s = &job->world->skeletons;
    for (uint32_t i = begin; i < end; ++i) {
        const ct_render_skin *const skin = &s->skins.items[job->draws->skins.items[i]];
        const ct_render_skeleton *const skeleton = &s->skeletons.items[skin->skeleton];
        const ct_render_mesh *const mesh = &job->draws->meshes->items.items[skin->mesh];
        const ct_render_palette *const p = &skin->palette;
        ct_render_skin_write(skin, mesh, ct_render_skeleton_pose(skeleton),
                             job->vectors + p->first);
        if (p->has_written_previous)
            ct_render_skin_write(skin, mesh, ct_render_skeleton_previous(skeleton, job->frame),
                                 job->vectors + p->previous);
    }
}

// Gives each skin its place from vector `next` on.
static void place_skins(ct_render_draws *d, ct_render_world *world, uint32_t next) {
    const ct_render_frames *const f = d->graph->materials->frames;
    const uint64_t frame = f->context->frame;
    for (uint32_t i = 0; i < d->skins.count; ++i) {
        ct_render_skin *const skin = &world->skeletons.skins.items[d->skins.items[i]];
        const ct_render_skeleton *const skeleton =
            &world->skeletons.skeletons.items[skin->skeleton];
        const ct_render_palette last = skin->palette;
        const bool is_kept = last.frame != 0 && last.frame + 1 == frame &&
                             last.generation == f->palette_generation &&
                             last.num_joints == skin->num_joints;
        ct_render_palette p = {.frame = frame,
                               .generation = f->palette_generation,
                               .first = next,
                               .previous = is_kept ? last.first : next,
                               .num_joints = skin->num_joints,
                               .has_written_previous = !is_kept && skeleton->frame == frame};
        next += 3 * skin->num_joints;
        if (p.has_written_previous) {
            p.previous = next;
            next += 3 * skin->num_joints;
        }
        skin->palette = p;
    }
}

void ct_render_palettes_place(ct_render_draws *d, ct_render_world *world, uint32_t num_lists) {
    ct_render_frames *const f = d->graph->materials->frames;
    if (!world->skeletons.num_skins)
        return;
    uint64_t generation;
    uint32_t first = 0;
    float(*vectors)[4];
    do { // a larger buffer has none of those that were written before
        generation = f->palette_generation;
        const uint32_t num_vectors = list_skins(d, world, num_lists);
        if (!num_vectors)
            return;
        vectors = ct_render_frames_palettes(f, num_vectors, &first);
    } while (generation != f->palette_generation);
    place_skins(d, world, first);
    palette_job job = {.draws = d, .world = world, .vectors = vectors, .frame = f->context->frame};
    ct_task_loop(d->tasks,
                 &(ct_task_loop_desc){.run = write_palettes,
                                      .data = &job,
                                      .count = d->skins.count,
                                      .grain = JOB_GRAIN,
                                      .priority = ct_task_priority_class(d->tasks, "render_cull",
                                                                         CT_TASK_PRIORITY_HIGH)});
}
