#include "compiler/bundle/bundle.h"
#include "compiler/bundle/package_graph.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"
#include "resource/archive/archive_writer.h"
#include "resource/archive/bundle_archives.h"
#include "resource/archive/bundle_manifest.h"
#include "resource/blob/content_hash.h"
#include "resource/blob/platform.h"
#include "resource/data_index.h"
#include "resource/types/resource_types.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The bundle while it is written. All memory is from the temp allocator `scratch`.
typedef struct bundle {
    const ct_bundle_desc *desc;
    ct_allocator *scratch;
    const ct_resource_store *store;
    ct_bundle_archives *old; // of the bundle that a patch is for; else NULL
    const ct_bundle_manifest *old_manifest;
    const ct_catalog *catalog;
    const ct_data_index *index; // NULL: there is none, and variants have no names of their own
    uint32_t *item_of_variant;  // by variant of the catalog: position + 1 of the last item; 0: none
    ct_package_graph graph;
    ct_bundle_report *report;
    CT_ARRAY(uint64_t) index_checksums; // of the report's archives
    uint64_t catalog_hash;
} bundle;

static const ct_catalog_variant *variants_of(const ct_catalog *c) {
    return ct_blob_at(c, c->variants.offset);
}

const char *ct_bundle_item_type(const ct_bundle_report *report, const ct_bundle_item *item) {
    return ct_resource_type_of(ct_catalog_entries(report->catalog)[item->entry].id.type)->name;
}

static const char *source_platform(const bundle *b) {
    return b->desc->source_platform ? b->desc->source_platform : b->desc->platform;
}

// --- Archives ------------------------------------------------------------------------------------

// The name of a variant with its properties, which the catalog has not.
static const char *variant_name(const bundle *b, uint32_t entry, uint32_t variant) {
    const ct_resource_id id = ct_catalog_entries(b->catalog)[entry].id;
    const ct_data_index_entry *e = b->index ? ct_data_index_find(b->index, id) : NULL;
    while (e && e->id.name.value != variants_of(b->catalog)[variant].data_name.value)
        e = ct_data_index_next_variant(b->index, e);
    return e ? ct_blob_at(b->index, e->name.offset) : ct_catalog_name(b->catalog, entry);
}

// The item of a variant in the archive that is being written, which is new when it has none.
static ct_bundle_item *item_of(bundle *b, uint32_t entry, uint32_t variant) {
    const uint32_t archive = b->report->archives.count;
    uint32_t *const at = &b->item_of_variant[variant];
    if (*at == 0 || b->report->items.items[*at - 1].archive != archive) {
        const ct_bundle_item item = {.entry = entry,
                                     .variant = variant,
                                     .archive = archive,
                                     .name = variant_name(b, entry, variant)};
        ct_array_push(&b->report->items, item);
        *at = b->report->items.count;
    }
    return &b->report->items.items[*at - 1];
}

// Data or stream of a variant.
typedef struct variant_part {
    uint32_t entry, variant; // of the catalog
    uint32_t part;           // CT_BUNDLE_ITEM_…
    const void *data;
    uint64_t size_bytes;
} variant_part;

// Adds a part of a variant, unless the bundle that a patch is for has it with the same content.
static bool add_part(bundle *b, ct_archive_writer *w, const variant_part *p, ct_error *error) {
    const ct_resource_id id = {ct_catalog_entries(b->catalog)[p->entry].id.type,
                               variants_of(b->catalog)[p->variant].data_name};
    if (b->old && ct_bundle_archives_has_content(b->old, id, p->part, p->size_bytes,
                                                 ct_content_hash(p->data, p->size_bytes)))
        return true;
    item_of(b, p->entry, p->variant)->size_bytes += p->size_bytes;
    return ct_archive_writer_add(w, id, p->part, p->data, p->size_bytes, error);
}

static bool add_variant(bundle *b, ct_archive_writer *w, uint32_t entry, uint32_t variant,
                        ct_error *error) {
    const ct_resource_id id = {ct_catalog_entries(b->catalog)[entry].id.type,
                               variants_of(b->catalog)[variant].data_name};
    ct_blob_header *const blob = ct_resource_store_read(b->store, b->desc->allocator, id, error);
    if (!blob)
        return false;
    const variant_part part = {entry, variant, CT_BUNDLE_ITEM_DATA, blob, blob->size_bytes};
    const bool result = add_part(b, w, &part, error);
    ct_free(b->desc->allocator, blob);
    return result;
}

// The stream beside a variant's data, if there is one.
static bool add_stream(bundle *b, ct_archive_writer *w, uint32_t entry, uint32_t variant,
                       ct_error *error) {
    const ct_catalog_variant *const v = &variants_of(b->catalog)[variant];
    const ct_resource_id id = {ct_catalog_entries(b->catalog)[entry].id.type, v->data_name};
    if (v->stream_bytes == 0)
        return true;
    char *const stream = ct_alloc(b->desc->allocator, v->stream_bytes);
    const variant_part part = {entry, variant, CT_BUNDLE_ITEM_STREAM, stream, v->stream_bytes};
    const bool result =
        ct_resource_store_read_stream(b->store, id, 0, v->stream_bytes, stream, error) &&
        add_part(b, w, &part, error);
    ct_free(b->desc->allocator, stream);
    return result;
}

typedef bool (*add_function)(bundle *b, ct_archive_writer *w, uint32_t entry, uint32_t variant,
                             ct_error *error);

static bool add_all(bundle *b, ct_archive_writer *w, const ct_bitset *entries, add_function add,
                    ct_error *error) {
    for (uint32_t i = ct_bitset_next(entries, 0); i < entries->num_bits;
         i = ct_bitset_next(entries, i + 1)) {
        const ct_catalog_entry *const entry = &ct_catalog_entries(b->catalog)[i];
        if (b->desc->is_interrupted && b->desc->is_interrupted(b->desc->user))
            return ct_error_set(error, "interrupted");
        for (uint32_t k = 0; k < entry->num_variants; ++k)
            if (!add(b, w, i, entry->first_variant + k, error))
                return false;
    }
    return true;
}

// Streams come last, so that a package is read from one run of the file.
static bool add_entries(bundle *b, ct_archive_writer *w, const ct_bitset *entries,
                        ct_error *error) {
    return add_all(b, w, entries, add_variant, error) && add_all(b, w, entries, add_stream, error);
}

// How many resources the archive has, which stand last among the items.
static uint32_t count_resources(const bundle *b, uint32_t archive) {
    uint32_t count = 0;
    ct_bitset is_counted;
    ct_bitset_init(&is_counted, b->scratch);
    ct_bitset_resize(&is_counted, b->catalog->entries.count);
    for (uint32_t i = b->report->items.count; i > 0; --i) {
        const ct_bundle_item *const item = &b->report->items.items[i - 1];
        if (item->archive != archive)
            break;
        count += !ct_bitset_test(&is_counted, item->entry);
        ct_bitset_set(&is_counted, item->entry);
    }
    return count;
}

// Notes what was written: the last archive of the report.
static bool note_archive(bundle *b, const char *path, ct_error *error) {
    ct_bundle_archive_report *const r = &b->report->archives.items[b->report->archives.count - 1];
    ct_archive *const archive = ct_archive_open(b->desc->allocator, path, b->desc->platform, error);
    if (!archive)
        return false;
    const ct_file_info info = ct_os_file_info(path);
    r->packed_bytes = info.size_bytes;
    for (uint32_t i = 0; i < archive->num_items; ++i)
        r->size_bytes += archive->items[i].size_bytes;
    r->num_resources = count_resources(b, b->report->archives.count - 1);
    ct_array_push(&b->index_checksums, archive->index_checksum);
    ct_archive_close(archive);
    return true;
}

static bool write_archive(bundle *b, const char *package, const char *file,
                          const ct_bitset *entries, ct_error *error) {
    char path[CT_PATH_BYTES];
    if (!ct_path_try_join(path, b->desc->target_folder, file))
        return ct_error_set(error, "the path %s/%s is too long", b->desc->target_folder, file);
    const ct_archive_writer_desc desc = {
        .path = path,
        .platform = b->desc->platform,
        .order = ct_platform_named(b->desc->platform)->byte_order,
    };
    ct_archive_writer *const w = ct_archive_writer_create(b->desc->allocator, &desc, error);
    const bool is_written =
        w && add_entries(b, w, entries, error) && ct_archive_writer_finish(w, error);
    ct_archive_writer_destroy(w);
    if (!is_written)
        return false;
    const ct_bundle_archive_report r = {.package = package,
                                        .file = ct_copy_string(b->scratch, file)};
    ct_array_push(&b->report->archives, r);
    return note_archive(b, path, error);
}

static bool write_packages(bundle *b, ct_error *error) {
    if (!write_archive(b, "", CT_BUNDLE_BASE_FILE, &b->graph.base, error))
        return false;
    for (uint32_t i = 0; i < b->graph.packages.count; ++i) {
        const ct_package_node *const p = &b->graph.packages.items[i];
        char file[64];
        snprintf(file, sizeof(file), "%016" PRIx64 ".archive",
                 ct_catalog_entries(b->catalog)[p->entry].id.name.value);
        if (p->archive != 0 && !write_archive(b, p->name, file, &p->archived, error))
            return false;
    }
    return true;
}

// All that the old bundle has not, or has otherwise, in one archive; none when there is nothing.
static bool write_patch(bundle *b, ct_error *error) {
    ct_bitset all;
    ct_bitset_init(&all, b->scratch);
    ct_bitset_or(&all, &b->graph.base);
    for (uint32_t i = 0; i < b->graph.packages.count; ++i)
        ct_bitset_or(&all, &b->graph.packages.items[i].archived);
    char file[64], path[CT_PATH_BYTES];
    snprintf(file, sizeof(file), "patch_%04u.archive", b->old_manifest->num_patches + 1);
    if (!write_archive(b, "", file, &all, error))
        return false;
    if (b->report->archives.items[0].num_resources > 0)
        return true;
    b->report->archives.count = b->index_checksums.count = 0;
    ct_path_join(path, b->desc->target_folder, file);
    return ct_os_file_remove(path, error);
}

// --- Catalog and manifest ------------------------------------------------------------------------

static bool write_blob(const bundle *b, const char *file, ct_blob_writer *w, ct_error *error) {
    char path[CT_PATH_BYTES];
    ct_blob_writer_finish(w);
    return (ct_path_try_join(path, b->desc->target_folder, file) ||
            ct_error_set(error, "the path %s/%s is too long", b->desc->target_folder, file)) &&
           ct_file_write(path, w->bytes.items, w->bytes.count, true, error);
}

// The catalog up to its names, which stand last.
static bool write_catalog(bundle *b, ct_error *error) {
    const ct_catalog *const c = b->catalog;
    ct_blob_writer w;
    ct_blob_writer_init(&w, b->scratch, CT_BYTE_ORDER_LITTLE, CT_CATALOG_TYPE, CT_CATALOG_VERSION);
    CT_ASSERT(c->types.offset > c->references.offset, "the catalog's names come last");
    ct_blob_write_bytes(&w, &c->header + 1, c->types.offset - sizeof(c->header));
    ct_blob_patch_array(&w, offsetof(ct_catalog, types), 0, 0);
    ct_blob_patch_array(&w, offsetof(ct_catalog, names), 0, 0);
    if (!write_blob(b, CT_CATALOG_FILE, &w, error))
        return false;
    b->catalog_hash = ct_content_hash(w.bytes.items, w.bytes.count);
    b->report->catalog_bytes = w.bytes.count;
    return true;
}

static void write_archive_field(ct_blob_writer *w, uint64_t checksum) {
    ct_blob_write_array_field(w); // file
    ct_blob_write_u64(w, checksum);
}

static void patch_files(const bundle *b, ct_blob_writer *w, uint32_t first, uint32_t num_new) {
    const uint32_t num_old = b->old_manifest ? b->old_manifest->archives.count : 0;
    for (uint32_t i = 0; i < num_new + num_old; ++i) {
        const char *file;
        if (i < num_new) {
            file = b->report->archives.items[i].file;
        } else {
            const ct_bundle_archive *const old =
                ct_blob_at(b->old_manifest, b->old_manifest->archives.offset);
            file = ct_blob_at(b->old_manifest, old[i - num_new].file.offset);
        }
        ct_blob_patch_string(w, first + i * (uint32_t)sizeof(ct_bundle_archive), file,
                             (uint32_t)strlen(file));
    }
}

static bool write_manifest(const bundle *b, ct_error *error) {
    const uint32_t num_new = b->report->archives.count;
    const uint32_t num_old = b->old_manifest ? b->old_manifest->archives.count : 0;
    ct_blob_writer w;
    ct_blob_writer_init(&w, b->scratch, CT_BYTE_ORDER_LITTLE, CT_BUNDLE_TYPE, CT_BUNDLE_VERSION);
    ct_blob_write_u64(&w, b->catalog_hash);
    const uint32_t platform = ct_blob_write_array_field(&w);
    const uint32_t archives = ct_blob_write_array_field(&w);
    ct_blob_write_u32(&w, b->old_manifest ? b->old_manifest->num_patches + num_new : 0);
    const uint32_t source = ct_blob_writer_offset(&w);
    ct_blob_write_u32(&w, 0);
    ct_blob_writer_align(&w, 8);
    const uint32_t first = ct_blob_writer_offset(&w);
    ct_blob_patch_array(&w, archives, first, num_new + num_old);
    for (uint32_t i = 0; i < num_new; ++i)
        write_archive_field(&w, b->index_checksums.items[i]);
    for (uint32_t i = 0; i < num_old; ++i)
        write_archive_field(&w, ((const ct_bundle_archive *)ct_blob_at(
                                    b->old_manifest, b->old_manifest->archives.offset))[i]
                                    .index_checksum);
    patch_files(b, &w, first, num_new);
    ct_blob_patch_string(&w, platform, b->desc->platform, (uint32_t)strlen(b->desc->platform));
    if (strcmp(source_platform(b), b->desc->platform) != 0) {
        ct_blob_patch_u32(&w, source, ct_blob_writer_offset(&w));
        ct_blob_write_bytes(&w, source_platform(b), (uint32_t)strlen(source_platform(b)) + 1);
    }
    return write_blob(b, CT_BUNDLE_FILE, &w, error);
}

// --- Report --------------------------------------------------------------------------------------

// Archives stand in the report by their numbers.
static void tell_overlaps(bundle *b) {
    ct_package_overlap_array overlaps;
    ct_array_init(&overlaps, b->scratch);
    ct_package_graph_overlaps(&b->graph, &overlaps);
    for (uint32_t i = 0; i < overlaps.count; ++i) {
        const ct_package_overlap *const o = &overlaps.items[i];
        const ct_bundle_overlap overlap = {{b->graph.packages.items[o->packages[0]].archive,
                                            b->graph.packages.items[o->packages[1]].archive},
                                           o->num_resources,
                                           o->size_bytes};
        ct_array_push(&b->report->overlaps, overlap);
    }
}

static uint32_t count_left_out(bundle *b) {
    ct_u32_array entries;
    ct_array_init(&entries, b->scratch);
    ct_package_graph_unreached(&b->graph, &entries);
    return entries.count;
}

// --- All -----------------------------------------------------------------------------------------

// Variants for one platform would stand beside what is left of those for another.
static bool check_source_platform(const bundle *b, ct_error *error) {
    const char *const found = ct_bundle_source_platform(b->old_manifest);
    char path[CT_PATH_BYTES];
    if (strcmp(found, source_platform(b)) == 0)
        return true;
    ct_path_join(path, b->desc->against, CT_BUNDLE_FILE);
    return ct_error_set_at(
        error, path, 0, 0,
        "the bundle is refused: its source platform is \"%.64s\", expected \"%.64s\"", found,
        source_platform(b));
}

static bool open_old(bundle *b, ct_error *error) {
    if (!b->desc->against)
        return true;
    b->old =
        ct_bundle_archives_open(b->desc->allocator, b->desc->against, b->desc->platform, error);
    b->old_manifest = b->old ? ct_bundle_archives_manifest(b->old) : NULL;
    return b->old && check_source_platform(b, error);
}

static bool write_all(bundle *b, ct_error *error) {
    if (!ct_package_graph_make(&b->graph, b->scratch, b->store, b->catalog, error) ||
        !ct_package_graph_check_start(&b->graph, error) || !open_old(b, error))
        return false;
    b->item_of_variant = CT_NEW_ARRAY(b->scratch, uint32_t, b->catalog->variants.count + 1);
    b->index = ct_data_index_read(b->scratch, b->desc->data_folder, NULL);
    b->report->num_left_out = count_left_out(b);
    if (!(b->old ? write_patch(b, error) : write_packages(b, error)) || !write_catalog(b, error) ||
        !write_manifest(b, error))
        return false;
    if (!b->old)
        tell_overlaps(b);
    return true;
}

bool ct_bundle_write(const ct_bundle_desc *desc, ct_allocator *scratch, ct_bundle_report *report,
                     ct_error *error) {
    *report = (ct_bundle_report){0};
    ct_array_init(&report->archives, scratch);
    ct_array_init(&report->items, scratch);
    ct_array_init(&report->overlaps, scratch);
    ct_resource_store *const store =
        ct_resource_store_open_folder(desc->allocator, desc->data_folder);
    bundle b = {.desc = desc, .scratch = scratch, .store = store, .report = report};
    ct_array_init(&b.index_checksums, scratch);
    report->catalog = b.catalog = ct_resource_store_read_catalog(store, scratch, error);
    const bool result = b.catalog && write_all(&b, error);
    if (b.old)
        ct_bundle_archives_close(b.old);
    ct_resource_store_close(store);
    return result;
}
