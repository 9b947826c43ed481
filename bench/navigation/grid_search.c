// grid_search.c: A* over cells with a binary heap; and over corners, with exact sight.
//
// At any angle a shortest path turns only at corners where one of the four cells is no ground, and leaves
// each of them beside that cell. Points are in half cells, so that middles of cells and corners are whole
// numbers, and sight is computed in whole numbers. A path may touch a corner, and run along a wall; it may
// not pass between two cells that meet at a corner.
#include "grid_search.h"

#include <math.h>

#include "bench.h"

// A cell or a corner that is open, by its estimate.
typedef struct open_item {
    double key;
    uint32_t index;
} open_item;

typedef struct corner {
    int32_t x, y;           // half cells
    int32_t wall_x, wall_y; // the direction of the cell that is no ground: -1 or 1
} corner;

// What a search knows of a cell or a corner; of another search unless the stamp is its own.
typedef struct reached {
    double length;
    uint32_t stamp;
    bool is_closed;
} reached;

struct grid_search {
    const navigation_map *map;
    uint32_t stamp;
    reached *cells;
    CT_ARRAY(open_item) open;
    CT_ARRAY(corner) corners;
    reached *at_corners;
    CT_ARRAY(uint32_t) near; // corners that a path may use
};

// --- The heap ------------------------------------------------------------------------------------

static void push(grid_search *s, double key, uint32_t index) {
    ct_array_push(&s->open, (open_item){key, index});
    open_item *const items = s->open.items;
    uint32_t at = s->open.count - 1;
    for (; at > 0 && items[(at - 1) / 2].key > key; at = (at - 1) / 2)
        items[at] = items[(at - 1) / 2];
    items[at] = (open_item){key, index};
}

static open_item pop(grid_search *s) {
    open_item *const items = s->open.items;
    const open_item first = items[0], last = items[--s->open.count];
    uint32_t at = 0;
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= s->open.count)
            break;
        child += child + 1 < s->open.count && items[child + 1].key < items[child].key;
        if (items[child].key >= last.key)
            break;
        items[at] = items[child];
        at = child;
    }
    items[at] = last;
    return first;
}

// Notes a length, when it is the least so far. Returns whether it is.
static bool reach(const grid_search *s, reached *r, double length) {
    if (r->stamp == s->stamp && (r->is_closed || r->length <= length))
        return false;
    *r = (reached){length, s->stamp, false};
    return true;
}

// --- The grid ------------------------------------------------------------------------------------

static double octile_distance(uint32_t x, uint32_t y, uint32_t to_x, uint32_t to_y) {
    const double across = fabs((double)x - (double)to_x), along = fabs((double)y - (double)to_y);
    return fmax(across, along) + (sqrt(2) - 1) * fmin(across, along);
}

static void expand_cell(grid_search *s, uint32_t index, const navigation_map_query *q) {
    const navigation_map *const m = s->map;
    const int64_t x = index % m->width, y = index / m->width;
    const double length = s->cells[index].length;
    for (int step_y = -1; step_y <= 1; ++step_y) {
        for (int step_x = -1; step_x <= 1; ++step_x) {
            if (!navigation_map_is_ground(m, x + step_x, y + step_y) ||
                (step_x && step_y &&
                 (!navigation_map_is_ground(m, x + step_x, y) ||
                  !navigation_map_is_ground(m, x, y + step_y))))
                continue;
            const uint32_t other_x = (uint32_t)(x + step_x), other_y = (uint32_t)(y + step_y);
            const uint32_t other = other_y * m->width + other_x;
            const double there = length + (step_x && step_y ? sqrt(2) : 1);
            if (reach(s, &s->cells[other], there))
                push(s, there + octile_distance(other_x, other_y, q->to_x, q->to_y), other);
        }
    }
}

double grid_search_octile(grid_search *s, const navigation_map_query *q) {
    const uint32_t width = s->map->width, goal = q->to_y * width + q->to_x;
    ++s->stamp;
    s->open.count = 0;
    reach(s, &s->cells[q->from_y * width + q->from_x], 0);
    push(s, 0, q->from_y * width + q->from_x);
    while (s->open.count > 0) {
        const uint32_t index = pop(s).index;
        if (index == goal)
            return s->cells[index].length;
        if (s->cells[index].is_closed)
            continue;
        s->cells[index].is_closed = true;
        expand_cell(s, index, q);
    }
    return INFINITY;
}

// --- Sight ---------------------------------------------------------------------------------------

// Along a row (or, swapped, a column) of half cells: one of both sides must be ground all the way, and the
// way must not change its side where both are not.
static bool is_open_along(const navigation_map *m, int64_t line, int64_t from, int64_t to,
                          bool is_swapped) {
    const int64_t first = from / 2, end = (to + 1) / 2;
    bool left_before = true, right_before = true;
    for (int64_t i = first; i < end; ++i) {
        const int64_t a = line % 2 ? line / 2 : line / 2 - 1, b = line / 2;
        const bool left =
            is_swapped ? navigation_map_is_ground(m, a, i) : navigation_map_is_ground(m, i, a);
        const bool right =
            is_swapped ? navigation_map_is_ground(m, b, i) : navigation_map_is_ground(m, i, b);
        if (!(left && left_before) && !(right && right_before))
            return false;
        left_before = left;
        right_before = right;
    }
    return true;
}

static int64_t floor_divide(int64_t a, int64_t b) {
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

static bool is_in_sight(const navigation_map *m, int64_t x0, int64_t y0, int64_t x1, int64_t y1) {
    if (x0 > x1)
        return is_in_sight(m, x1, y1, x0, y0);
    if (x0 == x1)
        return is_open_along(m, x0, y0 < y1 ? y0 : y1, y0 < y1 ? y1 : y0, true);
    if (y0 == y1)
        return is_open_along(m, y0, x0, x1, false);
    const int64_t across = x1 - x0, along = y1 - y0,
                  cell = 2 * across; // heights are times `across`
    for (int64_t x = x0 / 2; 2 * x < x1; ++x) {
        const int64_t left = 2 * x > x0 ? 2 * x : x0, right = 2 * x + 2 < x1 ? 2 * x + 2 : x1;
        const int64_t a = y0 * across + along * (left - x0), b = y0 * across + along * (right - x0);
        const int64_t first = floor_divide(a < b ? a : b, cell),
                      last = floor_divide((a < b ? b : a) - 1, cell);
        for (int64_t y = first; y <= last; ++y)
            if (!navigation_map_is_ground(m, x, y))
                return false;
        if (right == x1 || b % cell != 0)
            continue;
        const int64_t y = b / cell; // through a corner
        if (!navigation_map_is_ground(m, x, along > 0 ? y : y - 1) &&
            !navigation_map_is_ground(m, x + 1, along > 0 ? y - 1 : y))
            return false;
    }
    return true;
}

// --- Corners -------------------------------------------------------------------------------------

static void find_corners(grid_search *s) {
    const navigation_map *const m = s->map;
    for (int32_t y = 1; y < (int32_t)m->height; ++y) {
        for (int32_t x = 1; x < (int32_t)m->width; ++x) {
            corner c = {2 * x, 2 * y, 0, 0};
            int num_walls = 0;
            for (int i = 0; i < 4; ++i) {
                const int step_x = i % 2 - 1, step_y = i / 2 - 1;
                if (navigation_map_is_ground(m, x + step_x, y + step_y))
                    continue;
                ++num_walls;
                c.wall_x = 2 * step_x + 1;
                c.wall_y = 2 * step_y + 1;
            }
            if (num_walls == 1)
                ct_array_push(&s->corners, c);
        }
    }
    s->at_corners = CT_NEW_ARRAY(ct_bench_heap(), reached, s->corners.count + 1);
}

// Whether a shortest path that turns at a corner may go from it in a direction.
static bool may_leave(const corner *c, int32_t x, int32_t y) {
    const int32_t a = x * c->wall_x, b = y * c->wall_y;
    return !(a > 0 && b > 0) && !(a < 0 && b < 0);
}

static double half_cells(int32_t x, int32_t y) {
    return 0.5 * sqrt((double)x * x + (double)y * y);
}

static void find_near(grid_search *s, const corner *from, const corner *to, double most) {
    s->near.count = 0;
    for (uint32_t i = 0; i < s->corners.count; ++i) {
        const corner *const c = &s->corners.items[i];
        if (half_cells(c->x - from->x, c->y - from->y) + half_cells(c->x - to->x, c->y - to->y) <=
            most + 1e-3)
            ct_array_push(&s->near, i);
    }
}

static void expand_point(grid_search *s, const corner *c, double length, const corner *to,
                         double most) {
    for (uint32_t i = 0; i < s->near.count; ++i) {
        const uint32_t index = s->near.items[i];
        const corner *const other = &s->corners.items[index];
        const int32_t x = other->x - c->x, y = other->y - c->y;
        const double there = length + half_cells(x, y);
        const double key = there + half_cells(to->x - other->x, to->y - other->y);
        reached *const r = &s->at_corners[index];
        if (key > most + 1e-3 || (r->stamp == s->stamp && (r->is_closed || r->length <= there)) ||
            !may_leave(other, -x, -y) || (c->wall_x && !may_leave(c, x, y)) ||
            !is_in_sight(s->map, c->x, c->y, other->x, other->y))
            continue;
        reach(s, r, there);
        push(s, key, index);
    }
}

double grid_search_any_angle(grid_search *s, const navigation_map_query *q, double most) {
    const corner from = {2 * (int32_t)q->from_x + 1, 2 * (int32_t)q->from_y + 1, 0, 0};
    const corner to = {2 * (int32_t)q->to_x + 1, 2 * (int32_t)q->to_y + 1, 0, 0};
    if (is_in_sight(s->map, from.x, from.y, to.x, to.y))
        return half_cells(to.x - from.x, to.y - from.y);
    if (!s->at_corners)
        find_corners(s);
    ++s->stamp;
    s->open.count = 0;
    find_near(s, &from, &to, most);
    expand_point(s, &from, 0, &to, most);
    double best = most;
    while (s->open.count > 0 && s->open.items[0].key < best) {
        const uint32_t index = pop(s).index;
        const corner *const c = &s->corners.items[index];
        reached *const r = &s->at_corners[index];
        if (r->is_closed)
            continue;
        r->is_closed = true;
        const int32_t x = to.x - c->x, y = to.y - c->y;
        if (may_leave(c, x, y) && is_in_sight(s->map, c->x, c->y, to.x, to.y))
            best = fmin(best, r->length + half_cells(x, y));
        expand_point(s, c, r->length, &to, best);
    }
    return best;
}

// --- Life cycle ----------------------------------------------------------------------------------

grid_search *grid_search_create(const navigation_map *m) {
    grid_search *const s = CT_NEW(ct_bench_heap(), grid_search);
    s->map = m;
    s->cells = CT_NEW_ARRAY(ct_bench_heap(), reached, (uint64_t)m->width * m->height);
    ct_array_init(&s->open, ct_bench_heap());
    ct_array_init(&s->corners, ct_bench_heap());
    ct_array_init(&s->near, ct_bench_heap());
    return s;
}

void grid_search_destroy(grid_search *s) {
    if (!s)
        return;
    ct_array_free(&s->open);
    ct_array_free(&s->corners);
    ct_array_free(&s->near);
    ct_free(ct_bench_heap(), s->cells);
    ct_free(ct_bench_heap(), s->at_corners);
    ct_free(ct_bench_heap(), s);
}
