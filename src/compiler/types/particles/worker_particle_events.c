// Events that make particles, and the order of emitters that follows from them.
#include <string.h>

#include "compiler/types/particles/worker_particles.h"

void ct_worker_particle_events(ct_worker_particles *p, ct_worker_emitter *e) {
    const ct_sjson_value all = e->source.on;
    if (ct_sjson_count(p->doc, all) > CT_PARTICLES_MAX_EVENTS) {
        ct_worker_particle_error(p, all, "on: found %u events, expected at most %d",
                                 ct_sjson_count(p->doc, all), (int)CT_PARTICLES_MAX_EVENTS);
        return;
    }
    for (ct_sjson_value v = ct_sjson_first(p->doc, all); v.entry; v = ct_sjson_next(p->doc, v)) {
        ct_particle_event_source source;
        if (!ct_schema_read(&ct_particle_event_schema, p->doc, v, &source, &p->listener))
            continue;
        ct_worker_particle_event event = {.at = source.emitter_value,
                                          .emitter = source.emitter,
                                          .event = {.type = source.event,
                                                    .least = 1,
                                                    .most = 1,
                                                    .probability = source.probability,
                                                    .inherit_velocity = source.inherit_velocity}};
        ct_worker_particle_counts(p, source.count, &event.event.least, &event.event.most);
        ct_array_push(&e->events, event);
    }
}

// Sets the positions of emitters in events to those of the source.
static bool find_emitters(ct_worker_particles *p) {
    bool is_fine = true;
    for (uint32_t i = 0; i < p->emitters.count; ++i) {
        ct_worker_emitter *const e = p->emitters.items[i];
        for (uint32_t k = 0; k < e->events.count; ++k) {
            ct_worker_particle_event *const event = &e->events.items[k];
            uint32_t other = 0;
            while (other < p->emitters.count &&
                   strcmp(p->emitter_names.items[other], event->emitter) != 0)
                ++other;
            if (other == p->emitters.count) {
                is_fine =
                    ct_worker_particle_unknown(p, event->at, "emitter", event->emitter,
                                               p->emitter_names.items, p->emitter_names.count);
                continue;
            }
            event->event.emitter = other;
            ct_worker_emitter *const target = p->emitters.items[other];
            target->out.flags |= CT_PARTICLE_EMITTER_TARGET;
            target->gets_velocity |= event->event.inherit_velocity != 0;
        }
    }
    return is_fine;
}

static bool makes(const ct_worker_emitter *e, uint32_t other) {
    for (uint32_t i = 0; i < e->events.count; ++i) {
        if (e->events.items[i].event.emitter == other)
            return true;
    }
    return false;
}

// Reports a circle at the event of `maker` that makes particles of `made`.
static void report_closing(ct_worker_particles *p, uint32_t maker, uint32_t made,
                           const char *text) {
    const ct_worker_emitter *const e = p->emitters.items[maker];
    for (uint32_t i = 0; i < e->events.count; ++i) {
        if (e->events.items[i].event.emitter == made) {
            ct_worker_particle_error(p, e->events.items[i].at,
                                     "the effect spawns itself: %s; remove one of these events",
                                     text);
            return;
        }
    }
}

// Reports a chain of emitters that leads back to its first. All of `is_left` make one of them.
static void report_circle(ct_worker_particles *p, const bool *is_left) {
    uint32_t chain[CT_PARTICLES_MAX_EMITTERS + 1], count = 0, at = 0;
    uint32_t place[CT_PARTICLES_MAX_EMITTERS]; // in the chain, from 1
    memset(place, 0, sizeof(place));
    while (!is_left[at])
        ++at;
    // Backwards: each of those left is made by another of them.
    while (!place[at]) {
        chain[count++] = at;
        place[at] = count;
        uint32_t maker = 0;
        while (!is_left[maker] || !makes(p->emitters.items[maker], at))
            ++maker;
        at = maker;
    }
    // `at` makes the last of the chain, and is in it. Forwards, from the first of the source:
    const uint32_t begin = place[at] - 1, length = count - begin;
    uint32_t first = 0;
    for (uint32_t i = 0; i < length; ++i)
        first = chain[begin + i] < chain[begin + first] ? i : first;
    const char *text = p->emitter_names.items[chain[begin + first]];
    for (uint32_t i = 1; i <= length; ++i)
        text = ct_compile_text(
            p->c, "%s > %s", text,
            p->emitter_names.items[chain[begin + (first + length - i % length) % length]]);
    report_closing(p, chain[begin + (first + 1) % length], chain[begin + first], text);
}

// Takes, again and again, the first of the source that none of those left makes.
static bool find_order(ct_worker_particles *p, uint32_t *order) {
    bool is_left[CT_PARTICLES_MAX_EMITTERS] = {false};
    const uint32_t count = p->emitters.count;
    memset(is_left, true, count);
    for (uint32_t n = 0; n < count; ++n) {
        uint32_t next = 0;
        for (; next < count; ++next) {
            bool is_made = false;
            for (uint32_t i = 0; i < count; ++i)
                is_made |= is_left[i] && makes(p->emitters.items[i], next);
            if (is_left[next] && !is_made)
                break;
        }
        if (next == count) {
            report_circle(p, is_left);
            return false;
        }
        is_left[next] = false;
        order[n] = next;
    }
    return true;
}

bool ct_worker_particle_sort(ct_worker_particles *p) {
    uint32_t order[CT_PARTICLES_MAX_EMITTERS] = {0}, position[CT_PARTICLES_MAX_EMITTERS] = {0};
    ct_worker_emitter *sorted[CT_PARTICLES_MAX_EMITTERS];
    if (!find_emitters(p) || !find_order(p, order))
        return false;
    for (uint32_t i = 0; i < p->emitters.count; ++i) {
        position[order[i]] = i;
        sorted[i] = p->emitters.items[order[i]];
    }
    for (uint32_t i = 0; i < p->emitters.count; ++i) {
        p->emitters.items[i] = sorted[i];
        for (uint32_t k = 0; k < sorted[i]->events.count; ++k) {
            ct_particle_event *const event = &sorted[i]->events.items[k].event;
            event->emitter = position[event->emitter];
        }
    }
    return true;
}
