// SoundWorld.play and transition: what starts instances.
#include <math.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/math/math.h"
#include "script/sound/api_sound.h"
#include "script/world/api_pose.h"

// What is read from the arguments of `play`.
typedef struct playing {
    const ct_world *world;
    const ct_sound_event_resource *event;
    ct_sound_start start;
    ct_sound_link_desc link;
    bool is_linked;
    float volume, pitch;
    ct_sound_parameter parameters[CT_SOUND_EVENT_MAX_PARAMETERS];
    uint32_t num_parameters;
} playing;

// --- Options -------------------------------------------------------------------------------------

// The argument of the options; their values are on top of the stack.
enum { OPTIONS = 5 };

typedef struct option {
    const char *name;
    void (*take)(lua_State *L, const struct option *o, playing *p);
    double least, most; // of numbers
} option;

static double number_of(lua_State *L, const option *o) {
    const double number = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : (double)NAN;
    if (!(number >= o->least && number <= o->most))
        ct_argument_error(L, OPTIONS, "%s: expected a number from %g to %g, got %s", o->name,
                          o->least, o->most, ct_push_value_description(L, lua_gettop(L)));
    return number;
}

static void take_start(lua_State *L, const option *o, playing *p) {
    p->start.start = (uint64_t)(number_of(L, o) * CT_MIXER_RATE);
}

static void take_fade_in(lua_State *L, const option *o, playing *p) {
    p->start.fade_in = (float)number_of(L, o);
}

static void take_offset(lua_State *L, const option *o, playing *p) {
    p->start.offset = (float)number_of(L, o);
}

static void take_volume(lua_State *L, const option *o, playing *p) {
    p->volume = (float)number_of(L, o);
}

static void take_pitch(lua_State *L, const option *o, playing *p) {
    p->pitch = (float)number_of(L, o);
}

static void take_rotation(lua_State *L, const option *o, playing *p) {
    if (ct_value_kind_at(L, -1) != CT_VALUE_KIND_QUATERNION)
        ct_argument_error(L, OPTIONS, "%s: expected a Quaternion, got %s", o->name,
                          ct_push_value_description(L, lua_gettop(L)));
    p->start.rotation = ct_check_finite_quaternion(L, lua_gettop(L));
    p->link.keeps_rotation = true;
}

static void take_node(lua_State *L, const option *o, playing *p) {
    if (!p->is_linked)
        ct_argument_error(L, OPTIONS, "%s: expected a unit as argument 3 (source)", o->name);
    p->link.node = ct_check_node(L, lua_gettop(L), p->world, p->link.entity);
}

static void take_orphaned(lua_State *L, const option *o, playing *p) {
    const char *const name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    p->link.orphaned = 0;
    while (p->link.orphaned < CT_SOUND_ORPHANED_COUNT &&
           strcmp(name, ct_sound_orphaned_names[p->link.orphaned]) != 0)
        ++p->link.orphaned;
    if (p->link.orphaned == CT_SOUND_ORPHANED_COUNT)
        ct_argument_error(L, OPTIONS, "%s: expected \"stop\" or \"detach\", got %s", o->name,
                          ct_push_value_description(L, lua_gettop(L)));
}

static const option options[] = {
    {"start", take_start, 0, 1e9},
    {"fade_in", take_fade_in, 0, 600},
    {"offset", take_offset, 0, 1e6},
    {"rotation", take_rotation, 0, 0},
    {"volume", take_volume, 0, CT_SOUND_MOST_FACTOR},
    {"pitch", take_pitch, CT_SOUND_LEAST_PITCH, CT_SOUND_MOST_PITCH},
    {"node", take_node, 0, 0},
    {"orphaned", take_orphaned, 0, 0},
};

static const option *check_option(lua_State *L) {
    const char *names[CT_COUNT_OF(options)];
    const char *const name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
    for (uint32_t i = 0; i < CT_COUNT_OF(options); ++i) {
        names[i] = options[i].name;
        if (strcmp(names[i], name) == 0)
            return &options[i];
    }
    const char *const nearest = ct_nearest_name(name, names, CT_COUNT_OF(options));
    if (!*name)
        ct_argument_error(L, OPTIONS, "expected names of options as keys, got %s",
                          ct_push_value_description(L, lua_gettop(L) - 1));
    ct_argument_error(L, OPTIONS, "there is no option \"%.64s\"%s%s%s", name,
                      nearest ? ", did you mean \"" : "", nearest ? nearest : "",
                      nearest ? "\"?" : "");
    return NULL;
}

// Raises an error unless the argument is a table; false when it is absent.
static bool check_table(lua_State *L, int argument) {
    if (lua_isnoneornil(L, argument))
        return false;
    if (!lua_istable(L, argument))
        ct_argument_type_error(L, argument, "table or nil");
    return true;
}

static void read_options(lua_State *L, playing *p) {
    if (!check_table(L, OPTIONS))
        return;
    for (lua_pushnil(L); lua_next(L, OPTIONS); lua_pop(L, 1)) {
        const option *const o = check_option(L);
        o->take(L, o, p);
    }
}

static void read_parameters(lua_State *L, int argument, playing *p) {
    if (!check_table(L, argument))
        return;
    for (lua_pushnil(L); lua_next(L, argument); lua_pop(L, 1)) {
        if (p->num_parameters == CT_SOUND_EVENT_MAX_PARAMETERS)
            ct_argument_error(L, argument, "expected at most %d parameters",
                              CT_SOUND_EVENT_MAX_PARAMETERS);
        const ct_sound_source_parameter read = ct_check_sound_member(L, argument, p->event);
        ct_sound_parameter *const to = &p->parameters[p->num_parameters++];
        *to = (ct_sound_parameter){.key = read.name};
        memcpy(&to->value, &read.bits, sizeof(read.bits));
    }
}

// --- The place -----------------------------------------------------------------------------------

static void read_source(lua_State *L, int argument, playing *p) {
    if (lua_isnoneornil(L, argument))
        return;
    p->start.is_placed = true;
    if (ct_value_kind_at(L, argument) == CT_VALUE_KIND_ENTITY) {
        p->is_linked = true;
        p->link.entity = ct_check_unit_of(L, argument, p->world);
        return;
    }
    if (ct_value_kind_at(L, argument) != CT_VALUE_KIND_VECTOR3)
        ct_argument_type_error(L, argument, "Unit, Vector3 or nil");
    p->start.position = ct_check_sound_position(L, argument);
}

int ct_sound_world_play(lua_State *L) {
    lua_settop(L, 5);
    playing p = {.world = ct_check_world(L, 1),
                 .start = {.rotation = ct_quat_identity(), .fade_in = -1},
                 .volume = 1,
                 .pitch = 1};
    const ct_sound_source_components *const m = ct_check_sounds(L, p.world);
    ct_sound_system *const system = ct_sound_source_components_system(m);
    const void *blob;
    const ct_string_id64 event = ct_string_id64_of(ct_check_resource(L, 2, "sound_event", &blob));
    p.event = blob;
    read_source(L, 3, &p);
    read_parameters(L, 4, &p);
    read_options(L, &p);
    ct_sound_links *const links = ct_sound_source_components_links(m);
    if (p.is_linked) {
        const ct_sound_link_place place = ct_sound_links_place(links, &p.link);
        p.start.position = place.position;
        if (!p.link.keeps_rotation)
            p.start.rotation = place.rotation;
    }
    const ct_sound_instance i = ct_sound_play(ct_sound_source_components_world(m), event, &p.start,
                                              p.parameters, p.num_parameters);
    if (p.volume != 1)
        ct_sound_set_volume(system, i, p.volume);
    if (p.pitch != 1)
        ct_sound_set_pitch(system, i, p.pitch);
    if (p.is_linked)
        ct_sound_links_add(links, i, &p.link);
    return ct_push_sound_instance(L, i);
}

// --- Music ---------------------------------------------------------------------------------------

// The beats until the change: "beat", "bar" or how many.
static uint32_t check_beats(lua_State *L, int argument, const ct_sound_event_resource *from) {
    static const char *const names[] = {"beat", "bar", NULL};
    if (lua_isnoneornil(L, argument))
        return 1;
    if (lua_type(L, argument) == LUA_TNUMBER)
        return (uint32_t)ct_check_integer(L, argument, 0, 1024);
    const uint32_t name = ct_check_name_of(L, argument, names);
    return name == 1 && from && from->beats ? from->beats : 1;
}

int ct_sound_world_transition(lua_State *L) {
    const ct_world *const world = ct_check_world(L, 1);
    const ct_sound_source_components *const m = ct_check_sounds(L, world);
    const ct_sound_system *const system = ct_sound_source_components_system(m);
    const ct_sound_instance from = ct_check_sound_instance_of(L, 2, m);
    const char *const event = ct_check_resource(L, 3, "sound_event", NULL);
    const uint32_t beats =
        check_beats(L, 4, ct_sound_system_event(system, ct_sound_event_of(system, from)));
    const float fade = ct_check_fade(L, 5, 0);
    const ct_sound_instance to = ct_sound_transition(ct_sound_source_components_world(m), from,
                                                     ct_string_id64_of(event), beats, fade);
    ct_sound_links *const links = ct_sound_source_components_links(m);
    ct_sound_link_desc link;
    if (ct_sound_links_find(links, from, &link))
        ct_sound_links_add(links, to, &link);
    return ct_push_sound_instance(L, to);
}
