// Weights of a state's clips, from variables; shares of the states of a chain.
#include <math.h>
#include <string.h>

#include "animation/machine/machine_expression.h"
#include "animation/machine/machine_private.h"

static float value_of(const ct_state_machine *m, uint32_t expression, float otherwise) {
    return ct_machine_expression(m->resource, expression, m->variables, otherwise);
}

static float within(float x, float least, float most) {
    return x < least ? least : x > most ? most : x;
}

// --- Blend spaces --------------------------------------------------------------------------------

static void weigh_1d(const ct_state_machine *m, const ct_state_machine_state *s, float *weights) {
    const ct_state_machine_leaf *const leaves = ct_machine_leaves(m, s);
    const float x = value_of(m, s->x, 0);
    uint32_t above = 0; // the first point past x
    while (above < s->num_leaves && leaves[above].x <= x)
        ++above;
    if (above == 0 || above == s->num_leaves) {
        weights[above == 0 ? 0 : above - 1] = 1;
        return;
    }
    const float from = leaves[above - 1].x;
    weights[above] = (x - from) / (leaves[above].x - from);
    weights[above - 1] = 1 - weights[above];
}

// Sets the weights of a triangle's corners when (x, y) is in it.
static bool weigh_triangle(const ct_state_machine_leaf *leaves, const uint32_t *points, double x,
                           double y, float *weights) {
    const ct_state_machine_leaf *const a = &leaves[points[0]], *const b = &leaves[points[1]],
                                       *const c = &leaves[points[2]];
    const double bx = (double)b->x - (double)a->x, by = (double)b->y - (double)a->y;
    const double cx = (double)c->x - (double)a->x, cy = (double)c->y - (double)a->y;
    const double px = x - (double)a->x, py = y - (double)a->y;
    const double area = bx * cy - by * cx;
    const double u = (px * cy - py * cx) / area, v = (bx * py - by * px) / area;
    if (!(u >= 0 && v >= 0 && u + v <= 1))
        return false;
    weights[points[0]] += (float)(1 - u - v);
    weights[points[1]] += (float)u;
    weights[points[2]] += (float)v;
    return true;
}

// Sets the weights at the place on the edges that is nearest to (x, y).
static void weigh_nearest(const ct_state_machine_leaf *leaves, const ct_state_machine_edge *edges,
                          uint32_t count, double x, double y, float *weights) {
    double least = INFINITY, best_t = 0;
    uint32_t best = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const ct_state_machine_leaf *const a = &leaves[edges[i].points[0]];
        const ct_state_machine_leaf *const b = &leaves[edges[i].points[1]];
        const double ex = (double)b->x - (double)a->x, ey = (double)b->y - (double)a->y;
        const double px = x - (double)a->x, py = y - (double)a->y;
        const double length2 = ex * ex + ey * ey;
        const double t = length2 > 0 ? fmin(fmax((px * ex + py * ey) / length2, 0), 1) : 0;
        const double dx = px - t * ex, dy = py - t * ey, distance2 = dx * dx + dy * dy;
        if (distance2 < least) {
            least = distance2;
            best = i;
            best_t = t;
        }
    }
    weights[edges[best].points[0]] += (float)(1 - best_t);
    weights[edges[best].points[1]] += (float)best_t;
}

static void weigh_2d(const ct_state_machine *m, const ct_state_machine_state *s, float *weights) {
    const ct_state_machine_resource *const r = m->resource;
    const ct_state_machine_leaf *const leaves = ct_machine_leaves(m, s);
    const ct_state_machine_triangle *const triangles =
        (const ct_state_machine_triangle *)ct_blob_at(r, r->triangles.offset) + s->first_triangle;
    const double x = (double)value_of(m, s->x, 0), y = (double)value_of(m, s->y, 0);
    for (uint32_t i = 0; i < s->num_triangles; ++i) {
        if (weigh_triangle(leaves, triangles[i].points, x, y, weights))
            return;
    }
    const ct_state_machine_edge *const edges =
        (const ct_state_machine_edge *)ct_blob_at(r, r->edges.offset) + s->first_edge;
    weigh_nearest(leaves, edges, s->num_edges, x, y, weights);
}

// --- Trees ---------------------------------------------------------------------------------------

static void weigh_tree(const ct_state_machine *m, const ct_state_machine_state *s, float *weights) {
    const ct_state_machine_resource *const r = m->resource;
    const ct_state_machine_node *const nodes =
        (const ct_state_machine_node *)ct_blob_at(r, r->nodes.offset) + s->first_node;
    const uint32_t *const children = ct_blob_at(r, r->children.offset);
    float at[CT_STATE_MACHINE_MAX_NODES] = {1};
    for (uint32_t i = 0; i < s->num_nodes; ++i) {
        const ct_state_machine_node *const n = &nodes[i];
        if (at[i] == 0)
            continue;
        if (n->kind == CT_STATE_MACHINE_NODE_CLIP) {
            weights[n->first] += at[i];
            continue;
        }
        const uint32_t *const below = children + n->first;
        const float value = value_of(m, n->value, 0);
        if (n->kind == CT_STATE_MACHINE_NODE_SELECT) {
            at[below[(uint32_t)within(value, 0, (float)(n->num_children - 1))]] += at[i];
            continue;
        }
        const float t = within(value, 0, 1);
        at[below[0]] += n->kind == CT_STATE_MACHINE_NODE_LERP ? at[i] * (1 - t) : at[i];
        at[below[1]] += at[i] * t;
    }
}

// --- States --------------------------------------------------------------------------------------

static void weigh_leaves(const ct_state_machine *m, const ct_state_machine_state *s,
                         float *weights) {
    switch (s->kind) {
    case CT_STATE_MACHINE_STATE_CLIP:
        weights[0] = 1;
        break;
    case CT_STATE_MACHINE_STATE_BLEND_1D:
        weigh_1d(m, s, weights);
        break;
    case CT_STATE_MACHINE_STATE_BLEND_2D:
        weigh_2d(m, s, weights);
        break;
    case CT_STATE_MACHINE_STATE_TREE:
        weigh_tree(m, s, weights);
        break;
    default:
        break;
    }
}

void ct_machine_weigh(const ct_state_machine *m, ct_machine_slot *s) {
    const ct_state_machine_state *const state = ct_machine_state(m, s->state);
    const ct_state_machine_leaf *const leaves = ct_machine_leaves(m, state);
    const uint32_t count = state->num_leaves;
    memset(s->weights, 0, sizeof(*s->weights) * count);
    weigh_leaves(m, state, s->weights);
    const double speed = (double)within(value_of(m, state->speed, 1), -100, 100);
    double total = 0, length = 0;
    float largest = 0;
    s->heaviest = UINT8_MAX;
    for (uint32_t i = 0; i < count; ++i) {
        const double own = m->clips[leaves[i].clip].length / (double)leaves[i].speed;
        s->rates[i] = speed / own;
        if (leaves[i].is_apart)
            continue;
        total += (double)s->weights[i];
        length += (double)s->weights[i] * own;
        if (s->weights[i] > largest) {
            largest = s->weights[i];
            s->heaviest = (uint8_t)i;
        }
    }
    s->length = total > 0 ? length / total : count > 0 ? 1 : 0;
    s->own_rate = s->rate = s->length > 0 ? speed / s->length : 0;
    s->loops = state->loop == CT_STATE_MACHINE_LOOP_AS_CLIP
                   ? count == 0 || m->clips[leaves[0].clip].loops
                   : state->loop == CT_STATE_MACHINE_LOOP_YES;
}

// --- Shares --------------------------------------------------------------------------------------

static double own_share(const ct_machine_slot *s, double ahead) {
    double x = s->duration > 0 ? fmin((s->fade + ahead) / s->duration, 1) : 1;
    if (s->flags & CT_MACHINE_SLOT_SMOOTH)
        x = x * x * (3 - 2 * x);
    const double left = fmax(1 - (s->drop + ahead) / CT_MACHINE_DROP_SECONDS, 0);
    if (s->flags & CT_MACHINE_SLOT_DROPS)
        x *= left;
    if (s->flags & CT_MACHINE_SLOT_COVERS)
        x = 1 - (1 - x) * left;
    return x;
}

void ct_machine_shares(const ct_machine_layer *l, double ahead, double *shares) {
    double rest = 1;
    for (uint32_t i = l->num_playing - 1; i > 0; --i) {
        const double x = own_share(&l->slots[l->order[i]], ahead);
        shares[i] = rest * x;
        rest *= 1 - x;
    }
    shares[0] = rest;
}
