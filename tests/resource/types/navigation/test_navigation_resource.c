#include "resource/types/navigation/navigation_resource.h"

#include <math.h>

#include "resource/blob/blob_fixtures.h"
#include "resource/types/navigation/navigation_source.h"

typedef ct_navigation_resource resource;
typedef ct_navigation_tile_resource tile_resource;

// Makes the blob of a navigation resource, which the test then damages.
static resource *make(ct_blob_writer *w) {
    write_navigation(w);
    assert_accepted(ct_navigation_validate, w->bytes.items);
    return (resource *)(void *)w->bytes.items;
}

static void expect(const resource *r, const char *text) {
    assert_refused(ct_navigation_validate, r, text);
}

static tile_resource *tile_of(resource *r, uint32_t i) {
    return ITEM(tile_resource, r, ITEM(ct_navigation_class, r, r->classes, 0)->tiles, i);
}

static void refuses_sizes_and_counts_out_of_range(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const r = make(&w);
    r->tile_size = NAN;
    expect(r, "found tile_size nan, cell_size 0.25, cell_height 0.125");
    r->tile_size = 8;
    const ct_blob_array areas = r->areas;
    r->areas = (ct_blob_array){0, 0};
    expect(r, "found 1 classes, 0 areas, 1 links, expected 1 to 8, 1 to 64 and at most 65536");
    r->areas = areas;
    assert_accepted(ct_navigation_validate, r);
    ct_blob_writer_free(&w);
}

static void refuses_classes_areas_and_links_that_are_wrong(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const r = make(&w);
    ct_navigation_class *const class = ITEM(ct_navigation_class, r, r->classes, 0);
    ct_navigation_area *const area = ITEM(ct_navigation_area, r, r->areas, 1);
    ct_navigation_link *const link = ITEM(ct_navigation_link, r, r->links, 0);
    class->radius = INFINITY;
    expect(r, "classes[0]: found radius inf");
    class->radius = 0.5f, ++class->name.value;
    expect(r, "classes[0]: its id does not match its text");
    --class->name.value, area->cost = 0;
    expect(r, "areas[1]: found cost 0, flags 1");
    area->cost = 1, area->flags = 2;
    expect(r, "areas[1]: found cost 1, flags 2");
    area->flags = 0, link->area = 2;
    expect(r, "links[0]: found area 2 of 2, classes 0x1");
    link->area = 0, link->classes = 2;
    expect(r, "links[0]: found area 0 of 2, classes 0x2");
    link->classes = 1, link->to[2] = NAN;
    expect(r, "links[0]: found 0.5 to nan");
    link->to[2] = 0, link->radius = -1;
    expect(r, "links[0]: found radius -1, cost 2");
    ct_blob_writer_free(&w);
}

static void refuses_tiles_that_are_wrong(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const r = make(&w);
    tile_resource *const first = tile_of(r, 0), *const second = tile_of(r, 1);
    second->x = 0;
    expect(r, "classes[0].tiles[1]: found 0, 0 behind 0, 0");
    second->x = 2;
    expect(r, "classes[0].tiles[1].vertices[0]: found 8 0 0.5, outside of the tile");
    second->x = 1 << 30;
    expect(r, "classes[0].tiles[1]: found 1073741824, 0");
    second->x = 1, first->max_z = 0;
    expect(r, "classes[0].tiles[0].vertices[0]: found 0 0 0.5, outside of the tile");
    first->max_z = NAN;
    expect(r, "classes[0].tiles[0]: found heights 0 to nan");
    first->max_z = 1;
    float *const vertex = ITEM(float, r, first->surface_vertices, 2);
    *vertex = NAN;
    expect(r, "classes[0].tiles[0].surface_vertices[0]: found 0 0 nan");
    *vertex = 0;
    *ITEM(uint16_t, r, first->triangles, 0) = 6;
    expect(r, "classes[0].tiles[0].triangles[0]: found vertex 6 of 6");
    ct_blob_writer_free(&w);
}

static void refuses_polygons_that_are_wrong(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const r = make(&w);
    tile_resource *const tile = tile_of(r, 0);
    ct_navigation_polygon *const p = ITEM(ct_navigation_polygon, r, tile->polygons, 1);
    ct_navigation_edge *const edges = ITEM(ct_navigation_edge, r, tile->edges, 4);
    p->num_edges = 2;
    expect(r, "classes[0].tiles[0].polygons[1]: found edges 4 + 2 of 8");
    p->num_edges = 5;
    expect(r, "classes[0].tiles[0].polygons[1]: found edges 4 + 5 of 8");
    p->num_edges = 4, p->num_triangles = 0;
    expect(r, "classes[0].tiles[0].polygons[1]: found triangles 2 + 0 of 4");
    p->num_triangles = 2, p->area = 2;
    expect(r, "classes[0].tiles[0].polygons[1]: found area 2 of 2");
    p->area = 1, edges[0].vertex = 6;
    expect(r, "classes[0].tiles[0].edges[4]: found vertex 6 of 6");
    edges[0].vertex = 2, edges[1].vertex = edges[2].vertex;
    expect(r, "classes[0].tiles[0].polygons[1]: it is not convex and counter-clockwise");
    ct_blob_writer_free(&w);
}

static void refuses_edges_that_lead_nowhere(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const r = make(&w);
    tile_resource *const tile = tile_of(r, 0);
    ct_navigation_edge *const edges = ITEM(ct_navigation_edge, r, tile->edges, 0);
    edges[1].leads_to = CT_NAVIGATION_EDGE_WALL;
    expect(r, "polygons[1]: no edge leads back from polygon 0 along edge 3");
    edges[1].leads_to = 0;
    expect(r, "polygons[0]: edge 1 leads to 0 of 2");
    edges[1].leads_to = 2;
    expect(r, "polygons[0]: edge 1 leads to 2 of 2");
    edges[1].leads_to = 1, edges[0].leads_to = CT_NAVIGATION_EDGE_SIDE + 1;
    expect(r, "polygons[0]: edge 0 is not at side 1 of the tile");
    edges[0].leads_to = CT_NAVIGATION_EDGE_SIDE + 3;
    assert_accepted(ct_navigation_validate, r);
    edges[0].leads_to = CT_NAVIGATION_EDGE_SIDE + 4;
    expect(r, "polygons[0]: edge 0 leads to 65524 of 2");
    ct_blob_writer_free(&w);
}

static void refuses_polygons_turned_over_or_dented(void **state) {
    (void)state;
    ct_blob_writer w;
    resource *const r = make(&w);
    tile_resource *const tile = tile_of(r, 1);
    ct_navigation_edge *const edges = ITEM(ct_navigation_edge, r, tile->edges, 0);
    for (uint32_t i = 0; i < 4; ++i)
        edges[i].leads_to = CT_NAVIGATION_EDGE_WALL;
    assert_accepted(ct_navigation_validate, r);
    const uint16_t vertex = edges[1].vertex;
    edges[1].vertex = edges[3].vertex, edges[3].vertex = vertex;
    expect(r, "classes[0].tiles[1].polygons[0]: it is not convex and counter-clockwise");
    edges[3].vertex = edges[1].vertex, edges[1].vertex = vertex;
    float *const at = ITEM(float, r, tile->vertices, 3 * edges[2].vertex);
    at[0] = 9, at[1] = 1; // inwards
    expect(r, "classes[0].tiles[1].polygons[0]: it is not convex and counter-clockwise");
    ct_blob_writer_free(&w);
}

static void schemas_describe_their_structs(void **state) {
    (void)state;
    assert_int_equal(ct_navigation_schema.size_bytes, sizeof(ct_navigation_source));
    ct_navigation_source source;
    ct_navigation_class_source class;
    ct_schema_defaults(&ct_navigation_schema, &source);
    ct_schema_defaults(&ct_navigation_class_schema, &class);
    assert_float_equal(source.cell_size, 0.25f, 0);
    assert_float_equal(source.tile_size, 32, 0);
    assert_int_equal(source.uses_actors, 1);
    assert_string_equal(source.excluded_tag, "no_navigation");
    assert_float_equal(class.radius, 0.4f, 0);
    // Merging by id needs to know which arrays are sets of elements with ids.
    static const char *const sets[] = {"agents", "areas", "volumes", "links", "rules"};
    for (uint32_t i = 0; i < CT_COUNT_OF(sets); ++i) {
        const ct_field *const field = ct_schema_find(&ct_navigation_schema, sets[i]);
        assert_true(field->flags & CT_FIELD_SET);
        assert_true(field->schema->identity & CT_SCHEMA_ID);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_sizes_and_counts_out_of_range),
        cmocka_unit_test(refuses_classes_areas_and_links_that_are_wrong),
        cmocka_unit_test(refuses_tiles_that_are_wrong),
        cmocka_unit_test(refuses_polygons_that_are_wrong),
        cmocka_unit_test(refuses_edges_that_lead_nowhere),
        cmocka_unit_test(refuses_polygons_turned_over_or_dented),
        cmocka_unit_test(schemas_describe_their_structs),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
