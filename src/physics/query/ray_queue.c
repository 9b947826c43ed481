// Rays that are asked for at any time and resolved together in the next step.
#include "foundation/container/array.h"
#include "physics/query/physics_query.h"

typedef struct waiting_ray {
    uint32_t number, most;
    ct_ray_wish wish;
    ct_physics_ray ray;
    ct_physics_find find;
} waiting_ray;

struct ct_ray_queue {
    ct_allocator *allocator;
    ct_physics_world *physics;
    CT_ARRAY(waiting_ray) waiting;
    CT_ARRAY(ct_ray_result) results;
    CT_ARRAY(ct_physics_hit) hits;
    bool is_taken; // results and hits were; the next step drops them
};

// Appends the hits of a ray. A filter whose name went with a change of the resource finds nothing.
static void find_hits(ct_ray_queue *q, const waiting_ray *w) {
    ct_physics_find_state state;
    ct_bullet_find bullet;
    bool is_hit = false;
    if (!ct_physics_find_prepare(q->physics, &w->find, &state, &bullet))
        return;
    const uint32_t most = w->wish == CT_RAY_ALL ? w->most : 1;
    ct_array_reserve(&q->hits, q->hits.count + (uint64_t)most);
    ct_physics_hit *const hits = q->hits.items + q->hits.count;
    switch (w->wish) {
    case CT_RAY_CLOSEST:
        q->hits.count += ct_physics_rays(q->physics, &w->ray, 1, &w->find, hits);
        break;
    case CT_RAY_ANY:
        ct_physics_rays_any(q->physics, &w->ray, 1, &w->find, &is_hit);
        if (is_hit) // which it is, is not known
            q->hits.items[q->hits.count++] = (ct_physics_hit){.actor = {0}};
        break;
    case CT_RAY_ALL:
        q->hits.count += ct_physics_ray_all(q->physics, &w->ray, &w->find, hits, most);
        break;
    }
}

static void resolve(void *user, float dt) {
    (void)dt;
    ct_ray_queue *const q = user;
    if (q->is_taken)
        q->results.count = q->hits.count = 0;
    q->is_taken = false;
    for (uint32_t i = 0; i < q->waiting.count; ++i) {
        const waiting_ray w = q->waiting.items[i];
        const uint32_t first = q->hits.count;
        find_hits(q, &w);
        ct_array_push(&q->results, (ct_ray_result){w.number, first, q->hits.count - first});
    }
    q->waiting.count = 0;
}

ct_ray_queue *ct_ray_queue_create(ct_allocator *a, ct_physics_world *p) {
    ct_ray_queue *const q = CT_NEW(a, ct_ray_queue);
    q->allocator = a;
    q->physics = p;
    ct_array_init(&q->waiting, a);
    ct_array_init(&q->results, a);
    ct_array_init(&q->hits, a);
    ct_physics_world_add_step(p, resolve, q);
    return q;
}

void ct_ray_queue_destroy(ct_ray_queue *q) {
    if (!q)
        return;
    ct_physics_world_remove_step(q->physics, q);
    ct_array_free(&q->waiting);
    ct_array_free(&q->results);
    ct_array_free(&q->hits);
    ct_free_sized(q->allocator, q, sizeof(*q));
}

void ct_ray_queue_add(ct_ray_queue *q, uint32_t number, const ct_physics_ray *ray, ct_ray_wish wish,
                      uint32_t most, const ct_physics_find *find) {
    ct_array_push(&q->waiting, (waiting_ray){number, most, wish, *ray, *find});
}

const ct_ray_result *ct_ray_queue_take(ct_ray_queue *q, uint32_t *count,
                                       const ct_physics_hit **hits) {
    *count = q->is_taken ? 0 : q->results.count;
    *hits = q->hits.items;
    q->is_taken = true;
    return q->results.items;
}
