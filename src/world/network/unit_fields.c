#include "world/network/unit_fields.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/math/math.h"
#include "world/world_node.h"

// --- What fields are -----------------------------------------------------------------------------

static const struct {
    const char *name, *means;
    uint32_t kind;
} parts[CT_UNIT_PART_COUNT] = {
    [CT_UNIT_PART_UNIT] = {"unit", "the resource of the unit", CT_NETWORK_ID},
    [CT_UNIT_PART_LEVEL] = {"level", "the resource of the unit's level", CT_NETWORK_ID},
    [CT_UNIT_PART_LEVEL_UNIT] = {"level_unit", "the unit's id in its level", CT_NETWORK_ID},
    [CT_UNIT_PART_POSITION] = {"position", "the position of the root", CT_NETWORK_VECTOR3},
    [CT_UNIT_PART_ROTATION] = {"rotation", "the rotation of the root", CT_NETWORK_ROTATION},
    [CT_UNIT_PART_SCALE] = {"scale", "the scale of the root", CT_NETWORK_VECTOR3},
    [CT_UNIT_PART_VELOCITY] = {"velocity", "the velocity of the actor", CT_NETWORK_VECTOR3},
    [CT_UNIT_PART_ANGULAR_VELOCITY] = {"angular_velocity", "the angular velocity of the actor",
                                       CT_NETWORK_VECTOR3},
};

static bool is_number(uint32_t kind) {
    return kind == CT_NETWORK_INTEGER || kind == CT_NETWORK_FLOAT;
}

// Returns whether values of data can have a kind.
static bool is_data(const ct_network_type *types, const ct_network_type *type) {
    switch (type->kind) {
    case CT_NETWORK_ID:
    case CT_NETWORK_OBJECT:
        return false;
    case CT_NETWORK_ARRAY:
        return is_number(types[type->element].kind);
    default:
        return true;
    }
}

static const ct_network_field *field_of(const ct_unit_fields *fields, uint32_t field) {
    return &ct_network_record_fields(fields->config, fields->record)[field];
}

static const ct_network_type *type_of(const ct_unit_fields *fields, uint32_t field) {
    return &ct_network_config_types(fields->config)[field_of(fields, field)->type];
}

static const char *name_of(const ct_unit_fields *fields, uint32_t field) {
    return ct_blob_at(fields->config, field_of(fields, field)->name.offset);
}

static const char *record_name(const ct_unit_fields *fields) {
    return ct_blob_at(fields->config, fields->record->name.offset);
}

bool ct_unit_fields_has_unit(const ct_network_config_resource *config, uint32_t type) {
    const ct_network_record_type *const record = &ct_network_config_objects(config)[type];
    return ct_network_config_field(config, record, ct_string_id32_of("unit")) != UINT32_MAX ||
           ct_network_config_field(config, record, ct_string_id32_of("level_unit")) != UINT32_MAX;
}

static bool check_field(ct_unit_fields *fields, uint32_t field, ct_error *error) {
    const ct_network_type *const type = type_of(fields, field);
    const char *const name = name_of(fields, field);
    for (uint32_t i = 0; i < CT_UNIT_PART_COUNT; ++i) {
        if (strcmp(name, parts[i].name) != 0)
            continue;
        fields->parts[i] = field;
        if (type->kind == parts[i].kind)
            return true;
        return ct_error_set(error,
                            "object type \"%s\": the field \"%s\" is of kind %s; it could be of "
                            "kind %s (%s), or have another name (a value of the unit's data)",
                            record_name(fields), name, ct_network_kind_name(type->kind),
                            ct_network_kind_name(parts[i].kind), parts[i].means);
    }
    if (is_data(ct_network_config_types(fields->config), type)) {
        fields->data |= 1ull << field;
        return true;
    }
    return ct_error_set(
        error,
        "object type \"%s\": the field \"%s\" of kind %s is no part of a unit; it could be bool, "
        "integer, float, vector2, vector3, rotation, string, lookup, peer or an array of numbers "
        "(the value of that name in the unit's data), or one of unit, level, level_unit, position, "
        "rotation, scale, velocity, angular_velocity",
        record_name(fields), name, ct_network_kind_name(type->kind));
}

bool ct_unit_fields_of(const ct_network_config_resource *config, uint32_t type,
                       ct_unit_fields *fields, ct_error *error) {
    *fields =
        (ct_unit_fields){.config = config, .record = &ct_network_config_objects(config)[type]};
    for (uint32_t i = 0; i < CT_UNIT_PART_COUNT; ++i)
        fields->parts[i] = UINT32_MAX;
    for (uint32_t i = 0; i < fields->record->num_fields; ++i) {
        if (!check_field(fields, i, error))
            return false;
    }
    const bool has_level = fields->parts[CT_UNIT_PART_LEVEL] != UINT32_MAX;
    if (has_level != (fields->parts[CT_UNIT_PART_LEVEL_UNIT] != UINT32_MAX))
        return ct_error_set(error,
                            "object type \"%s\" has only one of the fields \"level\" and "
                            "\"level_unit\"; a unit of a level needs both, of kind id",
                            record_name(fields));
    return true;
}

// --- Words ---------------------------------------------------------------------------------------

// Sets a field; a value that it does not take is a warning.
static void set(const ct_unit_fields *fields, uint32_t field, const ct_network_value *value,
                uint32_t *words) {
    ct_error error = {0};
    if (!ct_network_record_set(fields->config, fields->record, field, UINT32_MAX, value, words,
                               &error))
        ct_log_warning("network", "unit_field_refused", "object type \"%s\": %s",
                       record_name(fields), error.message);
}

uint64_t ct_unit_fields_id(const ct_unit_fields *fields, ct_unit_part part, const uint32_t *words) {
    const uint32_t field = fields->parts[part];
    if (field == UINT32_MAX)
        return 0;
    return ct_network_record_get(fields->config, fields->record, field, UINT32_MAX, words).id;
}

void ct_unit_fields_set_id(const ct_unit_fields *fields, ct_unit_part part, uint64_t id,
                           uint32_t *words) {
    if (fields->parts[part] != UINT32_MAX)
        set(fields, fields->parts[part], &(ct_network_value){.kind = CT_NETWORK_ID, .id = id},
            words);
}

static void set_vector(const ct_unit_fields *fields, ct_unit_part part, ct_vec3 v,
                       uint32_t *words) {
    if (fields->parts[part] != UINT32_MAX)
        set(fields, fields->parts[part],
            &(ct_network_value){.kind = CT_NETWORK_VECTOR3, .parts = {v.x, v.y, v.z, 0}}, words);
}

static void set_rotation(const ct_unit_fields *fields, ct_quat q, uint32_t *words) {
    if (fields->parts[CT_UNIT_PART_ROTATION] != UINT32_MAX)
        set(fields, fields->parts[CT_UNIT_PART_ROTATION],
            &(ct_network_value){.kind = CT_NETWORK_ROTATION, .parts = {q.x, q.y, q.z, q.w}}, words);
}

static ct_vec3 vector_of(const ct_network_value *value) {
    return ct_vec3_make(value->parts[0], value->parts[1], value->parts[2]);
}

// --- Poses and velocities ------------------------------------------------------------------------

ct_unit_pose ct_unit_pose_of(const ct_world *w, ct_entity unit) {
    ct_transform_manager *const m = ct_world_transforms(w);
    const ct_transform t = ct_transform_lookup(m, unit);
    ct_unit_pose pose = {.scale = ct_vec3_make(1, 1, 1), .rotation = ct_quat_identity()};
    if (!t.index)
        return pose;
    if (ct_transform_parent(m, t).index) {
        ct_mat4_decompose(ct_transform_world(m, t), &pose.position, &pose.rotation, &pose.scale);
        return pose;
    }
    return (ct_unit_pose){.position = ct_transform_local_position(m, t),
                          .rotation = ct_transform_local_rotation(m, t),
                          .scale = ct_transform_local_scale(m, t)};
}

static bool is_finite(const ct_unit_pose *pose) {
    for (uint32_t i = 0; i < 3; ++i) {
        if (!isfinite(pose->position.raw[i]) || !isfinite(pose->scale.raw[i]))
            return false;
    }
    return ct_quat_is_rotation(pose->rotation);
}

void ct_unit_set_pose(const ct_world *w, ct_entity unit, const ct_unit_pose *pose, bool jumps) {
    ct_transform_manager *const m = ct_world_transforms(w);
    const ct_transform t = ct_transform_lookup(m, unit);
    if (!t.index || !is_finite(pose))
        return;
    if (ct_transform_parent(m, t).index) {
        const ct_mat4 world = ct_mat4_compose(pose->position, pose->rotation, pose->scale);
        ct_transform_set_world_pose(m, t, &world);
    } else {
        ct_transform_set_local_pose(m, t, pose->position, pose->rotation, pose->scale);
    }
    for (ct_entity e = unit; jumps && e.id; e = ct_world_next_entity(w, unit, e))
        ct_world_jump(w, e);
}

void ct_unit_fields_pose(const ct_unit_fields *fields, const ct_network_moment *moment,
                         ct_unit_pose *pose) {
    ct_network_value values[3] = {0};
    for (uint32_t i = 0; i < 3; ++i) {
        const uint32_t field = fields->parts[CT_UNIT_PART_POSITION + i];
        if (field != UINT32_MAX)
            values[i] =
                ct_network_moment_value(fields->config, fields->record, moment, field, UINT32_MAX);
    }
    if (fields->parts[CT_UNIT_PART_POSITION] != UINT32_MAX)
        pose->position = vector_of(&values[0]);
    if (fields->parts[CT_UNIT_PART_ROTATION] != UINT32_MAX)
        pose->rotation = ct_quat_normalize((ct_quat){
            {values[1].parts[0], values[1].parts[1], values[1].parts[2], values[1].parts[3]}});
    if (fields->parts[CT_UNIT_PART_SCALE] != UINT32_MAX)
        pose->scale = vector_of(&values[2]);
}

static ct_bullet_body *body_of(const ct_world *w, ct_entity unit) {
    const ct_physics_world *const p = ct_world_physics(w);
    return p ? ct_actor_bullet(p, ct_actor_first(p, unit)) : NULL;
}

static bool has_velocity(const ct_unit_fields *fields) {
    return fields->parts[CT_UNIT_PART_VELOCITY] != UINT32_MAX ||
           fields->parts[CT_UNIT_PART_ANGULAR_VELOCITY] != UINT32_MAX;
}

void ct_unit_fields_set_velocity(const ct_unit_fields *fields, const ct_world *w, ct_entity unit,
                                 const uint32_t *words) {
    ct_bullet_body *const body = has_velocity(fields) ? body_of(w, unit) : NULL;
    const uint32_t linear = fields->parts[CT_UNIT_PART_VELOCITY];
    const uint32_t angular = fields->parts[CT_UNIT_PART_ANGULAR_VELOCITY];
    if (body && linear != UINT32_MAX) {
        const ct_network_value v =
            ct_network_record_get(fields->config, fields->record, linear, UINT32_MAX, words);
        ct_bullet_body_set_velocity(body, vector_of(&v));
    }
    if (body && angular != UINT32_MAX) {
        const ct_network_value v =
            ct_network_record_get(fields->config, fields->record, angular, UINT32_MAX, words);
        ct_bullet_body_set_angular_velocity(body, vector_of(&v));
    }
}

// --- Data ----------------------------------------------------------------------------------------

static ct_data_key key_of(const ct_unit_fields *fields, uint32_t field) {
    return ct_data_key_of_id(field_of(fields, field)->id);
}

static int32_t to_integer(const ct_network_type *type, float number) {
    const double rounded = round((double)number);
    if (!(rounded > (double)type->first))
        return type->first;
    return rounded < (double)type->last ? (int32_t)rounded : type->last;
}

static bool find_lookup(const ct_unit_fields *fields, const ct_network_type *type, const char *text,
                        uint32_t *lookup) {
    for (uint32_t i = 0; i < type->num_lookups; ++i) {
        if (strcmp(ct_network_config_lookup(fields->config, type, i), text) == 0) {
            *lookup = i;
            return true;
        }
    }
    return false;
}

static bool read_peer(ct_data_value value, uint64_t *peer) {
    *peer = 0;
    for (uint32_t i = 0; i < value.count; ++i) {
        const char c = value.text[i];
        const char *const digits = "0123456789abcdef";
        const char *const at = c ? strchr(digits, c >= 'A' && c <= 'F' ? c + 'a' - 'A' : c) : NULL;
        if (!at)
            return false;
        *peer = *peer << 4 | (uint64_t)(at - digits);
    }
    return value.count == 16;
}

// Makes the value of a field from one of data. False: it is none of that kind.
static bool from_data(const ct_unit_fields *fields, const ct_network_type *type, ct_data_value from,
                      ct_network_value *to) {
    static const uint32_t num_parts[CT_NETWORK_KINDS] = {
        [CT_NETWORK_VECTOR2] = 2, [CT_NETWORK_VECTOR3] = 3, [CT_NETWORK_ROTATION] = 4};
    *to = (ct_network_value){.kind = type->kind};
    switch (type->kind) {
    case CT_NETWORK_BOOL:
        to->boolean = from.boolean;
        return from.type == CT_DATA_TYPE_BOOL;
    case CT_NETWORK_INTEGER:
        if (from.type != CT_DATA_TYPE_FLOAT || !isfinite(from.number))
            return false;
        to->integer = to_integer(type, from.number);
        return true;
    case CT_NETWORK_FLOAT:
        to->number = from.number;
        return from.type == CT_DATA_TYPE_FLOAT;
    case CT_NETWORK_STRING:
        to->string.text = from.text;
        to->string.bytes = from.count;
        return from.type == CT_DATA_TYPE_STRING;
    case CT_NETWORK_LOOKUP:
        return from.type == CT_DATA_TYPE_STRING &&
               find_lookup(fields, type, from.text, &to->lookup);
    case CT_NETWORK_PEER:
        return from.type == CT_DATA_TYPE_STRING && read_peer(from, &to->id);
    case CT_NETWORK_ARRAY:
        to->count = from.count;
        return from.type == CT_DATA_TYPE_FLOATS;
    default:
        if (from.type != CT_DATA_TYPE_FLOATS || from.count != num_parts[type->kind])
            return false;
        memcpy(to->parts, from.numbers, sizeof(float) * from.count);
        return true;
    }
}

static bool set_elements(const ct_unit_fields *fields, uint32_t field, const ct_network_type *type,
                         ct_data_value from, uint32_t *words, ct_error *error) {
    const ct_network_type *const element = &ct_network_config_types(fields->config)[type->element];
    for (uint32_t i = 0; i < from.count; ++i) {
        ct_network_value value;
        if (!from_data(fields, element, ct_data_float(from.numbers[i]), &value))
            return ct_error_set(error, "number %u is not finite", i + 1);
        if (!ct_network_record_set(fields->config, fields->record, field, i, &value, words, error))
            return false;
    }
    return true;
}

static const char *data_name(ct_data_type type) {
    static const char *const names[] = {"no value", "a bool", "a number", "a text",
                                        "an array of numbers"};
    return (uint32_t)type < CT_COUNT_OF(names) ? names[type] : "a value";
}

// Sets a field of data from a value of the unit's; what does not fit is a warning, and nothing changes.
static void read_data(const ct_unit_fields *fields, uint32_t field, ct_data_value from,
                      uint32_t *words) {
    const ct_network_type *const type = type_of(fields, field);
    const ct_network_field *const f = field_of(fields, field);
    uint32_t before[CT_NETWORK_MAX_WORDS];
    memcpy(before, words + f->first_word, sizeof(*words) * f->num_words);
    ct_network_value to;
    ct_error error = {0};
    if (!from_data(fields, type, from, &to))
        ct_error_set(&error, "%s does not fit a field of kind %s", data_name(from.type),
                     ct_network_kind_name(type->kind));
    else if (ct_network_record_set(fields->config, fields->record, field, UINT32_MAX, &to, words,
                                   &error) &&
             (type->kind != CT_NETWORK_ARRAY ||
              set_elements(fields, field, type, from, words, &error)))
        return;
    memcpy(words + f->first_word, before, sizeof(*words) * f->num_words);
    ct_log_warning("network", "unit_data_refused",
                   "object type \"%s\": the value \"%s\" of the unit's data is not sent: %s",
                   record_name(fields), name_of(fields, field), error.message);
}

void ct_unit_fields_read(const ct_unit_fields *fields, const ct_world *w, ct_entity unit,
                         uint32_t *words) {
    const ct_unit_pose pose = ct_unit_pose_of(w, unit);
    set_vector(fields, CT_UNIT_PART_POSITION, pose.position, words);
    set_vector(fields, CT_UNIT_PART_SCALE, pose.scale, words);
    set_rotation(fields, pose.rotation, words);
    const ct_bullet_body *const body = has_velocity(fields) ? body_of(w, unit) : NULL;
    if (body) {
        set_vector(fields, CT_UNIT_PART_VELOCITY, ct_bullet_body_velocity(body), words);
        set_vector(fields, CT_UNIT_PART_ANGULAR_VELOCITY, ct_bullet_body_angular_velocity(body),
                   words);
    }
    if (!fields->data)
        return;
    const ct_data_manager *const m = ct_world_system_data(ct_world_system_of(w));
    const ct_data_instance instance = ct_data_first(m, unit);
    for (uint64_t left = instance.slot ? fields->data : 0; left; left &= left - 1) {
        const uint32_t field = (uint32_t)__builtin_ctzll(left);
        const ct_data_value value = ct_data_get(m, instance, key_of(fields, field));
        if (value.type != CT_DATA_TYPE_NONE)
            read_data(fields, field, value, words);
    }
}

// What the value of a field is as data. Texts and numbers are in `numbers` and `text`, or borrowed.
static ct_data_value to_data(const ct_unit_fields *fields, const ct_network_moment *moment,
                             uint32_t field, float numbers[CT_NETWORK_MAX_WORDS], char text[17]) {
    const ct_network_type *const type = type_of(fields, field);
    const ct_network_value v =
        ct_network_moment_value(fields->config, fields->record, moment, field, UINT32_MAX);
    const char *name;
    switch (type->kind) {
    case CT_NETWORK_BOOL:
        return ct_data_bool(v.boolean);
    case CT_NETWORK_INTEGER:
        return ct_data_float((float)v.integer);
    case CT_NETWORK_FLOAT:
        return ct_data_float(v.number);
    case CT_NETWORK_STRING:
        return ct_data_string(v.string.text, v.string.bytes);
    case CT_NETWORK_LOOKUP:
        name = ct_network_config_lookup(fields->config, type, v.lookup);
        return ct_data_string(name, (uint32_t)strlen(name));
    case CT_NETWORK_PEER:
        snprintf(text, 17, "%016llx", (unsigned long long)v.id);
        return ct_data_string(text, 16);
    case CT_NETWORK_ARRAY:
        for (uint32_t i = 0; i < v.count; ++i) {
            const ct_network_value e =
                ct_network_moment_value(fields->config, fields->record, moment, field, i);
            numbers[i] = e.kind == CT_NETWORK_INTEGER ? (float)e.integer : e.number;
        }
        return ct_data_floats(numbers, v.count);
    default:
        memcpy(numbers, v.parts, sizeof(v.parts));
        return ct_data_floats(numbers, type->kind == CT_NETWORK_VECTOR2   ? 2
                                       : type->kind == CT_NETWORK_VECTOR3 ? 3
                                                                          : 4);
    }
}

void ct_unit_fields_set_data(const ct_unit_fields *fields, const ct_world *w, ct_entity unit,
                             const ct_network_moment *moment, uint32_t field) {
    ct_data_manager *const m = ct_world_system_data(ct_world_system_of(w));
    ct_data_instance instance = ct_data_first(m, unit);
    ct_error error = {0};
    const ct_component_manager manager = ct_data_component_manager(m);
    if (!instance.slot && ct_component_manager_has_room(&manager, 1, &error))
        instance = ct_data_create(m, unit, ct_string_id32_of("network").value);
    float numbers[CT_NETWORK_MAX_WORDS];
    char text[17];
    const ct_data_value value = to_data(fields, moment, field, numbers, text);
    if (!instance.slot || !ct_data_set(m, instance, key_of(fields, field), value, &error))
        ct_log_warning("network", "unit_data_full",
                       "object type \"%s\": the unit's data does not take \"%s\": %s",
                       record_name(fields), name_of(fields, field), error.message);
}

// --- Units of levels -----------------------------------------------------------------------------

ct_entity ct_unit_of_level(const ct_world *w, ct_string_id64 level, uint32_t id) {
    uint32_t num_levels;
    const ct_level *const levels = ct_world_levels(w, &num_levels);
    for (uint32_t i = 0; i < num_levels; ++i) {
        if (ct_level_resource_id(w, levels[i]).value != level.value)
            continue;
        uint32_t count;
        const ct_entity *const units = ct_level_units(w, levels[i], &count);
        const uint32_t *const ids = ct_level_unit_ids(w, levels[i]);
        for (uint32_t k = 0; k < count; ++k) {
            if (ids[k] == id && ct_world_has_unit(w, units[k]))
                return units[k];
        }
    }
    return (ct_entity){0};
}

bool ct_unit_level_of(ct_world *w, ct_entity unit, ct_string_id64 *level, uint32_t *id) {
    uint32_t place;
    const ct_level found = ct_world_find_level_unit(w, unit, &place);
    if (!found.id)
        return false;
    *level = ct_level_resource_id(w, found);
    *id = ct_level_unit_ids(w, found)[place];
    return true;
}
