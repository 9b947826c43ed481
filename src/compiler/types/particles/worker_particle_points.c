// Points on the surface of a mesh, read from its model.
#include <math.h>
#include <string.h>

#include "compiler/types/model/worker_model.h"
#include "compiler/types/particles/worker_particles.h"

// --- The model -----------------------------------------------------------------------------------

// Reads the model of the mesh called `name`. False after an error, or when there is no such mesh,
// which the driver reports.
static bool read_model(ct_worker_particles *p, const char *name, ct_sjson_value at,
                       ct_worker_model *model) {
    ct_compile *const c = p->c;
    uint32_t num_variants;
    ct_compile_list_variants(c, "mesh", name, &num_variants);
    if (num_variants == 0)
        return false;
    const ct_sjson *const doc = ct_compile_read_resource(c, "mesh", name, p->doc, at);
    ct_schema_listener listener = p->listener;
    listener.reference = NULL; // they are the mesh's
    ct_mesh_source source;
    if (!doc || !ct_schema_read(&ct_mesh_schema, doc, ct_sjson_root(doc), &source, &listener))
        return false;
    const ct_sjson *const own = c->doc;
    c->doc = doc; // where errors of the model are
    const bool is_read = ct_worker_model_read(c, &source, model);
    c->doc = own;
    return is_read;
}

// --- Triangles -----------------------------------------------------------------------------------

static double area_of(const ct_worker_vertex *corners) {
    const float *const p = corners[0].base.position, *const q = corners[1].base.position,
                       *const r = corners[2].base.position;
    double u[3], v[3];
    for (uint32_t i = 0; i < 3; ++i) {
        u[i] = (double)q[i] - (double)p[i];
        v[i] = (double)r[i] - (double)p[i];
    }
    const double x = u[1] * v[2] - u[2] * v[1], y = u[2] * v[0] - u[0] * v[2],
                 z = u[0] * v[1] - u[1] * v[0];
    return sqrt(x * x + y * y + z * z) / 2;
}

// The point of a triangle for two numbers from 0 to 1, even over its area.
static ct_particle_point point_in(const ct_worker_vertex *corners, double s, double t) {
    const double root = sqrt(s), weights[3] = {1 - root, root * (1 - t), root * t};
    ct_particle_point point;
    double square = 0;
    double normal[3] = {0, 0, 0};
    for (uint32_t i = 0; i < 3; ++i) {
        double position = 0;
        for (uint32_t k = 0; k < 3; ++k) {
            position += weights[k] * (double)corners[k].base.position[i];
            normal[i] += weights[k] * (double)corners[k].base.normal[i];
        }
        point.position[i] = (float)position;
        square += normal[i] * normal[i];
    }
    const bool has_normal = square > 1e-12;
    for (uint32_t i = 0; i < 3; ++i)
        point.normal[i] = has_normal ? (float)(normal[i] / sqrt(square)) : (float)(i == 2);
    return point;
}

// Triangles of the finest level, three corners each.
typedef CT_ARRAY(const ct_worker_vertex *) triangle_array;

static double list_triangles(ct_worker_model *model, triangle_array *triangles) {
    const uint32_t levels = model->levels ? model->levels : 1;
    const uint32_t finest = levels & (~levels + 1);
    double area = 0;
    for (uint32_t b = 0; b < model->batches.count; ++b) {
        ct_worker_batch *const batch = &model->batches.items[b];
        if (!(batch->levels & finest))
            continue;
        ct_worker_flat_normals(batch->corners, batch->num_corners, batch->has_normals);
        for (uint32_t i = 0; i + 2 < batch->num_corners; i += 3) {
            ct_array_push(triangles, &batch->corners[i]);
            area += area_of(&batch->corners[i]);
        }
    }
    return area;
}

// --- Points --------------------------------------------------------------------------------------

void ct_worker_particle_points(ct_worker_particles *p, ct_worker_emitter *e, ct_sjson_value at,
                               uint32_t count) {
    const char *const name = ct_sjson_string(p->doc, at, "");
    ct_worker_model model = {0};
    if (!read_model(p, name, at, &model))
        return;
    triangle_array triangles;
    ct_array_init(&triangles, p->c->allocator);
    const double area = list_triangles(&model, &triangles);
    if (!(area > 0)) {
        ct_worker_particle_error(p, at, "the mesh \"%.128s\" has no surface", name);
        return;
    }
    // Every point has the same part of the area; in it, places of the R2 sequence (Roberts 2018).
    uint32_t t = 0;
    double passed = area_of(triangles.items[0]);
    for (uint32_t i = 0; i < count; ++i) {
        const double wanted = area * ((double)i + 0.5) / count;
        while (passed < wanted && t + 1 < triangles.count)
            passed += area_of(triangles.items[++t]);
        const double u = 0.7548776662466927 * (i + 1), v = 0.5698402909980532 * (i + 1);
        const ct_particle_point point = point_in(triangles.items[t], u - floor(u), v - floor(v));
        ct_array_push(&e->points, point);
    }
}
