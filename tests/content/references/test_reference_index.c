#include "content/content_group.h"
#include "content/references/reference_index.h"

#include <string.h>

#include "content/references/reference_reach.h"
#include "foundation/error.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/os/file.h"
#include "foundation/os/path.h"
#include "resource/blob/content_hash.h"
#include "support/test_support.h"

static void write_source(const char *folder, const char *name, const char *text) {
    char path[CT_PATH_BYTES], parent[CT_PATH_BYTES];
    ct_path_join(path, folder, name);
    ct_path_folder(parent, path);
    assert_true(ct_folder_create(parent, NULL));
    assert_true(ct_file_write(path, text, strlen(text), false, NULL));
}

static const char *make_project(void) {
    const char *const folder = test_scratch_folder();
    write_source(folder, "settings.config", "boot_script = \"main\" boot_package = \"boot\"");
    write_source(folder, "boot.package", "texture = [\"t/*\"]");
    write_source(folder, "main.lua", "World.spawn_unit(w, \"u/a\") x = \"u/b\"");
    write_source(folder, "u/a.unit", "inherit = \"u/gone\"");
    write_source(folder, "u/b.unit", "components = []");
    write_source(folder, "u/c.unit", "inherit = \"u/a\"");
    write_source(folder, "t/a.texture", "source = \"t/a.png\"");
    write_source(folder, "t/a.fr.texture", "source = \"t/a.png\"");
    write_source(folder, "t/a.png", "no picture");
    return folder;
}

static const ct_reference_index *update(const char *folder) {
    ct_error error = {0};
    const ct_reference_index *const index = ct_reference_index_update(
        &(ct_reference_index_desc){.allocator = test_heap(), .project = folder}, &error);
    if (!index)
        fail_msg("%s", error.message);
    return index;
}

static void keeps_what_files_mention(void **state) {
    (void)state;
    const char *const folder = make_project();
    const ct_reference_index *const index = update(folder);
    assert_int_equal(index->files.count, 9);
    assert_int_equal(index->num_project, 9);
    const uint32_t file = ct_reference_index_find(index, "main.lua");
    const ct_reference_file *const f = &ct_reference_files(index)[file];
    assert_int_equal(f->num_mentions, 2);
    const ct_reference_mention *const m = &ct_reference_mentions(index)[f->first_mention];
    assert_string_equal(ct_reference_text(index, m[0].name), "u/a");
    assert_string_equal(ct_reference_type(&m[0])->name, "unit");
    assert_int_equal(m[1].kind, CT_MENTION_KIND_LIKELY);
    assert_null(ct_reference_type(&m[1]));
    assert_int_equal(ct_reference_index_find(index, "main.lu"), UINT32_MAX);
    ct_free(test_heap(), (void *)(uintptr_t)index);
}

static void graph_knows_variants_and_what_is_missing(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(scratch, test_heap());
    const char *const folder = make_project();
    const ct_reference_index *const index = update(folder);
    ct_reference_graph g;
    ct_reference_graph_make(&g, scratch, index, (ct_source_roots){folder, NULL});
    assert_int_equal(g.missing.count, 1);
    const uint32_t texture = ct_reference_graph_resource(&g, "texture", "t/a");
    assert_int_equal(g.nodes.items[texture].num_files, 2);
    const uint32_t picture = ct_reference_graph_media(&g, "t/a.png");
    assert_int_equal(g.first_in[picture + 1] - g.first_in[picture], 2);
    ct_u32_array nodes;
    ct_array_init(&nodes, scratch);
    assert_int_equal(ct_reference_graph_select(&g, "u", &nodes), 3);
    assert_int_equal(ct_reference_graph_select(&g, "u/", &nodes), 3);
    assert_int_equal(ct_reference_graph_select(&g, "t/a.fr.texture", &nodes), 1);
    assert_int_equal(ct_reference_graph_select(&g, "", &nodes), 0);
    assert_int_equal(ct_reference_graph_select(&g, "u/a", &nodes), 0);
    ct_free(test_heap(), (void *)(uintptr_t)index);
}

static void reach_tells_what_nothing_uses(void **state) {
    (void)state;
    CT_TEMP_ALLOCATOR(scratch, test_heap());
    const char *const folder = make_project();
    const ct_reference_index *const index = update(folder);
    ct_reference_graph g;
    ct_reference_reach reach;
    ct_reference_graph_make(&g, scratch, index, (ct_source_roots){folder, NULL});
    ct_reference_reach_find(&reach, scratch, &g);
    assert_int_equal(reach.dangling.count, 1);
    assert_string_equal(g.nodes.items[reach.dangling.items[0]].name, "u/c");
    assert_int_equal(reach.only_wildcards.count, 1);
    assert_string_equal(g.nodes.items[reach.only_wildcards.items[0]].name, "t/a");
    assert_int_equal(reach.unnamed_media.count, 0);
    ct_free(test_heap(), (void *)(uintptr_t)index);
}

// Every byte of an index changed: refused, or a sound index all the same.
static void refuses_damaged_indices(void **state) {
    (void)state;
    const ct_reference_index *const index = update(make_project());
    const uint64_t size = index->header.size_bytes;
    uint8_t *const copy = ct_alloc_aligned(test_heap(), size, CT_BLOB_ALIGN);
    for (uint64_t i = sizeof(ct_blob_header); i < size; ++i) {
        memcpy(copy, index, size);
        copy[i] ^= 0xff;
        assert_null(ct_reference_index_check(copy, size, NULL)); // by its checksum
        ct_blob_header *const header = (ct_blob_header *)(void *)copy;
        header->checksum = ct_content_hash(copy + sizeof(*header), size - sizeof(*header));
        if (!ct_reference_index_check(copy, size, NULL))
            continue;
        CT_TEMP_ALLOCATOR(scratch, test_heap());
        ct_reference_graph g;
        ct_reference_graph_make(&g, scratch, (const ct_reference_index *)(const void *)copy,
                                (ct_source_roots){"/nowhere", NULL});
    }
    assert_null(ct_reference_index_check(index, size - 16, NULL));
    ct_free(test_heap(), copy);
    ct_free(test_heap(), (void *)(uintptr_t)index);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_what_files_mention),
        cmocka_unit_test(graph_knows_variants_and_what_is_missing),
        cmocka_unit_test(reach_tells_what_nothing_uses),
        cmocka_unit_test(refuses_damaged_indices),
    };
    return cmocka_run_group_tests(tests, content_group_setup, test_group_teardown);
}
