#include "compiler/types/fbx/worker_fbx_views.h"

#include <math.h>
#include <string.h>

static const float degrees = 0.0174532925f; // in radians

typedef struct view_reader {
    ct_compile *c;
    const ct_worker_fbx_objects *objects;
    ct_worker_scene *scene;
    uint32_t *views; // by object: the camera or light made of it, + 1
} view_reader;

static void warn(const view_reader *r, const char *text) {
    ct_worker_scene_warn(r->c, r->scene, text);
}

// Reads the properties of an attribute: from it, else from the template, else as they are.
static void read_attribute(const view_reader *r, uint32_t object, const char *kind,
                           const ct_worker_fbx_property *properties, uint32_t count,
                           float (*values)[3]) {
    const ct_worker_fbx_records *const records = r->objects->records;
    ct_worker_fbx_read_template(records, "NodeAttribute", kind, properties, count, values);
    ct_worker_fbx_read_properties(records, r->objects->items.items[object].record, properties,
                                  count, values);
}

// --- Cameras -------------------------------------------------------------------------------------

enum {
    NEAR_PLANE,
    FAR_PLANE,
    ASPECT_WIDTH,
    ASPECT_HEIGHT,
    APERTURE_MODE,
    FIELD_OF_VIEW,
    FIELD_OF_VIEW_Y,
    FOCAL_LENGTH,
    FILM_WIDTH,
    FILM_HEIGHT,
    GATE_FIT,
    PROJECTION_TYPE,
    NUM_CAMERA_PROPERTIES,
};

static const ct_worker_fbx_property camera_properties[NUM_CAMERA_PROPERTIES] = {
    [NEAR_PLANE] = {"NearPlane", 1},
    [FAR_PLANE] = {"FarPlane", 1},
    [ASPECT_WIDTH] = {"AspectWidth", 1},
    [ASPECT_HEIGHT] = {"AspectHeight", 1},
    [APERTURE_MODE] = {"ApertureMode", 1},
    [FIELD_OF_VIEW] = {"FieldOfView", 1},
    [FIELD_OF_VIEW_Y] = {"FieldOfViewY", 1},
    [FOCAL_LENGTH] = {"FocalLength", 1},
    [FILM_WIDTH] = {"FilmWidth", 1},
    [FILM_HEIGHT] = {"FilmHeight", 1},
    [GATE_FIT] = {"GateFit", 1},
    [PROJECTION_TYPE] = {"CameraProjectionType", 1},
};

// The FBX SDK's defaults. Angles are in degrees, films in inches, the focal length in millimetres.
static const float camera_defaults[NUM_CAMERA_PROPERTIES] = {
    [NEAR_PLANE] = 10,      [FAR_PLANE] = 4000,        [ASPECT_WIDTH] = 320,
    [ASPECT_HEIGHT] = 200,  [APERTURE_MODE] = 2,       [FIELD_OF_VIEW] = 25.115f,
    [FIELD_OF_VIEW_Y] = 40, [FOCAL_LENGTH] = 34.8933f, [FILM_WIDTH] = 0.816f,
    [FILM_HEIGHT] = 0.612f,
};

// How much of the film's height is in the picture, in inches (GateFit).
static float film_height(float (*v)[3], float aspect) {
    enum { FIT_HORIZONTAL = 2, FIT_FILL = 3, FIT_OVERSCAN = 4 };
    const float height = v[FILM_HEIGHT][0], of_width = v[FILM_WIDTH][0] / aspect;
    const int fit = v[GATE_FIT][0] > 0 && v[GATE_FIT][0] < 8 ? (int)v[GATE_FIT][0] : 0;
    return fit == FIT_HORIZONTAL ? of_width
           : fit == FIT_FILL     ? fminf(height, of_width)
           : fit == FIT_OVERSCAN ? fmaxf(height, of_width)
                                 : height;
}

// ApertureMode says which of its numbers is the camera's.
static float vertical_fov(float (*v)[3]) {
    enum { BOTH_ANGLES = 0, HORIZONTAL_ANGLE = 1, FOCAL = 3 };
    const float ratio = v[ASPECT_WIDTH][0] / v[ASPECT_HEIGHT][0];
    const float aspect = ratio > 0 && isfinite(ratio) ? ratio : 1;
    const float angle = v[FIELD_OF_VIEW][0] * degrees;
    const int mode =
        v[APERTURE_MODE][0] >= 0 && v[APERTURE_MODE][0] < 4 ? (int)v[APERTURE_MODE][0] : -1;
    switch (mode) {
    case BOTH_ANGLES:
        return v[FIELD_OF_VIEW_Y][0] * degrees;
    case HORIZONTAL_ANGLE:
        return 2 * atanf(tanf(angle / 2) / aspect);
    case FOCAL:
        return 2 * atanf(film_height(v, aspect) * 25.4f / 2 / v[FOCAL_LENGTH][0]);
    default:
        return angle;
    }
}

// Cameras look along x of their node.
static void add_camera(view_reader *r, uint32_t object, uint32_t node) {
    float v[NUM_CAMERA_PROPERTIES][3] = {{0}};
    const char *const name = r->scene->nodes.items[node].name;
    for (uint32_t i = 0; i < NUM_CAMERA_PROPERTIES; ++i)
        v[i][0] = camera_defaults[i];
    read_attribute(r, object, "FbxCamera", camera_properties, NUM_CAMERA_PROPERTIES, v);
    ct_worker_camera camera = {
        .name = name,
        .view = {.node = node, .forward = {1, 0, 0}, .up = {0, 1, 0}},
        .vertical_fov = vertical_fov(v),
        .near_range = v[NEAR_PLANE][0] > 0 && isfinite(v[NEAR_PLANE][0]) ? v[NEAR_PLANE][0] : 0,
        .far_range = v[FAR_PLANE][0] > 0 && isfinite(v[FAR_PLANE][0]) ? v[FAR_PLANE][0] : 0,
    };
    if (!(camera.vertical_fov > 0 && camera.vertical_fov < 3.14f)) {
        camera.vertical_fov = camera_defaults[FIELD_OF_VIEW] * degrees;
        warn(r, ct_compile_text(
                    r->c, "camera \"%s\" has no angle of view; it gets one of 25 degrees", name));
    }
    // Programs do not agree on what OrthoZoom means.
    if (v[PROJECTION_TYPE][0] == 1)
        warn(r, ct_compile_text(r->c, "camera \"%s\" is orthographic; it is read with perspective",
                                name));
    ct_array_push(&r->scene->cameras, camera);
    r->views[object] = r->scene->cameras.count;
}

// --- Lights --------------------------------------------------------------------------------------

enum { COLOR, INTENSITY, LIGHT_TYPE, INNER_ANGLE, OUTER_ANGLE, NUM_LIGHT_PROPERTIES };

static const ct_worker_fbx_property light_properties[NUM_LIGHT_PROPERTIES] = {
    [COLOR] = {"Color", 3},
    [INTENSITY] = {"Intensity", 1},
    [LIGHT_TYPE] = {"LightType", 1},
    [INNER_ANGLE] = {"InnerAngle", 1},
    [OUTER_ANGLE] = {"OuterAngle", 1},
};

// Lights shine along -y of their node. An intensity of 100 is 1.
static void add_light(view_reader *r, uint32_t object, uint32_t node) {
    static const char *const types[] = {"point", "directional", "spot"};
    float v[NUM_LIGHT_PROPERTIES][3] = {
        [COLOR] = {1, 1, 1}, [INTENSITY] = {100}, [OUTER_ANGLE] = {45}};
    read_attribute(r, object, "FbxLight", light_properties, NUM_LIGHT_PROPERTIES, v);
    if (!(v[LIGHT_TYPE][0] >= 0 && v[LIGHT_TYPE][0] < 3)) {
        warn(r, ct_compile_text(r->c, "light \"%s\" has an unsupported type; it is left out",
                                r->scene->nodes.items[node].name));
        return;
    }
    const float brightest = fmaxf(v[COLOR][0], fmaxf(v[COLOR][1], v[COLOR][2]));
    const float intensity = brightest * v[INTENSITY][0] / 100;
    ct_worker_light light = {
        .type = types[(uint32_t)v[LIGHT_TYPE][0]],
        .view = {.node = node, .forward = {0, -1, 0}, .up = {0, 0, 1}},
        .intensity = intensity > 0 && isfinite(intensity) ? intensity : 0,
        .inner_cone_radians = v[INNER_ANGLE][0] * degrees / 2,
        .outer_cone_radians = v[OUTER_ANGLE][0] * degrees / 2,
    };
    for (uint32_t i = 0; i < 3; ++i)
        light.color[i] =
            brightest > 0 && isfinite(brightest) ? fmaxf(v[COLOR][i], 0) / brightest : 0;
    ct_array_push(&r->scene->lights, light);
    r->views[object] = r->scene->lights.count;
}

void ct_worker_fbx_add_views(ct_compile *c, const ct_worker_fbx_objects *objects,
                             const ct_u32_array *models, ct_worker_scene *scene) {
    view_reader r = {.c = c, .objects = objects, .scene = scene};
    r.views = CT_NEW_ARRAY(c->allocator, uint32_t, objects->items.count);
    for (uint32_t i = 0; i < models->count; ++i) {
        const uint32_t object = objects->items.items[models->items[i]].attribute;
        if (object == CT_WORKER_FBX_NO_OBJECT)
            continue;
        const char *const type = ct_worker_fbx_object_class(c, objects, object);
        const bool is_camera = strcmp(type, "Camera") == 0;
        const uint32_t known = r.views[object];
        if (known && is_camera) {
            ct_worker_camera camera = scene->cameras.items[known - 1];
            camera.view.node = i;
            ct_array_push(&scene->cameras, camera);
        } else if (known) {
            ct_worker_light light = scene->lights.items[known - 1];
            light.view.node = i;
            ct_array_push(&scene->lights, light);
        } else if (is_camera) {
            add_camera(&r, object, i);
        } else {
            add_light(&r, object, i);
        }
    }
}

// --- What is left out ----------------------------------------------------------------------------

// Objects of a type and, where it is given, a class.
typedef struct left_out {
    const char *type, *class_name;
    const char *what; // behind the name
} left_out;

static const left_out objects_left_out[] = {
    {"Geometry", "NurbsSurface", "is a NURBS surface, which is left out"},
    {"Geometry", "TrimNurbsSurface", "is a NURBS surface, which is left out"},
    {"Geometry", "NurbsCurve", "is a NURBS curve, which is left out"},
    {"Geometry", "Patch", "is a patch, which is left out"},
    {"Geometry", "Boundary", "is a NURBS boundary, which is left out"},
    {"Model", "IKEffector", "is an effector, which is left out with all below it"},
    {"Model", "FKEffector", "is an effector, which is left out with all below it"},
    {"Model", "LodGroup", "is a group of levels of detail; all of them are drawn"},
    {"Deformer", "VertexCacheDeformer", "animates a mesh with a file of points, which is left out"},
    {"Constraint", NULL, "is a constraint, which is left out"},
    {"LayeredTexture", NULL, "is a layered texture; only its first layer is used"},
};

void ct_worker_fbx_warn_of_objects(ct_compile *c, const ct_worker_fbx_objects *objects,
                                   ct_worker_scene *scene) {
    bool has_curves = false;
    for (uint32_t i = 1; i < objects->items.count; ++i) {
        has_curves |= ct_worker_fbx_object_is(objects, i, "AnimationCurve");
        for (uint32_t k = 0; k < CT_COUNT_OF(objects_left_out); ++k) {
            const left_out *const l = &objects_left_out[k];
            if (scene->warnings.count < CT_WORKER_SCENE_MAX_WARNINGS &&
                ct_worker_fbx_object_is(objects, i, l->type) &&
                (!l->class_name ||
                 strcmp(ct_worker_fbx_object_class(c, objects, i), l->class_name) == 0))
                ct_worker_scene_warn(c, scene,
                                     ct_compile_text(c, "\"%s\" %s",
                                                     ct_worker_fbx_object_name(c, objects, i),
                                                     l->what));
        }
    }
    if (has_curves && scene->clips.count == 0)
        ct_worker_scene_warn(c, scene, "the model has animations that move no node: left out");
}
