// Convex hulls with few corners (bullet_cook.h). Bullet's exact hull of whole numbers finds the faces;
// the corners keep the coordinates that were given.
//
// Corners are added one by one, the farthest outside first, until all others are inside or there
// are enough, and those that the others made needless are taken out: what is left out changes the hull
// least.
#include <LinearMath/btConvexHullComputer.h>

#include "physics/bullet/bullet_cook.h"
#include "physics/bullet/bullet_private.hh"

#include <math.h>

// Shares of the size of a hull: how far inside points may lie that are left out, and how narrow faces
// may be that have a plane. Bullet finds faces to a share of 1e-4.
static const double TOLERANCE = 1e-5, LEAST_HEIGHT = 5e-4;

// Positions relative to a point of the hull, in doubles.
struct hull_point {
    double x, y, z;
};

struct hull_plane {
    hull_point normal; // outwards, of length 1
    double distance;
};

static hull_point operator-(const hull_point &a, const hull_point &b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}

static hull_point cross(const hull_point &a, const hull_point &b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double dot(const hull_point &a, const hull_point &b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static hull_point normalize(const hull_point &v) {
    const double length = sqrt(dot(v, v));
    if (!(length > 0))
        return {0, 0, 0};
    return {v.x / length, v.y / length, v.z / length};
}

// The hull of some points: its triangles hold numbers of points.
struct hull_faces {
    btAlignedObjectArray<int> corners; // three a triangle
    btAlignedObjectArray<int> ends;    // of faces in `corners`: a face is a fan of triangles
    btAlignedObjectArray<int> used;    // points that are corners, ascending
    btAlignedObjectArray<hull_plane> planes;
    double sign; // 1: counter-clockwise from outside; -1: clockwise
    double volume;
    hull_point center; // of mass
};

struct hull_work {
    btAlignedObjectArray<hull_point> points;
    hull_point axes[3]; // a frame in which thin hulls are thin along an axis
    double size;        // the longest distance from the first of them, about
    double thickness;   // of the thickest four points
};

// Computes volume and centre from the triangles, by tetrahedra to the first corner.
static void measure(const btAlignedObjectArray<hull_point> &points, hull_faces *faces) {
    double volume = 0, moment[3] = {0, 0, 0};
    const hull_point origin = points[faces->corners[0]];
    for (int i = 0; i < faces->corners.size(); i += 3) {
        const hull_point a = points[faces->corners[i]] - origin;
        const hull_point b = points[faces->corners[i + 1]] - origin;
        const hull_point c = points[faces->corners[i + 2]] - origin;
        const double six = dot(a, cross(b, c));
        volume += six;
        moment[0] += six * (a.x + b.x + c.x);
        moment[1] += six * (a.y + b.y + c.y);
        moment[2] += six * (a.z + b.z + c.z);
    }
    faces->sign = volume < 0 ? -1 : 1;
    faces->volume = fabs(volume) / 6;
    faces->center = origin;
    if (faces->volume > 0) {
        faces->center.x += moment[0] / (4 * volume);
        faces->center.y += moment[1] / (4 * volume);
        faces->center.z += moment[2] / (4 * volume);
    }
}

// Computes the planes of the faces. Faces that are nearly a line have no useful plane.
static void find_planes(const hull_work &work, hull_faces *faces) {
    faces->planes.resizeNoInitialize(0);
    for (int f = 0, i = 0; f < faces->ends.size(); ++f) {
        const int first = i;
        hull_point area = {0, 0, 0};
        double longest = 0;
        for (; i < faces->ends[f]; i += 3) {
            const hull_point a = work.points[faces->corners[i]];
            const hull_point along = work.points[faces->corners[i + 1]] - a;
            const hull_point up = work.points[faces->corners[i + 2]] - a;
            const hull_point part = cross(along, up);
            area = {area.x + part.x, area.y + part.y, area.z + part.z};
            longest = btMax(longest, btMax(dot(along, along), dot(up, up)));
        }
        if (dot(area, area) < LEAST_HEIGHT * LEAST_HEIGHT * work.size * work.size * longest)
            continue;
        hull_point normal = normalize(area);
        normal = {normal.x * faces->sign, normal.y * faces->sign, normal.z * faces->sign};
        double distance = -1e30;
        for (int k = first; k < i; ++k)
            distance = btMax(distance, dot(normal, work.points[faces->corners[k]]));
        faces->planes.push_back({normal, distance});
    }
}

struct less_int {
    bool operator()(int a, int b) const { return a < b; }
};

// Finds the hull of the points with the numbers `which`. Returns false when they have none.
static bool find_faces(const hull_work &work, const btAlignedObjectArray<int> &which,
                       hull_faces *faces) {
    faces->corners.resizeNoInitialize(0);
    faces->ends.resizeNoInitialize(0);
    faces->used.resizeNoInitialize(0);
    faces->volume = 0;
    btAlignedObjectArray<hull_point> turned;
    turned.resizeNoInitialize(which.size());
    for (int i = 0; i < which.size(); ++i) {
        const hull_point p = work.points[which[i]];
        turned[i] = {dot(p, work.axes[0]), dot(p, work.axes[1]), dot(p, work.axes[2])};
    }
    btConvexHullComputer hull;
    hull.compute(&turned[0].x, static_cast<int>(sizeof(hull_point)), turned.size(), 0, 0);
    for (int f = 0; f < hull.faces.size(); ++f) {
        const btConvexHullComputer::Edge *const first = &hull.edges[hull.faces[f]];
        const int origin = hull.original_vertex_index[first->getSourceVertex()];
        for (const btConvexHullComputer::Edge *edge = first->getNextEdgeOfFace();
             edge->getNextEdgeOfFace() != first; edge = edge->getNextEdgeOfFace()) {
            faces->corners.push_back(which[origin]);
            faces->corners.push_back(which[hull.original_vertex_index[edge->getSourceVertex()]]);
            faces->corners.push_back(which[hull.original_vertex_index[edge->getTargetVertex()]]);
        }
        faces->ends.push_back(faces->corners.size());
    }
    if (faces->corners.size() < 12)
        return false;
    for (int i = 0; i < hull.original_vertex_index.size(); ++i)
        faces->used.push_back(which[hull.original_vertex_index[i]]);
    faces->used.quickSort(less_int());
    measure(work.points, faces);
    find_planes(work, faces);
    return faces->volume > 0;
}

// Returns the number of the point that is farthest by `distance`; the first of equal ones.
template <typename measure_type>
static int farthest(const btAlignedObjectArray<hull_point> &points, measure_type distance,
                    double *best) {
    int found = 0;
    *best = -1;
    for (int i = 0; i < points.size(); ++i) {
        const double next = distance(points[i]);
        if (next > *best) {
            *best = next;
            found = i;
        }
    }
    return found;
}

// Picks four points that are far apart, and the frame.
static void pick_first(hull_work *work, btAlignedObjectArray<int> *chosen) {
    const btAlignedObjectArray<hull_point> &points = work->points;
    double best, unused;
    const double huge = 1e30;
    const int a = farthest(
        points, [&](const hull_point &p) { return huge - p.x; }, &unused);
    const auto from_a = [&](const hull_point &p) { return dot(p - points[a], p - points[a]); };
    const int b = farthest(points, from_a, &best);
    work->size = sqrt(best);
    const hull_point along = normalize(points[b] - points[a]);
    const auto from_line = [&](const hull_point &p) {
        const hull_point off = cross(p - points[a], along);
        return dot(off, off);
    };
    const int c = farthest(points, from_line, &best);
    const hull_point up = normalize(cross(along, points[c] - points[a]));
    const auto from_plane = [&](const hull_point &p) { return fabs(dot(p - points[a], up)); };
    const int d = farthest(points, from_plane, &work->thickness);
    const int first[4] = {a, b, c, d};
    for (int i = 0; i < 4; ++i)
        chosen->push_back(first[i]);
    // A box stays in its own frame, where its faces are exactly flat.
    const bool is_thin = work->thickness < 0.02 * work->size;
    const hull_point own[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                     thin[3] = {along, cross(up, along), up};
    for (int i = 0; i < 3; ++i)
        work->axes[i] = is_thin ? thin[i] : own[i];
}

static double distance_outside(const btAlignedObjectArray<hull_plane> &planes,
                               const hull_point &p) {
    double most = -1e30;
    for (int i = 0; i < planes.size(); ++i)
        most = btMax(most, dot(planes[i].normal, p) - planes[i].distance);
    return most;
}

// Chooses the next corner of `candidates`: the farthest outside. `distances` are those of earlier
// hulls, which were smaller: what is nearer than the best of now need not be measured again. Returns
// its place in `candidates`, or -1: all are inside.
static int pick_next(const hull_work &work, const btAlignedObjectArray<hull_plane> &planes,
                     const btAlignedObjectArray<int> &candidates,
                     btAlignedObjectArray<double> *distances, double tolerance) {
    int best = -1;
    double most = tolerance;
    for (int i = 0; i < candidates.size(); ++i) {
        double &distance = (*distances)[i];
        if (distance <= most)
            continue;
        distance = distance_outside(planes, work.points[candidates[i]]);
        if (distance > most) {
            most = distance;
            best = i;
        }
    }
    return best;
}

// Adds corners of `candidates` to the hull of `chosen`, to `most_points`. Returns false when there is
// no hull.
static bool grow(const hull_work &work, const btAlignedObjectArray<int> &candidates,
                 btAlignedObjectArray<double> *distances, int most_points,
                 btAlignedObjectArray<int> *chosen, hull_faces *faces) {
    while (chosen->size() < most_points) {
        const int next =
            pick_next(work, faces->planes, candidates, distances, TOLERANCE * work.size);
        if (next < 0)
            return true;
        (*distances)[next] = -1; // not again
        chosen->push_back(candidates[next]);
        if (!find_faces(work, *chosen, faces))
            return false;
    }
    return true;
}

// Takes those out of `chosen` that are inside the hull of the others. Returns whether there were any.
static bool prune(const hull_work &work, btAlignedObjectArray<int> *chosen, hull_faces *faces) {
    bool is_pruned = false;
    btAlignedObjectArray<int> others;
    hull_faces without;
    for (int i = 0; i < chosen->size() && chosen->size() > 4;) {
        others.resizeNoInitialize(0);
        for (int k = 0; k < chosen->size(); ++k) {
            if (k != i)
                others.push_back((*chosen)[k]);
        }
        if (find_faces(work, others, &without) &&
            distance_outside(without.planes, work.points[(*chosen)[i]]) <= TOLERANCE * work.size) {
            *chosen = others;
            is_pruned = true;
        } else {
            ++i;
        }
    }
    return find_faces(work, *chosen, faces) && is_pruned;
}

// Finds the hull of all points, with up to `most_points` corners, from the first four in `chosen`.
static bool find_hull(const hull_work &work, btAlignedObjectArray<int> *chosen, int most_points,
                      hull_faces *faces) {
    btAlignedObjectArray<int> all;
    for (int i = 0; i < work.points.size(); ++i)
        all.push_back(i);
    hull_faces full;
    if (!find_faces(work, all, &full) || !find_faces(work, *chosen, faces))
        return false;
    btAlignedObjectArray<double> distances;
    distances.resize(full.used.size(), 1e30);
    for (;;) {
        if (!grow(work, full.used, &distances, most_points, chosen, faces))
            return false;
        if (!prune(work, chosen, faces))
            return faces->volume > 0;
    }
}

// Starts the work: points relative to the first of them, the frame, four far corners. Returns false
// when the points are flat.
static bool begin(const float *points, uint32_t num_points, hull_work *work,
                  btAlignedObjectArray<int> *chosen) {
    if (num_points < 4)
        return false;
    double largest = 0; // coordinate: floats are not finer than a share of it
    work->points.reserve(static_cast<int>(num_points));
    for (uint32_t i = 0; i < num_points; ++i) {
        const float *const p = points + 3 * i;
        CT_ASSERT(isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]), "point %u", i);
        work->points.push_back(
            {double(p[0]) - points[0], double(p[1]) - points[1], double(p[2]) - points[2]});
        for (int k = 0; k < 3; ++k)
            largest = btMax(largest, fabs(double(p[k])));
    }
    pick_first(work, chosen);
    return work->thickness > 1e-5 * work->size && work->thickness > 1e-6 * largest;
}

double bullet_hull_volume(const btAlignedObjectArray<float> &points) {
    hull_work work;
    hull_faces faces;
    btAlignedObjectArray<int> all;
    const uint32_t count = static_cast<uint32_t>(points.size() / 3);
    if (count == 0 || !begin(&points[0], count, &work, &all))
        return 0;
    all.resizeNoInitialize(0);
    for (int i = 0; i < work.points.size(); ++i)
        all.push_back(i);
    return find_faces(work, all, &faces) ? faces.volume : 0;
}

bool ct_bullet_cook_hull(ct_allocator *a, const float *points, uint32_t num_points,
                         uint32_t most_points, ct_bullet_hull *hull) {
    CT_ASSERT(most_points >= 4, "%u corners; a hull has at least 4", most_points);
    *hull = ct_bullet_hull();
    hull_work work;
    btAlignedObjectArray<int> chosen;
    hull_faces faces;
    if (!begin(points, num_points, &work, &chosen) ||
        !find_hull(work, &chosen, static_cast<int>(most_points), &faces))
        return false;
    const uint32_t count = static_cast<uint32_t>(faces.used.size());
    hull->points = static_cast<float *>(ct_alloc(a, 3 * sizeof(float) * count));
    hull->num_points = count;
    for (uint32_t i = 0; i < count; ++i) {
        const hull_point p = work.points[faces.used[static_cast<int>(i)]] - faces.center;
        hull->points[3 * i] = static_cast<float>(p.x);
        hull->points[3 * i + 1] = static_cast<float>(p.y);
        hull->points[3 * i + 2] = static_cast<float>(p.z);
    }
    hull->center.x = static_cast<float>(faces.center.x + points[0]);
    hull->center.y = static_cast<float>(faces.center.y + points[1]);
    hull->center.z = static_cast<float>(faces.center.z + points[2]);
    hull->volume = static_cast<float>(faces.volume);
    return true;
}
