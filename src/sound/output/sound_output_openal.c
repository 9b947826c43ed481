#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"
#include "sound/mixer/sound_mixer.h"
#include "sound/output/openal_queue.h"
#include "sound/output/sound_output.h"

enum { START_BLOCKS = 3 };

typedef struct openal_output {
    ct_sound_output base;
    ct_allocator *allocator;
    ct_openal_api api;
    ct_openal_queue queue;
    bool can_disconnect;
} openal_output;

// --- Is there a device? --------------------------------------------------------------------------

// A device of ALSA that plays: "pcmC0D0p".
static void find_player(void *user, const char *name) {
    const size_t length = strlen(name);
    *(bool *)user |= strncmp(name, "pcm", 3) == 0 && name[length - 1] == 'p';
}

static bool exists(const char *folder, const char *name) {
    char path[CT_PATH_BYTES];
    return folder && folder[0] && ct_path_try_join(path, folder, name) &&
           ct_os_file_info(path).kind != CT_FILE_KIND_NONE;
}

// OpenAL asks ALSA, which prints lines to standard error when there is no card. So it is not called
// where nothing can play: without a card, a sound server, or a setting that says which of them to
// use.
static bool can_play(void) {
    bool has_player = false;
    const char *const run = ct_os_environment("XDG_RUNTIME_DIR");
    if (ct_os_environment("ALSOFT_DRIVERS") || ct_os_environment("PULSE_SERVER") ||
        exists(run, "pulse/native") || exists(run, "pipewire-0") || exists("/run/pulse", "native"))
        return true;
    ct_os_folder_list("/dev/snd", find_player, &has_player, NULL);
    return has_player || exists("/dev", "dsp");
}

// --- The output ----------------------------------------------------------------------------------

static bool openal_open(ct_sound_output *base, ct_error *error) {
    openal_output *const o = (openal_output *)base;
    static const ALCint attributes[] = {ALC_FREQUENCY, CT_MIXER_RATE, ALC_OUTPUT_LIMITER_SOFT,
                                        ALC_FALSE, 0};
    if (!can_play())
        return ct_error_set(error, "found no sound card and no sound server");
    if (!ct_openal_load(&o->api, error))
        return false;
    ALCdevice *const device = o->api.alcOpenDevice(NULL);
    if (!device)
        return ct_error_set(error, "OpenAL cannot open the default device");
    if (!ct_openal_queue_open(&o->queue, &o->api, device, attributes, START_BLOCKS, error))
        return false;
    o->can_disconnect = o->api.alcIsExtensionPresent(device, "ALC_EXT_disconnect");
    return true;
}

static void openal_close(ct_sound_output *base) {
    ct_openal_queue_close(&((openal_output *)base)->queue);
}

static bool openal_poll(ct_sound_output *base, uint32_t *num_blocks, ct_error *error) {
    openal_output *const o = (openal_output *)base;
    ALCint is_connected = ALC_TRUE;
    if (o->can_disconnect)
        o->api.alcGetIntegerv(o->queue.device, ALC_CONNECTED, 1, &is_connected);
    if (!is_connected)
        return ct_error_set(error, "the sound device is gone");
    *num_blocks = ct_openal_queue_room(&o->queue);
    return true;
}

static void openal_write(ct_sound_output *base, const float *block) {
    ct_openal_queue_write(&((openal_output *)base)->queue, block);
}

static void openal_destroy(ct_sound_output *base) {
    ct_free(((openal_output *)base)->allocator, base);
}

ct_sound_output *ct_sound_output_openal(ct_allocator *a) {
    openal_output *const o = CT_NEW(a, openal_output);
    o->allocator = a;
    o->base = (ct_sound_output){.name = "openal",
                                .open = openal_open,
                                .close = openal_close,
                                .poll = openal_poll,
                                .write = openal_write,
                                .destroy = openal_destroy};
    return &o->base;
}
