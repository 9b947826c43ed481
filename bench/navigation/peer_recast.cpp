#include "peer_recast.h"

#include <cmath>
#include <vector>

#include <Recast.h>

// Freed at the end, whatever step was reached.
struct parts {
    rcHeightfield *field = rcAllocHeightfield();
    rcCompactHeightfield *compact = rcAllocCompactHeightfield();
    rcContourSet *contours = rcAllocContourSet();
    rcPolyMesh *mesh = rcAllocPolyMesh();
    rcPolyMeshDetail *detail = rcAllocPolyMeshDetail();
    parts() = default;
    parts(const parts &) = delete;
    parts &operator=(const parts &) = delete;
    ~parts() {
        rcFreeHeightField(field);
        rcFreeCompactHeightfield(compact);
        rcFreeContourSet(contours);
        rcFreePolyMesh(mesh);
        rcFreePolyMeshDetail(detail);
    }
};

static bool make_voxels(rcContext *c, parts *p, const peer_recast_settings *s,
                        const peer_recast_tile *t) {
    static const float degrees = 57.29578f;
    const int width = s->cells + 2 * s->border;
    const float reach = static_cast<float>(s->border) * s->cell_size;
    const float size = static_cast<float>(width) * s->cell_size;
    const float least[3] = {t->corner[0] - reach, t->least, t->corner[1] - reach};
    const float most[3] = {least[0] + size, t->most, least[2] + size};
    std::vector<unsigned char> areas(static_cast<size_t>(t->num_triangles), 0);
    rcMarkWalkableTriangles(c, s->slope * degrees, t->points, t->num_points, t->corners,
                            t->num_triangles, areas.data());
    if (!rcCreateHeightfield(c, *p->field, width, width, least, most, s->cell_size,
                             s->cell_height) ||
        !rcRasterizeTriangles(c, t->points, t->num_points, t->corners, areas.data(),
                              t->num_triangles, *p->field, s->climb))
        return false;
    rcFilterLowHangingWalkableObstacles(c, s->climb, *p->field);
    rcFilterLedgeSpans(c, s->height, s->ledge, *p->field);
    rcFilterWalkableLowHeightSpans(c, s->height, *p->field);
    return true;
}

int peer_recast_build(const peer_recast_settings *s, const peer_recast_tile *t) {
    rcContext c(false);
    parts p;
    const bool is_built =
        make_voxels(&c, &p, s, t) &&
        rcBuildCompactHeightfield(&c, s->height, s->climb, *p.field, *p.compact) &&
        rcErodeWalkableArea(&c, s->radius, *p.compact) && rcBuildDistanceField(&c, *p.compact) &&
        rcBuildRegions(&c, *p.compact, s->border, s->least_area, s->merged_area) &&
        rcBuildContours(&c, *p.compact, s->edge_error, s->longest_edge, *p.contours) &&
        (p.contours->nconts == 0 ||
         (rcBuildPolyMesh(&c, *p.contours, 6, *p.mesh) &&
          (p.mesh->npolys == 0 || rcBuildPolyMeshDetail(&c, *p.mesh, *p.compact, s->sample_distance,
                                                        s->sample_error, *p.detail))));
    return is_built ? p.mesh->npolys : -1;
}
