#include "cli/navigation/navigation_report.h"

#include <stdio.h>

#include "cli/size_text.h"
#include "foundation/sjson/sjson_writer.h"

// --- Counting ------------------------------------------------------------------------------------

// Square metres, from above.
static double area_of(const ct_navigation_tile *t, const ct_navigation_face *face) {
    double twice = 0;
    const ct_vec3 a = t->vertices[t->edges[face->first_edge]];
    for (uint32_t e = 1; e + 1 < face->num_edges; ++e) {
        const ct_vec3 b = t->vertices[t->edges[face->first_edge + e]];
        const ct_vec3 c = t->vertices[t->edges[face->first_edge + e + 1]];
        twice += ((double)b.x - (double)a.x) * ((double)c.y - (double)a.y) -
                 ((double)b.y - (double)a.y) * ((double)c.x - (double)a.x);
    }
    return twice / 2;
}

static void count_tile(ct_navigation_class_report *c, const ct_navigation_tile *t) {
    const ct_navigation_tile_resource *const r = t->resource;
    c->num_polygons += r->polygons.count;
    c->num_vertices += r->vertices.count;
    c->num_triangles += r->triangles.count;
    c->num_bytes += sizeof(*r) + sizeof(ct_navigation_polygon) * (uint64_t)r->polygons.count +
                    sizeof(ct_navigation_edge) * (uint64_t)r->edges.count +
                    sizeof(float[3]) * ((uint64_t)r->vertices.count + r->surface_vertices.count) +
                    sizeof(uint16_t[3]) * (uint64_t)r->triangles.count;
    for (uint32_t i = 0; i < t->num_faces; ++i) {
        const ct_navigation_face *const face = &t->faces[i];
        const double area = area_of(t, face);
        const uint32_t island = t->regions[face->region].island;
        c->square_metres += area;
        c->area_metres[face->area % CT_NAVIGATION_MAX_AREAS] += area;
        while (c->islands.count < island)
            ct_array_push(&c->islands, 0);
        if (island)
            c->islands.items[island - 1] += area;
    }
}

static void sort_islands(ct_navigation_class_report *c) {
    for (uint32_t i = 1; i < c->islands.count; ++i) {
        const double area = c->islands.items[i];
        uint32_t at = i;
        for (; at > 0 && c->islands.items[at - 1] < area; --at)
            c->islands.items[at] = c->islands.items[at - 1];
        c->islands.items[at] = area;
    }
    while (c->islands.count && c->islands.items[c->islands.count - 1] <= 0)
        --c->islands.count;
}

static void count_links(ct_navigation_class_report *c, const ct_navigation_mesh *m,
                        uint32_t number) {
    const ct_navigation_resource *const r = ct_navigation_mesh_resource(m);
    const ct_navigation_link *const links = ct_blob_at(r, r->links.offset);
    for (uint32_t i = 0; i < r->links.count; ++i) {
        if (!(links[i].classes >> number & 1))
            continue;
        ct_navigation_place from, to;
        ++c->num_links;
        c->num_found_links += (links[i].flags & CT_NAVIGATION_LINK_FOUND) != 0;
        if (!ct_navigation_link_ends(m, i, &from, &to))
            ct_array_push(&c->loose_links, (ct_navigation_loose_link){i, from == 0, to == 0});
    }
}

void ct_navigation_report_make(ct_navigation_report *r, ct_allocator *a,
                               const ct_navigation_resource *resource) {
    const ct_navigation_class *const classes = ct_blob_at(resource, resource->classes.offset);
    *r = (ct_navigation_report){.resource = resource};
    for (uint32_t i = 0; i < resource->classes.count; ++i) {
        ct_navigation_class_report *const c = &r->classes[i];
        uint32_t num_slots;
        c->class = &classes[i];
        c->name = ct_blob_at(resource, classes[i].name_text.offset);
        ct_array_init(&c->islands, a);
        ct_array_init(&c->loose_links, a);
        ct_navigation_mesh *const m = ct_navigation_mesh_create(
            &(ct_navigation_mesh_desc){.allocator = a, .resource = resource, .number = i});
        const ct_navigation_tile *const tiles = ct_navigation_tiles(m, &num_slots);
        for (uint32_t slot = 1; slot < num_slots; ++slot)
            if (tiles[slot].version)
                count_tile(c, &tiles[slot]);
        sort_islands(c);
        count_links(c, m, i);
        ct_navigation_mesh_destroy(m);
    }
}

// --- Text ----------------------------------------------------------------------------------------

static const ct_navigation_area *areas_of(const ct_navigation_report *r) {
    return ct_blob_at(r->resource, r->resource->areas.offset);
}

static const char *area_name(const ct_navigation_report *r, uint32_t area) {
    return ct_blob_at(r->resource, areas_of(r)[area].name_text.offset);
}

static void print_areas(const ct_navigation_report *r, const ct_navigation_class_report *c) {
    for (uint32_t i = 0; i < r->resource->areas.count; ++i) {
        const ct_navigation_area *const area = &areas_of(r)[i];
        if (i > 0 || c->area_metres[i] > 0)
            printf("  %-16s  %.1f m², cost %g%s\n", area_name(r, i), c->area_metres[i],
                   (double)area->cost, area->flags & CT_NAVIGATION_AREA_CLOSED ? ", closed" : "");
    }
}

static void print_islands(const ct_navigation_class_report *c) {
    enum { MOST = 8 };
    printf("islands   %u", c->islands.count);
    for (uint32_t i = 0; i < c->islands.count && i < MOST; ++i)
        printf("%s%.1f m²", i ? ", " : ": ", c->islands.items[i]);
    printf("%s\n", c->islands.count > MOST ? ", …" : "");
}

static const char *end_text(const ct_navigation_loose_link *l) {
    return l->has_no_start && l->has_no_end ? "at either end"
           : l->has_no_start                ? "where it starts"
                                            : "where it ends";
}

static void print_loose_links(const ct_navigation_report *r, const ct_navigation_class_report *c) {
    const ct_navigation_link *const links = ct_blob_at(r->resource, r->resource->links.offset);
    for (uint32_t i = 0; i < c->loose_links.count; ++i) {
        const ct_navigation_loose_link *const loose = &c->loose_links.items[i];
        const ct_navigation_link *const l = &links[loose->link];
        printf("warning: the %s \"%s\" from %g %g %g to %g %g %g touches no polygon of \"%s\" %s\n",
               l->flags & CT_NAVIGATION_LINK_FOUND ? "found link" : "link",
               (const char *)ct_blob_at(r->resource, l->kind_text.offset), (double)l->from[0],
               (double)l->from[1], (double)l->from[2], (double)l->to[0], (double)l->to[1],
               (double)l->to[2], c->name, end_text(loose));
    }
}

void ct_navigation_report_print(const ct_navigation_report *r) {
    const ct_navigation_resource *const n = r->resource;
    printf("size      %s\n", ct_size_text_of(n->header.size_bytes).text);
    printf("tiles     of %g m, made from voxels of %g m by %g m\n", (double)n->tile_size,
           (double)n->cell_size, (double)n->cell_height);
    for (uint32_t i = 0; i < n->classes.count; ++i) {
        const ct_navigation_class_report *const c = &r->classes[i];
        printf("\nclass     %s: radius %g m, height %g m, climb %g m, slope %g rad\n", c->name,
               (double)c->class->radius, (double)c->class->height, (double)c->class->climb,
               (double)c->class->slope);
        printf("tiles     %u, %s\n", c->class->tiles.count, ct_size_text_of(c->num_bytes).text);
        printf("polygons  %u, %u vertices, %u triangles of the surface\n", c->num_polygons,
               c->num_vertices, c->num_triangles);
        printf("area      %.1f m²\n", c->square_metres);
        print_areas(r, c);
        print_islands(c);
        printf("links     %u, %u of them found by rules, %u without ground at an end\n",
               c->num_links, c->num_found_links, c->loose_links.count);
    }
    for (uint32_t i = 0; i < n->classes.count; ++i)
        print_loose_links(r, &r->classes[i]);
}

// --- JSON ----------------------------------------------------------------------------------------

static void write_point(ct_sjson_writer *w, const char *name, const float point[3]) {
    ct_sjson_write_key(w, name);
    ct_sjson_begin_array(w);
    for (uint32_t k = 0; k < 3; ++k)
        ct_sjson_write_number(w, (double)point[k]);
    ct_sjson_end_array(w);
}

static void write_loose_links(ct_sjson_writer *w, const ct_navigation_report *r,
                              const ct_navigation_class_report *c) {
    const ct_navigation_link *const links = ct_blob_at(r->resource, r->resource->links.offset);
    ct_sjson_write_key(w, "loose_links");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < c->loose_links.count; ++i) {
        const ct_navigation_loose_link *const loose = &c->loose_links.items[i];
        const ct_navigation_link *const l = &links[loose->link];
        ct_sjson_begin_object(w);
        ct_sjson_member_string(w, "kind", ct_blob_at(r->resource, l->kind_text.offset));
        ct_sjson_member_bool(w, "found", (l->flags & CT_NAVIGATION_LINK_FOUND) != 0);
        write_point(w, "from", l->from);
        write_point(w, "to", l->to);
        ct_sjson_member_bool(w, "has_start", !loose->has_no_start);
        ct_sjson_member_bool(w, "has_end", !loose->has_no_end);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

static void write_class(ct_sjson_writer *w, const ct_navigation_report *r,
                        const ct_navigation_class_report *c) {
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "name", c->name);
    ct_sjson_member_number(w, "radius", (double)c->class->radius);
    ct_sjson_member_number(w, "height", (double)c->class->height);
    ct_sjson_member_number(w, "climb", (double)c->class->climb);
    ct_sjson_member_number(w, "slope", (double)c->class->slope);
    ct_sjson_member_number(w, "tiles", c->class->tiles.count);
    ct_sjson_member_number(w, "bytes", (double)c->num_bytes);
    ct_sjson_member_number(w, "polygons", c->num_polygons);
    ct_sjson_member_number(w, "vertices", c->num_vertices);
    ct_sjson_member_number(w, "triangles", c->num_triangles);
    ct_sjson_member_number(w, "square_metres", c->square_metres);
    ct_sjson_member_number(w, "links", c->num_links);
    ct_sjson_member_number(w, "found_links", c->num_found_links);
    ct_sjson_write_key(w, "areas");
    ct_sjson_begin_object(w);
    for (uint32_t i = 0; i < r->resource->areas.count; ++i)
        ct_sjson_member_number(w, area_name(r, i), c->area_metres[i]);
    ct_sjson_end_object(w);
    ct_sjson_write_key(w, "islands");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < c->islands.count; ++i)
        ct_sjson_write_number(w, c->islands.items[i]);
    ct_sjson_end_array(w);
    write_loose_links(w, r, c);
    ct_sjson_end_object(w);
}

void ct_navigation_report_print_json(const ct_navigation_report *r, ct_allocator *a) {
    const ct_navigation_resource *const n = r->resource;
    ct_string_builder text;
    ct_sjson_writer w;
    ct_string_builder_init(&text, a);
    ct_sjson_writer_init(&w, &text, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_member_number(&w, "bytes", n->header.size_bytes);
    ct_sjson_member_number(&w, "tile_size", (double)n->tile_size);
    ct_sjson_member_number(&w, "cell_size", (double)n->cell_size);
    ct_sjson_member_number(&w, "cell_height", (double)n->cell_height);
    ct_sjson_write_key(&w, "areas");
    ct_sjson_begin_array(&w);
    for (uint32_t i = 0; i < n->areas.count; ++i) {
        const ct_navigation_area *const area = &areas_of(r)[i];
        ct_sjson_begin_object(&w);
        ct_sjson_member_string(&w, "name", area_name(r, i));
        ct_sjson_member_number(&w, "cost", (double)area->cost);
        ct_sjson_member_bool(&w, "closed", (area->flags & CT_NAVIGATION_AREA_CLOSED) != 0);
        ct_sjson_end_object(&w);
    }
    ct_sjson_end_array(&w);
    ct_sjson_write_key(&w, "classes");
    ct_sjson_begin_array(&w);
    for (uint32_t i = 0; i < n->classes.count; ++i)
        write_class(&w, r, &r->classes[i]);
    ct_sjson_end_array(&w);
    ct_sjson_write_key(&w, "errors"); // of a failure there are some
    ct_sjson_begin_array(&w);
    ct_sjson_end_array(&w);
    ct_sjson_end_object(&w);
    puts(ct_string_builder_text(&text));
}
