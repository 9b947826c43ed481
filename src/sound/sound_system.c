#include "sound/sound_system.h"

#include <math.h>

#include "foundation/memory/proxy_allocator.h"
#include "foundation/profiler/profiler.h"
#include "sound/sound_system_private.h"

// --- Resources -----------------------------------------------------------------------------------

void ct_sound_system_set_event(ct_sound_system *s, ct_string_id64 name,
                               const ct_sound_event_resource *event) {
    if (event)
        ct_hash_map_set(&s->events, name.value, (uint64_t)(uintptr_t)event);
    else
        ct_hash_map_erase(&s->events, name.value);
    ct_sound_follow_event(s, name, event);
}

static void event_online(void *user, ct_string_id64 name, const void *blob) {
    ct_sound_system_set_event(user, name, blob);
}

static void event_offline(void *user, ct_string_id64 name, const void *blob) {
    (void)blob;
    ct_sound_system_set_event(user, name, NULL);
}

static void event_reload(void *user, ct_string_id64 name, const void *old_blob,
                         const void *new_blob) {
    (void)old_blob;
    ct_sound_system_set_event(user, name, new_blob);
}

static void buses_online(void *user, ct_string_id64 name, const void *blob) {
    ct_sound_system *const s = user;
    if (name.value == s->buses_name.value)
        ct_sound_system_set_buses(s, blob);
}

static void buses_offline(void *user, ct_string_id64 name, const void *blob) {
    (void)blob;
    buses_online(user, name, NULL);
}

static void buses_reload(void *user, ct_string_id64 name, const void *old_blob,
                         const void *new_blob) {
    (void)old_blob;
    buses_online(user, name, new_blob);
}

static void register_types(ct_sound_system *s) {
    ct_resource_manager_register(
        s->resources, "sound_bus",
        &(ct_resource_callbacks){
            .user = s, .online = buses_online, .offline = buses_offline, .reload = buses_reload});
    ct_resource_manager_register(
        s->resources, "sound_event",
        &(ct_resource_callbacks){
            .user = s, .online = event_online, .offline = event_offline, .reload = event_reload});
}

// The table of media has other samples for a sound.
static void media_changed(void *user, const ct_sound_media *old, const ct_sound_media *media) {
    ct_sound_system *const s = user;
    ct_mixer_lock(s->mixer);
    ct_mixer_replace_media(s->mixer, old, media);
    ct_mixer_unlock(s->mixer);
    // Those of voices that ended are open until the mixer's report was read.
    ct_sound_streams_forget(s->streams, old->resource);
    for (uint32_t layer = 1; layer < s->layers.block.count; ++layer)
        if (s->layers.voices[layer].value && s->layers.media[layer] == old)
            ct_sound_layer_set_media(s, layer, media);
}

void ct_sound_system_set_sound(ct_sound_system *s, ct_string_id64 name,
                               const ct_sound_resource *sound) {
    ct_sound_media_set(s->media, name, sound);
}

const ct_sound_event_resource *ct_sound_system_event(const ct_sound_system *s,
                                                     ct_string_id64 name) {
    return (const ct_sound_event_resource *)(uintptr_t)ct_hash_map_get(&s->events, name.value, 0);
}

// --- Life ----------------------------------------------------------------------------------------

ct_sound_system *ct_sound_system_create(const ct_sound_system_desc *desc) {
    ct_sound_system *const s = CT_NEW(desc->allocator, ct_sound_system);
    s->backing = desc->allocator;
    s->allocator = ct_proxy_allocator_create(desc->allocator, "sound");
    s->resources = desc->resources;
    s->buses_name = desc->buses;
    s->most_real = desc->num_real ? desc->num_real : CT_MIXER_DEFAULT_REAL;
    ct_hash_map_init(&s->events, s->allocator);
    ct_array_init(&s->worlds, s->allocator);
    ct_array_init(&s->candidates, s->allocator);
    ct_array_init(&s->candidates_scratch, s->allocator);
    ct_array_init(&s->rendered, s->allocator);
    ct_sound_parameters_init(&s->parameters, s->allocator);
    ct_sound_instances_init(s);
    ct_sound_buses_init(s);
    s->streams = ct_sound_streams_create(s->allocator, desc->output != NULL);
    s->mixer = ct_mixer_create(&(ct_mixer_desc){.allocator = s->allocator,
                                                .streams = s->streams,
                                                .num_voices = desc->num_voices,
                                                .num_real = s->most_real});
    s->media = ct_sound_media_create(s->allocator, s->resources, media_changed, s);
    if (s->resources)
        register_types(s);
    if (desc->output)
        s->thread = ct_sound_thread_start(s->allocator, s->mixer, desc->output);
    return s;
}

void ct_sound_system_destroy(ct_sound_system *s) {
    if (!s)
        return;
    CT_ASSERT(!s->worlds.count, "%u worlds still have sounds", s->worlds.count);
    if (s->resources)
        ct_resource_manager_unregister(s->resources, s);
    ct_sound_thread_stop(s->thread);
    ct_mixer_destroy(s->mixer);
    ct_sound_media_destroy(s->media);
    ct_sound_streams_destroy(s->streams);
    ct_sound_buses_free(s);
    ct_sound_instances_free(s);
    ct_sound_parameters_free(&s->parameters);
    ct_array_free(&s->rendered);
    ct_array_free(&s->candidates_scratch);
    ct_array_free(&s->candidates);
    ct_array_free(&s->worlds);
    ct_hash_map_free(&s->events);
    ct_proxy_allocator_destroy(s->allocator);
    ct_free_sized(s->backing, s, sizeof(*s));
}

ct_mixer *ct_sound_system_mixer(const ct_sound_system *s) {
    return s->mixer;
}

const char *ct_sound_system_output(const ct_sound_system *s) {
    return s->thread ? ct_sound_thread_output(s->thread) : "none";
}

// --- Global parameters ---------------------------------------------------------------------------

static void set_global(ct_sound_system *s, ct_string_id32 key, ct_sound_parameter_value value) {
    if (ct_sound_is_built_in(key))
        ct_log_warning("sound", "sound_parameter_built_in",
                       "global parameter %s: found one that the engine sets; expected another name",
                       ct_string_id32_name(key));
    else
        ct_sound_parameter_set_value(&s->parameters, &s->globals, key, value);
}

void ct_sound_system_set_number(ct_sound_system *s, ct_string_id32 key, float number) {
    if (isfinite(number))
        set_global(s, key, (ct_sound_parameter_value){.number = number});
    else
        ct_log_warning("sound", "sound_not_finite", "global parameter %s: found no finite number",
                       ct_string_id32_name(key));
}

void ct_sound_system_set_text(ct_sound_system *s, ct_string_id32 key, ct_string_id32 text) {
    set_global(s, key, (ct_sound_parameter_value){.text = text});
}

ct_sound_parameter_set ct_sound_system_globals(const ct_sound_system *s) {
    return s->globals;
}

const ct_sound_parameters *ct_sound_system_parameters(const ct_sound_system *s) {
    return &s->parameters;
}

// --- Frames --------------------------------------------------------------------------------------

void ct_sound_system_update(ct_sound_system *s, double dt) {
    CT_PROFILER_SCOPE("sound_system_update");
    ct_sound_buses_update(s, dt);
    const ct_voice_id *ended;
    uint32_t num_ended;
    ct_mixer_update(s->mixer, &ended, &num_ended);
    for (uint32_t i = 0; i < num_ended; ++i)
        ct_sound_layer_end(s, ended[i]);
}

const float *ct_sound_system_render(ct_sound_system *s, double seconds, uint64_t *num_frames) {
    const double most = CT_SOUND_MAX_RENDER_SECONDS;
    const uint32_t frames = ct_sound_frames_of(seconds > most ? most : seconds > 0 ? seconds : 0);
    const uint32_t num_blocks = (frames + CT_MIXER_BLOCK - 1) / CT_MIXER_BLOCK;
    const uint32_t block = CT_MIXER_BLOCK * CT_MIXER_CHANNELS;
    ct_array_reserve(&s->rendered, (uint64_t)num_blocks * block + 1);
    if (s->thread)
        ct_sound_thread_hold(s->thread);
    for (uint32_t i = 0; i < num_blocks; ++i) {
        ct_sound_streams_fill(s->streams);
        ct_mixer_mix(s->mixer, s->rendered.items + (size_t)i * block);
    }
    if (s->thread)
        ct_sound_thread_release(s->thread);
    *num_frames = (uint64_t)num_blocks * CT_MIXER_BLOCK;
    return s->rendered.items;
}
