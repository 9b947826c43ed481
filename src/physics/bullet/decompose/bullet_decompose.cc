// Splitting meshes into convex hulls with HACD (bullet_cook.h). A library of its own, of the worker:
// nothing that ships links HACD. HACD takes its memory from C++.
//
// HACD only says which triangles belong together, of a coarse mesh, since its time grows faster than
// the number of triangles. What it leaves split too finely is joined by volume: always the two whose
// common hull adds least. The hulls are those of ct_bullet_cook_hull, of all corners.
#include <HACD/hacdHACD.h>

#include "physics/bullet/bullet_cook.h"
#include "physics/bullet/bullet_private.hh"

#include <math.h>
#include <stdlib.h>

#include <mutex>

enum { MOST_TRIANGLES = 1500, MOST_CLUSTERS = 128 }; // of HACD

// Triangles that become one hull.
struct cluster {
    btAlignedObjectArray<float> points; // x y z: of corners at first, then of the hull
    double volume;                      // of their hull; 0: flat
};

// A mesh with fewer points: those of a cell of a grid are one.
struct coarse_mesh {
    btAlignedObjectArray<int> of_point; // number of the cell of each point of the mesh
    btAlignedObjectArray<HACD::Vec3<HACD::Real>> points;
    btAlignedObjectArray<HACD::Vec3<long>> triangles;
    btAlignedObjectArray<int> of_triangle; // of each triangle of the mesh; -1: it has no area
};

struct split {
    ct_allocator *a;
    const float *points;
    const uint32_t *indices;
    uint32_t num_points, num_triangles;
    const ct_bullet_decompose_desc *desc;
    double least[3], size; // the corner of the bounds; their diagonal
    coarse_mesh coarse;
    btAlignedObjectArray<cluster *> clusters;
};

// --- The coarse mesh -----------------------------------------------------------------------------

static void find_bounds(split *s) {
    s->size = 0;
    for (uint32_t k = 0; k < 3; ++k) {
        double least = s->points[k], most = least;
        for (uint32_t i = 1; i < s->num_points; ++i) {
            least = btMin(least, double(s->points[3 * i + k]));
            most = btMax(most, double(s->points[3 * i + k]));
        }
        s->least[k] = least;
        s->size += (most - least) * (most - least);
    }
    s->size = sqrt(s->size);
}

// Something with a key, sorted to find equal ones.
struct keyed {
    uint64_t key[2];
    int number;
    bool operator<(const keyed &o) const {
        if (key[0] != o.key[0])
            return key[0] < o.key[0];
        return key[1] != o.key[1] ? key[1] < o.key[1] : number < o.number;
    }
    bool is_like(const keyed &o) const { return key[0] == o.key[0] && key[1] == o.key[1]; }
};

struct keyed_order {
    bool operator()(const keyed &a, const keyed &b) const { return a < b; }
};

// Numbers the cells with points, and puts a point in the mean of each.
static void merge_points(split *s, double cells) {
    coarse_mesh &m = s->coarse;
    btAlignedObjectArray<keyed> sorted;
    for (uint32_t i = 0; i < s->num_points; ++i) {
        keyed next = {{0, 0}, static_cast<int>(i)};
        for (uint32_t k = 0; k < 3; ++k) {
            const double at = (s->points[3 * i + k] - s->least[k]) / s->size * cells;
            next.key[0] = next.key[0] << 21 | static_cast<uint64_t>(at);
        }
        sorted.push_back(next);
    }
    sorted.quickSort(keyed_order());
    m.of_point.resize(sorted.size(), 0);
    m.points.resizeNoInitialize(0);
    for (int i = 0; i < sorted.size();) {
        HACD::Vec3<HACD::Real> sum(0, 0, 0);
        const int first = i;
        for (; i < sorted.size() && sorted[i].is_like(sorted[first]); ++i) {
            const float *const p = s->points + 3 * sorted[i].number;
            sum += HACD::Vec3<HACD::Real>(p[0], p[1], p[2]);
            m.of_point[sorted[i].number] = m.points.size();
        }
        sum /= i - first;
        m.points.push_back(sum);
    }
}

// Keeps the triangles whose corners are in three cells, each once.
static void merge_triangles(split *s) {
    coarse_mesh &m = s->coarse;
    btAlignedObjectArray<keyed> sorted;
    m.of_triangle.resizeNoInitialize(0);
    for (uint32_t i = 0; i < s->num_triangles; ++i) {
        int p[3];
        for (int k = 0; k < 3; ++k)
            p[k] = m.of_point[static_cast<int>(s->indices[3 * i + static_cast<uint32_t>(k)])];
        m.of_triangle.push_back(-1);
        if (p[0] == p[1] || p[1] == p[2] || p[2] == p[0])
            continue;
        const int least = btMin(p[0], btMin(p[1], p[2])), most = btMax(p[0], btMax(p[1], p[2]));
        const int middle = p[0] + p[1] + p[2] - least - most;
        sorted.push_back(
            {{uint64_t(least) << 32 | uint64_t(middle), uint64_t(most)}, static_cast<int>(i)});
    }
    if (sorted.size() > 1)
        sorted.quickSort(keyed_order());
    m.triangles.resizeNoInitialize(0);
    for (int i = 0; i < sorted.size(); ++i) {
        if (i == 0 || !sorted[i].is_like(sorted[i - 1])) {
            const uint32_t *const t = s->indices + 3 * sorted[i].number;
            m.triangles.push_back(HACD::Vec3<long>(m.of_point[static_cast<int>(t[0])],
                                                   m.of_point[static_cast<int>(t[1])],
                                                   m.of_point[static_cast<int>(t[2])]));
        }
        m.of_triangle[sorted[i].number] = m.triangles.size() - 1;
    }
}

// Makes the coarse mesh with as fine a grid as its triangles allow; the finest joins equal points.
static void make_coarse(split *s) {
    for (double cells = 1 << 20; cells >= 4; cells = cells > 1024 ? cells / 32 : cells * 0.8) {
        merge_points(s, cells);
        merge_triangles(s);
        if (s->coarse.triangles.size() <= MOST_TRIANGLES)
            return;
    }
}

// --- Clusters ------------------------------------------------------------------------------------

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

// Has HACD number the triangles of the coarse mesh by cluster. `concavity` is in metres. Returns how
// many there are.
static int partition(const split &s, double concavity, btAlignedObjectArray<int> *numbers) {
    coarse_mesh m = s.coarse; // HACD changes the points
    const known_random random;
    HACD::HACD hacd;
    hacd.SetPoints(&m.points[0]);
    hacd.SetNPoints(static_cast<size_t>(m.points.size()));
    hacd.SetTriangles(&m.triangles[0]);
    hacd.SetNTriangles(static_cast<size_t>(m.triangles.size()));
    hacd.SetCompacityWeight(0.1);
    hacd.SetVolumeWeight(0);
    hacd.SetNVerticesPerCH(s.desc->most_points);
    // HACD does not set the first of these itself: without, the result depends on the stack. With
    // false, thin parts of few points become one hull with others.
    hacd.SetAddFacesPoints(true);
    hacd.SetAddExtraDistPoints(false);
    hacd.SetAddNeighboursDistPoints(false);
    hacd.SetNClusters(1);
    hacd.SetConcavity(concavity * hacd.GetScaleFactor() / s.size);
    if (!hacd.Compute() || !hacd.GetPartition())
        return 0;
    numbers->resizeNoInitialize(0);
    for (int i = 0; i < m.triangles.size(); ++i)
        numbers->push_back(static_cast<int>(hacd.GetPartition()[i]));
    return static_cast<int>(hacd.GetNClusters());
}

// Replaces the points of a cluster with those of its hull.
static void reduce(const split &s, cluster *c) {
    ct_bullet_hull hull;
    c->volume = 0;
    if (!ct_bullet_cook_hull(s.a, &c->points[0], static_cast<uint32_t>(c->points.size() / 3),
                             s.desc->most_points, &hull))
        return;
    c->points.resizeNoInitialize(0);
    for (uint32_t i = 0; i < 3 * hull.num_points; ++i)
        c->points.push_back(hull.points[i] + hull.center.raw[i % 3]);
    c->volume = double(hull.volume);
    ct_free(s.a, hull.points);
}

// Numbers the cells of the coarse mesh by a cluster that has a triangle there; -1: none has.
static void number_cells(const split &s, const btAlignedObjectArray<int> &numbers,
                         btAlignedObjectArray<int> *of_cell) {
    of_cell->resize(s.coarse.points.size(), -1);
    for (int i = 0; i < numbers.size(); ++i) {
        const HACD::Vec3<long> &t = s.coarse.triangles[i];
        const long corners[3] = {t.X(), t.Y(), t.Z()};
        for (int k = 0; k < 3; ++k)
            (*of_cell)[static_cast<int>(corners[k])] = numbers[i];
    }
}

// Shares all corners out to the clusters. Small triangles go to a neighbour; what is far from all
// coarse triangles is a cluster of its own.
static void make_clusters(split *s, const btAlignedObjectArray<int> &numbers, int count) {
    btAlignedObjectArray<int> of_cell;
    number_cells(*s, numbers, &of_cell);
    for (int i = 0; i <= count; ++i) {
        s->clusters.push_back(bullet_new<cluster>());
        s->clusters[i]->volume = 0;
    }
    for (uint32_t i = 0; i < s->num_triangles; ++i) {
        const uint32_t *const corners = s->indices + 3 * i;
        const int coarse = s->coarse.of_triangle[static_cast<int>(i)];
        int number = coarse >= 0 ? numbers[coarse] : -1;
        for (int k = 0; k < 3 && number < 0; ++k)
            number = of_cell[s->coarse.of_point[static_cast<int>(corners[k])]];
        cluster *const c = s->clusters[number < 0 || number >= count ? count : number];
        for (int k = 0; k < 9; ++k)
            c->points.push_back(s->points[3 * corners[k / 3] + static_cast<uint32_t>(k % 3)]);
    }
    for (int i = s->clusters.size() - 1; i >= 0; --i) {
        if (s->clusters[i]->points.size() > 0) {
            reduce(*s, s->clusters[i]);
            continue;
        }
        bullet_delete(s->clusters[i]);
        s->clusters.swap(i, s->clusters.size() - 1);
        s->clusters.pop_back();
    }
}

// --- Joining -------------------------------------------------------------------------------------

// What the common hull of two clusters adds to their volumes; and the share of it.
struct join_cost {
    double added, share;
};

static join_cost cost_of(const cluster &a, const cluster &b) {
    btAlignedObjectArray<float> points = a.points;
    for (int i = 0; i < b.points.size(); ++i)
        points.push_back(b.points[i]);
    const double volume = bullet_hull_volume(points), added = volume - a.volume - b.volume;
    return {added, volume > 0 ? added / volume : 0};
}

// The costs of all pairs, in rows of MOST_CLUSTERS + 1.
typedef btAlignedObjectArray<join_cost> join_costs;
enum { ROW = MOST_CLUSTERS + 1 };

static void find_costs(const split &s, int of, join_costs *costs) {
    for (int i = 0; i < s.clusters.size(); ++i) {
        if (i == of)
            continue;
        const join_cost cost = cost_of(*s.clusters[btMin(i, of)], *s.clusters[btMax(i, of)]);
        (*costs)[i * ROW + of] = (*costs)[of * ROW + i] = cost;
    }
}

// Finds the cheapest pair that must or should be joined: one is flat, there are too many, or it costs
// next to nothing.
static bool find_pair(const split &s, const join_costs &costs, int *first, int *second) {
    const int count = s.clusters.size();
    bool has_flat = false, is_found = false;
    for (int i = 0; i < count; ++i)
        has_flat |= s.clusters[i]->volume <= 0;
    double least = 1e300;
    for (int i = 0; i < count; ++i) {
        for (int k = i + 1; k < count; ++k) {
            const join_cost cost = costs[i * ROW + k];
            const bool is_flat = s.clusters[i]->volume <= 0 || s.clusters[k]->volume <= 0;
            const bool is_wanted =
                has_flat ? is_flat
                         : count > static_cast<int>(s.desc->most_hulls) || cost.share < 0.005;
            if (!is_wanted || cost.added >= least)
                continue;
            least = cost.added;
            *first = i;
            *second = k;
            is_found = true;
        }
    }
    return is_found;
}

static void join(split *s) {
    join_costs costs;
    costs.resize(ROW * ROW);
    for (int i = 0; i < s->clusters.size(); ++i)
        find_costs(*s, i, &costs);
    int first = 0, second = 0;
    while (find_pair(*s, costs, &first, &second)) {
        cluster *const into = s->clusters[first], *const from = s->clusters[second];
        for (int i = 0; i < from->points.size(); ++i)
            into->points.push_back(from->points[i]);
        reduce(*s, into);
        bullet_delete(from);
        const int last = s->clusters.size() - 1;
        s->clusters[second] = s->clusters[last];
        s->clusters.pop_back();
        for (int i = 0; i < last; ++i)
            costs[second * ROW + i] = costs[i * ROW + second] = costs[last * ROW + i];
        find_costs(*s, first, &costs);
    }
}

uint32_t ct_bullet_decompose(ct_allocator *a, const float *points, uint32_t num_points,
                             const uint32_t *indices, uint32_t num_indices,
                             const ct_bullet_decompose_desc *desc, ct_bullet_hull *hulls) {
    split s = {a, points, indices, num_points, num_indices / 3, desc, {0, 0, 0}, 0, {}, {}};
    if (s.num_triangles == 0 || s.num_points == 0)
        return 0;
    find_bounds(&s);
    if (!(s.size > 0))
        return 0;
    make_coarse(&s);
    btAlignedObjectArray<int> numbers;
    int count = 0;
    if (s.coarse.triangles.size() > 0)
        count = partition(s, desc->concavity, &numbers);
    for (double most = btMax(double(desc->concavity), s.size / 256); count > MOST_CLUSTERS;
         most *= 2)
        count = partition(s, most, &numbers);
    make_clusters(&s, numbers, count);
    join(&s);
    uint32_t written = 0;
    for (int i = 0; i < s.clusters.size(); ++i) {
        const cluster &c = *s.clusters[i];
        if (ct_bullet_cook_hull(a, &c.points[0], static_cast<uint32_t>(c.points.size() / 3),
                                desc->most_points, &hulls[written]))
            ++written;
        bullet_delete(s.clusters[i]);
    }
    return written;
}
