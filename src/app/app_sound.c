#include "app/app_private.h"
#include "foundation/profiler/profiler.h"

#define BLOCK_SECONDS ((double)CT_MIXER_BLOCK / CT_MIXER_RATE)

// Frames that must be the same every time mix the sound themselves, as much as the game's time goes
// on.
static bool mixes_with_frames(const ct_app *app) {
    return !app->window && ct_app_is_repeatable(app);
}

// Only in a window is there somebody who listens: others have a clock without sound.
static ct_sound_output *create_output(const ct_app *app) {
    if (mixes_with_frames(app))
        return NULL;
    return app->window && app->settings.has_sound_output ? ct_sound_output_openal(app->allocator)
                                                         : ct_sound_output_null(app->allocator);
}

ct_sound_system *ct_app_create_sound(const ct_app *app) {
    const ct_sound_system_desc desc = {.allocator = app->allocator,
                                       .resources = app->resources,
                                       .output = create_output(app),
                                       .buses = ct_string_id64_of(app->settings.sound_buses),
                                       .num_real = app->settings.sound_voices};
    return ct_sound_system_create(&desc);
}

void ct_app_update_sound(ct_app *app, double seconds) {
    CT_PROFILER_SCOPE("sound");
    if (!mixes_with_frames(app)) {
        ct_sound_system_update(app->sound, app->frame_seconds);
        return;
    }
    app->unheard_seconds += seconds;
    const uint64_t num_blocks = (uint64_t)(app->unheard_seconds / BLOCK_SECONDS + 1e-6);
    uint64_t num_frames;
    if (num_blocks)
        ct_sound_system_render(app->sound, (double)num_blocks * BLOCK_SECONDS, &num_frames);
    app->unheard_seconds -= (double)num_blocks * BLOCK_SECONDS;
    ct_sound_system_update(app->sound, seconds);
}
