// scene_picture.h: the ways that agents of a scene took, as an SVG picture.
//
// With CUTTLE_PICTURES=FOLDER in the environment, FOLDER/NAME.svg shows what is open in white, each agent's way
// in a colour of its own from a ring (where it began) to a disc of its size (where it is), a dot each second,
// and movers in grey.
#pragma once
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "foundation/math/math.h"
#include "navigation/navigation_mesh.h"

enum { SCENE_TRAIL_STEPS = 6, SCENE_TRAIL_DOT = 10 }; // steps between points; points between dots

// Points of all agents, one row of `width` after another; NULL: no picture is wanted.
typedef struct scene_trail {
    ct_vec2 *points;
    uint32_t width, num_rows, max_rows;
} scene_trail;

static inline const char *scene_picture_folder(void) {
    return getenv("CUTTLE_PICTURES");
}

static inline void scene_trail_add(scene_trail *t, const ct_vec3 *positions, const uint64_t *users,
                                   uint32_t count) {
    if (!scene_picture_folder())
        return;
    if (t->num_rows == t->max_rows) {
        t->max_rows = t->max_rows ? t->max_rows * 2 : 64;
        t->points = (ct_vec2 *)realloc(t->points, sizeof(*t->points) * t->max_rows * t->width);
    }
    ct_vec2 *const row = t->points + (size_t)t->num_rows++ * t->width;
    for (uint32_t i = 0; i < t->width; ++i)
        row[i] = ct_vec2_make(NAN, NAN);
    for (uint32_t i = 0; i < count; ++i)
        row[users[i]] = ct_vec2_make(positions[i].x, positions[i].y);
}

static inline void scene_picture_way(FILE *file, const scene_trail *t, uint32_t agent, float radius,
                                     uint32_t count) {
    const uint32_t hue = agent * 360 / (count ? count : 1);
    fprintf(file, "<g stroke='hsl(%u,80%%,40%%)' fill='none'><polyline points='", hue);
    for (uint32_t i = 0; i < t->num_rows; ++i) {
        const ct_vec2 p = t->points[(size_t)i * t->width + agent];
        if (!isnan(p.x))
            fprintf(file, "%.2f,%.2f ", (double)p.x, (double)p.y);
    }
    fprintf(file, "'/>");
    for (uint32_t i = 0; i < t->num_rows; i += SCENE_TRAIL_DOT) {
        const ct_vec2 p = t->points[(size_t)i * t->width + agent];
        if (!isnan(p.x))
            fprintf(file, "<circle cx='%.2f' cy='%.2f' r='%.2f'/>", (double)p.x, (double)p.y,
                    i ? 0.06 : (double)radius);
    }
    const ct_vec2 end = t->points[(size_t)(t->num_rows - 1) * t->width + agent];
    fprintf(file, "<circle cx='%.2f' cy='%.2f' r='%.2f' fill='hsl(%u,80%%,70%%)'/></g>\n",
            (double)end.x, (double)end.y, (double)radius, hue);
}

// `rows` are those of the scene, of `cell` metres; `is_open` are their open ones. Radii by agent.
static inline void scene_picture_write(const scene_trail *t, const char *name, const char *rows,
                                       uint32_t width, uint32_t height, uint32_t pitch, float cell,
                                       const float *radii, uint32_t count) {
    char path[512];
    snprintf(path, sizeof(path), "%s/%s.svg", scene_picture_folder(), name);
    for (char *c = path + strlen(scene_picture_folder()) + 1; *c; ++c)
        *c = *c == ' ' ? '_' : *c;
    FILE *const file = fopen(path, "w");
    if (!file || !t->num_rows)
        return;
    uint32_t x0 = width, x1 = 0, y0 = height, y1 = 0;
    for (uint32_t y = 0; y < height; ++y)
        for (uint32_t x = 0; x < width; ++x)
            if (rows[y * pitch + x] != '@') {
                x0 = x < x0 ? x : x0, x1 = x > x1 ? x : x1;
                y0 = y < y0 ? y : y0, y1 = y > y1 ? y : y1;
            }
    const double c = (double)cell, w = (x1 - x0 + 5) * c, h = (y1 - y0 + 5) * c;
    fprintf(file,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%.0f' height='%.0f' viewBox='%.2f %.2f "
            "%.2f %.2f' stroke-width='0.05'>\n<rect x='%.2f' y='%.2f' width='%.2f' height='%.2f' "
            "fill='#999'/>\n<g fill='#fff'>",
            w * 20, h * 20, (x0 - 2.0) * c, (y0 - 2.0) * c, w, h, (x0 - 2.0) * c, (y0 - 2.0) * c, w,
            h);
    for (uint32_t y = y0; y <= y1; ++y)
        for (uint32_t x = x0; x <= x1; ++x)
            if (rows[y * pitch + x] != '@')
                fprintf(file, "<rect x='%.2f' y='%.2f' width='%.2f' height='%.2f' fill='%s'/>\n",
                        x * c, y * c, c + 0.01, c + 0.01,
                        rows[y * pitch + x] == '.' ? "#fff" : "#eec");
    fprintf(file, "</g>\n");
    for (uint32_t i = 0; i < count; ++i)
        scene_picture_way(file, t, i, radii[i], count);
    fprintf(file, "</svg>\n");
    fclose(file);
}
