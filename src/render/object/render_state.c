#include "render/object/render_state.h"

#include "foundation/error.h"
#include "foundation/os/os.h"
#include "render/draw/render_gui_draw.h"

// --- Life cycle ----------------------------------------------------------------------------------

static ct_renderer_pipelines pipelines_mode(const ct_renderer_desc *desc) {
    if (desc->pipelines != CT_RENDERER_PIPELINES_DEFAULT)
        return desc->pipelines;
    return desc->surface ? CT_RENDERER_PIPELINES_AHEAD : CT_RENDERER_PIPELINES_WHEN_DRAWN;
}

bool ct_render_state_init(ct_render_state *s, ct_allocator *a, const ct_renderer_desc *desc,
                          ct_error *error) {
    *s = (ct_render_state){.allocator = a, .width = desc->width, .height = desc->height};
    if (!ct_render_device_init(&s->device, a, desc, error))
        return false;
    ct_render_context_init(&s->context, &s->device);
    ct_render_frames_init(&s->frames, &s->context);
    ct_render_textures_init(&s->textures, &s->context);
    ct_render_glyphs_init(&s->glyphs, &s->context, &s->textures);
    ct_render_meshes_init(&s->meshes, &s->context);
    ct_render_shaders_init(&s->shaders, &s->context, pipelines_mode(desc), desc->cache_folder);
    ct_render_emitters_init(&s->emitters, &s->context, &s->shaders);
    ct_render_materials_init(&s->materials, &s->context, &s->frames, &s->shaders, &s->textures);
    ct_render_graph_init(&s->graph, &s->context, &s->shaders, &s->materials, &s->textures);
    ct_render_draws_init(&s->draws, &s->graph, &s->meshes, desc->tasks);
    s->draws.emitters = &s->emitters;
    ct_render_swapchain_init(&s->swapchain, &s->context);
    ct_array_init(&s->worlds, a);
    ct_array_init(&s->views, a);
    ct_array_init(&s->screenshots, a);
    ct_array_init(&s->late_screenshots, a);
    ct_render_pictures_init(&s->pictures, a);
    return true;
}

void ct_render_state_drop(ct_render_state *s) {
    ct_render_pictures_drop(&s->pictures, &s->context);
    ct_render_swapchain_drop(&s->swapchain);
    for (uint32_t i = 0; i < s->worlds.count; ++i)
        ct_render_guis_drop(&s->worlds.items[i]->guis, &s->context);
    ct_render_draws_drop(&s->draws);
    ct_render_graph_drop(&s->graph);
    ct_render_materials_drop(&s->materials);
    ct_render_emitters_drop(&s->emitters);
    ct_render_shaders_drop(&s->shaders);
    ct_render_meshes_drop(&s->meshes);
    ct_render_glyphs_drop(&s->glyphs);
    ct_render_textures_drop(&s->textures);
    ct_render_frames_drop(&s->frames);
    ct_render_context_drop(&s->context);
    ct_render_device_drop(&s->device);
}

bool ct_render_state_restore(ct_render_state *s, ct_error *error) {
    if (!ct_render_device_restore(&s->device, error))
        return false;
    ct_render_context_restore(&s->context);
    ct_render_frames_restore(&s->frames, s->frame ? s->frame - 1 : 0);
    ct_render_meshes_restore(&s->meshes);
    ct_render_shaders_restore(&s->shaders);
    ct_render_graph_restore(&s->graph);
    s->ahead.is_stale = true;
    return !ct_render_device_is_lost();
}

void ct_render_state_shutdown(ct_render_state *s) {
    ct_render_state_refuse_screenshots(s);
    ct_render_state_drop(s);
    for (uint32_t i = 0; i < s->worlds.count; ++i) {
        ct_render_guis_free(&s->worlds.items[i]->guis, &s->context);
        ct_render_world_shutdown(s->worlds.items[i]);
        ct_free_sized(s->allocator, s->worlds.items[i], sizeof(ct_render_world));
    }
    ct_array_free(&s->worlds);
    ct_array_free(&s->views);
    ct_array_free(&s->screenshots);
    ct_array_free(&s->late_screenshots);
    ct_render_pictures_free(&s->pictures);
    ct_render_draws_shutdown(&s->draws);
    ct_render_graph_shutdown(&s->graph);
    ct_render_materials_shutdown(&s->materials);
    ct_render_emitters_shutdown(&s->emitters);
    ct_render_shaders_shutdown(&s->shaders);
    ct_render_meshes_shutdown(&s->meshes);
    ct_render_glyphs_shutdown(&s->glyphs);
    ct_render_textures_shutdown(&s->textures);
    ct_render_context_shutdown(&s->context);
    ct_render_device_shutdown(&s->device);
}

// --- Drawing -------------------------------------------------------------------------------------

static void ask_ahead(ct_render_state *s) {
    ct_render_ahead_ask(&s->ahead, &s->graph, &s->meshes);
    ct_render_emitters_ask(&s->emitters);
}

// Asks for the pipelines that are needed by now, and takes those that are made. A screenshot shows
// everything.
static void prepare_pipelines(ct_render_state *s) {
    if (s->shaders.mode != CT_RENDERER_PIPELINES_WHEN_DRAWN)
        ask_ahead(s);
    if (s->shaders.mode == CT_RENDERER_PIPELINES_AWAITED || s->screenshots.count)
        ct_render_shaders_wait(&s->shaders);
    else
        ct_render_shaders_collect(&s->shaders);
    s->shaders.num_late = 0;
}

// Returns whether there is something to draw.
static bool draw_view(ct_render_state *s, const ct_render_command_render_world *view) {
    for (uint32_t k = 0; k < s->worlds.count; ++k)
        if (s->worlds.items[k]->id.value == view->world.value) {
            ct_render_view_draw(&s->draws, s->worlds.items[k], &view->view, view->viewport,
                                view->rectangle, (const ct_render_environment_value *)(view + 1),
                                view->num_values);
            return true;
        }
    return false;
}

// Records the views that are for one picture each. What comes after them covers them.
static void draw_pictures(ct_render_state *s) {
    ct_render_pictures *const p = &s->pictures;
    if (p->views.count == 0)
        return;
    if (s->keeps_picture) {
        ct_render_pictures_refuse_views(p);
        return;
    }
    for (uint32_t i = 0; i < p->views.count; ++i) {
        const ct_render_command_draw_picture *const x = p->views.items[i];
        if (draw_view(s, &x->view))
            ct_render_pictures_record_one(p, &s->graph, s->frame, &x->picture);
        else
            x->picture.done(x->picture.user, NULL, 0, 0);
    }
    p->views.count = 0;
    ct_render_end_copies(&s->context);
    ct_render_graph_blacken(&s->graph);
}

// Records all views. Returns how many there were to draw.
static uint32_t draw_views(ct_render_state *s) {
    ct_render_glyphs_upload(&s->glyphs);
    for (uint32_t i = 0; i < s->worlds.count; ++i)
        ct_render_guis_upload(s->worlds.items[i], &s->frames);
    ct_render_graph_begin_frame(&s->graph, s->keeps_picture);
    draw_pictures(s);
    uint32_t num_drawn = 0;
    for (uint32_t i = 0; i < s->views.count; ++i)
        num_drawn += draw_view(s, s->views.items[i]);
    return num_drawn;
}

// --- Screenshots ---------------------------------------------------------------------------------

static ct_render_buffer copy_picture(ct_render_state *s) {
    const ct_render_image *const image = &ct_render_graph_back_buffer(&s->graph)->image;
    const VkRect2D whole = {{0, 0}, {image->width, image->height}};
    const ct_render_buffer b = ct_render_copy_back_buffer(&s->graph, whole);
    ct_render_end_copies(&s->context);
    return b;
}

// Passes the image to all pending screenshots; an empty `picture`: the frame drew nothing. Delivers
// nothing while the device is lost.
static void deliver(ct_render_state *s, ct_render_buffer *picture) {
    if (picture->allocation.block)
        ct_render_frames_wait(&s->frames, s->frame);
    if (!ct_render_device_is_lost()) {
        for (uint32_t i = 0; i < s->screenshots.count; ++i)
            s->screenshots.items[i].done(s->screenshots.items[i].user, picture->allocation.mapped,
                                         picture->handle ? s->graph.width : 0,
                                         picture->handle ? s->graph.height : 0);
        s->screenshots.count = 0;
    }
    // A lost device may not be done with it.
    ct_render_retire_buffer(&s->context.retire, picture);
}

// The same of the channels of emitters that were asked for.
static void deliver_channels(ct_render_state *s, ct_render_buffer *channels) {
    if (channels->allocation.block)
        ct_render_frames_wait(&s->frames, s->frame);
    if (!ct_render_device_is_lost())
        ct_render_emitters_deliver(&s->emitters, channels);
    ct_render_retire_buffer(&s->context.retire, channels);
}

static void refuse(ct_render_screenshot_array *screenshots) {
    for (uint32_t i = 0; i < screenshots->count; ++i)
        screenshots->items[i].done(screenshots->items[i].user, NULL, 0, 0);
    screenshots->count = 0;
}

void ct_render_state_refuse_screenshots(ct_render_state *s) {
    refuse(&s->screenshots);
    refuse(&s->late_screenshots);
    ct_render_emitters_deliver(&s->emitters, &(ct_render_buffer){0});
}

// --- A frame -------------------------------------------------------------------------------------

static void begin(ct_render_state *s) {
    ct_render_frames_begin(&s->frames, s->frame);
    ct_render_pictures_deliver(&s->pictures, &s->context, ct_render_frames_completed(&s->frames));
    s->draws.stats = (ct_render_stats){.frame = s->frame};
    ct_render_textures_begin_frame(&s->textures);
}

// Makes the targets as large as the window. A picture that is kept waits while that is minimised.
static void fit_targets(ct_render_state *s, bool has_area) {
    if (!s->keeps_picture)
        ct_render_graph_resize(&s->graph, s->width, s->height);
    else if (has_area)
        ct_render_graph_stretch(&s->graph, s->width, s->height);
}

// Draws what was applied since `start_ns`, and shows it.
static ct_render_stats draw(ct_render_state *s, uint64_t start_ns) {
    const bool has_area = s->width && s->height;
    fit_targets(s, has_area);
    prepare_pipelines(s);
    ct_render_emitters_simulate(&s->emitters);
    const uint32_t num_drawn = has_area ? draw_views(s) : 0;
    ct_render_buffer picture = {0};
    if (s->screenshots.count && (num_drawn || (has_area && s->keeps_picture)))
        picture = copy_picture(s);
    if (num_drawn || (has_area && s->keeps_picture))
        ct_render_pictures_record(&s->pictures, &s->graph, s->frame);
    else
        ct_render_pictures_refuse(&s->pictures);
    ct_render_buffer channels = ct_render_emitters_copy(&s->emitters);
    const uint64_t before_wait = ct_os_time_ns();
    const bool is_shown =
        has_area && ct_render_swapchain_acquire(&s->swapchain, &s->frames, s->width, s->height);
    const uint64_t after_wait = ct_os_time_ns();
    if (is_shown) {
        ct_render_graph_use(&s->graph, ct_render_graph_back_buffer(&s->graph),
                            CT_RENDER_USE_COPY_SOURCE);
        ct_render_swapchain_copy(&s->swapchain, &ct_render_graph_back_buffer(&s->graph)->image);
    }
    ct_render_frames_submit(&s->frames,
                            is_shown ? ct_render_swapchain_drawn(&s->swapchain) : VK_NULL_HANDLE);
    s->draws.stats.submit_seconds =
        (double)(ct_os_time_ns() - after_wait + before_wait - start_ns) * 1e-9;
    if (is_shown)
        ct_render_swapchain_present(&s->swapchain);
    deliver(s, &picture);
    deliver_channels(s, &channels);
    s->draws.stats.num_late_pipelines = s->shaders.num_late;
    s->draws.stats.device_bytes = ct_render_memory_live_bytes(s->device.memory);
    s->draws.stats.num_device_ranges = ct_render_memory_live_count(s->device.memory);
    return s->draws.stats;
}

ct_render_stats ct_render_state_frame(ct_render_state *s, uint64_t frame,
                                      const ct_render_stream *stream) {
    s->frame = frame;
    if (s->has_failed) {
        ct_render_stream_refuse_screenshots(stream);
        atomic_store(&s->frames.completed, frame);
        return (ct_render_stats){.frame = frame};
    }
    ct_render_state_clear_frame(s);
    begin(s);
    const uint64_t start_ns = ct_os_time_ns();
    ct_render_state_apply(s, stream);
    if (s->is_part)
        ct_render_state_keep_lines(s);
    return draw(s, start_ns);
}

ct_render_stats ct_render_state_redraw(ct_render_state *s, const ct_render_stream *resources) {
    begin(s);
    const uint64_t start_ns = ct_os_time_ns();
    ct_render_state_apply(s, resources);
    for (uint32_t i = 0; i < s->worlds.count; ++i)
        s->worlds.items[i]->lines_frame = 0;
    return draw(s, start_ns);
}
