#include "network/transport/network_conditions.h"

#include "foundation/error.h"
#include "foundation/sjson/sjson_number.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef enum part_kind { PERCENT, TIME, BANDWIDTH } part_kind;

typedef struct part {
    const char *name;
    part_kind kind;
    size_t offset; // in ct_network_conditions
} part;

static const part parts[] = {
    {"loss", PERCENT, offsetof(ct_network_conditions, loss_percent)},
    {"delay", TIME, offsetof(ct_network_conditions, delay_ns)},
    {"jitter", TIME, offsetof(ct_network_conditions, jitter_ns)},
    {"duplicate", PERCENT, offsetof(ct_network_conditions, duplicate_percent)},
    {"reorder", PERCENT, offsetof(ct_network_conditions, reorder_percent)},
    {"bandwidth", BANDWIDTH, offsetof(ct_network_conditions, bandwidth)},
};

// A unit behind a number, what a number with it is multiplied by, and the most that is allowed then.
typedef struct unit {
    const char *name;
    part_kind kind;
    double factor;
} unit;

static const unit units[] = {
    {"%", PERCENT, 1},     {"us", TIME, 1e3},     {"ms", TIME, 1e6},  {"s", TIME, 1e9},
    {"k", BANDWIDTH, 1e3}, {"M", BANDWIDTH, 1e6}, {"", BANDWIDTH, 1},
};

static const double most_of[] = {
    [PERCENT] = 100, [TIME] = (double)CT_NETWORK_CONDITIONS_MAX_NS, [BANDWIDTH] = 1e12};
static const char *const expected[] = {
    [PERCENT] = "0% to 100%, such as 2.5%",
    [TIME] = "a time up to 60s, such as 80ms, 500us or 1s",
    [BANDWIDTH] = "bytes a second, such as 256k or 1M; 0 for no limit",
};

static const unit *find_unit(const char *text, uint32_t bytes, part_kind kind) {
    for (uint32_t i = 0; i < CT_COUNT_OF(units); ++i) {
        if (units[i].kind == kind && strlen(units[i].name) == bytes &&
            memcmp(units[i].name, text, bytes) == 0)
            return &units[i];
    }
    return NULL;
}

static bool read_value(const part *p, const char *text, uint32_t bytes, double *value,
                       ct_error *error) {
    char number[32] = {0}, scratch[32];
    const uint32_t digits = (uint32_t)strspn(text, "0123456789.");
    const uint32_t number_bytes = digits < bytes ? digits : bytes;
    const unit *const u = find_unit(text + number_bytes, bytes - number_bytes, p->kind);
    bool is_read = number_bytes > 0 && number_bytes < sizeof(number) && u;
    if (is_read) {
        memcpy(number, text, number_bytes);
        is_read = !ct_sjson_number_parse(number, number_bytes, number_bytes, scratch, value);
    }
    if (is_read)
        *value *= u->factor;
    if (!is_read || *value > most_of[p->kind])
        return ct_error_set(error, "network conditions: \"%.*s\" is no %s: expected %s",
                            (int)(bytes < 32 ? bytes : 32), text, p->name, expected[p->kind]);
    return true;
}

static void set_value(ct_network_conditions *conditions, const part *p, double value) {
    char *const place = (char *)conditions + p->offset;
    if (p->kind == PERCENT)
        *(double *)place = value;
    else
        *(uint64_t *)place = (uint64_t)llround(value);
}

static const part *find_part(const char *text, uint32_t bytes) {
    for (uint32_t i = 0; i < CT_COUNT_OF(parts); ++i) {
        if (strlen(parts[i].name) == bytes && memcmp(parts[i].name, text, bytes) == 0)
            return &parts[i];
    }
    return NULL;
}

// Reads one `name=value` of `bytes`; `seen` has a bit for each part that was there.
static bool read_part(const char *text, uint32_t bytes, ct_network_conditions *conditions,
                      uint32_t *seen, ct_error *error) {
    const char *const equals = memchr(text, '=', bytes);
    const uint32_t name_bytes = equals ? (uint32_t)(equals - text) : bytes;
    const part *const p = find_part(text, name_bytes);
    const int shown = (int)(name_bytes < 32 ? name_bytes : 32);
    if (!p)
        return ct_error_set(error,
                            "network conditions: unknown part \"%.*s\": expected loss, delay, "
                            "jitter, duplicate, reorder or bandwidth, such as "
                            "loss=5%%,delay=80ms",
                            shown, text);
    if (!equals)
        return ct_error_set(error, "network conditions: %s has no value: write %s=, then %s",
                            p->name, p->name, expected[p->kind]);
    const uint32_t bit = 1u << (p - parts);
    if (*seen & bit)
        return ct_error_set(error, "network conditions: %s is there twice: keep one of them",
                            p->name);
    *seen |= bit;
    double value = 0;
    if (!read_value(p, equals + 1, bytes - name_bytes - 1, &value, error))
        return false;
    set_value(conditions, p, value);
    return true;
}

bool ct_network_conditions_parse(const char *text, ct_network_conditions *conditions,
                                 ct_error *error) {
    ct_network_conditions read = {0};
    uint32_t seen = 0;
    for (const char *at = text; strcmp(text, "none") != 0; ++at) {
        const uint32_t bytes = (uint32_t)strcspn(at, ",");
        if (!read_part(at, bytes, &read, &seen, error))
            return false;
        at += bytes;
        if (*at == 0)
            break;
    }
    *conditions = read;
    return true;
}

static void print_part(const part *p, const ct_network_conditions *conditions, char *text) {
    const char *const place = (const char *)conditions + p->offset;
    const double value =
        p->kind == PERCENT ? *(const double *)place : (double)*(const uint64_t *)place;
    if (value == 0)
        return;
    char number[CT_SJSON_NUMBER_BYTES + 1] = {0};
    ct_sjson_number_format(p->kind == TIME ? value / 1e6 : value, number);
    const size_t used = strlen(text);
    snprintf(text + used, CT_NETWORK_CONDITIONS_BYTES - used, "%s%s=%s%s", used > 0 ? "," : "",
             p->name, number,
             p->kind == PERCENT ? "%"
             : p->kind == TIME  ? "ms"
                                : "");
}

const char *ct_network_conditions_print(const ct_network_conditions *conditions,
                                        char text[CT_NETWORK_CONDITIONS_BYTES]) {
    text[0] = 0;
    for (uint32_t i = 0; i < CT_COUNT_OF(parts); ++i)
        print_part(&parts[i], conditions, text);
    if (text[0] == 0)
        snprintf(text, CT_NETWORK_CONDITIONS_BYTES, "none");
    return text;
}
