// Recast has y up. The tile's y is its z, so triangles are given to it in the other order.
#include "compiler/types/navigation/worker_recast.h"

#include <math.h>
#include <string.h>

#include <Recast.h>
#include <RecastAlloc.h>

// --- Memory --------------------------------------------------------------------------------------

static ct_allocator *memory; // while a tile is built

static void *allocate(size_t bytes, rcAllocHint) {
    return ct_alloc(memory, bytes ? bytes : 1);
}

static void release(void *p) {
    if (p)
        ct_free(memory, p);
}

// --- A tile --------------------------------------------------------------------------------------

// What a tile is while it is built; everything is freed at the end, whatever step was reached.
struct tile {
    const ct_recast_desc *desc;
    rcContext context;
    rcHeightfield *field, *solid;
    rcCompactHeightfield *compact;
    rcContourSet *contours;
    rcPolyMesh *mesh;
    rcPolyMeshDetail *detail;

    explicit tile(const ct_recast_desc *d)
        : desc(d), context(false), field(nullptr), solid(nullptr), compact(nullptr),
          contours(nullptr), mesh(nullptr), detail(nullptr) {}
    ~tile() {
        rcFreeHeightField(field);
        rcFreeHeightField(solid);
        rcFreeCompactHeightfield(compact);
        rcFreeContourSet(contours);
        rcFreePolyMesh(mesh);
        rcFreePolyMeshDetail(detail);
    }
};

static int width_of(const ct_recast_desc *d) {
    return (int)(d->cells + 2 * d->border);
}

// --- Voxels --------------------------------------------------------------------------------------

// Cells [least, most] of a grid along one axis that a range of metres touches.
struct cell_range {
    int least, most;
};

static cell_range cells_of(const ct_recast_desc *d, const ct_recast_solid *s, int axis) {
    float least = INFINITY, most = -INFINITY;
    for (uint32_t i = 0; i < 3 * s->num_triangles; ++i) {
        const float at = d->points[9 * s->first_triangle + 3 * i + (uint32_t)axis];
        least = fminf(least, at);
        most = fmaxf(most, at);
    }
    const float border = (float)d->border, top = (float)width_of(d) - 1;
    const float a = floorf(least / d->cell_size) + border - 1;
    const float b = floorf(most / d->cell_size) + border + 1;
    return {(int)fminf(fmaxf(a, 0), top), (int)fmaxf(fminf(b, top), 0)};
}

static bool add_triangles(tile *t, rcHeightfield *field, uint32_t first, uint32_t count) {
    const ct_recast_desc *const d = t->desc;
    const float *p = d->points + 9 * (size_t)first;
    for (uint32_t i = 0; i < count; ++i, p += 9) {
        const float a[3] = {p[0], p[2], p[1]}, b[3] = {p[3], p[5], p[4]}, c[3] = {p[6], p[8], p[7]};
        const unsigned char area = d->is_walkable[first + i] ? RC_WALKABLE_AREA : RC_NULL_AREA;
        if (!rcRasterizeTriangle(&t->context, a, c, b, area, *field, (int)d->climb))
            return false;
    }
    return true;
}

static bool make_field(tile *t, cell_range x, cell_range y, rcHeightfield **field) {
    const ct_recast_desc *const d = t->desc;
    const float border = (float)d->border;
    const float least[3] = {((float)x.least - border) * d->cell_size, 0,
                            ((float)y.least - border) * d->cell_size};
    const float most[3] = {((float)x.most + 1 - border) * d->cell_size,
                           (float)d->levels * d->cell_height,
                           ((float)y.most + 1 - border) * d->cell_size};
    *field = rcAllocHeightfield();
    return *field &&
           rcCreateHeightfield(&t->context, **field, x.most - x.least + 1, y.most - y.least + 1,
                               least, most, d->cell_size, d->cell_height);
}

// Each column of voxels of the solid becomes full from its lowest to its highest.
static bool add_columns(tile *t, cell_range x, cell_range y) {
    for (int cy = y.least; cy <= y.most; ++cy) {
        for (int cx = x.least; cx <= x.most; ++cx) {
            const rcSpan *span = t->solid->spans[cx - x.least + (cy - y.least) * t->solid->width];
            if (!span)
                continue;
            const unsigned short least = (unsigned short)span->smin;
            while (span->next)
                span = span->next;
            if (!rcAddSpan(&t->context, *t->field, cx, cy, least, (unsigned short)span->smax,
                           (unsigned char)span->area, (int)t->desc->climb))
                return false;
        }
    }
    return true;
}

static bool add_solid(tile *t, const ct_recast_solid *s) {
    const cell_range x = cells_of(t->desc, s, 0), y = cells_of(t->desc, s, 1);
    const bool is_added = make_field(t, x, y, &t->solid) &&
                          add_triangles(t, t->solid, s->first_triangle, s->num_triangles) &&
                          add_columns(t, x, y);
    rcFreeHeightField(t->solid);
    t->solid = nullptr;
    return is_added;
}

static bool make_voxels(tile *t) {
    const ct_recast_desc *const d = t->desc;
    const cell_range all = {0, width_of(d) - 1};
    if (!make_field(t, all, all, &t->field))
        return false;
    uint32_t next = 0;
    for (uint32_t i = 0; i < d->num_solids; ++i) {
        const ct_recast_solid *const s = &d->solids[i];
        if (!add_triangles(t, t->field, next, s->first_triangle - next) || !add_solid(t, s))
            return false;
        next = s->first_triangle + s->num_triangles;
    }
    if (!add_triangles(t, t->field, next, d->num_triangles - next))
        return false;
    rcFilterLowHangingWalkableObstacles(&t->context, (int)d->climb, *t->field);
    rcFilterLedgeSpans(&t->context, (int)d->height, (int)d->ledge, *t->field);
    rcFilterWalkableLowHeightSpans(&t->context, (int)d->height, *t->field);
    return true;
}

// --- Ground --------------------------------------------------------------------------------------

static void paint(tile *t, bool is_cutting) {
    const ct_recast_desc *const d = t->desc;
    rcCompactHeightfield *const c = t->compact;
    for (int y = 0; y < c->height && d->paint; ++y) {
        for (int x = 0; x < c->width; ++x) {
            const rcCompactCell &cell = c->cells[x + y * c->width];
            const uint32_t end = (uint32_t)cell.index + (uint32_t)cell.count;
            for (uint32_t i = cell.index; i < end; ++i) {
                if (c->areas[i] == CT_RECAST_NO_GROUND)
                    continue;
                const float point[3] = {((float)x + 0.5f - (float)d->border) * d->cell_size,
                                        ((float)y + 0.5f - (float)d->border) * d->cell_size,
                                        (float)c->spans[i].y * d->cell_height};
                c->areas[i] = d->paint(d->user, is_cutting, point, c->areas[i]);
            }
        }
    }
}

static bool find_ground(tile *t) {
    const ct_recast_desc *const d = t->desc;
    t->compact = rcAllocCompactHeightfield();
    if (!t->compact || !rcBuildCompactHeightfield(&t->context, (int)d->height, (int)d->climb,
                                                  *t->field, *t->compact))
        return false;
    for (int i = 0; i < t->compact->spanCount; ++i)
        t->compact->areas[i] = t->compact->areas[i] == RC_NULL_AREA
                                   ? (unsigned char)CT_RECAST_NO_GROUND
                                   : (unsigned char)CT_RECAST_GROUND;
    paint(t, true);
    if (d->radius > 0 && !rcErodeWalkableArea(&t->context, (int)d->radius, *t->compact))
        return false;
    paint(t, false);
    return true;
}

// --- Polygons ------------------------------------------------------------------------------------

static bool find_regions(tile *t) {
    const ct_recast_desc *const d = t->desc;
    return rcBuildDistanceField(&t->context, *t->compact) &&
           rcBuildRegions(&t->context, *t->compact, (int)d->border, (int)d->least_area,
                          (int)d->merged_area);
}

static bool trace_outlines(tile *t) {
    t->contours = rcAllocContourSet();
    return t->contours && rcBuildContours(&t->context, *t->compact, t->desc->edge_error,
                                          (int)t->desc->longest_edge, *t->contours);
}

static bool make_polygons(tile *t) {
    t->mesh = rcAllocPolyMesh();
    return t->mesh &&
           rcBuildPolyMesh(&t->context, *t->contours, CT_RECAST_MAX_POLYGON_EDGES, *t->mesh);
}

static bool make_surface(tile *t) {
    t->detail = rcAllocPolyMeshDetail();
    return t->detail &&
           rcBuildPolyMeshDetail(&t->context, *t->mesh, *t->compact, t->desc->sample_distance,
                                 t->desc->sample_error, *t->detail);
}

// --- The result ----------------------------------------------------------------------------------

// Recast's sides of a tile are -x, +y, +x, -y, ours +x, +y, -x, -y.
static uint16_t leads_to(unsigned short neighbour) {
    static const uint16_t sides[4] = {2, 1, 0, 3};
    if (neighbour == RC_MESH_NULL_IDX)
        return CT_RECAST_WALL;
    if (!(neighbour & 0x8000))
        return neighbour;
    const uint32_t side = neighbour & 0xf;
    return side < 4 ? (uint16_t)(CT_RECAST_SIDE + sides[side]) : (uint16_t)CT_RECAST_WALL;
}

// Recast's polygons are clockwise in its plane, seen with x to the right and z up.
static ct_recast_polygon polygon_of(const tile *t, int i) {
    const rcPolyMesh *const m = t->mesh;
    const unsigned short *const p = m->polys + (size_t)i * 2 * (size_t)m->nvp;
    const unsigned int *const s = t->detail->meshes + 4 * (size_t)i;
    ct_recast_polygon polygon = {};
    while (polygon.num_edges < CT_RECAST_MAX_POLYGON_EDGES &&
           p[polygon.num_edges] != RC_MESH_NULL_IDX)
        ++polygon.num_edges;
    const uint32_t n = polygon.num_edges;
    for (uint32_t k = 0; k < n; ++k) {
        polygon.vertices[k] = p[n - 1 - k];
        polygon.leads_to[k] = leads_to(p[(size_t)m->nvp + (2 * n - 2 - k) % n]);
    }
    polygon.area = m->areas[i];
    polygon.first_vertex = s[0];
    polygon.first_triangle = s[2];
    polygon.num_triangles = s[3];
    return polygon;
}

template <typename T> static T *array_of(ct_allocator *a, size_t count) {
    return static_cast<T *>(ct_alloc(a, (count ? count : 1) * sizeof(T)));
}

static void take_result(const tile *t, ct_recast_result *r) {
    ct_allocator *const a = t->desc->allocator;
    const rcPolyMesh *const m = t->mesh;
    const rcPolyMeshDetail *const s = t->detail;
    r->num_vertices = (uint32_t)m->nverts;
    r->num_polygons = (uint32_t)m->npolys;
    r->num_surface_vertices = (uint32_t)s->nverts;
    r->num_triangles = (uint32_t)s->ntris;
    r->vertices = array_of<uint16_t[3]>(a, r->num_vertices);
    r->polygons = array_of<ct_recast_polygon>(a, r->num_polygons);
    r->surface_vertices = array_of<float[3]>(a, r->num_surface_vertices);
    r->triangles = array_of<uint8_t[3]>(a, r->num_triangles);
    for (uint32_t i = 0; i < r->num_vertices; ++i) {
        r->vertices[i][0] = m->verts[3 * i];
        r->vertices[i][1] = m->verts[3 * i + 2];
        r->vertices[i][2] = m->verts[3 * i + 1];
    }
    for (uint32_t i = 0; i < r->num_polygons; ++i)
        r->polygons[i] = polygon_of(t, (int)i);
    for (uint32_t i = 0; i < r->num_surface_vertices; ++i) {
        r->surface_vertices[i][0] = s->verts[3 * i];
        r->surface_vertices[i][1] = s->verts[3 * i + 2];
        r->surface_vertices[i][2] = s->verts[3 * i + 1];
    }
    for (uint32_t i = 0; i < r->num_triangles; ++i) {
        r->triangles[i][0] = s->tris[4 * i];
        r->triangles[i][1] = s->tris[4 * i + 2];
        r->triangles[i][2] = s->tris[4 * i + 1];
    }
}

static const char *build(tile *t, ct_recast_result *result) {
    if (!make_voxels(t))
        return "voxels";
    if (!find_ground(t))
        return "ground";
    if (!find_regions(t))
        return "regions";
    if (!trace_outlines(t))
        return "outlines";
    if (t->contours->nconts == 0)
        return nullptr;
    if (!make_polygons(t))
        return "polygons";
    if (t->mesh->npolys == 0)
        return nullptr;
    if (!make_surface(t))
        return "surface";
    take_result(t, result);
    return nullptr;
}

const char *ct_recast_build(const ct_recast_desc *desc, ct_recast_result *result) {
    memset(result, 0, sizeof(*result));
    memory = desc->allocator;
    rcAllocSetCustom(allocate, release);
    const char *problem;
    {
        tile t(desc);
        problem = build(&t, result);
    }
    rcAllocSetCustom(nullptr, nullptr);
    memory = nullptr;
    return problem;
}

void ct_recast_result_free(ct_allocator *a, ct_recast_result *result) {
    ct_free(a, result->vertices);
    ct_free(a, result->polygons);
    ct_free(a, result->surface_vertices);
    ct_free(a, result->triangles);
    memset(result, 0, sizeof(*result));
}
