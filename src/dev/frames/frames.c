#include "dev/frames/frames.h"

#include <string.h>

#include "dev/inspect/inspect_find.h"
#include "foundation/error.h"
#include "foundation/math/math.h"
#include "foundation/os/os.h"
#include "render/renderer_picture.h"
#include "world/world_environment.h"

enum { MAX_UNSHOWN = 3 };
static const uint64_t second_ns = 1000000000;

struct ct_frames {
    ct_allocator *allocator;
    ct_console_server *server;
    uint32_t num_streams;
    uint32_t last_number;
    bool has_thread;
    ct_thread thread;

    ct_mutex mutex; // of what follows, for the encoder
    ct_condition condition;
    ct_frame_stream *streams[CT_FRAMES_MAX_STREAMS]; // the update thread changes them
    bool has_work, is_over;
};

// --- The encoder ---------------------------------------------------------------------------------

// Any thread: a picture waits.
static void wake(void *user) {
    ct_frames *const f = user;
    ct_mutex_lock(&f->mutex);
    f->has_work = true;
    ct_condition_signal(&f->condition);
    ct_mutex_unlock(&f->mutex);
}

static void run_encoder(void *data) {
    ct_frames *const f = data;
    ct_mutex_lock(&f->mutex);
    while (!f->is_over) {
        if (!f->has_work)
            ct_condition_wait(&f->condition, &f->mutex);
        f->has_work = false;
        // A stream with a picture that waits is not freed.
        ct_frame_stream *streams[CT_FRAMES_MAX_STREAMS];
        uint32_t count = 0;
        for (uint32_t i = 0; i < CT_FRAMES_MAX_STREAMS; ++i) {
            if (f->streams[i] && ct_frame_stream_is_busy(f->streams[i]))
                streams[count++] = f->streams[i];
        }
        ct_mutex_unlock(&f->mutex);
        for (uint32_t i = 0; i < count; ++i) {
            if (ct_frame_stream_encode(streams[i]))
                wake(f); // for the next of this stream
        }
        ct_mutex_lock(&f->mutex);
    }
    ct_mutex_unlock(&f->mutex);
}

// --- Life cycle ----------------------------------------------------------------------------------

ct_frames *ct_frames_create(ct_allocator *a, ct_console_server *server) {
    ct_frames *const f = CT_NEW(a, ct_frames);
    *f = (ct_frames){.allocator = a, .server = server};
    ct_mutex_init(&f->mutex);
    ct_condition_init(&f->condition);
    return f;
}

void ct_frames_destroy(ct_frames *f) {
    if (!f)
        return;
    ct_mutex_lock(&f->mutex);
    f->is_over = true;
    ct_condition_signal(&f->condition);
    ct_mutex_unlock(&f->mutex);
    if (f->has_thread)
        ct_thread_join(f->thread);
    for (uint32_t i = 0; i < CT_FRAMES_MAX_STREAMS; ++i) {
        if (f->streams[i])
            ct_frame_stream_destroy(f->streams[i]);
    }
    ct_condition_shutdown(&f->condition);
    ct_mutex_shutdown(&f->mutex);
    ct_free_sized(f->allocator, f, sizeof(*f));
}

void ct_frames_end(ct_frames *f) {
    for (uint32_t i = 0; f && i < CT_FRAMES_MAX_STREAMS; ++i) {
        if (f->streams[i])
            f->streams[i]->is_closed = true;
    }
}

uint32_t ct_frames_open(ct_frames *f, const ct_frame_stream_desc *desc, ct_error *error) {
    uint32_t place = 0;
    while (place < CT_FRAMES_MAX_STREAMS && f->streams[place])
        ++place;
    if (place == CT_FRAMES_MAX_STREAMS) {
        ct_error_set(error, "%d streams are open; expected at most as many: close one",
                     CT_FRAMES_MAX_STREAMS);
        return 0;
    }
    const ct_turbojpeg_api *const jpeg = desc->is_png ? NULL : ct_turbojpeg_load(error);
    if (!desc->is_png && !jpeg)
        return 0;
    ct_frame_stream *const s = ct_frame_stream_create(f->allocator, desc);
    s->desc.number = ++f->last_number;
    s->jpeg = jpeg;
    s->drawn = wake;
    s->user = f;
    ct_mutex_lock(&f->mutex);
    f->streams[place] = s;
    ct_mutex_unlock(&f->mutex);
    ++f->num_streams;
    if (!f->has_thread) {
        f->has_thread = true;
        f->thread = ct_thread_start("frames", run_encoder, f);
    }
    return s->desc.number;
}

ct_frame_stream *ct_frames_stream(ct_frames *f, ct_console_client_id client, uint32_t number) {
    for (uint32_t i = 0; i < CT_FRAMES_MAX_STREAMS; ++i) {
        ct_frame_stream *const s = f->streams[i];
        if (s && !s->is_closed && s->desc.number == number && s->desc.client.value == client.value)
            return s;
    }
    return NULL;
}

void ct_frames_close(ct_frames *f, ct_frame_stream *s) {
    (void)f;
    s->is_closed = true;
}

// Frees closed streams that no other thread has.
static void free_closed(ct_frames *f) {
    for (uint32_t i = 0; i < CT_FRAMES_MAX_STREAMS; ++i) {
        ct_frame_stream *const s = f->streams[i];
        if (!s || !s->is_closed)
            continue;
        ct_mutex_lock(&f->mutex);
        const bool is_free = !ct_frame_stream_is_busy(s);
        if (is_free)
            f->streams[i] = NULL;
        ct_mutex_unlock(&f->mutex);
        if (!is_free)
            continue;
        ct_frame_stream_destroy(s);
        --f->num_streams;
    }
}

// --- Frames --------------------------------------------------------------------------------------

// Returns whether something was sent.
static bool send_ready(ct_frames *f, ct_frame_stream *s) {
    bool is_sent = false;
    ct_frame_slot *slot;
    while ((slot = ct_frame_stream_ready(s))) {
        if (slot->json.length != 0) {
            if (s->num_unshown >= MAX_UNSHOWN ||
                !ct_console_server_send(f->server, s->desc.client,
                                        ct_string_builder_text(&slot->json), slot->binary.items,
                                        slot->binary.count))
                return is_sent; // it will be tried again
            ct_frame_stream_count_sent(s, slot);
            is_sent = true;
        }
        ct_frame_stream_sent(s, slot);
    }
    return is_sent;
}

// Makes pictures coarser when the client was behind for most of a second, and better after three calm ones.
static void adapt(ct_frame_stream *s, uint64_t now_ns) {
    if (now_ns - s->second_ns < second_ns)
        return;
    const bool is_behind = s->num_held > s->num_free;
    if (s->num_held != 0)
        s->calm_since_ns = now_ns;
    if (is_behind && s->level < CT_FRAME_MAX_LEVEL) {
        ++s->level;
    } else if (s->level > 0 && now_ns - s->calm_since_ns > 3 * second_ns) {
        --s->level;
        s->calm_since_ns = now_ns;
    }
    s->num_held = s->num_free = 0;
    s->second_ns = now_ns;
}

// Draws the stream's world for itself, in the corner of the back buffer.
static void draw(const ct_frame_stream *s, ct_world *world, ct_renderer *renderer,
                 const ct_renderer_picture *take) {
    uint32_t width, height, fit_width, fit_height;
    ct_renderer_size(renderer, &width, &height);
    if (width == 0 || height == 0) {
        take->done(take->user, NULL, 0, 0);
        return;
    }
    ct_frame_fit(s->desc.width, s->desc.height, width, height, &fit_width, &fit_height);
    ct_renderer_picture picture = *take;
    picture.rectangle[2] = (float)fit_width / (float)width;
    picture.rectangle[3] = (float)fit_height / (float)height;
    const ct_render_view view = {.pose = s->desc.pose,
                                 .projection = ct_mat4_perspective(
                                     s->desc.field_of_view, (float)fit_width / (float)fit_height,
                                     s->desc.near_range, s->desc.far_range)};
    const ct_vec4 from = view.pose.col[3];
    ct_render_environment_value values[CT_RENDER_MAX_SETTINGS];
    ct_world_send_changes(world);
    ct_world_add_view(world, &view);
    ct_renderer_draw_picture(
        renderer, ct_world_render_world(world), &view, s->desc.viewport, values,
        ct_world_environment_values(world, NULL, ct_vec3_make(from.x, from.y, from.z), values),
        &picture);
}

// `world` is the stream's; NULL: it shows the game's picture.
static void request(ct_frame_stream *s, ct_app *app, ct_world *world, uint64_t now_ns) {
    if (now_ns < s->due_ns)
        return;
    const bool is_held = s->num_unshown >= MAX_UNSHOWN;
    s->num_held += is_held;
    s->num_free += !is_held;
    ct_frame_slot *const slot = is_held ? NULL : ct_frame_stream_request(s);
    const uint64_t period_ns = (uint64_t)(1e9 / s->desc.rate);
    if (is_held)
        s->due_ns = now_ns + period_ns;
    if (!slot)
        return;
    s->due_ns = s->due_ns + 2 * period_ns < now_ns ? now_ns + period_ns : s->due_ns + period_ns;
    ct_renderer_picture picture = {.done = ct_frame_slot_take, .user = slot};
    memcpy(picture.rectangle, s->desc.rectangle, sizeof(picture.rectangle));
    if (world)
        draw(s, world, ct_app_renderer(app), &picture);
    else
        ct_renderer_read_picture(ct_app_renderer(app), &picture);
}

void ct_frames_update(ct_frames *f, ct_app *app) {
    if (f->num_streams == 0)
        return;
    const uint64_t now_ns = ct_os_time_ns();
    bool is_sent = false;
    for (uint32_t i = 0; i < CT_FRAMES_MAX_STREAMS; ++i) {
        ct_frame_stream *const s = f->streams[i];
        if (!s || s->is_closed)
            continue;
        ct_world *const world = s->desc.has_camera
                                    ? ct_inspect_world_numbered(ct_app_worlds(app), s->desc.world)
                                    : NULL;
        if (!ct_console_server_has_client(f->server, s->desc.client) ||
            (s->desc.has_camera && !world)) {
            s->is_closed = true;
            continue;
        }
        is_sent |= send_ready(f, s);
        adapt(s, now_ns);
        request(s, app, world, now_ns);
    }
    free_closed(f);
    if (is_sent)
        ct_console_server_flush(f->server); // they need not wait for the next frame
}
