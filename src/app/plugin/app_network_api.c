#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/app_private.h"
#include "app/plugin/app_interfaces.h"
#include "app/plugin/app_system_check.h"
#include "network/fields/network_record.h"
#include "plugin/plugin_addition.h"
#include "script/network/script_network.h"

_Static_assert(CUTTLE_NETWORK_ARRAY == (int)CT_NETWORK_ARRAY &&
                   CUTTLE_NETWORK_LOOKUP == (int)CT_NETWORK_LOOKUP &&
                   CUTTLE_NETWORK_STRING == (int)CT_NETWORK_STRING,
               "kinds are the engine's");

// --- The session ---------------------------------------------------------------------------------

static ct_network *network_of(const ct_plugin *self) {
    ct_script *const script = ct_app_of_plugin(self)->script;
    return script ? ct_script_network(script) : NULL;
}

static ct_network_session *session_of(const ct_plugin *self) {
    ct_network *const n = network_of(self);
    return n ? ct_network_session_of(n) : NULL;
}

static bool is_running(cuttle_plugin *self) {
    const ct_network_session *const s = session_of(self);
    return s && ct_network_session_state_of(s) == CT_NETWORK_SESSION_IN;
}

static uint64_t own_peer(cuttle_plugin *self) {
    const ct_network *const n = network_of(self);
    return n ? ct_network_self(n) : 0;
}

static bool is_host(cuttle_plugin *self) {
    return is_running(self) && ct_network_session_is_host(session_of(self));
}

static uint32_t peers(cuttle_plugin *self, uint64_t *out, uint32_t most) {
    const ct_network_session *const s = session_of(self);
    return s ? ct_network_session_peers(s, CT_NETWORK_PEERS_ALL, out, most) : 0;
}

// --- Sending -------------------------------------------------------------------------------------

// A field, or an element of one, that gets a value.
typedef struct filling {
    const ct_network_config_resource *config;
    const ct_network_record_type *record;
    uint32_t field, element;
    uint32_t *words;
    ct_error *error;
} filling;

static const char *field_name(const filling *f) {
    const ct_network_field *const fields = ct_network_record_fields(f->config, f->record);
    return ct_blob_at(f->config, fields[f->field].name.offset);
}

static bool find_lookup(const filling *f, const ct_network_type *type, const char *text,
                        uint32_t *lookup) {
    for (*lookup = 0; text && *lookup < type->num_lookups; ++*lookup)
        if (strcmp(ct_network_config_lookup(f->config, type, *lookup), text) == 0)
            return true;
    return ct_error_set(f->error, "argument \"%s\": \"%.64s\" is no name of the list of its type",
                        field_name(f), text ? text : "");
}

// Of all kinds but arrays.
static bool value_of(const filling *f, const ct_network_type *type,
                     const cuttle_network_value *given, ct_network_value *v) {
    *v = (ct_network_value){.kind = type->kind};
    if (given->kind != type->kind)
        return ct_error_set(f->error, "argument \"%s\": expected a value of kind %s, got kind %u",
                            field_name(f), ct_network_kind_name(type->kind), given->kind);
    switch ((ct_network_kind)type->kind) {
    case CT_NETWORK_BOOL:
        v->boolean = given->integer != 0;
        return true;
    case CT_NETWORK_INTEGER:
        v->integer = (int32_t)(given->integer < type->first  ? type->first
                               : given->integer > type->last ? type->last
                                                             : given->integer);
        return true;
    case CT_NETWORK_FLOAT:
        v->number = given->parts[0];
        return true;
    case CT_NETWORK_VECTOR2:
    case CT_NETWORK_VECTOR3:
    case CT_NETWORK_ROTATION:
        memcpy(v->parts, given->parts, sizeof(v->parts));
        return true;
    case CT_NETWORK_STRING:
        v->string.text = given->text ? given->text : "";
        v->string.bytes = given->text ? given->count : 0;
        return true;
    case CT_NETWORK_ID:
    case CT_NETWORK_PEER:
        v->id = given->id;
        return true;
    case CT_NETWORK_OBJECT:
        v->id = given->id;
        return given->id <= UINT32_MAX ||
               ct_error_set(f->error, "argument \"%s\": there is no such object", field_name(f));
    case CT_NETWORK_LOOKUP:
        return find_lookup(f, type, given->text, &v->lookup);
    case CT_NETWORK_ARRAY:
    case CT_NETWORK_KINDS:
        break;
    }
    return ct_error_set(f->error, "argument \"%s\": arrays have no arrays", field_name(f));
}

static bool set(const filling *f, const ct_network_value *v) {
    return ct_network_record_set(f->config, f->record, f->field, f->element, v, f->words, f->error);
}

static bool fill_array(filling *f, const ct_network_type *type, const cuttle_network_value *given) {
    const ct_network_type *const element = &ct_network_config_types(f->config)[type->element];
    ct_network_value v = {.kind = CT_NETWORK_ARRAY};
    v.count = given->count;
    if (given->kind != CUTTLE_NETWORK_ARRAY || (given->count > 0 && !given->values))
        return ct_error_set(f->error, "argument \"%s\": expected an array", field_name(f));
    if (!set(f, &v))
        return false;
    for (f->element = 0; f->element < given->count; ++f->element)
        if (!value_of(f, element, &given->values[f->element], &v) || !set(f, &v))
            return false;
    return true;
}

static bool fill(filling *f, const cuttle_network_value *given) {
    const ct_network_field *const field = &ct_network_record_fields(f->config, f->record)[f->field];
    const ct_network_type *const type = &ct_network_config_types(f->config)[field->type];
    ct_network_value v;
    f->element = UINT32_MAX;
    if (type->kind == CT_NETWORK_ARRAY)
        return fill_array(f, type, given);
    return value_of(f, type, given, &v) && set(f, &v);
}

static bool no_such_message(const ct_network_config_resource *config, const char *name,
                            ct_error *error) {
    const char *names[CT_NETWORK_MAX_RECORDS];
    const uint32_t count = config->messages.count;
    for (uint32_t i = 0; i < count; ++i)
        names[i] = ct_blob_at(config, ct_network_config_messages(config)[i].name.offset);
    return ct_app_unknown_name("message of the network_config", name, names, count, error);
}

static bool send_message(const ct_plugin *self, const char *name, uint64_t peer,
                         const cuttle_network_value *values, uint32_t num_values, ct_error *error) {
    ct_network_session *const s = session_of(self);
    if (!s)
        return ct_error_set(error, "there is no game session; Network.create_game_session of Lua "
                                   "makes one");
    const ct_network_config_resource *const config = ct_network_session_config(s);
    const uint32_t message =
        name ? ct_network_config_message(config, ct_string_id32_of(name)) : UINT32_MAX;
    if (message == UINT32_MAX)
        return no_such_message(config, name ? name : "", error);
    const ct_network_record_type *const record = &ct_network_config_messages(config)[message];
    if (num_values != record->num_fields || (num_values > 0 && !values))
        return ct_error_set(error, "the message \"%.64s\" has %u arguments, got %u", name,
                            record->num_fields, num_values);
    uint32_t words[CT_NETWORK_MAX_WORDS];
    memcpy(words, ct_network_record_defaults(config, record), 4 * (size_t)record->num_words);
    filling f = {.config = config, .record = record, .words = words, .error = error};
    for (f.field = 0; f.field < num_values; ++f.field)
        if (!fill(&f, &values[f.field]))
            return false;
    return ct_network_session_send(s, peer, message, words, error);
}

static bool send(cuttle_plugin *self, const char *message, uint64_t peer,
                 const cuttle_network_value *values, uint32_t num_values, cuttle_error *error) {
    ct_error why = {0};
    return (ct_app_may_change_or(self, &why) &&
            send_message(self, message, peer, values, num_values, &why)) ||
           ct_plugin_error_to(error, &why);
}

// --- Receiving -----------------------------------------------------------------------------------

// An addition is called "plugin message".
static bool check(const ct_plugin_addition *a, ct_error *error) {
    const cuttle_network_receiver *const receiver = a->desc;
    return receiver->receive || ct_error_set(error, "it needs `receive`");
}

static const ct_plugin_kind receiver_kind = {
    .name = "receiver",
    .desc_bytes = sizeof(cuttle_network_receiver),
    .check = check,
};

static bool add_receiver(cuttle_plugin *self, const char *message,
                         const cuttle_network_receiver *receiver, cuttle_error *error) {
    char full[CT_PLUGIN_ADDITION_NAME_BYTES];
    ct_error why = {0};
    snprintf(full, sizeof(full), "%s %s", ct_plugin_name(self), message ? message : "");
    if (!message || !message[0] ||
        strlen(message) + strlen(ct_plugin_name(self)) + 2 > sizeof(full) || !receiver)
        ct_error_set(&why, "expected the name of a message, and a receiver");
    else if (ct_plugin_add(self, &receiver_kind, full, receiver, &why))
        return true;
    return ct_plugin_error_to(error, &why);
}

static cuttle_network_value plain_value(const ct_network_config_resource *config,
                                        const ct_network_type *type, const ct_network_value *v) {
    cuttle_network_value out = {.kind = type->kind};
    switch ((ct_network_kind)type->kind) {
    case CT_NETWORK_BOOL:
        out.integer = v->boolean;
        break;
    case CT_NETWORK_INTEGER:
        out.integer = v->integer;
        break;
    case CT_NETWORK_FLOAT:
        out.parts[0] = v->number;
        break;
    case CT_NETWORK_VECTOR2:
        memcpy(out.parts, v->parts, 2 * sizeof(float));
        break;
    case CT_NETWORK_VECTOR3:
        memcpy(out.parts, v->parts, 3 * sizeof(float));
        break;
    case CT_NETWORK_ROTATION:
        memcpy(out.parts, v->parts, sizeof(out.parts));
        break;
    case CT_NETWORK_STRING:
        out.text = v->string.text;
        out.count = v->string.bytes;
        break;
    case CT_NETWORK_ID:
    case CT_NETWORK_PEER:
    case CT_NETWORK_OBJECT:
        out.id = v->id;
        break;
    case CT_NETWORK_LOOKUP:
        out.text = ct_network_config_lookup(config, type, v->lookup);
        break;
    case CT_NETWORK_ARRAY:
    case CT_NETWORK_KINDS:
        break;
    }
    return out;
}

// The arguments of a message; each element has a word at least.
typedef struct arguments {
    cuttle_network_value values[CT_NETWORK_MAX_FIELDS];
    cuttle_network_value elements[CT_NETWORK_MAX_WORDS];
} arguments;

static void read_arguments(const ct_network_config_resource *config,
                           const ct_network_record_type *record, const uint32_t *words,
                           arguments *out) {
    const ct_network_type *const types = ct_network_config_types(config);
    uint32_t used = 0;
    for (uint32_t i = 0; i < record->num_fields; ++i) {
        const ct_network_field *const field = &ct_network_record_fields(config, record)[i];
        const ct_network_type *const type = &types[field->type];
        ct_network_value v = ct_network_record_get(config, record, i, UINT32_MAX, words);
        out->values[i] = plain_value(config, type, &v);
        if (type->kind != CT_NETWORK_ARRAY)
            continue;
        out->values[i].count = v.count;
        out->values[i].values = &out->elements[used];
        for (uint32_t k = 0; k < out->values[i].count; ++k) {
            v = ct_network_record_get(config, record, i, k, words);
            out->elements[used++] = plain_value(config, &types[type->element], &v);
        }
    }
}

// Whether an addition hears a message of this name.
static bool hears(const ct_plugin_addition *a, const char *message) {
    return strcmp(a->name + strlen(ct_plugin_name(a->plugin)) + 1, message) == 0;
}

static bool receive(void *user, const ct_network_config_resource *config,
                    const ct_network_event *event) {
    const ct_app *const app = user;
    const ct_network_record_type *const record = &ct_network_config_messages(config)[event->record];
    const char *const name = ct_blob_at(config, record->name.offset);
    arguments all;
    bool is_read = false;
    const ct_plugin_addition *a = NULL;
    // A receiver may have Lua end the network: nothing of it is used then.
    const uint64_t made = ct_script_network_count(app->script);
    while (ct_script_network(app->script) && ct_script_network_count(app->script) == made &&
           (a = ct_plugin_host_next_addition(app->plugins, &receiver_kind, a))) {
        if (!hears(a, name))
            continue;
        if (!is_read)
            read_arguments(config, record, event->words, &all);
        is_read = true;
        const cuttle_network_receiver *const receiver = a->desc;
        const uint32_t entered = ct_plugin_enter(a->plugin);
        receiver->receive(a->plugin, event->peer, all.values, record->num_fields);
        ct_plugin_leave(entered);
    }
    return is_read;
}

void ct_app_listen_to_network(ct_app *app) {
    ct_script_network_set_listener(app->script, &(ct_script_network_listener){app, receive});
}

const cuttle_network_api_1 ct_app_network_api_1 = {
    .is_running = is_running,
    .own_peer = own_peer,
    .is_host = is_host,
    .peers = peers,
    .send = send,
    .add_receiver = add_receiver,
};
