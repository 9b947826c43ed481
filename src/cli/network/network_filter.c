#include "cli/network/network_filter.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "foundation/error.h"
#include "resource/schema/schema.h"

enum { COUNT_BITS = 20 }; // of an object's id: network_session.h

static const char *name_of(const ct_network_config_resource *config, ct_blob_string name) {
    return ct_blob_at(config, name.offset);
}

// --- Reading -------------------------------------------------------------------------------------

static bool read_peer(ct_network_filter *f, const char *text, ct_error *error) {
    const size_t length = strlen(text);
    size_t digits = 0;
    while (isxdigit((unsigned char)text[digits]))
        ++digits;
    if (length == 0 || length > 16 || digits != length)
        return ct_error_set(error,
                            "--peer is \"%.40s\"; expected the first of the 16 hexadecimal digits "
                            "of a peer",
                            text);
    f->has_peer = true;
    f->num_digits = (uint32_t)length;
    f->peer = strtoull(text, NULL, 16);
    return true;
}

// "2.17" or 2097169.
static bool read_object_id(const char *text, ct_network_object_id *id) {
    char *end;
    if (!isdigit((unsigned char)*text))
        return false;
    const unsigned long first = strtoul(text, &end, 10);
    if (*end == 0 && first > 0 && first <= UINT32_MAX) {
        *id = (ct_network_object_id)first;
        return true;
    }
    if (*end != '.' || !isdigit((unsigned char)end[1]) || first >= 1 << (32 - COUNT_BITS))
        return false;
    const unsigned long count = strtoul(end + 1, &end, 10);
    *id = (ct_network_object_id)first << COUNT_BITS | (ct_network_object_id)count;
    return *end == 0 && count > 0 && count < 1 << COUNT_BITS;
}

static bool unknown(ct_allocator *a, const char *option, const char *text,
                    const ct_network_config_resource *config, const ct_network_record_type *records,
                    uint32_t count, const char *what, ct_error *error) {
    const char **const names = CT_NEW_ARRAY(a, const char *, count + 1);
    for (uint32_t i = 0; i < count; ++i)
        names[i] = name_of(config, records[i].name);
    const char *const nearest = ct_nearest_name(text, names, count);
    if (nearest)
        ct_error_set(error, "--%s is \"%.80s\", which is no %s of the log (did you mean \"%s\"?)",
                     option, text, what, nearest);
    else
        ct_error_set(error, "--%s is \"%.80s\", which is no %s of the log", option, text, what);
    ct_free(a, names);
    return false;
}

static bool read_object(ct_network_filter *f, ct_allocator *a,
                        const ct_network_config_resource *config, ct_error *error) {
    if (read_object_id(f->object, &f->object_id))
        return true;
    f->object_type = ct_network_config_object(config, ct_string_id32_of(f->object));
    return f->object_type != UINT32_MAX ||
           unknown(a, "object", f->object, config, ct_network_config_objects(config),
                   config->objects.count, "id (2.17) or type of an object", error);
}

static bool read_field(ct_network_filter *f, ct_allocator *a,
                       const ct_network_config_resource *config, ct_error *error) {
    const ct_network_record_type *const types = ct_network_config_objects(config);
    uint64_t any = 0;
    f->fields = CT_NEW_ARRAY(a, uint64_t, config->objects.count + 1);
    for (uint32_t i = 0; i < config->objects.count; ++i) {
        const uint32_t field =
            ct_network_config_field(config, &types[i], ct_string_id32_of(f->field));
        f->fields[i] = field == UINT32_MAX ? 0 : UINT64_C(1) << field;
        any |= f->object_type == UINT32_MAX || f->object_type == i ? f->fields[i] : 0;
    }
    if (any)
        return true;
    CT_ARRAY(const char *) names;
    ct_array_init(&names, a);
    for (uint32_t i = 0; i < config->objects.count; ++i)
        for (uint32_t k = 0; k < types[i].num_fields; ++k)
            if (f->object_type == UINT32_MAX || f->object_type == i)
                ct_array_push(&names,
                              name_of(config, ct_network_record_fields(config, &types[i])[k].name));
    const char *const nearest = ct_nearest_name(f->field, names.items, names.count);
    if (nearest)
        ct_error_set(error, "--field is \"%.80s\", which no object has (did you mean \"%s\"?)",
                     f->field, nearest);
    else
        ct_error_set(error, "--field is \"%.80s\", which no object has", f->field);
    ct_array_free(&names);
    return false;
}

static bool read_message(ct_network_filter *f, ct_allocator *a,
                         const ct_network_config_resource *config, ct_error *error) {
    f->message_type = ct_network_config_message(config, ct_string_id32_of(f->message));
    return f->message_type != UINT32_MAX ||
           unknown(a, "message", f->message, config, ct_network_config_messages(config),
                   config->messages.count, "message", error);
}

bool ct_network_filter_read(ct_network_filter *f, ct_allocator *a,
                            const ct_network_filter_words *words,
                            const ct_network_config_resource *config, ct_error *error) {
    *f = (ct_network_filter){.to = HUGE_VAL,
                             .object = words->object,
                             .field = words->field,
                             .message = words->message,
                             .object_type = UINT32_MAX,
                             .message_type = UINT32_MAX,
                             .has_direction = words->is_in != words->is_out,
                             .direction = words->is_in ? CT_NETWORK_IN : CT_NETWORK_OUT};
    if (!ct_command_number("from", words->from, 0, 1e9, &f->from, error) ||
        !ct_command_number("to", words->to, 0, 1e9, &f->to, error))
        return false;
    if (f->to <= f->from)
        return ct_error_set(error, "--to is %g; expected more than --from, %g", f->to, f->from);
    if (words->peer && !read_peer(f, words->peer, error))
        return false;
    if (!config && ct_network_filter_has_names(f))
        return ct_error_set(error, "objects, fields and messages have no names without the "
                                   "network_config of the log");
    return (!f->object || read_object(f, a, config, error)) &&
           (!f->field || read_field(f, a, config, error)) &&
           (!f->message || read_message(f, a, config, error));
}

void ct_network_filter_free(ct_network_filter *f, ct_allocator *a) {
    ct_free(a, f->fields);
    f->fields = NULL;
}

// --- Choosing ------------------------------------------------------------------------------------

bool ct_network_filter_has_names(const ct_network_filter *f) {
    return f->object || f->field || f->message;
}

bool ct_network_filter_takes_peer(const ct_network_filter *f, ct_peer_id peer) {
    return !f->has_peer || peer >> (64 - 4 * f->num_digits) == f->peer;
}

bool ct_network_filter_takes_time(const ct_network_filter *f, const ct_network_moment *m) {
    return m->seconds >= f->from && m->seconds < f->to &&
           ct_network_filter_takes_peer(f, m->peer) &&
           (!f->has_direction || m->direction == f->direction);
}

static bool takes_object(const ct_network_filter *f, const ct_network_seen *seen,
                         uint64_t *fields) {
    if ((f->object_id && seen->object != f->object_id) ||
        (f->object_type != UINT32_MAX && seen->record != f->object_type))
        return false;
    if (!f->fields)
        return f->object || !f->message;
    *fields &= f->fields[seen->record];
    return *fields != 0;
}

bool ct_network_filter_takes(const ct_network_filter *f, const ct_network_moment *m,
                             uint64_t *fields) {
    *fields = m->seen.fields;
    if (!ct_network_filter_takes_time(f, m))
        return false;
    if (!ct_network_filter_has_names(f))
        return true;
    if (m->kind != CT_NETWORK_MOMENT_SEEN)
        return false;
    switch (m->seen.kind) {
    case CT_NETWORK_SEEN_FIELDS:
    case CT_NETWORK_SEEN_OBJECT:
    case CT_NETWORK_SEEN_GIVE:
    case CT_NETWORK_SEEN_DESTROY:
        return takes_object(f, &m->seen, fields);
    case CT_NETWORK_SEEN_MESSAGE:
        return m->seen.record == f->message_type;
    default:
        return false;
    }
}
