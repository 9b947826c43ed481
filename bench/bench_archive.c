// bench_archive.c: an archive of 10,000 resources, as a package of a game has them.
//
// 8,000 units and levels of 500 to 1,500 bytes (numbers and repeated structs), 1,500 materials of
// 300 to 500 bytes, 500 textures of 16 KiB (gradients with noise in the low bits): 16 MB, seed 1.
//
// archive_load: opens the archive, reads every item in its order to a block of its own, and frees
// the blocks. The peers read a file from the page cache with plain `read` and unpack it with zstd
// alone to memory that is there already: the same bytes as one frame of the same level, and the
// archive's own chunks.
// archive_find: each of the 10,000 once, in random order, beside a hit of ct_hash_map of 64-bit
// keys, which gets the same keys. Both read where the item lies.
#include <stdio.h>
#include <string.h>

#include <zstd.h>

#include "bench.h"
#include "foundation/container/hash_map.h"
#include "foundation/error.h"
#include "foundation/math/random.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "resource/archive/archive_reader.h"
#include "resource/archive/archive_writer.h"

enum { NUM_UNITS = 8000, NUM_MATERIALS = 1500, NUM_TEXTURES = 500, NUM_ITEMS = 10000 };
enum { TEXTURE_SIDE = 64, TEXTURE_BYTES = 4 * TEXTURE_SIDE * TEXTURE_SIDE };

static char folder[CT_PATH_BYTES], archive_path[CT_PATH_BYTES], frame_path[CT_PATH_BYTES];
static uint8_t *plain; // all items end to end
static uint64_t plain_bytes;
static uint8_t *packed; // what the peers read
static uint64_t packed_capacity;
static uint64_t first_chunk_at; // in the archive
static ct_archive *archive;
static ct_hash_map map;
static ct_resource_id *ids;        // in the order of the lookups
static ct_archive_item *locations; // of the map's values
static void *blocks[NUM_ITEMS];

static void fail(const char *what, const ct_error *error) {
    fprintf(stderr, "bench_archive: %s: %s\n", what, error->message);
    ct_assert_failed(__FILE__, __LINE__, what, "%s", error->message);
}

// --- The resources -------------------------------------------------------------------------------

// Structs of 48 bytes that share most of their fields, with a few numbers of their own.
static uint32_t fill_structs(ct_random *random, uint8_t *data, uint32_t size_bytes) {
    memset(data, 0, size_bytes);
    for (uint32_t at = 0; at + 48 <= size_bytes; at += 48) {
        const uint64_t type = UINT64_C(0x9e3779b97f4a7c15) * (1 + ct_random_u32(random) % 12);
        memcpy(data + at, &type, 8);
        for (uint32_t i = 0; i < 3; ++i) {
            const float position = (float)(ct_random_u32(random) % 4000) * 0.125f;
            memcpy(data + at + 16 + 4 * i, &position, 4);
        }
        data[at + 40] = (uint8_t)(at / 48);
    }
    return size_bytes;
}

static uint32_t fill_texture(ct_random *random, uint8_t *data) {
    const uint32_t base = ct_random_u32(random);
    for (uint32_t i = 0; i < TEXTURE_SIDE * TEXTURE_SIDE; ++i) {
        const uint32_t noise = ct_random_u32(random);
        for (uint32_t c = 0; c < 3; ++c)
            data[4 * i + c] = (uint8_t)((base >> 8 * c) + (i % TEXTURE_SIDE) * (c + 1) +
                                        i / TEXTURE_SIDE + (noise >> 8 * c & 3));
        data[4 * i + 3] = 255;
    }
    return TEXTURE_BYTES;
}

static uint32_t fill_item(ct_random *random, uint32_t i, uint8_t *data) {
    if (i < NUM_TEXTURES)
        return fill_texture(random, data);
    if (i < NUM_TEXTURES + NUM_MATERIALS)
        return fill_structs(random, data, 300 + ct_random_u32(random) % 200);
    return fill_structs(random, data, 500 + ct_random_u32(random) % 1000);
}

static ct_resource_id item_id(uint32_t i) {
    char name[64];
    snprintf(name, sizeof(name), "things/thing_%u", i);
    return ct_resource_id_of(i < NUM_TEXTURES                   ? "texture"
                             : i < NUM_TEXTURES + NUM_MATERIALS ? "material"
                                                                : "unit",
                             name);
}

// Fills `plain` and writes the archive.
static void write_archive(void) {
    ct_error error = {0};
    const ct_archive_writer_desc desc = {.path = archive_path, .platform = "linux"};
    ct_archive_writer *const w = ct_archive_writer_create(ct_bench_heap(), &desc, &error);
    if (!w)
        fail("cannot write the archive", &error);
    ct_random random = ct_random_seeded(1, 0);
    plain_bytes = 0;
    for (uint32_t i = 0; i < NUM_ITEMS; ++i) {
        const uint32_t size = fill_item(&random, i, plain + plain_bytes);
        if (!ct_archive_writer_add(w, item_id(i), 0, plain + plain_bytes, size, &error))
            fail("cannot write the archive", &error);
        plain_bytes += size;
    }
    if (!ct_archive_writer_finish(w, &error))
        fail("cannot write the archive", &error);
    ct_archive_writer_destroy(w);
}

static ct_archive *open_archive(void) {
    ct_error error = {0};
    ct_archive *const opened = ct_archive_open(ct_bench_heap(), archive_path, "linux", &error);
    if (!opened)
        fail("cannot open the archive", &error);
    return opened;
}

// --- Loading -------------------------------------------------------------------------------------

static void begin_load(void) {
    ct_error error = {0};
    ct_os_executable_path(folder);
    ct_path_folder(folder, folder);
    ct_path_join(archive_path, folder, ".bench.archive");
    ct_path_join(frame_path, folder, ".bench.zst");
    plain = ct_alloc(ct_bench_heap(), (uint64_t)NUM_ITEMS * 1500 + NUM_TEXTURES * TEXTURE_BYTES);
    write_archive();
    packed_capacity = ZSTD_compressBound(plain_bytes);
    packed = ct_alloc(ct_bench_heap(), packed_capacity);
    const size_t frame_bytes =
        ZSTD_compress(packed, packed_capacity, plain, plain_bytes, CT_ARCHIVE_LEVEL);
    if (!ct_file_write(frame_path, packed, frame_bytes, false, &error))
        fail("cannot write the frame", &error);
    archive = open_archive();
    first_chunk_at = archive->chunks[0].file_offset;
}

static void end_load(void) {
    ct_archive_close(archive);
    ct_free(ct_bench_heap(), plain);
    ct_free(ct_bench_heap(), packed);
    ct_os_file_remove(archive_path, NULL);
    ct_os_file_remove(frame_path, NULL);
}

static double run_load(void) {
    const double start_ns = ct_bench_now_ns();
    ct_allocator *const a = ct_bench_heap();
    ct_archive *const loaded = open_archive();
    ct_archive_reader *const reader = ct_archive_reader_create(a, loaded);
    ct_error error = {0};
    for (uint32_t i = 0; i < loaded->num_items; ++i) {
        blocks[i] = ct_archive_read_item(reader, &loaded->items[i], a, &error);
        if (!blocks[i])
            fail("cannot read an item", &error);
    }
    ct_archive_reader_destroy(reader);
    ct_archive_close(loaded);
    for (uint32_t i = 0; i < NUM_ITEMS; ++i)
        ct_free(a, blocks[i]);
    return (ct_bench_now_ns() - start_ns) / 1e6;
}

static uint64_t read_file(const char *path) {
    ct_error error = {0};
    const int file = ct_os_file_open_read(path, &error);
    if (file < 0)
        fail("cannot open the file", &error);
    uint64_t count = 0;
    int64_t got;
    while ((got = ct_os_file_read(file, packed + count, packed_capacity - count)) > 0)
        count += (uint64_t)got;
    ct_os_file_close(file);
    return count;
}

static double run_frame(void) {
    const double start_ns = ct_bench_now_ns();
    const uint64_t count = read_file(frame_path);
    ct_bench_use(ZSTD_decompress(plain, plain_bytes, packed, count));
    return (ct_bench_now_ns() - start_ns) / 1e6;
}

static double run_chunks(void) {
    const double start_ns = ct_bench_now_ns();
    read_file(archive_path);
    for (uint32_t i = 0; i < archive->num_chunks; ++i) {
        const ct_archive_chunk *const c = &archive->chunks[i];
        ct_bench_use(ZSTD_decompress(plain + c->data_offset, c->data_bytes, packed + c->file_offset,
                                     c->packed_bytes));
    }
    return (ct_bench_now_ns() - start_ns) / 1e6;
}

// --- Finding -------------------------------------------------------------------------------------

static void begin_find(void) {
    begin_load();
    ct_allocator *const a = ct_bench_heap();
    uint32_t *const order = CT_NEW_ARRAY(a, uint32_t, NUM_ITEMS);
    ids = CT_NEW_ARRAY(a, ct_resource_id, NUM_ITEMS);
    locations = CT_NEW_ARRAY(a, ct_archive_item, NUM_ITEMS);
    ct_random random = ct_random_seeded(2, 0);
    ct_random_permutation(&random, order, NUM_ITEMS);
    ct_hash_map_init(&map, a);
    for (uint32_t i = 0; i < NUM_ITEMS; ++i) {
        ids[i] = item_id(order[i]);
        locations[i] = archive->items[i];
        ct_hash_map_set(&map, ct_resource_id_key(item_id(i)), i);
    }
    ct_free(a, order);
}

static void end_find(void) {
    ct_free(ct_bench_heap(), ids);
    ct_free(ct_bench_heap(), locations);
    ct_hash_map_free(&map);
    end_load();
}

enum { NUM_ROUNDS = 20 };

static double run_find(void) {
    const double start_ns = ct_bench_now_ns();
    uint64_t sum = 0;
    for (uint32_t round = 0; round < NUM_ROUNDS; ++round) {
        for (uint32_t i = 0; i < NUM_ITEMS; ++i)
            sum += ct_archive_find(archive, ids[i], 0)->data_offset;
    }
    ct_bench_use(sum);
    return (ct_bench_now_ns() - start_ns) / (NUM_ROUNDS * NUM_ITEMS);
}

static double run_map(void) {
    const double start_ns = ct_bench_now_ns();
    uint64_t sum = 0;
    for (uint32_t round = 0; round < NUM_ROUNDS; ++round) {
        for (uint32_t i = 0; i < NUM_ITEMS; ++i)
            sum += locations[ct_hash_map_get(&map, ct_resource_id_key(ids[i]), 0)].data_offset;
    }
    ct_bench_use(sum);
    return (ct_bench_now_ns() - start_ns) / (NUM_ROUNDS * NUM_ITEMS);
}

static double run_map_alone(void) {
    const double start_ns = ct_bench_now_ns();
    uint64_t sum = 0;
    for (uint32_t round = 0; round < NUM_ROUNDS; ++round) {
        for (uint32_t i = 0; i < NUM_ITEMS; ++i)
            sum += ct_hash_map_get(&map, ct_resource_id_key(ids[i]), 0);
    }
    ct_bench_use(sum);
    return (ct_bench_now_ns() - start_ns) / (NUM_ROUNDS * NUM_ITEMS);
}

static const ct_bench_case cases[] = {
    {"archive_load", "open, read, free", "read, zstd: one frame", "ms", 1.67, 0, begin_load,
     end_load, run_load, run_frame},
    {"archive_load", "open, read, free", "read, zstd: chunks", "ms", 1.67, 0, begin_load, end_load,
     run_load, run_chunks},
    {"archive_find", "find, where it lies", "hash map, where it lies", "ns", 1.5, 0, begin_find,
     end_find, run_find, run_map},
    {"archive_find", "find, where it lies", "hash map", "ns", 1.5, 0, begin_find, end_find,
     run_find, run_map_alone},
};

const ct_bench_group ct_bench_archive = {"archive", cases, CT_COUNT_OF(cases)};
