// Splitting meshes into convex hulls with HACD (bullet_cook.h). A library of its own, of the worker:
// nothing that ships links HACD. HACD takes its memory from C++.
//
// HACD only says which triangles belong together; the hulls are those of ct_bullet_cook_hull.
#include <HACD/hacdHACD.h>

#include "physics/bullet/bullet_cook.h"
#include "physics/bullet/bullet_private.hh"

#include <math.h>
#include <stdlib.h>

#include <mutex>

// Triangles that become one hull.
struct cluster {
    btAlignedObjectArray<float> points; // x y z of their corners
    ct_bullet_hull hull;
    bool has_hull; // it has a volume
};

struct split {
    ct_allocator *a;
    const float *points;
    const uint32_t *indices;
    uint32_t num_points, num_triangles;
    const ct_bullet_decompose_desc *desc;
    btAlignedObjectArray<cluster *> clusters;
};

static double diagonal(const split &s) {
    double least[3] = {1e30, 1e30, 1e30}, most[3] = {-1e30, -1e30, -1e30}, sum = 0;
    for (uint32_t i = 0; i < 3 * s.num_points; ++i) {
        least[i % 3] = btMin(least[i % 3], double(s.points[i]));
        most[i % 3] = btMax(most[i % 3], double(s.points[i]));
    }
    for (int k = 0; k < 3; ++k)
        sum += (most[k] - least[k]) * (most[k] - least[k]);
    return sqrt(sum);
}

// HACD calls rand(), whose numbers are the process's: it gets the same ones each time, and one thread
// at a time.
class known_random {
    std::lock_guard<std::mutex> guard;
    char numbers[128];
    char *others;
    static std::mutex lock;

  public:
    known_random() : guard(lock), others(initstate(1, numbers, sizeof(numbers))) {}
    ~known_random() { setstate(others); }
};

std::mutex known_random::lock;

// Has HACD number the triangles by cluster. `concavity` is in metres. Returns how many there are.
static size_t partition(const split &s, size_t least_clusters, double concavity,
                        btAlignedObjectArray<int> *of_triangle) {
    btAlignedObjectArray<HACD::Vec3<HACD::Real>> points; // HACD changes them
    btAlignedObjectArray<HACD::Vec3<long>> triangles;
    for (uint32_t i = 0; i < s.num_points; ++i) {
        const float *const p = s.points + 3 * i;
        points.push_back(HACD::Vec3<HACD::Real>(p[0], p[1], p[2]));
    }
    for (uint32_t i = 0; i < s.num_triangles; ++i) {
        const uint32_t *const t = s.indices + 3 * i;
        triangles.push_back(HACD::Vec3<long>(t[0], t[1], t[2]));
    }
    const known_random random;
    HACD::HACD hacd;
    hacd.SetPoints(&points[0]);
    hacd.SetNPoints(s.num_points);
    hacd.SetTriangles(&triangles[0]);
    hacd.SetNTriangles(s.num_triangles);
    hacd.SetCompacityWeight(0.1);
    hacd.SetVolumeWeight(0);
    hacd.SetNVerticesPerCH(s.desc->most_points);
    hacd.SetNClusters(least_clusters);
    // HACD scales the mesh to a diagonal of its own.
    hacd.SetConcavity(concavity * hacd.GetScaleFactor() / diagonal(s));
    of_triangle->resize(static_cast<int>(s.num_triangles), 0);
    if (!hacd.Compute() || !hacd.GetPartition())
        return 0;
    for (uint32_t i = 0; i < s.num_triangles; ++i)
        (*of_triangle)[static_cast<int>(i)] = static_cast<int>(hacd.GetPartition()[i]);
    return hacd.GetNClusters();
}

static void cook(const split &s, cluster *c) {
    if (c->has_hull)
        ct_free(s.a, c->hull.points);
    c->has_hull =
        ct_bullet_cook_hull(s.a, &c->points[0], static_cast<uint32_t>(c->points.size() / 3),
                            s.desc->most_points, &c->hull);
}

static void make_clusters(split *s, const btAlignedObjectArray<int> &of_triangle, size_t count) {
    btAlignedObjectArray<cluster *> by_number;
    by_number.resize(static_cast<int>(count), nullptr);
    for (uint32_t i = 0; i < s->num_triangles; ++i) {
        const int number = of_triangle[static_cast<int>(i)];
        if (number < 0 || number >= by_number.size())
            continue; // HACD leaves out triangles without an area
        cluster *&c = by_number[number];
        if (!c) {
            c = bullet_new<cluster>();
            s->clusters.push_back(c);
        }
        for (int k = 0; k < 3; ++k) {
            for (int axis = 0; axis < 3; ++axis)
                c->points.push_back(s->points[3 * s->indices[3 * i + k] + axis]);
        }
    }
    for (int i = 0; i < s->clusters.size(); ++i)
        cook(*s, s->clusters[i]);
}

static ct_vec3 middle(const cluster &c) {
    if (c.has_hull)
        return c.hull.center;
    btVector3 sum(0, 0, 0);
    for (int i = 0; i < c.points.size(); i += 3)
        sum += btVector3(c.points[i], c.points[i + 1], c.points[i + 2]);
    return ct_vector(sum / btScalar(c.points.size() / 3));
}

// Joins a cluster with that whose middle is nearest.
static void join_nearest(split *s, int which) {
    cluster *const c = s->clusters[which];
    const btVector3 from = bt_vector(middle(*c));
    int nearest = -1;
    btScalar least = BT_LARGE_FLOAT;
    for (int i = 0; i < s->clusters.size(); ++i) {
        const btScalar distance = (bt_vector(middle(*s->clusters[i])) - from).length2();
        if (i != which && distance < least) {
            least = distance;
            nearest = i;
        }
    }
    cluster *const to = s->clusters[nearest];
    for (int i = 0; i < c->points.size(); ++i)
        to->points.push_back(c->points[i]);
    cook(*s, to);
    if (c->has_hull)
        ct_free(s->a, c->hull.points);
    bullet_delete(c);
    s->clusters.swap(which, s->clusters.size() - 1);
    s->clusters.pop_back();
}

// Returns the cluster that is flat, or the smallest of too many; -1: all is well.
static int find_poor(const split &s) {
    int smallest = -1;
    for (int i = 0; i < s.clusters.size(); ++i) {
        if (!s.clusters[i]->has_hull)
            return i;
        if (smallest < 0 || s.clusters[i]->hull.volume < s.clusters[smallest]->hull.volume)
            smallest = i;
    }
    return s.clusters.size() > static_cast<int>(s.desc->most_hulls) ? smallest : -1;
}

uint32_t ct_bullet_decompose(ct_allocator *a, const float *points, uint32_t num_points,
                             const uint32_t *indices, uint32_t num_indices,
                             const ct_bullet_decompose_desc *desc, ct_bullet_hull *hulls) {
    split s = {a, points, indices, num_points, num_indices / 3, desc, {}};
    if (s.num_triangles == 0 || !(diagonal(s) > 0))
        return 0;
    btAlignedObjectArray<int> of_triangle;
    size_t count = partition(s, 1, desc->concavity, &of_triangle);
    if (count > desc->most_hulls)
        count = partition(s, desc->most_hulls, 1e30, &of_triangle);
    make_clusters(&s, of_triangle, count);
    for (int poor = find_poor(s); poor >= 0 && s.clusters.size() > 1; poor = find_poor(s))
        join_nearest(&s, poor);
    uint32_t written = 0;
    for (int i = 0; i < s.clusters.size(); ++i) {
        if (s.clusters[i]->has_hull)
            hulls[written++] = s.clusters[i]->hull;
        bullet_delete(s.clusters[i]);
    }
    return written;
}
