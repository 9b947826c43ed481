// Actors that are inside each other.
#include "physics/actor/physics_world_private.h"

enum { MOST_OF_ONE = 256 }; // overlaps of one actor that are looked at

// Of two dynamic actors, the one with the lower id has the pair.
static bool has_pair(const ct_physics_world *p, ct_actor a, ct_actor b) {
    const ct_actor_slot *const other = ct_actor_find(p, b);
    return other && (ct_actor_extra_of(p, other)->data.body != CT_ACTOR_DYNAMIC || a.id < b.id);
}

uint32_t ct_physics_world_overlaps(ct_physics_world *p, float depth, ct_actor_overlap *overlaps,
                                   uint32_t most) {
    CT_ASSERT(depth >= 0, "overlaps of %g metres", (double)depth);
    uint32_t count = 0;
    for (uint32_t slot = 1; slot < p->slots.count; ++slot) {
        const ct_actor_slot *const s = &p->slots.items[slot];
        if (!(s->flags & CT_ACTOR_ALIVE) || (s->flags & CT_ACTOR_TRIGGER) || !s->body ||
            p->extras.items[slot].data.body != CT_ACTOR_DYNAMIC)
            continue;
        ct_bullet_overlap found[MOST_OF_ONE];
        const ct_actor a = ct_actor_at(p, slot);
        const uint32_t num_found =
            ct_bullet_body_overlaps(p->bullet, s->body, depth, found, MOST_OF_ONE);
        for (uint32_t i = 0; i < num_found; ++i) {
            const ct_actor b = {found[i].id};
            if (!has_pair(p, a, b))
                continue;
            if (count < most)
                overlaps[count] = (ct_actor_overlap){a, b, -found[i].distance, found[i].position};
            ++count;
        }
    }
    return count;
}
