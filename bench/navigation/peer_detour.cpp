// Detour has y up: the y of the blob is its z, so its polygons are in the other order.
#include "peer_detour.h"

#include <cmath>
#include <cstring>
#include <vector>

#include <DetourCommon.h>
#include <DetourCrowd.h>
#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <DetourNavMeshQuery.h>

#include "foundation/math/math.h"

static const int MOST_NODES = 65535;
static const int MOST_POLYGONS = 8192; // of a path
static const int MOST_CORNERS = 2048;
static const int MOST_LINKS = 4; // of an edge at the side of a tile

struct peer_detour {
    peer_detour_desc desc;
    dtNavMesh *mesh;
    dtNavMeshQuery *query;
    dtCrowd *crowd;
    dtQueryFilter filter;
    dtPolyRef polygons[MOST_POLYGONS], corner_polygons[MOST_CORNERS];
    float corners[3 * MOST_CORNERS];
    unsigned char corner_flags[MOST_CORNERS];
};

// --- A tile --------------------------------------------------------------------------------------

// Detour's sides of a tile are -x, +y, +x, -y; those of a blob +x, +y, -x, -y, from 0xfff0.
static unsigned short neighbour_of(uint16_t leads_to) {
    static const unsigned short sides[4] = {2, 1, 0, 3};
    if (leads_to == 0xffff || leads_to < 0xfff0)
        return leads_to;
    return static_cast<unsigned short>(0x8000 | sides[leads_to & 3]);
}

static void add_polygon(const peer_detour_polygon &p, std::vector<unsigned short> *polygons) {
    unsigned short row[2 * DT_VERTS_PER_POLYGON];
    std::memset(row, 0xff, sizeof(row));
    const uint32_t n = p.num_edges;
    for (uint32_t k = 0; k < n; ++k) {
        row[k] = p.vertices[n - 1 - k];
        row[DT_VERTS_PER_POLYGON + k] = neighbour_of(p.leads_to[(2 * n - 2 - k) % n]);
    }
    polygons->insert(polygons->end(), row, row + 2 * DT_VERTS_PER_POLYGON);
}

bool peer_detour_add(peer_detour *d, const peer_detour_tile *t) {
    const peer_detour_desc &desc = d->desc;
    const float corner[3] = {static_cast<float>(t->x) * desc.tile_size, t->min_z,
                             static_cast<float>(t->y) * desc.tile_size};
    std::vector<unsigned short> vertices, polygons, flags(t->num_polygons, 1);
    std::vector<unsigned char> areas(t->num_polygons, 0);
    for (uint32_t i = 0; i < t->num_vertices; ++i) {
        const float *const p = t->vertices + 3 * i;
        vertices.push_back(static_cast<unsigned short>((p[0] - corner[0]) / desc.cell_size + 0.5f));
        vertices.push_back(
            static_cast<unsigned short>((p[2] - corner[1]) / desc.cell_height + 0.5f));
        vertices.push_back(static_cast<unsigned short>((p[1] - corner[2]) / desc.cell_size + 0.5f));
    }
    for (uint32_t i = 0; i < t->num_polygons; ++i)
        add_polygon(t->polygons[i], &polygons);
    dtNavMeshCreateParams params;
    std::memset(&params, 0, sizeof(params));
    params.verts = vertices.data();
    params.vertCount = static_cast<int>(t->num_vertices);
    params.polys = polygons.data();
    params.polyFlags = flags.data();
    params.polyAreas = areas.data();
    params.polyCount = static_cast<int>(t->num_polygons);
    params.nvp = DT_VERTS_PER_POLYGON;
    params.tileX = t->x;
    params.tileY = t->y;
    for (int k = 0; k < 3; ++k) {
        params.bmin[k] = corner[k];
        params.bmax[k] = k == 1 ? t->max_z : corner[k] + desc.tile_size;
    }
    params.walkableHeight = desc.height;
    params.walkableRadius = desc.radius;
    params.walkableClimb = desc.climb;
    params.cs = desc.cell_size;
    params.ch = desc.cell_height;
    params.buildBvTree = true;
    unsigned char *data = nullptr;
    int num_bytes = 0;
    if (!dtCreateNavMeshData(&params, &data, &num_bytes))
        return false;
    if (dtStatusSucceed(d->mesh->addTile(data, num_bytes, DT_TILE_FREE_DATA, 0, nullptr)))
        return true;
    dtFree(data);
    return false;
}

// --- Life cycle ----------------------------------------------------------------------------------

// One that has the most that it can have was cut, or has just as many.
uint32_t peer_detour_num_cut_sides(const peer_detour *d) {
    const dtNavMesh *const mesh = d->mesh;
    uint32_t count = 0;
    for (int i = 0; i < mesh->getMaxTiles(); ++i) {
        const dtMeshTile *const tile = mesh->getTile(i);
        for (int p = 0; tile->header && p < tile->header->polyCount; ++p) {
            int counts[DT_VERTS_PER_POLYGON] = {0};
            for (unsigned int k = tile->polys[p].firstLink; k != DT_NULL_LINK;
                 k = tile->links[k].next)
                if (tile->links[k].side != 0xff)
                    count += ++counts[tile->links[k].edge] == MOST_LINKS;
        }
    }
    return count;
}

static unsigned int bits_for(unsigned int count) {
    return dtIlog2(dtNextPow2(count));
}

static bool make_mesh(peer_detour *d) {
    dtNavMeshParams params;
    std::memset(&params, 0, sizeof(params));
    params.tileWidth = params.tileHeight = d->desc.tile_size;
    params.maxTiles = static_cast<int>(d->desc.num_tiles);
    params.maxPolys = 1 << (22 - bits_for(d->desc.num_tiles));
    return dtStatusSucceed(d->mesh->init(&params)) &&
           dtStatusSucceed(d->query->init(d->mesh, MOST_NODES));
}

peer_detour *peer_detour_create(const peer_detour_desc *desc) {
    peer_detour *const d = new peer_detour();
    d->desc = *desc;
    d->mesh = dtAllocNavMesh();
    d->query = dtAllocNavMeshQuery();
    if (make_mesh(d))
        return d;
    peer_detour_destroy(d);
    return nullptr;
}

void peer_detour_destroy(peer_detour *d) {
    if (!d)
        return;
    dtFreeCrowd(d->crowd);
    dtFreeNavMeshQuery(d->query);
    dtFreeNavMesh(d->mesh);
    delete d;
}

// --- Queries -------------------------------------------------------------------------------------

peer_detour_end peer_detour_nearest(peer_detour *d, ct_vec3 point) {
    static const float reach[3] = {1, 2, 1};
    const float at[3] = {point.x, point.z, point.y};
    peer_detour_end end = {};
    d->query->findNearestPoly(at, reach, &d->filter, &end.polygon, end.point);
    return end;
}

float peer_detour_find(peer_detour *d, const peer_detour_end *from, const peer_detour_end *to) {
    int num_polygons = 0, num_corners = 0;
    if (!from->polygon || !to->polygon ||
        dtStatusFailed(d->query->findPath(from->polygon, to->polygon, from->point, to->point,
                                          &d->filter, d->polygons, &num_polygons, MOST_POLYGONS)) ||
        num_polygons == 0 || d->polygons[num_polygons - 1] != to->polygon ||
        dtStatusFailed(d->query->findStraightPath(from->point, to->point, d->polygons, num_polygons,
                                                  d->corners, d->corner_flags, d->corner_polygons,
                                                  &num_corners, MOST_CORNERS)))
        return INFINITY;
    float length = 0;
    for (int i = 0; i + 1 < num_corners; ++i)
        length += dtVdist(d->corners + 3 * i, d->corners + 3 * i + 3);
    return length;
}

// --- The crowd -----------------------------------------------------------------------------------

void peer_detour_crowd_begin(peer_detour *d, const peer_detour_crowd_desc *desc) {
    d->crowd = dtAllocCrowd();
    d->crowd->init(static_cast<int>(desc->count), desc->radius, d->mesh);
    dtCrowdAgentParams params;
    std::memset(&params, 0, sizeof(params));
    params.radius = desc->radius;
    params.height = desc->height;
    params.maxSpeed = desc->speed;
    params.maxAcceleration = desc->acceleration;
    params.collisionQueryRange = 12 * desc->radius; // these two are what its documentation says
    params.pathOptimizationRange = 30 * desc->radius;
    params.updateFlags = DT_CROWD_ANTICIPATE_TURNS | DT_CROWD_OBSTACLE_AVOIDANCE |
                         DT_CROWD_OPTIMIZE_VIS | DT_CROWD_OPTIMIZE_TOPO;
    for (uint32_t i = 0; i < desc->count; ++i) {
        const float at[3] = {desc->positions[i].x, desc->positions[i].z, desc->positions[i].y};
        d->crowd->addAgent(at, &params);
        peer_detour_crowd_send(d, i, desc->goals[i]);
    }
}

void peer_detour_crowd_end(peer_detour *d) {
    dtFreeCrowd(d->crowd);
    d->crowd = nullptr;
}

void peer_detour_crowd_send(peer_detour *d, uint32_t agent, ct_vec3 goal) {
    const peer_detour_end end = peer_detour_nearest(d, goal);
    d->crowd->requestMoveTarget(static_cast<int>(agent), end.polygon, end.point);
}

void peer_detour_crowd_step(peer_detour *d, float dt) {
    d->crowd->update(dt, nullptr);
}

ct_vec3 peer_detour_crowd_position(const peer_detour *d, uint32_t agent) {
    const float *const p = d->crowd->getAgent(static_cast<int>(agent))->npos;
    return ct_vec3_make(p[0], p[2], p[1]);
}
