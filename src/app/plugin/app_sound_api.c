#include <math.h>

#include "app/app_private.h"
#include "app/plugin/app_interfaces.h"
#include "app/plugin/app_system_check.h"
#include "foundation/math/math.h"
#include "sound/sound_world.h"

// As SoundWorld has them.
#define REACH 1e7
#define MOST_FACTOR 16.0
#define MOST_FADE 600.0

static ct_sound_system *system_of(const ct_plugin *self) {
    const ct_world_system *const worlds = ct_app_worlds_of(self);
    return worlds ? ct_world_system_sound(worlds) : NULL;
}

// --- Checks --------------------------------------------------------------------------------------

static bool check_number(const ct_plugin *self, const char *function, const char *what,
                         float number, double least, double most) {
    return ((double)number >= least && (double)number <= most) ||
           ct_app_bad_argument(self, function, "expected a %s from %g to %g, got %g", what, least,
                               most, (double)number);
}

static bool check_volume(const ct_plugin *self, const char *function, float volume) {
    return check_number(self, function, "volume", volume, 0, MOST_FACTOR);
}

static bool check_pitch(const ct_plugin *self, const char *function, float pitch) {
    return check_number(self, function, "pitch", pitch, (double)CT_MIXER_MIN_STEP,
                        (double)CT_MIXER_MAX_STEP);
}

static bool check_position(const ct_plugin *self, const char *function, cuttle_vector3 position) {
    return ct_app_is_within(position, REACH) ||
           ct_app_bad_argument(self, function, "expected a position within %g m of the origin",
                               REACH);
}

static bool no_such_parameter(const ct_plugin *self, const char *function, const char *name,
                              const ct_sound_event_resource *event) {
    const ct_sound_parameter_info *const infos = ct_blob_at(event, event->parameters.offset);
    const char *names[CT_SOUND_EVENT_MAX_PARAMETERS];
    uint32_t count = 0;
    for (; count < event->parameters.count && count < CT_SOUND_EVENT_MAX_PARAMETERS; ++count)
        names[count] = ct_blob_at(event, infos[count].name_text.offset);
    ct_error error = {0};
    ct_app_unknown_name("parameter", name, names, count, &error);
    return ct_app_bad_argument(self, function, "%s", error.message);
}

static bool check_parameter(const ct_plugin *self, const char *function,
                            const cuttle_sound_parameter *given,
                            const ct_sound_event_resource *event, ct_sound_parameter *parameter) {
    if (!given || !given->name)
        return ct_app_bad_argument(self, function, "expected the name of a parameter, got NULL");
    *parameter = (ct_sound_parameter){.key = ct_string_id32_of(given->name)};
    const ct_sound_parameter_info *const info = ct_sound_find_parameter(event, parameter->key);
    if (!info)
        return no_such_parameter(self, function, given->name, event);
    const bool is_text = info->kind == CT_SOUND_PARAMETER_TEXT;
    if (is_text != (given->text != NULL) || (!is_text && !isfinite(given->number)))
        return ct_app_bad_argument(self, function, "expected a %s for the parameter \"%.64s\"",
                                   is_text ? "text" : "finite number", given->name);
    if (is_text)
        parameter->value.text = ct_string_id32_of(given->text);
    else
        parameter->value.number = given->number;
    return true;
}

// --- Functions -----------------------------------------------------------------------------------

static cuttle_sound play(cuttle_plugin *self, cuttle_world *world, const char *name,
                         const cuttle_sound_start *given) {
    static const char function[] = "sound.play";
    const cuttle_sound none = {0};
    const cuttle_sound_start nothing = {.position = NULL};
    const cuttle_sound_start *const how = given ? given : &nothing;
    ct_error error = {0};
    const ct_world *const w =
        ct_app_may_change(self, function) ? ct_app_check_world(self, world, function) : NULL;
    if (!w)
        return none;
    ct_sound_world *const sounds = ct_world_sounds(w);
    const ct_sound_event_resource *const event =
        ct_app_find_resource(self, "sound_event", name, &error);
    if (!sounds || !event) {
        ct_app_bad_argument(self, function, "%s",
                            sounds ? error.message : "worlds have no sound here");
        return none;
    }
    if (how->num_parameters > CT_SOUND_EVENT_MAX_PARAMETERS ||
        (how->num_parameters > 0 && !how->parameters)) {
        ct_app_bad_argument(self, function, "expected up to %d parameters",
                            CT_SOUND_EVENT_MAX_PARAMETERS);
        return none;
    }
    ct_sound_parameter parameters[CT_SOUND_EVENT_MAX_PARAMETERS];
    for (uint32_t i = 0; i < how->num_parameters; ++i)
        if (!check_parameter(self, function, &how->parameters[i], event, &parameters[i]))
            return none;
    if ((how->volume != 0 && !check_volume(self, function, how->volume)) ||
        (how->pitch != 0 && !check_pitch(self, function, how->pitch)) ||
        (how->position && !check_position(self, function, *how->position)))
        return none;
    const ct_sound_start start = {.position = how->position ? ct_app_vec3(*how->position)
                                                            : ct_vec3_make(0, 0, 0),
                                  .rotation = ct_quat_identity(),
                                  .is_placed = how->position != NULL,
                                  .fade_in = -1};
    const ct_sound_instance i =
        ct_sound_play(sounds, ct_string_id64_of(name), &start, parameters, how->num_parameters);
    if (how->volume != 0)
        ct_sound_set_volume(system_of(self), i, how->volume);
    if (how->pitch != 0)
        ct_sound_set_pitch(system_of(self), i, how->pitch);
    return (cuttle_sound){i.value};
}

// Returns the system when an instance may be changed; NULL: it has ended.
static ct_sound_system *check_sound(const ct_plugin *self, cuttle_sound sound,
                                    const char *function) {
    ct_sound_system *const s = system_of(self);
    const bool is_there = s && ct_sound_is_playing(s, (ct_sound_instance){sound.id});
    return is_there && ct_app_may_change(self, function) ? s : NULL;
}

static void stop(cuttle_plugin *self, cuttle_sound sound, float fade) {
    ct_sound_system *const s = check_sound(self, sound, "sound.stop");
    if (s && (fade < 0 || check_number(self, "sound.stop", "fade", fade, 0, MOST_FADE)))
        ct_sound_stop(s, (ct_sound_instance){sound.id}, fade);
}

static bool is_playing(cuttle_plugin *self, cuttle_sound sound) {
    const ct_sound_system *const s = system_of(self);
    return s && ct_sound_is_playing(s, (ct_sound_instance){sound.id});
}

static void set_position(cuttle_plugin *self, cuttle_sound sound, cuttle_vector3 position) {
    ct_sound_system *const s = check_sound(self, sound, "sound.set_position");
    const ct_sound_instance i = {sound.id};
    const ct_vec3 at = ct_app_vec3(position);
    if (s && check_position(self, "sound.set_position", position))
        ct_sound_move(s, &i, &at, 1, false);
}

static void set_volume(cuttle_plugin *self, cuttle_sound sound, float volume) {
    ct_sound_system *const s = check_sound(self, sound, "sound.set_volume");
    if (s && check_volume(self, "sound.set_volume", volume))
        ct_sound_set_volume(s, (ct_sound_instance){sound.id}, volume);
}

static void set_pitch(cuttle_plugin *self, cuttle_sound sound, float pitch) {
    ct_sound_system *const s = check_sound(self, sound, "sound.set_pitch");
    if (s && check_pitch(self, "sound.set_pitch", pitch))
        ct_sound_set_pitch(s, (ct_sound_instance){sound.id}, pitch);
}

static void set_parameter(cuttle_plugin *self, cuttle_sound sound,
                          const cuttle_sound_parameter *given) {
    static const char function[] = "sound.set_parameter";
    ct_sound_system *const s = check_sound(self, sound, function);
    const ct_sound_instance i = {sound.id};
    const ct_sound_event_resource *const event =
        s ? ct_sound_system_event(s, ct_sound_event_of(s, i)) : NULL;
    ct_sound_parameter parameter;
    if (!event || !check_parameter(self, function, given, event, &parameter))
        return;
    if (given->text)
        ct_sound_set_text(s, i, parameter.key, parameter.value.text);
    else
        ct_sound_set_number(s, i, parameter.key, parameter.value.number);
}

const cuttle_sound_api_1 ct_app_sound_api_1 = {
    .play = play,
    .stop = stop,
    .is_playing = is_playing,
    .set_position = set_position,
    .set_volume = set_volume,
    .set_pitch = set_pitch,
    .set_parameter = set_parameter,
};
