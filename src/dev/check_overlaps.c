#include "dev/check_overlaps.h"

#include <stdlib.h>

enum { MOST_FOUND = 1024, MOST_REPORTED = 16 };
static const float tolerance = 0.0102f; // metres: 1 cm, and what positions are rounded by

static int deepest_first(const void *a, const void *b) {
    const ct_actor_overlap *const x = a, *const y = b;
    if (x->depth != y->depth)
        return x->depth > y->depth ? -1 : 1;
    if (x->a.id != y->a.id)
        return x->a.id < y->a.id ? -1 : 1;
    return x->b.id < y->b.id ? -1 : x->b.id > y->b.id;
}

// Names of actors are not known here: data has their hashes.
static void name_actor(ct_world *w, ct_actor a, ct_string_builder *out) {
    const ct_physics_world *const p = ct_world_physics(w);
    const ct_entity unit = ct_world_unit_of(w, ct_actor_entity(p, a));
    if (unit.id)
        ct_string_builder_addf(out, "the unit \"%s\"",
                               ct_string_id64_name(ct_world_unit_resource(w, unit)));
    else
        ct_string_builder_add(out, "an actor without a unit");
}

static void write_overlap(ct_world *w, const ct_actor_overlap *o, ct_string_builder *out) {
    const ct_vec3 at = o->position;
    name_actor(w, o->a, out);
    ct_string_builder_addf(out, " starts %.1f cm inside ", (double)o->depth * 100);
    name_actor(w, o->b, out);
    ct_string_builder_addf(out,
                           ", at (%.2f, %.2f, %.2f): physics pushes them apart at the start; move "
                           "them apart in the level, or give them collision filters that do not "
                           "collide",
                           (double)at.x, (double)at.y, (double)at.z);
}

void ct_check_overlaps(ct_world *w, ct_allocator *a,
                       void (*report)(void *user, const char *message), void *user) {
    if (!ct_world_physics(w))
        return;
    ct_actor_overlap *const found = CT_NEW_ARRAY(a, ct_actor_overlap, MOST_FOUND);
    const uint32_t count =
        ct_physics_world_overlaps(ct_world_physics(w), tolerance, found, MOST_FOUND);
    const uint32_t num_found = count < MOST_FOUND ? count : MOST_FOUND;
    qsort(found, num_found, sizeof(*found), deepest_first);
    for (uint32_t i = 0; i < num_found && i <= MOST_REPORTED; ++i) {
        ct_string_builder text;
        ct_string_builder_init(&text, a);
        if (i < MOST_REPORTED)
            write_overlap(w, &found[i], &text);
        else
            ct_string_builder_addf(&text, "%u more pairs of actors start inside each other",
                                   count - MOST_REPORTED);
        report(user, ct_string_builder_text(&text));
        ct_string_builder_free(&text);
    }
    ct_free_sized(a, found, sizeof(*found) * MOST_FOUND);
}
