// One layer in time: from moment to moment, where a transition starts or a fade ends.
#include <math.h>
#include <string.h>

#include "animation/machine/machine_expression.h"
#include "animation/machine/machine_private.h"
#include "foundation/error.h"
#include "foundation/log.h"

// Fades that end within this time end now: sums of times are not exact.
#define TINY 1e-9

// Steps of root motion where several clips with changing weights or headings add up.
#define ROOT_STEP (1.0 / 120)
enum { MAX_ROOT_STEPS = 4096 };

// --- The chain -----------------------------------------------------------------------------------

static void free_players(ct_state_machine *m, ct_machine_slot *s) {
    for (uint32_t i = 0; i < m->max_leaves; ++i) {
        if (s->players[i] != CT_MACHINE_NO_PLAYER)
            m->players &= ~(1ull << s->players[i]);
        s->players[i] = CT_MACHINE_NO_PLAYER;
    }
}

void ct_machine_remove(ct_state_machine *m, ct_machine_layer *l, uint32_t index) {
    const uint8_t slot = l->order[index];
    free_players(m, &l->slots[slot]);
    for (uint32_t i = index; i + 1 < l->num_playing; ++i)
        l->order[i] = l->order[i + 1];
    l->order[--l->num_playing] = slot;
}

// Appends a state. There must be a free slot.
static ct_machine_slot *append(ct_state_machine *m, ct_machine_layer *l, uint32_t state) {
    ct_machine_slot *const s = &l->slots[l->order[l->num_playing++]];
    const ct_machine_slot fresh = {.state = state,
                                   .flags = CT_MACHINE_SLOT_FRESH,
                                   .weights = s->weights,
                                   .rates = s->rates,
                                   .phases = s->phases,
                                   .players = s->players};
    *s = fresh;
    memset(s->phases, 0, sizeof(*s->phases) * m->max_leaves);
    ct_machine_weigh(m, s);
    return s;
}

static bool is_leaving(ct_machine_layer *l, uint32_t index) {
    if (ct_machine_at(l, index)->flags & CT_MACHINE_SLOT_DROPS)
        return true;
    return index == 0 && l->num_playing > 1 && ct_machine_at(l, 1)->flags & CT_MACHINE_SLOT_COVERS;
}

// The state with the least share among those that may be dropped.
static uint32_t least_shown(ct_machine_layer *l) {
    double shares[CT_MACHINE_SLOTS];
    ct_machine_shares(l, 0, shares);
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < l->num_playing; ++i) {
        const bool may =
            !is_leaving(l, i) && (i > 0 ? !(ct_machine_at(l, i)->flags & CT_MACHINE_SLOT_COVERS)
                                        : !(ct_machine_at(l, 1)->flags & CT_MACHINE_SLOT_DROPS));
        if (may && (least == UINT32_MAX || shares[i] < shares[least]))
            least = i;
    }
    return least;
}

// All states are about to fade out: drops one when they are more than CT_MACHINE_FADING, and frees
// a slot when all are in use.
static void limit_fading(ct_state_machine *m, ct_machine_layer *l) {
    uint32_t num_fading = 0;
    for (uint32_t i = 0; i < l->num_playing; ++i)
        num_fading += !is_leaving(l, i);
    const uint32_t least_seen = num_fading > CT_MACHINE_FADING ? least_shown(l) : UINT32_MAX;
    if (least_seen != UINT32_MAX) { // none: a saved state may have more than fade by themselves
        const uint32_t least = least_seen;
        ct_machine_slot *const s = ct_machine_at(l, least == 0 ? 1 : least);
        s->flags |= least == 0 ? CT_MACHINE_SLOT_COVERS : CT_MACHINE_SLOT_DROPS;
        s->drop = 0;
    }
    if (l->num_playing < CT_MACHINE_SLOTS)
        return;
    double shares[CT_MACHINE_SLOTS];
    ct_machine_shares(l, 0, shares);
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < l->num_playing; ++i) {
        if (is_leaving(l, i) && (least == UINT32_MAX || shares[i] < shares[least]))
            least = i;
    }
    ct_machine_remove(m, l, least == UINT32_MAX ? 0 : least);
}

// Ends fades: takes states out that are not seen any more.
static void end_fades(ct_state_machine *m, ct_machine_layer *l) {
    for (uint32_t i = l->num_playing; i-- > 1;) {
        ct_machine_slot *const s = ct_machine_at(l, i);
        const bool is_dropped = s->drop + TINY >= CT_MACHINE_DROP_SECONDS;
        if (s->flags & CT_MACHINE_SLOT_DROPS && is_dropped) {
            ct_machine_remove(m, l, i);
            continue;
        }
        const bool is_in = s->fade + TINY >= s->duration && !(s->flags & CT_MACHINE_SLOT_DROPS);
        if (!is_in && !(s->flags & CT_MACHINE_SLOT_COVERS && is_dropped))
            continue;
        while (i > 0)
            ct_machine_remove(m, l, --i);
        break;
    }
    // The oldest has nothing to fade over.
    ct_machine_slot *const oldest = ct_machine_at(l, 0);
    oldest->flags &= ~(uint32_t)(CT_MACHINE_SLOT_DROPS | CT_MACHINE_SLOT_COVERS);
    oldest->fade = oldest->duration = 0;
}

// --- Transitions ---------------------------------------------------------------------------------

bool ct_machine_is_locked(ct_machine_layer *l) {
    const ct_machine_slot *const s = ct_machine_newest(l);
    return l->num_playing > 1 && !(s->flags & CT_MACHINE_SLOT_INTERRUPTIBLE);
}

static void tell(ct_state_machine *m, ct_string_id32 event, double time, bool is_outside) {
    if (!event.value)
        return;
    if (!is_outside)
        ct_machine_add_event(&m->events, event, time);
    else if (m->num_pending < CT_MACHINE_PENDING_EVENTS)
        m->pending[m->num_pending++] = event;
    else
        ++m->num_pending_dropped;
}

static bool has_clips_in_step(const ct_machine_slot *s) {
    return s->heaviest != UINT8_MAX;
}

static void set_start_phase(const ct_state_machine *m, ct_machine_slot *s, double offset) {
    const double phase = s->own_rate < 0 ? 1 - offset : offset;
    s->phase = s->loops && phase >= 1 ? 0 : phase;
    const ct_state_machine_state *const state = ct_machine_state(m, s->state);
    for (uint32_t i = 0; i < state->num_leaves; ++i)
        s->phases[i] = s->phase;
}

void ct_machine_enter_start(ct_state_machine *m, ct_machine_layer *l) {
    const uint32_t state = l->resource->start;
    while (l->num_playing > 0)
        ct_machine_remove(m, l, l->num_playing - 1);
    set_start_phase(m, append(m, l, state), 0);
    tell(m, ct_machine_state(m, state)->enter_event, 0, true);
    l->pending = CT_STATE_MACHINE_NONE;
    l->is_blocked = false;
}

void ct_machine_start(ct_state_machine *m, ct_machine_layer *l,
                      const ct_state_machine_transition *t, double time, bool is_outside) {
    const ct_machine_slot old = *ct_machine_newest(l);
    tell(m, ct_machine_state(m, old.state)->leave_event, time, is_outside);
    limit_fading(m, l);
    ct_machine_slot *const s = append(m, l, t->to);
    s->duration = (double)t->duration;
    if (t->flags & CT_STATE_MACHINE_TRANSITION_SMOOTH)
        s->flags |= CT_MACHINE_SLOT_SMOOTH;
    if (t->flags & CT_STATE_MACHINE_TRANSITION_INTERRUPTIBLE)
        s->flags |= CT_MACHINE_SLOT_INTERRUPTIBLE;
    set_start_phase(m, s, (double)t->offset);
    if (t->flags & CT_STATE_MACHINE_TRANSITION_SYNC && has_clips_in_step(&old) &&
        has_clips_in_step(s)) {
        s->phase = s->loops && old.phase >= 1 ? 0 : old.phase;
        if (l->num_playing > 1)
            ct_machine_at(l, l->num_playing - 2)->flags |= CT_MACHINE_SLOT_FOLLOWS;
    }
    tell(m, ct_machine_state(m, t->to)->enter_event, time, is_outside);
    end_fades(m, l);
    l->pending = CT_STATE_MACHINE_NONE;
    ++l->num_at_once;
    ++l->num_started;
}

// Seconds until the state reaches the transition's exit; infinity: not within `limit`.
static double time_to_exit(const ct_machine_slot *s, const ct_state_machine_transition *t,
                           double limit) {
    const double exit = (double)t->exit;
    if (t->exit_kind == CT_STATE_MACHINE_EXIT_ANY)
        return 0;
    if (t->exit_kind == CT_STATE_MACHINE_EXIT_SECONDS)
        return fmax(exit - s->seconds, 0);
    const bool is_back = s->rate < 0;
    const double phase = is_back ? 1 - s->phase : s->phase;
    if (s->loops && exit <= 1) {
        // In every round, so it is a moment; compared as the phase will be advanced.
        const double target = phase < exit ? exit : exit + 1, end = s->phase + s->rate * limit;
        const bool is_reached = is_back ? end <= 1 - target : end >= target;
        if (s->rate == 0 || !is_reached)
            return INFINITY;
        return fmin((target - phase) / fabs(s->rate), limit);
    }
    const double rounds = is_back ? -s->rounds : s->rounds;
    const double left = s->loops ? exit - (rounds + phase) : fmin(exit, 1) - phase;
    if (left <= TINY)
        return 0;
    return s->rate == 0 ? INFINITY : left / fabs(s->rate);
}

// Finds the transition that starts first within `limit` seconds, and sets its time. Of several at
// one moment, the best.
static const ct_state_machine_transition *
next_transition(const ct_state_machine *m, ct_machine_layer *l, double limit, double *time) {
    if (ct_machine_is_locked(l) || l->num_started >= CT_MACHINE_TRANSITIONS)
        return NULL;
    const ct_state_machine_transition *const all = ct_machine_transitions(m), *best = NULL;
    const ct_machine_slot *const s = ct_machine_newest(l);
    const ct_state_machine_state *const state = ct_machine_state(m, s->state);
    const uint32_t *const exits =
        (const uint32_t *)ct_blob_at(m->resource, m->resource->exits.offset) + state->first_exit;
    *time = INFINITY;
    for (uint32_t i = 0; i < state->num_exits; ++i) {
        const ct_state_machine_transition *const t = &all[exits[i]];
        if (t->event.value && exits[i] != l->pending)
            continue;
        const double at = time_to_exit(s, t, limit);
        if (at > limit || at >= *time || (at == 0 && l->is_blocked) ||
            ct_machine_expression(m->resource, t->condition, m->variables, 1) == 0)
            continue;
        best = t;
        *time = at;
    }
    return best;
}

// --- Time ----------------------------------------------------------------------------------------

// Seconds until the first fade ends.
static double time_to_fade_end(ct_machine_layer *l) {
    double least = INFINITY;
    for (uint32_t i = 1; i < l->num_playing; ++i) {
        const ct_machine_slot *const s = ct_machine_at(l, i);
        if (!(s->flags & CT_MACHINE_SLOT_DROPS))
            least = fmin(least, s->duration - s->fade);
        if (s->flags & (CT_MACHINE_SLOT_DROPS | CT_MACHINE_SLOT_COVERS))
            least = fmin(least, CT_MACHINE_DROP_SECONDS - s->drop);
    }
    return fmax(least, 0);
}

static double phase_after(double phase, double rate, double dt, bool loops) {
    const double to = phase + rate * dt;
    return loops ? to : fmin(fmax(to, 0), 1);
}

static double leaf_from(const ct_machine_slot *s, const ct_state_machine_leaf *leaf, uint32_t i) {
    return leaf->is_apart ? s->phases[i] : s->phase;
}

static double leaf_rate(const ct_machine_slot *s, const ct_state_machine_leaf *leaf, uint32_t i) {
    return leaf->is_apart ? s->rates[i] : s->rate;
}

// A leaf with its own time starts again when its clip does.
static bool leaf_loops(const ct_state_machine *m, const ct_machine_slot *s,
                       const ct_state_machine_leaf *leaf) {
    return leaf->is_apart ? m->clips[leaf->clip].loops : s->loops;
}

// Whether clips of a slot move the root; `adds_turns` is set when one turns and does not have the
// whole weight.
static bool moves_root(const ct_state_machine *m, const ct_machine_slot *s, bool *adds_turns) {
    const ct_state_machine_state *const state = ct_machine_state(m, s->state);
    const ct_state_machine_leaf *const leaves = ct_machine_leaves(m, state);
    bool moves = false;
    for (uint32_t i = 0; state->moves_root && i < state->num_leaves; ++i) {
        const ct_machine_clip *const clip = &m->clips[leaves[i].clip];
        if (s->weights[i] > 0 && clip->has_root) {
            *adds_turns |= clip->turns && s->weights[i] < 1;
            moves = true;
        }
    }
    return moves;
}

// In how many steps root motion is added up over `dt`: one where that is exact.
static uint32_t root_steps(const ct_state_machine *m, ct_machine_layer *l, double dt) {
    bool moves = false, adds_turns = false;
    for (uint32_t i = 0; l->resource->moves_root && i < l->num_playing; ++i)
        moves |= moves_root(m, ct_machine_at(l, i), &adds_turns);
    if (!moves || (l->num_playing == 1 && !adds_turns))
        return 1;
    return (uint32_t)fmin(fmax(ceil(dt / ROOT_STEP), 1), MAX_ROOT_STEPS);
}

static ct_machine_pose turned(ct_machine_pose p, double angle) {
    if (angle == 0)
        return p;
    const double s = sin(angle), c = cos(angle);
    return (ct_machine_pose){c * p.x - s * p.y, s * p.x + c * p.y, p.z, p.heading};
}

// Adds what a slot with this share moves the root by, as seen from half of the turn: what is blended
// turns by another angle than each clip. Returns true for a clip that has the whole weight, which is
// not turned.
static bool add_root(const ct_state_machine *m, const ct_machine_slot *s, double share, double dt,
                     ct_machine_pose *moved) {
    const ct_state_machine_state *const state = ct_machine_state(m, s->state);
    const ct_state_machine_leaf *const leaves = ct_machine_leaves(m, state);
    bool is_whole = false;
    for (uint32_t i = 0; state->moves_root && i < state->num_leaves; ++i) {
        const double weight = share * (double)s->weights[i];
        const ct_machine_clip *const clip = &m->clips[leaves[i].clip];
        if (!(weight > 0) || !clip->has_root)
            continue;
        const bool loops = leaf_loops(m, s, &leaves[i]);
        const double from = leaf_from(s, &leaves[i], i);
        const double to = phase_after(from, leaf_rate(s, &leaves[i], i), dt, loops);
        ct_machine_pose p = ct_machine_root_between(clip, from, to, loops);
        if (weight < 1)
            p = turned(p, -0.5 * p.heading);
        moved->x += weight * p.x;
        moved->y += weight * p.y;
        moved->z += weight * p.z;
        moved->heading += weight * p.heading;
        is_whole |= !(weight < 1);
    }
    return is_whole;
}

static void move_root(const ct_state_machine *m, ct_machine_layer *l, double dt) {
    double shares[CT_MACHINE_SLOTS];
    ct_machine_shares(l, 0.5 * dt, shares);
    ct_machine_pose moved = {0, 0, 0, 0};
    bool is_whole = false;
    for (uint32_t i = 0; i < l->num_playing; ++i)
        is_whole |= add_root(m, ct_machine_at(l, i), shares[i], dt, &moved);
    if (!is_whole)
        moved = turned(moved, 0.5 * moved.heading);
    l->moved = ct_machine_pose_after(l->moved, moved);
}

// Events of the newest state: of the heaviest of the clips in step, and of those with their own
// time that are not too light.
static void add_events(ct_state_machine *m, ct_machine_slot *s, double dt, double time) {
    const ct_state_machine_state *const state = ct_machine_state(m, s->state);
    const ct_state_machine_leaf *const leaves = ct_machine_leaves(m, state);
    for (uint32_t i = 0; i < state->num_leaves; ++i) {
        const bool comes_out =
            leaves[i].is_apart ? s->weights[i] >= CT_MACHINE_EVENT_WEIGHT : i == s->heaviest;
        const ct_machine_clip *const clip = &m->clips[leaves[i].clip];
        if (!comes_out || !clip->resource)
            continue;
        const double from = leaf_from(s, &leaves[i], i), rate = leaf_rate(s, &leaves[i], i);
        const bool loops = leaf_loops(m, s, &leaves[i]);
        ct_machine_add_clip_events(&m->events, clip, from, phase_after(from, rate, dt, loops),
                                   loops, s->flags & CT_MACHINE_SLOT_FRESH, rate, time);
    }
}

static void move_slot(const ct_state_machine *m, ct_machine_slot *s, double dt) {
    const ct_state_machine_state *const state = ct_machine_state(m, s->state);
    const ct_state_machine_leaf *const leaves = ct_machine_leaves(m, state);
    for (uint32_t i = 0; i < state->num_leaves; ++i) {
        if (!leaves[i].is_apart)
            continue;
        const double to = phase_after(s->phases[i], s->rates[i], dt, leaf_loops(m, s, &leaves[i]));
        s->phases[i] = leaf_loops(m, s, &leaves[i]) ? to - floor(to) : to;
    }
    const double to = phase_after(s->phase, s->rate, dt, s->loops);
    const double rounds = s->loops ? floor(to) : 0;
    s->phase = to - rounds;
    s->rounds += rounds;
    s->seconds += dt;
    s->fade = fmin(s->fade + dt, s->duration);
    s->drop += s->flags & (CT_MACHINE_SLOT_DROPS | CT_MACHINE_SLOT_COVERS) ? dt : 0;
}

// Advances to the next moment, `dt` seconds on. `time` is how much of the update has passed.
static void move_layer(ct_state_machine *m, ct_machine_layer *l, double dt, double time) {
    for (uint32_t i = l->num_playing; i-- > 0;) {
        ct_machine_slot *const s = ct_machine_at(l, i);
        s->rate = s->flags & CT_MACHINE_SLOT_FOLLOWS && i + 1 < l->num_playing
                      ? ct_machine_at(l, i + 1)->rate
                      : s->own_rate;
    }
    if (!(dt > 0))
        return;
    ct_machine_slot *const newest = ct_machine_newest(l);
    add_events(m, newest, dt, time);
    if (newest->rate != 0)
        newest->flags &= ~(uint32_t)CT_MACHINE_SLOT_FRESH;
    const uint32_t steps = root_steps(m, l, dt);
    // The phase goes where it goes without steps, in the same bits.
    const double phase = newest->phase, rounds = newest->rounds;
    for (uint32_t k = 0; k < steps; ++k) {
        move_root(m, l, dt / steps);
        for (uint32_t i = 0; i < l->num_playing; ++i)
            move_slot(m, ct_machine_at(l, i), dt / steps);
    }
    if (steps > 1) {
        const double to = phase_after(phase, newest->rate, dt, newest->loops);
        newest->phase = newest->loops ? to - floor(to) : to;
        newest->rounds = rounds + (newest->loops ? floor(to) : 0);
    }
    l->num_at_once = 0;
}

// Stops transitions that would not end, until an event comes or a variable changes.
static void block(ct_state_machine *m, ct_machine_layer *l) {
    l->is_blocked = true;
    if (m->has_warned)
        return;
    m->has_warned = true;
    const ct_state_machine_state *const state = ct_machine_state(m, ct_machine_newest(l)->state);
    ct_log_warning("animation", "state_machine_cycle",
                   "layer \"%s\": %s; it stops in \"%s\". Give a transition an exit_time, or a "
                   "condition that is false when the other's is true",
                   (const char *)ct_blob_at(m->resource, l->resource->name_text.offset),
                   l->num_started < CT_MACHINE_TRANSITIONS
                       ? "transitions follow each other in a circle without time in between"
                       : "it has too many transitions in one update",
                   (const char *)ct_blob_at(m->resource, state->name_text.offset));
}

void ct_machine_advance_layer(ct_state_machine *m, ct_machine_layer *l, double dt) {
    l->moved = (ct_machine_pose){0, 0, 0, 0};
    l->num_at_once = l->num_started = 0;
    for (uint32_t i = 0; i < l->num_playing; ++i)
        ct_machine_weigh(m, ct_machine_at(l, i));
    double passed = 0;
    for (;;) {
        const double left = dt - passed;
        double at = INFINITY;
        const ct_state_machine_transition *const t = next_transition(m, l, left, &at);
        const double fade_end = time_to_fade_end(l);
        if (t && at <= fade_end) {
            move_layer(m, l, at, passed);
            passed = fmin(passed + at, dt);
            end_fades(m, l);
            ct_machine_start(m, l, t, passed, false);
            if (l->num_at_once >= CT_MACHINE_TRANSITIONS_AT_ONCE ||
                l->num_started == CT_MACHINE_TRANSITIONS)
                block(m, l);
        } else if (fade_end <= left) {
            move_layer(m, l, fade_end, passed);
            passed += fade_end;
            end_fades(m, l);
        } else {
            move_layer(m, l, left, passed);
            return;
        }
    }
}
