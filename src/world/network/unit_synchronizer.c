#include "world/network/unit_synchronizer.h"

#include <math.h>
#include <string.h>

#include "foundation/container/hash_map.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/math/math.h"
#include "world/network/unit_actors.h"
#include "world/network/unit_fields.h"

// How far units of others go on when updates are late, in seconds: nothing more comes of what rests,
// so a guess would stay.
static const double most_beyond = 0;

// A way in one frame of more than LEAP_TIMES what its velocity explains, and LEAP_LEAST metres, is a leap.
// What has no velocity in its fields, or zero there, is moved by a script: up to LEAP_SPEED.
enum { LEAP_TIMES = 2, LEAP_SPEED = 10 }; // the latter in m/s
static const float leap_least = 0.1f;

// A game object and its unit.
typedef struct unit_tie {
    ct_network_object_id object;
    ct_entity unit;
    const ct_unit_fields *fields;
    bool is_own, is_of_level;
    // Of another peer's.
    ct_network_buffer *buffer;
    uint32_t *shown;       // the words that the unit shows
    uint64_t shown_fields; // bits of those in `shown` that it shows exactly
    uint32_t news_time;    // ms, of fields that came with the last update
    bool has_news, is_placed;
    ct_held_actors actors;
} unit_tie;

// An object that has no unit yet.
typedef struct waiting_object {
    ct_network_object_id object;
    bool is_told;
} waiting_object;

// What the fields of an object type are.
typedef struct type_fields {
    enum { FIELDS_UNKNOWN, FIELDS_GOOD, FIELDS_REFUSED } state;
    bool is_told;
    ct_unit_fields fields;
    ct_error error;
} type_fields;

struct ct_unit_synchronizer {
    ct_allocator *allocator;
    ct_network_session *session;
    const ct_network_config_resource *config;
    ct_world *world;
    CT_ARRAY(unit_tie) ties;
    ct_hash_map by_object, by_unit; // places in `ties`
    CT_ARRAY(waiting_object) waiting;
    type_fields **types; // by index in the config; NULL: not asked for yet
    CT_ARRAY(ct_network_delay) delays;
    ct_hash_map delay_of; // from a peer to its place there
    double fixed_delay;   // negative: none
    double last_now;      // of the last call to receive
};

// --- Types ---------------------------------------------------------------------------------------

static type_fields *fields_of_type(ct_unit_synchronizer *s, uint32_t type) {
    if (!s->types[type]) {
        s->types[type] = ct_alloc(s->allocator, sizeof(type_fields));
        *s->types[type] = (type_fields){.state = FIELDS_UNKNOWN};
    }
    type_fields *const t = s->types[type];
    if (t->state == FIELDS_UNKNOWN)
        t->state = ct_unit_fields_of(s->config, type, &t->fields, &t->error) ? FIELDS_GOOD
                                                                             : FIELDS_REFUSED;
    return t;
}

static const ct_unit_fields *good_fields(ct_unit_synchronizer *s, uint32_t type, ct_error *error) {
    const type_fields *const t = fields_of_type(s, type);
    if (t->state == FIELDS_GOOD)
        return &t->fields;
    ct_error_set(error, "%s", t->error.message);
    return NULL;
}

// --- Ties ----------------------------------------------------------------------------------------

static unit_tie *tie_with(const ct_unit_synchronizer *s, const ct_hash_map *map, uint32_t id) {
    const uint64_t *const place = ct_hash_map_find(map, id);
    return place ? &s->ties.items[*place] : NULL;
}

static uint64_t words_bytes(const unit_tie *tie) {
    return sizeof(uint32_t) * (uint64_t)tie->fields->record->num_words;
}

static const uint32_t *words_of(const ct_unit_synchronizer *s, const unit_tie *tie) {
    return ct_network_session_words(s->session, tie->object);
}

static double seconds_of(uint32_t ms) {
    return (double)ms / 1000;
}

// Adds the words that an object has now to its buffer. They are newer than all that came before, though
// the clocks of two owners, or of the host and an owner, may differ a little.
static void add_words(const ct_unit_synchronizer *s, unit_tie *tie, double time) {
    const double least = ct_network_buffer_newest(tie->buffer) + 0.001;
    ct_network_buffer_add(tie->buffer, time > least ? time : least, words_of(s, tie));
}

// Returns whether a peer has sent something, so that one knows which moment of it to show.
static bool has_delay(const ct_unit_synchronizer *s, ct_peer_id peer) {
    const uint64_t *const place = ct_hash_map_find(&s->delay_of, peer);
    return place && s->delays.items[*place].num_updates > 0;
}

// The unit belongs to another peer from now on, or no longer.
static void begin_other(ct_unit_synchronizer *s, unit_tie *tie, uint32_t time) {
    tie->is_own = false;
    tie->is_placed = false;
    tie->has_news = false;
    tie->shown_fields = 0;
    if (tie->buffer && !has_delay(s, ct_network_session_object_owner(s->session, tie->object))) {
        ct_network_buffer_destroy(tie->buffer);
        tie->buffer = NULL;
    }
    if (!tie->buffer)
        tie->buffer = ct_network_buffer_create(s->allocator, tie->fields->record);
    if (!tie->shown)
        tie->shown = ct_alloc(s->allocator, words_bytes(tie));
    // So early that all updates are newer, also those that were sent before it was heard of here.
    add_words(s, tie, seconds_of(time) - CT_NETWORK_MAX_DELAY);
    ct_unit_hold_actors(s->world, tie->unit, &tie->actors);
}

static void end_other(ct_unit_synchronizer *s, unit_tie *tie) {
    ct_network_buffer_destroy(tie->buffer);
    if (tie->shown)
        ct_free_sized(s->allocator, tie->shown, words_bytes(tie));
    tie->buffer = NULL;
    tie->shown = NULL;
    if (s->world)
        ct_unit_free_actors(s->world, &tie->actors, false);
    ct_array_free(&tie->actors);
}

static unit_tie *add_tie(ct_unit_synchronizer *s, ct_network_object_id object, ct_entity unit,
                         const ct_unit_fields *fields) {
    ct_hash_map_set(&s->by_object, object, s->ties.count);
    ct_hash_map_set(&s->by_unit, unit.id, s->ties.count);
    ct_array_push(&s->ties, (unit_tie){.object = object,
                                       .unit = unit,
                                       .fields = fields,
                                       .is_own = true,
                                       .actors = {.allocator = s->allocator}});
    return &s->ties.items[s->ties.count - 1];
}

static void remove_tie(ct_unit_synchronizer *s, uint32_t place) {
    unit_tie *const tie = &s->ties.items[place];
    end_other(s, tie);
    ct_hash_map_erase(&s->by_object, tie->object);
    ct_hash_map_erase(&s->by_unit, tie->unit.id);
    const uint32_t last = s->ties.count - 1;
    if (place < last) {
        ct_hash_map_set(&s->by_object, s->ties.items[last].object, place);
        ct_hash_map_set(&s->by_unit, s->ties.items[last].unit.id, place);
    }
    ct_array_swap_erase(&s->ties, place);
}

static bool is_alive(const ct_unit_synchronizer *s, const unit_tie *tie) {
    return ct_world_has_unit(s->world, tie->unit);
}

// Ends a tie with its unit.
static void destroy_unit_of(ct_unit_synchronizer *s, uint32_t place) {
    const ct_entity unit = s->ties.items[place].unit;
    const bool is_there = s->world && is_alive(s, &s->ties.items[place]);
    remove_tie(s, place);
    if (is_there)
        ct_world_destroy_units(s->world, &unit, 1);
}

static void wait_for(ct_unit_synchronizer *s, ct_network_object_id object) {
    ct_array_push(&s->waiting, (waiting_object){.object = object});
}

static void stop_waiting(ct_unit_synchronizer *s, ct_network_object_id object) {
    for (uint32_t i = 0; i < s->waiting.count; ++i) {
        if (s->waiting.items[i].object == object) {
            ct_array_erase(&s->waiting, i, 1);
            return;
        }
    }
}

// --- Life cycle ----------------------------------------------------------------------------------

// Takes an object that another peer created.
static void take_object(ct_unit_synchronizer *s, ct_network_object_id object) {
    const uint32_t type = ct_network_session_object_type(s->session, object);
    if (type == UINT32_MAX || !ct_unit_fields_has_unit(s->config, type) ||
        tie_with(s, &s->by_object, object))
        return;
    type_fields *const t = fields_of_type(s, type);
    if (t->state == FIELDS_GOOD)
        wait_for(s, object);
    else if (!t->is_told)
        ct_log_error("network", "unit_type_refused", "objects have no units: %s", t->error.message);
    t->is_told = true;
}

ct_unit_synchronizer *ct_unit_synchronizer_create(ct_allocator *a, ct_network_session *session) {
    ct_unit_synchronizer *const s = ct_alloc(a, sizeof(*s));
    *s = (ct_unit_synchronizer){.allocator = a,
                                .session = session,
                                .config = ct_network_session_config(session),
                                .fixed_delay = -1};
    ct_array_init(&s->ties, a);
    ct_array_init(&s->waiting, a);
    ct_array_init(&s->delays, a);
    ct_hash_map_init(&s->by_object, a);
    ct_hash_map_init(&s->by_unit, a);
    ct_hash_map_init(&s->delay_of, a);
    const uint64_t bytes = sizeof(*s->types) * (uint64_t)s->config->objects.count;
    s->types = ct_alloc(a, bytes ? bytes : 1);
    memset(s->types, 0, bytes);
    const uint32_t count = ct_network_session_objects(session, 0, NULL, 0);
    ct_network_object_id *const ids = ct_alloc(a, sizeof(*ids) * (count + 1ull));
    ct_network_session_objects(session, 0, ids, count);
    const ct_peer_id self = ct_network_session_self(session);
    for (uint32_t i = 0; i < count; ++i) {
        if (ct_network_session_object_owner(session, ids[i]) != self)
            take_object(s, ids[i]);
    }
    ct_free(a, ids);
    return s;
}

void ct_unit_synchronizer_destroy(ct_unit_synchronizer *s) {
    if (!s)
        return;
    while (s->ties.count)
        remove_tie(s, s->ties.count - 1);
    for (uint32_t i = 0; i < s->config->objects.count; ++i)
        ct_free(s->allocator, s->types[i]);
    ct_free(s->allocator, s->types);
    ct_array_free(&s->ties);
    ct_array_free(&s->waiting);
    ct_array_free(&s->delays);
    ct_hash_map_free(&s->by_object);
    ct_hash_map_free(&s->by_unit);
    ct_hash_map_free(&s->delay_of);
    ct_free(s->allocator, s);
}

void ct_unit_synchronizer_set_world(ct_unit_synchronizer *s, ct_world *w) {
    if (w == s->world)
        return;
    while (s->ties.count) {
        const uint32_t place = s->ties.count - 1;
        const unit_tie *const tie = &s->ties.items[place];
        const ct_network_object_id object = tie->object;
        const bool is_own = tie->is_own, stays = is_own || tie->is_of_level;
        if (stays)
            remove_tie(s, place);
        else
            destroy_unit_of(s, place);
        if (is_own)
            ct_network_session_destroy_object(s->session, object, NULL);
        else
            wait_for(s, object);
    }
    s->world = w;
}

ct_world *ct_unit_synchronizer_world(const ct_unit_synchronizer *s) {
    return s->world;
}

ct_network_session *ct_unit_synchronizer_session(const ct_unit_synchronizer *s) {
    return s->session;
}

uint32_t ct_unit_synchronizer_count(const ct_unit_synchronizer *s) {
    return s->ties.count;
}

uint32_t ct_unit_synchronizer_num_waiting(const ct_unit_synchronizer *s) {
    return s->waiting.count;
}

ct_entity ct_unit_synchronizer_unit(const ct_unit_synchronizer *s, ct_network_object_id object) {
    const unit_tie *const tie = tie_with(s, &s->by_object, object);
    return tie && is_alive(s, tie) ? tie->unit : (ct_entity){0};
}

ct_network_object_id ct_unit_synchronizer_object(const ct_unit_synchronizer *s, ct_entity unit) {
    const unit_tie *const tie = tie_with(s, &s->by_unit, unit.id);
    return tie && is_alive(s, tie) ? tie->object : 0;
}

// --- Own units -----------------------------------------------------------------------------------

static const char *type_name(const ct_unit_synchronizer *s, uint32_t type) {
    return ct_blob_at(s->config, ct_network_config_objects(s->config)[type].name.offset);
}

// Returns the fields of a type that has these parts, for objects of this peer; NULL with `error`.
static const ct_unit_fields *fields_with(ct_unit_synchronizer *s, uint32_t type, ct_unit_part part,
                                         ct_error *error) {
    if (!s->world) {
        ct_error_set(error, "the synchronizer has no world; set one first");
        return NULL;
    }
    const ct_unit_fields *const fields = good_fields(s, type, error);
    if (!fields || fields->parts[part] != UINT32_MAX)
        return fields;
    ct_error_set(error, "object type \"%s\" has no %s", type_name(s, type),
                 part == CT_UNIT_PART_UNIT
                     ? "field \"unit\" of kind id, which other peers spawn the unit by"
                     : "fields \"level\" and \"level_unit\" of kind id, which other peers find the "
                       "unit by");
    return NULL;
}

ct_entity ct_unit_synchronizer_spawn_unit(ct_unit_synchronizer *s, uint32_t type, const char *name,
                                          const ct_vec3 *position, const ct_quat *rotation,
                                          ct_error *error) {
    const ct_unit_fields *const fields = fields_with(s, type, CT_UNIT_PART_UNIT, error);
    ct_entity unit;
    const ct_vec3 origin = ct_vec3_make(0, 0, 0);
    const ct_quat upright = ct_quat_identity();
    if (!fields || !ct_world_spawn_units(s->world, name, position ? position : &origin,
                                         rotation ? rotation : &upright, NULL, 1, &unit, error))
        return (ct_entity){0};
    uint32_t words[CT_NETWORK_MAX_WORDS];
    memcpy(words, ct_network_record_defaults(s->config, fields->record),
           sizeof(*words) * fields->record->num_words);
    ct_unit_fields_read(fields, s->world, unit, words);
    ct_unit_fields_set_id(fields, CT_UNIT_PART_UNIT, ct_world_unit_resource(s->world, unit).value,
                          words);
    const ct_network_object_id object =
        ct_network_session_create_object(s->session, type, words, error);
    if (!object) {
        ct_world_destroy_units(s->world, &unit, 1);
        return (ct_entity){0};
    }
    add_tie(s, object, unit, fields);
    return unit;
}

ct_network_object_id ct_unit_synchronizer_link_unit(ct_unit_synchronizer *s, ct_entity unit,
                                                    uint32_t type, ct_error *error) {
    const ct_unit_fields *const fields = fields_with(s, type, CT_UNIT_PART_LEVEL_UNIT, error);
    if (!fields)
        return 0;
    ct_string_id64 level;
    uint32_t id;
    if (!ct_world_has_unit(s->world, unit) || !ct_unit_level_of(s->world, unit, &level, &id)) {
        ct_error_set(error, "the unit was not spawned by a level of the synchronizer's world; use "
                            "spawn_unit for others");
        return 0;
    }
    if (ct_unit_synchronizer_object(s, unit)) {
        ct_error_set(error, "the unit has the object %u already",
                     ct_unit_synchronizer_object(s, unit));
        return 0;
    }
    uint32_t words[CT_NETWORK_MAX_WORDS];
    memcpy(words, ct_network_record_defaults(s->config, fields->record),
           sizeof(*words) * fields->record->num_words);
    ct_unit_fields_read(fields, s->world, unit, words);
    ct_unit_fields_set_id(fields, CT_UNIT_PART_UNIT, ct_world_unit_resource(s->world, unit).value,
                          words);
    ct_unit_fields_set_id(fields, CT_UNIT_PART_LEVEL, level.value, words);
    ct_unit_fields_set_id(fields, CT_UNIT_PART_LEVEL_UNIT, id, words);
    const ct_network_object_id object =
        ct_network_session_create_object(s->session, type, words, error);
    if (object)
        add_tie(s, object, unit, fields)->is_of_level = true;
    return object;
}

bool ct_unit_synchronizer_destroy_unit(ct_unit_synchronizer *s, ct_entity unit, ct_error *error) {
    const ct_network_object_id object = ct_unit_synchronizer_object(s, unit);
    if (!object)
        return ct_error_set(error, "the unit has no game object; destroy it with the world");
    const uint32_t place = (uint32_t)ct_hash_map_get(&s->by_object, object, 0);
    if (!s->ties.items[place].is_own)
        return ct_error_set(
            error, "the unit's object %u belongs to peer %016llx, which alone destroys it", object,
            (unsigned long long)ct_network_session_object_owner(s->session, object));
    if (!ct_network_session_destroy_object(s->session, object, error))
        return false;
    destroy_unit_of(s, place);
    return true;
}

static void send_tie(ct_unit_synchronizer *s, const unit_tie *tie) {
    const uint32_t *const now = words_of(s, tie);
    if (!now)
        return;
    uint32_t words[CT_NETWORK_MAX_WORDS];
    memcpy(words, now, words_bytes(tie));
    ct_unit_fields_read(tie->fields, s->world, tie->unit, words);
    if (memcmp(words, now, words_bytes(tie)) != 0) // refused while it is being given away
        ct_network_session_set_words(s->session, tie->object, words, NULL);
}

void ct_unit_synchronizer_send(ct_unit_synchronizer *s) {
    for (uint32_t i = s->ties.count; i-- > 0;) {
        const unit_tie *const tie = &s->ties.items[i];
        if (is_alive(s, tie)) {
            if (tie->is_own)
                send_tie(s, tie);
            continue;
        }
        const ct_network_object_id object = tie->object;
        const bool is_own = tie->is_own;
        remove_tie(s, i);
        if (is_own)
            ct_network_session_destroy_object(s->session, object, NULL);
        else
            ct_log_warning("network", "unit_of_other_destroyed",
                           "the unit of object %u, which belongs to another peer, was destroyed "
                           "here; it is not shown any more",
                           object);
    }
}

// --- Units of others -----------------------------------------------------------------------------

static ct_network_delay *delay_of(ct_unit_synchronizer *s, ct_peer_id peer) {
    const uint64_t *const place = ct_hash_map_find(&s->delay_of, peer);
    if (place)
        return &s->delays.items[*place];
    ct_hash_map_set(&s->delay_of, peer, s->delays.count);
    ct_array_push(&s->delays, (ct_network_delay){0});
    ct_network_delay *const delay = &s->delays.items[s->delays.count - 1];
    if (s->fixed_delay >= 0)
        ct_network_delay_set(delay, s->fixed_delay);
    return delay;
}

void ct_unit_synchronizer_set_delay(ct_unit_synchronizer *s, double seconds) {
    s->fixed_delay = seconds;
    for (uint32_t i = 0; i < s->delays.count; ++i)
        ct_network_delay_set(&s->delays.items[i], seconds);
}

double ct_unit_synchronizer_delay(const ct_unit_synchronizer *s) {
    return s->fixed_delay;
}

// Finds the unit of an object of a level, or spawns one. {0} with `error`: not now.
static ct_entity find_or_spawn(ct_unit_synchronizer *s, const ct_unit_fields *fields,
                               const uint32_t *words, bool *is_of_level, ct_error *error) {
    const ct_string_id64 level = {ct_unit_fields_id(fields, CT_UNIT_PART_LEVEL, words)};
    const uint64_t id = ct_unit_fields_id(fields, CT_UNIT_PART_LEVEL_UNIT, words);
    const ct_string_id64 name = {ct_unit_fields_id(fields, CT_UNIT_PART_UNIT, words)};
    *is_of_level = level.value != 0;
    if (*is_of_level) {
        const ct_entity unit =
            id <= UINT32_MAX ? ct_unit_of_level(s->world, level, (uint32_t)id) : (ct_entity){0};
        if (!unit.id)
            ct_error_set(error, "the level \"%s\" with the unit %llx is not in the world",
                         ct_string_id64_name(level), (unsigned long long)id);
        return unit;
    }
    const ct_network_moment moment = {.before = words, .after = words};
    ct_unit_pose pose = {.scale = ct_vec3_make(1, 1, 1), .rotation = ct_quat_identity()};
    ct_unit_fields_pose(fields, &moment, &pose);
    ct_entity unit;
    return ct_world_spawn_unit_of(s->world, name, pose.position, pose.rotation, pose.scale, &unit,
                                  error)
               ? unit
               : (ct_entity){0};
}

// Returns whether an object need not wait any longer.
static bool try_object(ct_unit_synchronizer *s, waiting_object *waiting, uint32_t time) {
    const uint32_t type = ct_network_session_object_type(s->session, waiting->object);
    if (type == UINT32_MAX)
        return true;
    const ct_unit_fields *const fields = &fields_of_type(s, type)->fields;
    ct_error error = {0};
    bool is_of_level;
    const ct_entity unit = find_or_spawn(
        s, fields, ct_network_session_words(s->session, waiting->object), &is_of_level, &error);
    if (!unit.id) {
        if (!waiting->is_told)
            ct_log_warning("network", "unit_waits", "object %u of type \"%s\" waits: %s",
                           waiting->object, type_name(s, type), error.message);
        waiting->is_told = true;
        return false;
    }
    if (tie_with(s, &s->by_unit, unit.id)) {
        ct_log_warning("network", "unit_tied_twice",
                       "object %u is of a unit that has another object already; it has no unit",
                       waiting->object);
        return true;
    }
    unit_tie *const tie = add_tie(s, waiting->object, unit, fields);
    tie->is_of_level = is_of_level;
    if (ct_network_session_object_owner(s->session, waiting->object) !=
        ct_network_session_self(s->session))
        begin_other(s, tie, time);
    return true;
}

static void try_waiting(ct_unit_synchronizer *s, uint32_t time) {
    uint32_t kept = 0;
    for (uint32_t i = 0; s->world && i < s->waiting.count; ++i) {
        waiting_object waiting = s->waiting.items[i];
        if (!try_object(s, &waiting, time))
            s->waiting.items[kept++] = waiting;
    }
    if (s->world)
        s->waiting.count = kept;
}

static void change_owner(ct_unit_synchronizer *s, const ct_network_event *e, uint32_t time) {
    unit_tie *const tie = tie_with(s, &s->by_object, e->object);
    const bool becomes_own = e->peer == ct_network_session_self(s->session);
    const uint32_t *const words = tie ? words_of(s, tie) : NULL;
    if (tie && !is_alive(s, tie))
        tie->is_own = becomes_own; // sending ends the tie
    if (!words || !is_alive(s, tie))
        return;
    if (!becomes_own) {
        begin_other(s, tie, time); // a new owner's clock goes on from here
        return;
    }
    if (tie->is_own)
        return;
    const ct_network_moment moment = {.before = words, .after = words};
    ct_unit_pose pose = ct_unit_pose_of(s->world, tie->unit);
    ct_unit_fields_pose(tie->fields, &moment, &pose);
    ct_unit_set_pose(s->world, tie->unit, &pose, true);
    for (uint64_t left = tie->fields->data; left; left &= left - 1)
        ct_unit_fields_set_data(tie->fields, s->world, tie->unit, &moment,
                                (uint32_t)__builtin_ctzll(left));
    end_other(s, tie);
    tie->is_own = true;
    ct_unit_fields_set_velocity(tie->fields, s->world, tie->unit, words);
}

static void take_event(ct_unit_synchronizer *s, const ct_network_event *e, uint32_t time) {
    unit_tie *const tie = e->object ? tie_with(s, &s->by_object, e->object) : NULL;
    switch (e->type) {
    case CT_NETWORK_EVENT_CREATED:
        take_object(s, e->object);
        break;
    case CT_NETWORK_EVENT_DESTROYED:
        stop_waiting(s, e->object);
        if (tie)
            destroy_unit_of(s, (uint32_t)(tie - s->ties.items));
        break;
    case CT_NETWORK_EVENT_OWNER:
        change_owner(s, e, time);
        break;
    case CT_NETWORK_EVENT_FIELDS:
        if (tie && !tie->is_own) {
            tie->has_news = true; // the session has the words of the last event only
            tie->news_time = e->time;
        }
        break;
    case CT_NETWORK_EVENT_ENDED:
        while (s->ties.count)
            remove_tie(s, s->ties.count - 1);
        s->waiting.count = 0;
        break;
    default:
        break;
    }
}

static float speed_at(const unit_tie *tie, const uint32_t *words) {
    const uint32_t field = tie->fields->parts[CT_UNIT_PART_VELOCITY];
    if (field == UINT32_MAX)
        return 0;
    const ct_network_value v =
        ct_network_record_get(tie->fields->config, tie->fields->record, field, UINT32_MAX, words);
    return ct_vec3_length(ct_vec3_make(v.parts[0], v.parts[1], v.parts[2]));
}

// Returns whether a way is one that the unit did not go evenly: its updates were late, or its owner put it
// elsewhere. As a movement it would hit what is there with that speed.
static bool is_leap(const unit_tie *tie, const ct_network_moment *moment, ct_vec3 way,
                    double elapsed) {
    const float fields = fmaxf(speed_at(tie, moment->before), speed_at(tie, moment->after));
    const float speed = fields > 0 ? fields : LEAP_SPEED;
    return ct_vec3_length(way) > leap_least + LEAP_TIMES * speed * (float)elapsed;
}

// Before the words of `sent` are added: holds the unit where the newest ones have it until now, so that it
// sets off from there; or until just before `sent`, when it leaps.
static void hold(const ct_unit_synchronizer *s, unit_tie *tie, double shown, double sent) {
    ct_network_moment moment;
    if (!ct_network_buffer_find(tie->buffer, HUGE_VAL, 0, &moment))
        return;
    moment = (ct_network_moment){.before = moment.after, .after = words_of(s, tie)};
    ct_unit_pose from = {0}, to = {0};
    ct_unit_fields_pose(tie->fields, &moment, &from);
    moment.share = 1;
    ct_unit_fields_pose(tie->fields, &moment, &to);
    const double since = fmax(shown, ct_network_buffer_newest(tie->buffer));
    const bool leaps =
        is_leap(tie, &moment, ct_vec3_sub(to.position, from.position), fmax(0, sent - since));
    ct_network_buffer_hold(tie->buffer, leaps ? sent - 0.001 : shown);
}

// Adds what came to the buffer.
static void take_news(ct_unit_synchronizer *s, unit_tie *tie, uint32_t time) {
    if (!tie->has_news || !words_of(s, tie) || !tie->buffer)
        return;
    tie->has_news = false;
    ct_network_delay *const delay =
        delay_of(s, ct_network_session_object_owner(s->session, tie->object));
    if (delay->has_shown)
        hold(s, tie, delay->shown, seconds_of(tie->news_time));
    add_words(s, tie, seconds_of(tie->news_time));
    ct_network_delay_add(delay, seconds_of(tie->news_time), seconds_of(time));
}

// Returns whether the unit shows a field at a moment already; notes that it does from now on.
static bool is_shown(unit_tie *tie, const ct_network_moment *moment, uint32_t field) {
    const ct_network_field *const f =
        &ct_network_record_fields(tie->fields->config, tie->fields->record)[field];
    const uint32_t first = f->first_word;
    const uint64_t bytes = sizeof(uint32_t) * (uint64_t)f->num_words, bit = 1ull << field;
    const bool is_still = memcmp(moment->before + first, moment->after + first, bytes) == 0;
    if (is_still && (tie->shown_fields & bit) &&
        memcmp(tie->shown + first, moment->before + first, bytes) == 0)
        return true;
    tie->shown_fields &= ~bit;
    if (is_still) {
        memcpy(tie->shown + first, moment->before + first, bytes);
        tie->shown_fields |= bit;
    }
    return false;
}

static void place(ct_unit_synchronizer *s, unit_tie *tie, double time, double elapsed) {
    ct_network_moment moment;
    if (!ct_network_buffer_find(tie->buffer, time, most_beyond, &moment))
        return;
    bool moves = false;
    for (uint32_t i = CT_UNIT_PART_POSITION; i <= CT_UNIT_PART_SCALE; ++i) {
        const uint32_t field = tie->fields->parts[i];
        if (field != UINT32_MAX && !is_shown(tie, &moment, field))
            moves = true;
    }
    if (moves) {
        ct_unit_pose pose = ct_unit_pose_of(s->world, tie->unit);
        const ct_vec3 from = pose.position;
        ct_unit_fields_pose(tie->fields, &moment, &pose);
        const bool jumps =
            !tie->is_placed || is_leap(tie, &moment, ct_vec3_sub(pose.position, from), elapsed);
        ct_unit_set_pose(s->world, tie->unit, &pose, jumps);
    }
    tie->is_placed = true;
    for (uint64_t left = tie->fields->data; left; left &= left - 1) {
        const uint32_t field = (uint32_t)__builtin_ctzll(left);
        if (!is_shown(tie, &moment, field))
            ct_unit_fields_set_data(tie->fields, s->world, tie->unit, &moment, field);
    }
}

// Returns how long actors will take for what moves in this frame. The world's time is cut in long frames, and
// may rest, as in the last frame.
static double time_to_move(const ct_unit_synchronizer *s, double elapsed) {
    const double step = 1.0 / 60, last = s->world ? ct_world_delta_time(s->world) : 0;
    return fmax(0, fmin(elapsed, fmax(last, step)));
}

void ct_unit_synchronizer_receive(ct_unit_synchronizer *s, double now) {
    const uint32_t time = ct_network_session_time(s->session, now);
    const double elapsed = time_to_move(s, now - s->last_now);
    s->last_now = now;
    uint32_t count;
    const ct_network_event *const events = ct_network_session_events(s->session, &count);
    for (uint32_t i = 0; i < count; ++i)
        take_event(s, &events[i], time);
    try_waiting(s, time);
    for (uint32_t i = 0; i < s->ties.count; ++i) {
        unit_tie *const tie = &s->ties.items[i];
        if (!tie->is_own)
            take_news(s, tie, time);
    }
    for (uint32_t i = 0; i < s->delays.count; ++i) {
        if (s->delays.items[i].num_updates)
            ct_network_delay_time(&s->delays.items[i], seconds_of(time));
    }
    for (uint32_t i = 0; i < s->ties.count; ++i) {
        unit_tie *const tie = &s->ties.items[i];
        if (tie->is_own || !is_alive(s, tie))
            continue;
        const ct_peer_id owner = ct_network_session_object_owner(s->session, tie->object);
        place(s, tie, delay_of(s, owner)->shown, elapsed);
    }
}
