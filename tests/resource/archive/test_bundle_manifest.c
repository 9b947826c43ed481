#include "resource/archive/bundle_manifest.h"

#include "resource/blob/blob_fixtures.h"

// Two archives, the first of a patch.
static ct_bundle_manifest *make(ct_blob_writer *w) {
    start(w, CT_BUNDLE_TYPE, CT_BUNDLE_VERSION, sizeof(ct_bundle_manifest));
    const ct_bundle_archive archives[2] = {{.index_checksum = 1}, {.index_checksum = 2}};
    append_array(w, offsetof(ct_bundle_manifest, archives), archives, sizeof(archives[0]), 2);
    const uint32_t first = ct_blob_writer_offset(w) - (uint32_t)sizeof(archives);
    patch(w, offsetof(ct_bundle_manifest, num_patches), 1);
    ct_blob_patch_string(w, first, "patch_0001.archive", 18);
    ct_blob_patch_string(w, first + (uint32_t)sizeof(archives[0]), "base.archive", 12);
    ct_blob_patch_string(w, offsetof(ct_bundle_manifest, platform), "linux", 5);
    ct_blob_writer_finish(w);
    return (ct_bundle_manifest *)(void *)w->bytes.items;
}

static void accepts_what_is_right(void **state) {
    (void)state;
    ct_blob_writer w;
    assert_accepted(ct_bundle_validate, make(&w));
    ct_blob_writer_free(&w);
}

static void names_the_source_platform_or_has_that_of_its_own(void **state) {
    (void)state;
    ct_blob_writer w;
    ct_bundle_manifest *const m = make(&w);
    assert_string_equal(ct_bundle_source_platform(m), "linux");
    m->source_platform = ITEM(ct_bundle_archive, m, m->archives, 1)->file.offset;
    assert_accepted(ct_bundle_validate, m);
    assert_string_equal(ct_bundle_source_platform(m), "base.archive");
    static const uint32_t wrong[] = {1, sizeof(ct_blob_header) - 1, UINT32_MAX};
    for (uint32_t i = 0; i < CT_COUNT_OF(wrong); ++i) {
        m->source_platform = wrong[i];
        assert_refused(ct_bundle_validate, m, "source_platform");
    }
    m->source_platform = (uint32_t)m->header.size_bytes;
    assert_refused(ct_bundle_validate, m, "source_platform");
    // Without an end.
    m->source_platform = (uint32_t)m->header.size_bytes - 1;
    ((char *)m)[m->source_platform] = 'x';
    assert_refused(ct_bundle_validate, m, "source_platform");
    ct_blob_writer_free(&w);
}

static void refuses_what_is_wrong(void **state) {
    (void)state;
    ct_blob_writer w;
    ct_bundle_manifest *const m = make(&w);
    m->num_patches = 3;
    assert_refused(ct_bundle_validate, m, "found 3 patches, expected at most 2");
    m->num_patches = 0;
    m->archives.count = 1000;
    assert_refused(ct_bundle_validate, m, "archives");
    m->archives.count = 2;
    m->platform.bytes = 9000;
    assert_refused(ct_bundle_validate, m, "platform");
    ct_blob_writer_free(&w);
}

// An archive lies in the bundle's own folder, and nowhere else.
static void refuses_files_that_lie_elsewhere(void **state) {
    (void)state;
    static const char *const names[] = {"../x", "a/b", ".x", "/etc/passwd"};
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i) {
        ct_blob_writer w;
        ct_bundle_manifest *const m = make(&w);
        ct_bundle_archive *const a = ITEM(ct_bundle_archive, m, m->archives, 1);
        a->file.bytes = (uint32_t)strlen(names[i]);
        memcpy((char *)m + a->file.offset, names[i], strlen(names[i]) + 1);
        assert_refused(ct_bundle_validate, m, "is not a file name");
        ct_blob_writer_free(&w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_what_is_right),
        cmocka_unit_test(names_the_source_platform_or_has_that_of_its_own),
        cmocka_unit_test(refuses_what_is_wrong),
        cmocka_unit_test(refuses_files_that_lie_elsewhere),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
