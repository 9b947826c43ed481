// bench_bundle.c: a bundle through the resource manager, beside plain `read` and zstd alone.
//
// The bundle is that of `--bundle DIR` (its folder `data`); bench/pipeline.py makes it. There is no
// renderer: nothing is done with what comes online.
//
// bundle_load: from opening the bundle until core's package and the package `boot` are online, with
// all that they reach; streams stay where they are. The peer reads the same chunks from the page
// cache, one after the other, with plain `read`, and unpacks them to memory that is there already;
// those of streams left out.
// bundle_load_two: the same beside two threads that take turns at the chunks, as the loader's two
// do: what the machine can give in this run.
// bundle_stream: from asking for the streams of all textures that are online until all have come,
// checked. The peer reads and unpacks the chunks that these streams lie in.
#include <stdio.h>

#include <zstd.h>

#include "bench.h"
#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "resource/archive/archive.h"
#include "resource/archive/bundle_archives.h"
#include "resource/load/resource_manager.h"
#include "resource/types/package_resource.h"
#include "resource/types/texture_resource.h"

static const char *const package_names[] = {CT_PACKAGE_CORE, "boot"};
enum { NUM_PACKAGES = CT_COUNT_OF(package_names), NUM_THREADS = 2 };

// Chunks of one archive that lie end to end.
typedef struct chunk_run {
    ct_archive *archive;
    uint32_t first, end;
} chunk_run;

static chunk_run runs[NUM_PACKAGES];
static uint8_t *packed[NUM_THREADS]; // room for a chunk each
static uint8_t *plain;               // room for the largest run
static ct_resource_manager *manager;
static ct_resource_package *packages[NUM_PACKAGES];
static uint64_t frame;
static uint64_t wanted_bytes, streamed_bytes; // of streams: in the archives, that came in this run

static void fail(const char *what, const ct_error *error) {
    fprintf(stderr, "bench_bundle: %s: %s\n", what, error->message);
    ct_assert_failed(__FILE__, __LINE__, what, "%s", error->message);
}

// --- Through the resource manager ----------------------------------------------------------------

static void note_stream(void *user, ct_string_id64 name, const void *blob, const void *stream) {
    (void)user, (void)name, (void)stream;
    streamed_bytes += ((const ct_texture_resource *)blob)->stream.bytes;
}

static void load(void) {
    ct_error error = {0};
    manager = ct_resource_manager_create(
        &(ct_resource_manager_desc){ct_bench_heap(), ct_bench_bundle_folder()});
    ct_resource_manager_set_streaming(manager, true, 0);
    ct_resource_manager_register(manager, "texture",
                                 &(ct_resource_callbacks){.streamed = note_stream});
    for (uint32_t i = 0; i < NUM_PACKAGES; ++i) {
        packages[i] = ct_resource_package_create(manager, package_names[i], &error);
        if (!packages[i])
            fail("cannot make the package", &error);
        ct_resource_package_load(manager, packages[i]);
    }
    for (uint32_t i = 0; i < NUM_PACKAGES; ++i)
        ct_resource_package_flush(manager, packages[i]);
}

static void unload(void) {
    for (uint32_t i = 0; i < NUM_PACKAGES; ++i)
        ct_resource_package_destroy(manager, packages[i]);
    ct_resource_manager_destroy(manager);
    manager = NULL;
}

static double run_load(void) {
    const double start_ns = ct_bench_now_ns();
    load();
    const double end_ns = ct_bench_now_ns();
    unload();
    return (end_ns - start_ns) / 1e6;
}

static void ask_for_stream(void *user, ct_string_id64 name, const void *blob) {
    (void)user, (void)blob;
    ct_resource_manager_request_stream(manager, "texture", name);
}

static double run_stream(void) {
    streamed_bytes = 0;
    const double start_ns = ct_bench_now_ns();
    ct_resource_manager_each_online(manager, "texture", ask_for_stream, NULL);
    ct_resource_manager_wait_for_streams(manager);
    const double end_ns = ct_bench_now_ns();
    ct_resource_manager_update(manager, ++frame);
    ct_resource_manager_retire(manager, frame);
    if (streamed_bytes != wanted_bytes)
        fail("cannot load all streams", &(ct_error){.message = "some are missing"});
    return (end_ns - start_ns) / 1e6;
}

// --- Plainly -------------------------------------------------------------------------------------

// The chunks that one of `num_threads` takes.
typedef struct plain_share {
    uint32_t thread, num_threads;
} plain_share;

static void unpack_plainly(int file, const ct_archive_chunk *c, uint8_t *room, uint8_t *to) {
    const bool is_packed = c->packed_bytes != c->data_bytes;
    uint8_t *const read_to = is_packed ? room : to;
    uint64_t count = 0;
    int64_t got;
    while (count < c->packed_bytes &&
           (got = ct_os_file_read_at(file, c->file_offset + count, read_to + count,
                                     c->packed_bytes - count)) > 0)
        count += (uint64_t)got;
    if (is_packed)
        ct_bench_use(ZSTD_decompress(to, c->data_bytes, room, count));
}

static void unpack_share(void *data) {
    const plain_share *const share = data;
    for (uint32_t i = 0; i < NUM_PACKAGES; ++i) {
        const chunk_run *const run = &runs[i];
        const ct_archive_chunk *const chunks = run->archive->chunks;
        ct_error error = {0};
        const int file = ct_os_file_open_read(run->archive->path, &error);
        if (file < 0)
            fail("cannot open the archive", &error);
        for (uint32_t c = run->first + share->thread; c < run->end; c += share->num_threads)
            unpack_plainly(file, &chunks[c], packed[share->thread],
                           plain + (chunks[c].data_offset - chunks[run->first].data_offset));
        ct_os_file_close(file);
    }
}

static double run_plainly(void) {
    plain_share all = {0, 1};
    const double start_ns = ct_bench_now_ns();
    unpack_share(&all);
    return (ct_bench_now_ns() - start_ns) / 1e6;
}

static double run_plainly_by_two(void) {
    plain_share halves[NUM_THREADS] = {{0, NUM_THREADS}, {1, NUM_THREADS}};
    const double start_ns = ct_bench_now_ns();
    const ct_thread other = ct_thread_start("plain", unpack_share, &halves[1]);
    unpack_share(&halves[0]);
    ct_thread_join(other);
    return (ct_bench_now_ns() - start_ns) / 1e6;
}

// --- The archives --------------------------------------------------------------------------------

// The chunks of a package's archive that hold data, or those that hold streams: these come last.
static chunk_run run_of(const char *package, bool is_of_streams) {
    ct_error error = {0};
    char path[CT_PATH_BYTES], file[64];
    snprintf(file, sizeof(file), "%016llx.archive",
             (unsigned long long)ct_string_id64_of(package).value);
    ct_path_join(path, ct_bench_bundle_folder(), file);
    ct_archive *const archive = ct_archive_open(ct_bench_heap(), path, "linux", &error);
    if (!archive)
        fail("cannot open the archive", &error);
    uint32_t first_stream = archive->num_chunks;
    for (uint32_t i = archive->num_items; i-- > 0;)
        if (archive->items[i].variant == CT_BUNDLE_ITEM_STREAM)
            first_stream = archive->items[i].first_chunk;
    return is_of_streams ? (chunk_run){archive, first_stream, archive->num_chunks}
                         : (chunk_run){archive, 0, first_stream};
}

static uint64_t data_bytes_of(const chunk_run *run) {
    uint64_t bytes = 0;
    for (uint32_t i = run->first; i < run->end; ++i)
        bytes += run->archive->chunks[i].data_bytes;
    return bytes;
}

// Takes the runs and room for the largest; tells how much it is.
static void begin(const char *what, bool is_of_streams) {
    uint64_t most = 1, sum = 0, packed_sum = 0;
    for (uint32_t i = 0; i < NUM_PACKAGES; ++i) {
        runs[i] = run_of(package_names[i], is_of_streams);
        const uint64_t bytes = data_bytes_of(&runs[i]);
        most = bytes > most ? bytes : most;
        sum += bytes;
        for (uint32_t c = runs[i].first; c < runs[i].end; ++c)
            packed_sum += runs[i].archive->chunks[c].packed_bytes;
    }
    wanted_bytes = sum;
    for (uint32_t i = 0; i < NUM_THREADS; ++i)
        packed[i] = ct_alloc(ct_bench_heap(), CT_ARCHIVE_MAX_CHUNK_BYTES);
    plain = ct_alloc(ct_bench_heap(), most);
    if (sum == 0)
        fail("nothing to load", &(ct_error){.message = "the archives are empty"});
    fprintf(stderr, "%s: %.1f MB, packed to %.1f MB\n", what, (double)sum / 1e6,
            (double)packed_sum / 1e6);
}

// Checks that all resources of the archives are online; otherwise the figure would be too low.
static void check_online(void) {
    uint32_t num_loaded = 0, num_items = 0;
    for (uint32_t i = 0; i < NUM_PACKAGES; ++i) {
        num_loaded += ct_resource_package_progress(manager, packages[i]).num_loaded;
        for (uint32_t k = 0; k < runs[i].archive->num_items; ++k)
            num_items += runs[i].archive->items[k].variant == CT_BUNDLE_ITEM_DATA;
    }
    if (num_loaded < num_items)
        fail("not all resources loaded",
             &(ct_error){.message = "the packages reach only some of them"});
    fprintf(stderr, "%u resources\n", num_items);
}

static void begin_load(void) {
    begin("bundle_load", false);
    load();
    check_online();
    unload();
}

static void begin_stream(void) {
    begin("bundle_stream", true);
    load();
    ct_resource_manager_update(manager, ++frame);
}

static void end_load(void) {
    for (uint32_t i = 0; i < NUM_PACKAGES; ++i)
        ct_archive_close(runs[i].archive);
    for (uint32_t i = 0; i < NUM_THREADS; ++i)
        ct_free(ct_bench_heap(), packed[i]);
    ct_free(ct_bench_heap(), plain);
}

static void end_stream(void) {
    unload();
    end_load();
}

static const ct_bench_case cases[] = {
    {"bundle_load", "packages until online", "read, zstd: chunks", "ms", 1.67, 0, begin_load,
     end_load, run_load, run_plainly},
    {"bundle_load_two", "packages until online", "read, zstd: two threads", "ms", 3.34, 0,
     begin_load, end_load, run_load, run_plainly_by_two},
    {"bundle_stream", "streams until there", "read, zstd: chunks", "ms", 1.67, 0, begin_stream,
     end_stream, run_stream, run_plainly},
};

const ct_bench_group ct_bench_bundle = {"bundle", cases, CT_COUNT_OF(cases)};
