// Levels without ground, and corrections by hand that touch none.
#include <math.h>

#include "compiler/types/navigation/worker_navigation.h"
#include "compiler/types/navigation/worker_navigation_near.h"
#include "foundation/math/math.h"

// --- Ground --------------------------------------------------------------------------------------

static bool refuse_no_shapes(ct_worker_navigation *n) {
    ct_compile *const c = n->compile;
    const char *const tag = n->source.excluded_tag ? n->source.excluded_tag : "";
    return ct_compile_error(
        c, c->doc, n->source.level_value,
        "the level \"%.64s\" has nothing to walk on: expected units with static actors that have "
        "collision shapes%s%.64s%s; or give units a tag and set `mesh_tag` to it, to walk on their "
        "meshes",
        n->level, *tag ? ", and not the tag \"" : "", tag, *tag ? "\"" : "");
}

// Tells what is the matter with a class whose mesh is empty; an error when all are.
static bool tell_no_ground(ct_worker_navigation *n, uint32_t class, bool is_error) {
    ct_compile *const c = n->compile;
    const ct_worker_navigation_class *const one = &n->classes.items[class];
    const char *const text = ct_compile_text(
        c,
        "\"%.64s\" finds no ground in the level: all surfaces are steeper than %g radians, face "
        "down, are narrower than %g m, or have less than %g m above them; change `slope`, `radius` "
        "or `height`, or turn the triangles",
        one->source.name, (double)one->source.slope, 2 * (double)one->source.radius,
        (double)one->source.height);
    const ct_sjson_value at = one->at.entry ? one->at : n->source.level_value;
    if (is_error)
        return ct_compile_error(c, c->doc, at, "%s", text);
    ct_compile_warning(c, c->doc, at, "%s", text);
    return true;
}

static bool check_ground(ct_worker_navigation *n) {
    uint32_t num_empty = 0;
    if (n->pieces.count == 0)
        return refuse_no_shapes(n);
    for (uint32_t i = 0; i < n->classes.count; ++i)
        num_empty += n->tiles[i].count == 0;
    for (uint32_t i = 0; i < n->classes.count; ++i) {
        if (n->tiles[i].count == 0)
            tell_no_ground(n, i, num_empty == n->classes.count);
    }
    return num_empty < n->classes.count;
}

// --- Marks ---------------------------------------------------------------------------------------

static ct_aabb grown(ct_aabb box, float xy, float z) {
    const ct_vec3 reach = ct_vec3_make(xy, xy, z);
    return (ct_aabb){ct_vec3_sub(box.min, reach), ct_vec3_add(box.max, reach)};
}

// Whether the area that a mark paints is near it; of one that cuts, whether any ground is.
static bool touches(ct_worker_navigation_near *near, const ct_worker_navigation_mark *mark) {
    const ct_worker_navigation *const n = near->n;
    const float step = 2 * n->source.cell_height, cell = 2 * n->source.cell_size;
    const float radius = n->classes.items[near->class].source.radius;
    ct_worker_navigation_near_box(
        near, grown(mark->bounds, mark->source.is_cut ? radius + cell : cell, step));
    for (uint32_t i = 0; i < near->hits.count; ++i) {
        const ct_worker_navigation_found *const found = &near->all.items[near->hits.items[i]];
        const ct_worker_navigation_tile *const tile = &n->tiles[near->class].items[found->tile];
        if (mark->source.is_cut || tile->polygons.items[found->polygon].area == mark->area)
            return true;
    }
    return false;
}

static void report_marks(ct_worker_navigation *n, ct_worker_navigation_near *near) {
    ct_compile *const c = n->compile;
    for (uint32_t i = 0; i < n->marks.count; ++i) {
        const ct_worker_navigation_mark *const mark = &n->marks.items[i];
        bool is_touched = !mark->is_there || ct_aabb_is_empty(mark->bounds);
        for (uint32_t k = 0; k < n->classes.count && !is_touched; ++k)
            is_touched = touches(&near[k], mark);
        if (!is_touched)
            ct_compile_warning(c, c->doc, mark->volume_at,
                               "the volume \"%.64s\" touches no ground any more, so it %s nothing; "
                               "move it in the level, or remove this",
                               mark->source.volume, mark->source.is_cut ? "cuts" : "paints");
    }
}

// --- Links ---------------------------------------------------------------------------------------

static void report_end(ct_worker_navigation *n, ct_worker_navigation_near *near,
                       const ct_worker_navigation_link *link, const char *member,
                       const float at[3]) {
    ct_compile *const c = n->compile;
    const ct_vec3 point = ct_vec3_make(at[0], at[1], at[2]);
    if (ct_worker_navigation_is_near(near, point, link->data.radius))
        return;
    ct_compile_warning(
        c, c->doc, ct_sjson_find(c->doc, link->at, member),
        "%s: \"%.64s\" has no ground within %g m of this point any more, so it cannot "
        "use the link; move the point, or raise `radius`",
        member, n->classes.items[near->class].source.name, (double)link->data.radius);
}

static void report_links(ct_worker_navigation *n, ct_worker_navigation_near *near) {
    for (uint32_t i = 0; i < n->links.count; ++i) {
        const ct_worker_navigation_link *const link = &n->links.items[i];
        for (uint32_t k = 0; k < n->classes.count; ++k) {
            if (!(link->data.classes >> k & 1) || n->tiles[k].count == 0)
                continue;
            report_end(n, &near[k], link, "from", link->data.from);
            report_end(n, &near[k], link, "to", link->data.to);
        }
    }
}

bool ct_worker_navigation_report(ct_worker_navigation *n) {
    ct_worker_navigation_near near[CT_NAVIGATION_MAX_CLASSES];
    if (!check_ground(n))
        return false;
    if (n->marks.count == 0 && n->links.count == 0)
        return true;
    for (uint32_t i = 0; i < n->classes.count; ++i)
        ct_worker_navigation_near_init(&near[i], n, i);
    report_marks(n, near);
    report_links(n, near);
    return true;
}
