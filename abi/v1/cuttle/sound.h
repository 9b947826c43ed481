// sound.h: the interface "sound": playing the events of a project in a world.
//
// Events are resources of type sound_event, which must be loaded. Metres, world space, within 1e7 m of the
// origin; factors of the volume are 0 to 16, of the pitch 1/64 to 8.
//
// What is wrong (a world that has ended, an event that is not loaded, numbers out of range, parameters of
// the other kind) is logged as the error "plugin_bad_argument"; nothing changes then.
#ifndef CUTTLE_SOUND_H
#define CUTTLE_SOUND_H
#include <cuttle/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CUTTLE_SOUND_API "sound"

// An event that plays; {0} is no event. Stale once it has ended: functions do nothing with it.
typedef struct cuttle_sound {
    uint32_t id;
} cuttle_sound;

// A parameter of an event: a number, or a text.
typedef struct cuttle_sound_parameter {
    const char *name;
    const char *text; // NULL: `number` counts
    float number;
} cuttle_sound_parameter;

// How to play an event.
typedef struct cuttle_sound_start {
    const cuttle_vector3 *position; // NULL: at the listeners, without direction and distance
    const cuttle_sound_parameter *parameters; // up to 32 that the event declares, or NULL
    uint32_t num_parameters;
    float volume, pitch; // factors; 0: 1
} cuttle_sound_start;

// Update thread. What is passed is read during the call.
typedef struct cuttle_sound_api_1 {
    // Plays an event in a world; `start` NULL: at the listeners, with what the event says. Returns {0} when
    // something is wrong, and, silently, when the event's limit or cooldown forbids it.
    cuttle_sound (*play)(cuttle_plugin *self, cuttle_world *world, const char *event,
                         const cuttle_sound_start *start);
    // Stops it in so many seconds, up to 600; negative: as the event says.
    void (*stop)(cuttle_plugin *self, cuttle_sound sound, float fade);
    // Returns whether it is heard or will be; false once it has ended.
    bool (*is_playing)(cuttle_plugin *self, cuttle_sound sound);
    // Moves it. Doppler follows from the way; one that was at the listeners has a place from then on.
    void (*set_position)(cuttle_plugin *self, cuttle_sound sound, cuttle_vector3 position);
    // Set factors on top of what the event says.
    void (*set_volume)(cuttle_plugin *self, cuttle_sound sound, float volume);
    void (*set_pitch)(cuttle_plugin *self, cuttle_sound sound, float pitch);
    // Sets a parameter that the event declares.
    void (*set_parameter)(cuttle_plugin *self, cuttle_sound sound,
                          const cuttle_sound_parameter *parameter);
} cuttle_sound_api_1;

#ifdef __cplusplus
}
#endif
#endif
