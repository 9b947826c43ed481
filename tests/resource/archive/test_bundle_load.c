#include "resource/load/resource_manager.h"

#include <stdatomic.h>
#include <stdio.h>

#include "foundation/log.h"
#include "foundation/os/os.h"
#include "resource/archive/archive_fixture.h"
#include "resource/archive/bundle_manifest.h"
#include "resource/blob/platform.h"
#include "resource/catalog_fixture.h"
#include "resource/load/resource_store.h"

// --- A bundle of scripts -------------------------------------------------------------------------

// Scripts of about 800 bytes, five to a chunk; the last fills chunks by itself.
enum { NUM_SCRIPTS = 200, SCRIPT_BYTES = 700, LARGE_BYTES = 10000, CHUNK_BYTES = 4096 };
enum { PATCHED = 42 }; // is another in the patch

static const char *folder;
static ct_resource_manager *manager;
static char logged[1 << 16];
static _Atomic uint32_t num_loads, num_unloads;

static void script_name(uint32_t i, char name[16]) {
    snprintf(name, 16, "script_%03u", i);
}

static ct_resource_id script_id(uint32_t i) {
    char name[16];
    script_name(i, name);
    return ct_resource_id_of("lua", name);
}

static void write_numbered(ct_blob_writer *w, uint32_t i, uint32_t edition) {
    static char text[LARGE_BYTES + 1];
    ct_random random = ct_random_seeded(i + 1, edition);
    const uint32_t bytes = i == NUM_SCRIPTS - 1 ? LARGE_BYTES : SCRIPT_BYTES;
    for (uint32_t b = 0; b < bytes; ++b)
        text[b] = (char)('a' + ct_random_u32(&random) % 4);
    text[bytes] = 0;
    write_lua_text(w, text);
}

static ct_archive_writer *start_archive(const char *name) {
    char path[CT_PATH_BYTES];
    ct_error error = {0};
    ct_path_join(path, folder, name);
    ct_archive_writer *const w = ct_archive_writer_create(
        test_heap(),
        &(ct_archive_writer_desc){path, CT_PLATFORM_HOST, CT_BYTE_ORDER_LITTLE, CHUNK_BYTES, 0},
        &error);
    archive_assert_ok(w != NULL, &error);
    return w;
}

static void add(ct_archive_writer *archive, ct_resource_id id, ct_blob_writer *w) {
    ct_error error = {0};
    archive_assert_ok(ct_archive_writer_add(archive, id, CT_BUNDLE_ITEM_DATA, w->bytes.items,
                                            w->bytes.count, &error),
                      &error);
    ct_blob_writer_free(w);
}

static void finish_archive(ct_archive_writer *w) {
    ct_error error = {0};
    archive_assert_ok(ct_archive_writer_finish(w, &error), &error);
    ct_archive_writer_destroy(w);
}

// The package `name` of every `step`th script.
static void add_package(ct_archive_writer *archive, const char *name, uint32_t step) {
    ct_resource_id ids[NUM_SCRIPTS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < NUM_SCRIPTS; i += step)
        ids[count++] = script_id(i);
    ct_blob_writer w;
    write_package(&w, ids, count);
    add(archive, ct_resource_id_of("package", name), &w);
}

static void write_archives(void) {
    ct_blob_writer w;
    ct_archive_writer *archive = start_archive("patch.archive");
    write_numbered(&w, PATCHED, 2);
    add(archive, script_id(PATCHED), &w);
    finish_archive(archive);
    archive = start_archive("base.archive");
    for (uint32_t i = 0; i < NUM_SCRIPTS; ++i) {
        write_numbered(&w, i, 1);
        add(archive, script_id(i), &w);
    }
    add_package(archive, "all", 1);
    add_package(archive, "few", 50);
    finish_archive(archive);
}

static ct_archive *open_archive(const char *name) {
    char path[CT_PATH_BYTES];
    ct_error error = {0};
    ct_path_join(path, folder, name);
    ct_archive *const archive = ct_archive_open(test_heap(), path, CT_PLATFORM_HOST, &error);
    archive_assert_ok(archive != NULL, &error);
    return archive;
}

// The catalog knows nothing: what a package lists is taken all the same.
static void write_manifest(void) {
    static const char *const files[] = {"patch.archive", "base.archive"};
    ct_blob_writer w;
    ct_error error = {0};
    ct_bundle_archive archives[2] = {0};
    for (uint32_t i = 0; i < 2; ++i) {
        ct_archive *const archive = open_archive(files[i]);
        archives[i].index_checksum = archive->index_checksum;
        ct_archive_close(archive);
    }
    static const catalog_item items[] = {{"texture", "t", NULL, 0}};
    write_catalog(folder, items, 1);
    make_catalog(&w, items, 1);
    const uint64_t catalog_hash = ct_content_hash(w.bytes.items, w.bytes.count);
    ct_blob_writer_free(&w);
    start(&w, CT_BUNDLE_TYPE, CT_BUNDLE_VERSION, sizeof(ct_bundle_manifest));
    append_array(&w, offsetof(ct_bundle_manifest, archives), archives, sizeof(archives[0]), 2);
    const uint32_t first = ct_blob_writer_offset(&w) - (uint32_t)sizeof(archives);
    patch(&w, offsetof(ct_bundle_manifest, num_patches), 1);
    memcpy(w.bytes.items + offsetof(ct_bundle_manifest, catalog_hash), &catalog_hash, 8);
    for (uint32_t i = 0; i < 2; ++i)
        ct_blob_patch_string(&w, first + i * (uint32_t)sizeof(archives[0]), files[i],
                             (uint32_t)strlen(files[i]));
    ct_blob_patch_string(&w, offsetof(ct_bundle_manifest, platform), CT_PLATFORM_HOST,
                         (uint32_t)strlen(CT_PLATFORM_HOST));
    ct_blob_writer_finish(&w);
    char path[CT_PATH_BYTES];
    ct_path_join(path, folder, CT_BUNDLE_FILE);
    assert_true(ct_file_write(path, w.bytes.items, w.bytes.count, false, &error));
    ct_blob_writer_free(&w);
}

static void on_log(void *user, ct_log_level level, const char *system, const char *message) {
    (void)user, (void)level;
    const size_t used = strlen(logged);
    snprintf(logged + used, sizeof(logged) - used, "%s: %s\n", system, message);
}

static int write_bundle(void **state) {
    (void)state;
    folder = test_scratch_folder();
    write_archives();
    write_manifest();
    ct_string_id64_register("lua");
    for (uint32_t i = 0; i < NUM_SCRIPTS; ++i) { // a bundle ships no names
        char name[16];
        script_name(i, name);
        ct_string_id64_register(name);
    }
    logged[0] = 0;
    num_loads = num_unloads = 0;
    ct_log_add_sink(&(ct_log_sink){on_log, NULL, CT_LOG_LEVEL_WARNING});
    return 0;
}

static int end(void **state) {
    (void)state;
    if (manager)
        ct_resource_manager_destroy(manager);
    manager = NULL;
    ct_log_remove_sink(on_log, NULL);
    return 0;
}

// --- Loading -------------------------------------------------------------------------------------

static void on_load(void *user, ct_string_id64 name, const void *blob) {
    (void)user, (void)name, (void)blob;
    ++num_loads;
}

static void on_unload(void *user, ct_string_id64 name, const void *blob) {
    (void)user, (void)name;
    num_unloads += ((const ct_blob_header *)blob)->magic == CT_BLOB_MAGIC;
}

static void start_manager(void) {
    ct_error error = {0};
    manager = ct_resource_manager_create(&(ct_resource_manager_desc){test_heap(), folder});
    ct_resource_manager_register(manager, "lua",
                                 &(ct_resource_callbacks){.load = on_load, .unload = on_unload});
    archive_assert_ok(ct_resource_manager_check_data(manager, &error), &error);
}

static ct_resource_package *create(const char *name) {
    ct_error error = {0};
    ct_resource_package *const p = ct_resource_package_create(manager, name, &error);
    archive_assert_ok(p != NULL, &error);
    return p;
}

static ct_resource_package *load(const char *name) {
    ct_resource_package *const p = create(name);
    ct_resource_package_load(manager, p);
    ct_resource_package_flush(manager, p);
    return p;
}

// True when script `i` is online, with the right bytes.
static bool is_online(uint32_t i) {
    const void *const blob = ct_resource_manager_get_id(manager, script_id(i));
    ct_blob_writer w;
    write_numbered(&w, i, i == PATCHED ? 2 : 1);
    if (blob)
        assert_memory_equal(blob, w.bytes.items, w.bytes.count);
    ct_blob_writer_free(&w);
    return blob != NULL;
}

static void wait_until_loaded(ct_resource_package *p) {
    for (uint32_t i = 0; i < 5000 && !ct_resource_package_has_loaded(p); ++i) {
        ct_os_sleep_ns(1000000);
        ct_resource_manager_update(manager, i);
    }
    assert_true(ct_resource_package_has_loaded(p));
}

static void assert_logged(const char *text) {
    if (!strstr(logged, text))
        fail_msg("logged \"%s\", expected \"%s\"", logged, text);
}

static void loads_all_of_a_package(void **state) {
    (void)state;
    start_manager();
    load("all");
    for (uint32_t i = 0; i < NUM_SCRIPTS; ++i)
        assert_true(is_online(i));
    assert_int_equal(num_loads, NUM_SCRIPTS);
    assert_string_equal(logged, "");
}

static void loads_in_the_background(void **state) {
    (void)state;
    start_manager();
    ct_resource_package *const p = create("all");
    ct_resource_package_load(manager, p);
    wait_until_loaded(p);
    for (uint32_t i = 0; i < NUM_SCRIPTS; ++i)
        assert_true(is_online(i));
    assert_int_equal(ct_resource_package_progress(manager, p).num_loaded, NUM_SCRIPTS);
}

// What lay beside it in its chunks goes; it stays, and so it does in a sanitizer's eyes.
static void what_another_package_holds_stays(void **state) {
    (void)state;
    start_manager();
    ct_resource_package *const all = load("all"), *const few = load("few");
    assert_int_equal(num_loads, NUM_SCRIPTS);
    ct_resource_package_unload(manager, all);
    ct_resource_manager_update(manager, 1);
    ct_resource_manager_retire(manager, 100);
    for (uint32_t i = 0; i < NUM_SCRIPTS; ++i)
        assert_int_equal(is_online(i), i % 50 == 0);
    ct_resource_package_unload(manager, few);
    ct_resource_manager_retire(manager, 200);
    ct_resource_manager_destroy(manager);
    manager = NULL;
    assert_int_equal(num_unloads, NUM_SCRIPTS);
}

static void may_be_unloaded_while_it_loads(void **state) {
    (void)state;
    start_manager();
    ct_resource_package *const p = create("all");
    for (uint32_t i = 0; i < 20; ++i) {
        ct_resource_package_load(manager, p);
        ct_resource_package_unload(manager, p);
    }
    ct_resource_package_load(manager, p);
    ct_resource_package_flush(manager, p);
    for (uint32_t i = 0; i < NUM_SCRIPTS; ++i)
        assert_true(is_online(i));
    ct_resource_package_unload(manager, p);
    ct_resource_package_load(manager, p); // and ends with requests under way
}

// A blob that is read anew from the chunk that is still there is the same bytes.
static void reloads_one_of_a_chunk(void **state) {
    (void)state;
    start_manager();
    load("all");
    const ct_resource_id ids[] = {script_id(7), script_id(8)};
    assert_int_equal(ct_resource_manager_reload(manager, ids, 2), 2);
    ct_resource_manager_update(manager, 1);
    ct_resource_manager_retire(manager, 100);
    for (uint32_t i = 0; i < NUM_SCRIPTS; ++i)
        assert_true(is_online(i));
}

// At a byte a second one read is made; what belongs together counts as one.
static void keeps_to_the_budget(void **state) {
    (void)state;
    start_manager();
    ct_resource_manager_set_streaming(manager, true, 1);
    ct_resource_package *const p = create("all");
    ct_resource_package_load(manager, p);
    ct_os_sleep_ns(20000000);
    ct_resource_manager_update(manager, 1);
    assert_true(ct_resource_package_progress(manager, p).num_loaded <= CHUNK_BYTES / SCRIPT_BYTES);
    ct_resource_package_flush(manager, p);
    assert_true(is_online(NUM_SCRIPTS - 1));
}

// --- Damage --------------------------------------------------------------------------------------

static uint8_t *read_base(char path[CT_PATH_BYTES], uint64_t *count) {
    ct_error error = {0};
    ct_path_join(path, folder, "base.archive");
    char *const bytes = ct_file_read(test_heap(), path, count, &error);
    archive_assert_ok(bytes != NULL, &error);
    return (uint8_t *)bytes;
}

// Flips a bit of the chunk that script 50 lies in: those beside it are refused, each by its name.
static void refuses_what_lies_in_a_damaged_chunk(void **state) {
    (void)state;
    char path[CT_PATH_BYTES];
    uint64_t count;
    ct_error error = {0};
    ct_archive *const archive = open_archive("base.archive");
    const uint32_t chunk = archive->items[50].first_chunk;
    const uint64_t offset = archive->chunks[chunk].file_offset;
    bool is_hit[NUM_SCRIPTS];
    for (uint32_t i = 0; i < NUM_SCRIPTS; ++i)
        is_hit[i] = archive->items[i].first_chunk == chunk;
    ct_archive_close(archive);
    uint8_t *const bytes = read_base(path, &count);
    bytes[offset + 9] ^= 1;
    assert_true(ct_file_write(path, bytes, count, false, &error));
    ct_free(test_heap(), bytes);
    start_manager();
    load("all");
    for (uint32_t i = 0; i < NUM_SCRIPTS; ++i) {
        char message[64], name[16];
        script_name(i, name);
        assert_int_equal(is_online(i), !is_hit[i]);
        snprintf(message, sizeof(message), "refused lua \"%s\"", name);
        assert_int_equal(strstr(logged, message) != NULL, is_hit[i]);
    }
    assert_logged("is damaged: its checksum is");
}

// A writer of archives that means harm gets its checksums right.
static void refuses_a_hostile_blob_in_a_right_chunk(void **state) {
    (void)state;
    ct_archive_writer *const archive = start_archive("base.archive");
    ct_blob_writer w;
    for (uint32_t i = 0; i < NUM_SCRIPTS; ++i) {
        write_numbered(&w, i, 1);
        ct_lua_resource *const lua = (ct_lua_resource *)(void *)w.bytes.items;
        if (i == 10)
            lua->text.offset = 0x7fffffff;
        if (i == 11)
            lua->header.size_bytes += 64;
        if (i == 12)
            lua->header.type = ct_string_id64_of("texture");
        add(archive, script_id(i), &w);
    }
    add_package(archive, "all", 1);
    finish_archive(archive);
    write_manifest();
    start_manager();
    load("all");
    for (uint32_t i = 0; i < NUM_SCRIPTS; ++i)
        assert_int_equal(is_online(i), i < 10 || i > 12);
    assert_logged("refused lua \"script_010\": ");
    assert_logged("refused lua \"script_011\": truncated: found");
    assert_logged("refused lua \"script_012\": it has another type: found");
}

// Blobs are used as they lie: one that does not lie on a multiple of CT_BLOB_ALIGN is copied.
static void reads_what_is_not_aligned_by_itself(void **state) {
    (void)state;
    ct_archive_writer *const archive = start_archive("base.archive");
    ct_error error = {0};
    ct_blob_writer w;
    assert_true(
        ct_archive_writer_add(archive, ct_resource_id_of("lua", "odd"), 0, "odd", 3, &error));
    for (uint32_t i = 0; i < NUM_SCRIPTS; ++i) {
        write_numbered(&w, i, 1);
        add(archive, script_id(i), &w);
    }
    add_package(archive, "all", 1);
    finish_archive(archive);
    write_manifest();
    start_manager();
    load("all");
    for (uint32_t i = 0; i < NUM_SCRIPTS; ++i)
        assert_true(is_online(i));
}

// --- The store -----------------------------------------------------------------------------------

static ct_store_read read_of(const ct_resource_store *s, uint32_t i, const ct_store_place *before) {
    const ct_resource_id id = script_id(i);
    return (ct_store_read){.data_id = id, .place = ct_resource_store_place(s, id, before)};
}

static void blobs_stay_together_where_they_are_most_of_a_chunk(void **state) {
    (void)state;
    ct_error error = {0};
    ct_resource_store *const s =
        ct_resource_store_open_bundle(test_heap(), folder, "linux", &error);
    archive_assert_ok(s != NULL, &error);
    ct_store_read reads[5];
    for (uint32_t i = 0; i < 5; ++i) {
        reads[i] = read_of(s, i, i > 0 ? &reads[i - 1].place : NULL);
        assert_true(reads[i].place.group != 0 && reads[i].place.group == reads[0].place.group);
        assert_int_equal(read_of(s, i, NULL).place.group, reads[i].place.group);
    }
    ct_resource_store_read_together(s, test_heap(), reads, 5);
    for (uint32_t i = 0; i < 5; ++i) {
        assert_non_null(reads[i].blob.block);
        assert_ptr_equal(reads[i].blob.block, reads[0].blob.block);
        ct_loaded_blob_free(test_heap(), reads[i].blob);
    }
    ct_store_read one = read_of(s, 3, NULL);
    ct_resource_store_read_together(s, test_heap(), &one, 1);
    assert_non_null(one.blob.data);
    assert_null(one.blob.block); // a fifth of the chunk does not keep all of it
    ct_loaded_blob_free(test_heap(), one.blob);
    assert_int_equal(read_of(s, NUM_SCRIPTS - 1, NULL).place.group, 0); // has chunks of its own
    assert_int_equal(read_of(s, NUM_SCRIPTS, NULL).place.group, 0);     // is not there
    assert_true(read_of(s, PATCHED, &reads[0].place).place.group !=
                read_of(s, PATCHED - 1, NULL).place.group);
    ct_resource_store_close(s);
}

static void a_patch_comes_before_what_lies_next(void **state) {
    (void)state;
    ct_error error = {0};
    ct_resource_store *const s =
        ct_resource_store_open_bundle(test_heap(), folder, "linux", &error);
    archive_assert_ok(s != NULL, &error);
    const ct_store_place before = read_of(s, PATCHED - 1, NULL).place;
    const ct_store_place place = read_of(s, PATCHED, &before).place;
    assert_int_equal(place.in_bundle.archive, 0);
    assert_int_equal(before.in_bundle.archive, 1);
    ct_resource_store_close(s);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, write_bundle, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(loads_all_of_a_package),
        TEST(loads_in_the_background),
        TEST(what_another_package_holds_stays),
        TEST(may_be_unloaded_while_it_loads),
        TEST(reloads_one_of_a_chunk),
        TEST(keeps_to_the_budget),
        TEST(refuses_what_lies_in_a_damaged_chunk),
        TEST(refuses_a_hostile_blob_in_a_right_chunk),
        TEST(reads_what_is_not_aligned_by_itself),
        TEST(blobs_stay_together_where_they_are_most_of_a_chunk),
        TEST(a_patch_comes_before_what_lies_next),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
