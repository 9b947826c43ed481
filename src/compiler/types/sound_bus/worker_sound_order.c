// The order of buses: in the blob, and in which they are mixed.
#include <string.h>

#include "compiler/protocol/compiler_circle.h"
#include "compiler/types/sound_bus/worker_sound_buses.h"

// --- Parents first -------------------------------------------------------------------------------

// Reports a circle of parents that `at` is in, or leads to.
static void report_parents(ct_worker_sound_buses *b, uint32_t at) {
    const char *names[CT_SOUND_MAX_BUSES];
    uint32_t ring[CT_SOUND_MAX_BUSES], count = 0, closing = 0;
    for (uint32_t i = 0; i < b->buses.count; ++i) // into the circle, if `at` only leads to it
        at = b->buses.items[at].out.parent;
    do {
        ring[count] = at;
        names[count++] = b->names.items[at];
        at = b->buses.items[at].out.parent;
    } while (at != ring[0]);
    const char *const way = ct_circle_way(b->c->allocator, names, count, &closing);
    ct_compile_error(b->c, b->doc, b->buses.items[ring[closing]].source.parent_value,
                     "a bus cannot be its own parent: %s", way);
}

// Fills `sorted` with positions in the source: parents first, else in the order of the source.
static bool sort_by_parent(ct_worker_sound_buses *b, uint32_t *sorted) {
    const uint32_t count = b->buses.count;
    bool is_placed[CT_SOUND_MAX_BUSES] = {false};
    for (uint32_t n = 0; n < count; ++n) {
        uint32_t next = 0;
        for (; next < count; ++next) {
            const uint32_t parent = b->buses.items[next].out.parent;
            if (!is_placed[next] && (parent == CT_SOUND_NO_BUS || is_placed[parent]))
                break;
        }
        if (next == count) {
            next = 0;
            while (is_placed[next])
                ++next;
            report_parents(b, next);
            return false;
        }
        is_placed[next] = true;
        sorted[n] = next;
    }
    return true;
}

// Puts the buses in the order `sorted`, with all that refers to them.
static void apply(ct_worker_sound_buses *b, const uint32_t *sorted) {
    ct_worker_sound_bus buses[CT_SOUND_MAX_BUSES];
    const char *names[CT_SOUND_MAX_BUSES];
    uint32_t position[CT_SOUND_MAX_BUSES];
    const uint32_t count = b->buses.count;
    for (uint32_t i = 0; i < count; ++i) {
        position[sorted[i]] = i;
        buses[i] = b->buses.items[sorted[i]];
        names[i] = b->names.items[sorted[i]];
    }
    for (uint32_t i = 0; i < count; ++i) {
        ct_sound_bus *const out = &buses[i].out;
        out->parent = i > 0 ? position[out->parent] : CT_SOUND_NO_BUS;
        out->duck_by = out->duck_by != CT_SOUND_NO_BUS ? position[out->duck_by] : CT_SOUND_NO_BUS;
        b->buses.items[i] = buses[i];
        b->names.items[i] = names[i];
    }
    for (uint32_t i = 0; i < b->sends.count; ++i) {
        ct_sound_bus_send *const send = &b->sends.items[i].out;
        send->from = position[send->from];
        send->to = position[send->to];
    }
    for (uint32_t i = 0; i < b->settings.count; ++i)
        b->settings.items[i].bus = position[b->settings.items[i].bus];
}

// --- The order of mixing -------------------------------------------------------------------------

// True when bus `first` must be mixed before `then`. Sets the send that makes it so; UINT32_MAX: it
// is its child.
static bool is_before(const ct_worker_sound_buses *b, uint32_t first, uint32_t then,
                      uint32_t *send) {
    *send = UINT32_MAX;
    if (b->buses.items[first].out.parent == then)
        return true;
    for (uint32_t i = 0; i < b->sends.count; ++i) {
        if (b->sends.items[i].out.from == first && b->sends.items[i].out.to == then) {
            *send = i;
            return true;
        }
    }
    return false;
}

// Returns the first of `is_left` that must be mixed before `then`; `count`: there is none.
static uint32_t find_before(const ct_worker_sound_buses *b, const bool *is_left, uint32_t then) {
    uint32_t i = 0, send;
    while (i < b->buses.count && !(is_left[i] && is_before(b, i, then, &send)))
        ++i;
    return i;
}

// Reports a circle among the buses left, of which each waits for another, at a send of it.
static void report_sends(ct_worker_sound_buses *b, const bool *is_left) {
    const char *names[CT_SOUND_MAX_BUSES];
    uint32_t ring[CT_SOUND_MAX_BUSES + 1], count = 0, at = 0, send = 0, closing = 0;
    while (!is_left[at])
        ++at;
    for (uint32_t i = 0; i < b->buses.count; ++i)
        at = find_before(b, is_left, at);
    do {
        ring[count++] = at;
        at = find_before(b, is_left, at);
    } while (at != ring[0]);
    for (uint32_t i = 0; i < count; ++i) // forwards
        names[i] = b->names.items[ring[count - 1 - i]];
    const char *const way = ct_circle_way(b->c->allocator, names, count, &closing);
    // The last send on the way to the place that closes it. Parents alone make no circle.
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t from = (closing + count - i) % count, to = (from + 1) % count;
        if (is_before(b, ring[count - 1 - from], ring[count - 1 - to], &send) && send != UINT32_MAX)
            break;
    }
    ct_compile_error(b->c, b->doc, b->sends.items[send].at,
                     "sound would go in a circle, by sends and parents: %s; send to a bus that is "
                     "mixed later",
                     way);
}

// Takes, again and again, the last of the buses that waits for none of those left.
static bool set_order(ct_worker_sound_buses *b) {
    const uint32_t count = b->buses.count;
    bool is_left[CT_SOUND_MAX_BUSES];
    memset(is_left, true, sizeof(is_left));
    for (uint32_t order = 0; order < count; ++order) {
        uint32_t next = count;
        while (next > 0 && !(is_left[next - 1] && find_before(b, is_left, next - 1) == count))
            --next;
        if (next == 0) {
            report_sends(b, is_left);
            return false;
        }
        is_left[next - 1] = false;
        b->buses.items[next - 1].out.order = order;
    }
    return true;
}

bool ct_worker_sound_sort_buses(ct_worker_sound_buses *b) {
    uint32_t sorted[CT_SOUND_MAX_BUSES];
    if (!sort_by_parent(b, sorted))
        return false;
    apply(b, sorted);
    return set_order(b);
}
