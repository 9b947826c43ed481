#include "world/network/unit_actors.h"

#include "foundation/error.h"
#include "foundation/log.h"

void ct_unit_hold_actors(const ct_world *w, ct_entity unit, ct_held_actors *held) {
    ct_physics_world *const p = ct_world_physics(w);
    if (!p || ct_actor_count(p) == 0)
        return;
    for (ct_entity e = unit; e.id; e = ct_world_next_entity(w, unit, e)) {
        for (ct_actor a = ct_actor_first(p, e); a.id; a = ct_actor_next(p, a)) {
            const ct_bullet_body *const body = ct_actor_bullet(p, a);
            if (ct_actor_data_of(p, a).body != CT_ACTOR_DYNAMIC || ct_actor_is_trigger(p, a))
                continue;
            ct_held_actor actor = {.actor = a, .pose = ct_actor_pose(p, a)};
            if (body) {
                actor.velocity = ct_bullet_body_velocity(body);
                actor.angular_velocity = ct_bullet_body_angular_velocity(body);
                actor.was_asleep = ct_bullet_body_is_asleep(body);
            }
            ct_error error = {0};
            if (ct_actor_set_body(p, a, CT_ACTOR_KINEMATIC, &error))
                ct_array_push(held, actor);
            else
                ct_log_warning("network", "unit_actor_refused", "an actor stays dynamic: %s",
                               error.message);
        }
    }
}

static void restore(ct_physics_world *p, const ct_held_actor *held) {
    ct_actor_teleport(p, held->actor, held->pose);
    ct_bullet_body *const body = ct_actor_bullet(p, held->actor);
    if (!body)
        return;
    ct_bullet_body_set_velocity(body, held->velocity);
    ct_bullet_body_set_angular_velocity(body, held->angular_velocity);
    if (held->was_asleep)
        ct_bullet_body_sleep(body);
}

void ct_unit_free_actors(const ct_world *w, ct_held_actors *held, bool restores) {
    ct_physics_world *const p = ct_world_physics(w);
    for (uint32_t i = 0; p && i < held->count; ++i) {
        const ct_actor a = held->items[i].actor;
        ct_error error = {0};
        if (!ct_actor_is_alive(p, a) || ct_actor_data_of(p, a).body != CT_ACTOR_KINEMATIC)
            continue;
        if (!ct_actor_set_body(p, a, CT_ACTOR_DYNAMIC, &error))
            ct_log_warning("network", "unit_actor_refused", "an actor stays kinematic: %s",
                           error.message);
        else if (restores)
            restore(p, &held->items[i]);
    }
    held->count = 0;
}
