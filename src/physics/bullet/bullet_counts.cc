#include "physics/bullet/bullet_counts.h"

#include "physics/bullet/bullet_private.hh"

ct_bullet_counts ct_bullet_world_counts(const ct_bullet_world *w) {
    ct_bullet_counts counts = {};
    const btCollisionObjectArray &objects = w->dynamics->getCollisionObjectArray();
    btAlignedObjectArray<bool> has_island; // by the tag that all bodies of an island have
    has_island.resize(objects.size(), false);
    counts.bodies = static_cast<uint32_t>(objects.size());
    counts.pairs = static_cast<uint32_t>(w->pairs.count);
    for (int i = 0; i < objects.size(); ++i) {
        if (!bullet_is_dynamic(bullet_body_of(objects[i])))
            continue;
        ++counts.dynamic;
        if (!objects[i]->isActive())
            continue;
        ++counts.awake;
        const int island = objects[i]->getIslandTag();
        if (island < 0 || island >= objects.size() || has_island[island])
            continue;
        has_island[island] = true;
        ++counts.islands;
    }
    return counts;
}
