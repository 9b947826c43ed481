#include "cli/bundle/bundle_print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/size_text.h"
#include "foundation/container/bitset.h"
#include "foundation/sjson/sjson_writer.h"
#include "foundation/string/string_builder.h"
#include "resource/catalog.h"

enum { NUM_LARGEST = 20, MAX_TYPES = 64 };

typedef struct type_size {
    const char *type;
    uint32_t num_resources; // each once, in how many variants and archives it may be
    uint64_t size_bytes;
} type_size;

typedef struct size_tables {
    type_size types[MAX_TYPES];
    uint32_t num_types;
    ct_bundle_item *largest; // all items, largest first
    uint64_t size_bytes, packed_bytes;
} size_tables;

// --- Sums ----------------------------------------------------------------------------------------

static void add_type(size_tables *t, const char *type, uint64_t size_bytes, bool is_new) {
    uint32_t i = 0;
    while (i < t->num_types && strcmp(t->types[i].type, type) != 0)
        ++i;
    if (i == MAX_TYPES)
        return;
    if (i == t->num_types)
        t->types[t->num_types++] = (type_size){.type = type};
    t->types[i].num_resources += is_new;
    t->types[i].size_bytes += size_bytes;
}

static int compare_types(const void *a, const void *b) {
    const type_size *x = a, *y = b;
    if (x->size_bytes != y->size_bytes)
        return x->size_bytes > y->size_bytes ? -1 : 1;
    return strcmp(x->type, y->type);
}

static int compare_items(const void *a, const void *b) {
    const ct_bundle_item *x = a, *y = b;
    if (x->size_bytes != y->size_bytes)
        return x->size_bytes > y->size_bytes ? -1 : 1;
    if (x->variant != y->variant)
        return x->variant < y->variant ? -1 : 1;
    return x->archive < y->archive ? -1 : x->archive > y->archive;
}

// Free t->largest.
static void make_tables(ct_allocator *a, const ct_bundle_report *report, size_tables *t) {
    *t = (size_tables){0};
    t->largest = CT_NEW_ARRAY(a, ct_bundle_item, report->items.count + 1);
    ct_bitset is_counted; // by entry of the catalog
    ct_bitset_init(&is_counted, a);
    ct_bitset_resize(&is_counted, report->catalog->entries.count);
    for (uint32_t i = 0; i < report->items.count; ++i) {
        const ct_bundle_item *const item = &report->items.items[i];
        t->largest[i] = *item;
        add_type(t, ct_bundle_item_type(report, item), item->size_bytes,
                 !ct_bitset_test(&is_counted, item->entry));
        ct_bitset_set(&is_counted, item->entry);
    }
    ct_bitset_free(&is_counted);
    for (uint32_t i = 0; i < report->archives.count; ++i) {
        t->size_bytes += report->archives.items[i].size_bytes;
        t->packed_bytes += report->archives.items[i].packed_bytes;
    }
    qsort(t->types, t->num_types, sizeof(*t->types), compare_types);
    qsort(t->largest, report->items.count, sizeof(*t->largest), compare_items);
}

static uint32_t num_largest(const ct_bundle_report *report) {
    return report->items.count < NUM_LARGEST ? report->items.count : NUM_LARGEST;
}

// --- For people ----------------------------------------------------------------------------------

static const char *package_text(const ct_bundle_report *report, uint32_t archive) {
    const ct_bundle_archive_report *const a = &report->archives.items[archive];
    return a->package[0] != '\0' ? a->package : a->file;
}

static void print_overlaps(const ct_bundle_report *report) {
    if (report->overlaps.count > 0)
        printf("\nIn the archives of both packages, because neither depends on the other:\n");
    for (uint32_t i = 0; i < report->overlaps.count; ++i) {
        const ct_bundle_overlap *const o = &report->overlaps.items[i];
        printf("  %s, %s: %u resource%s, %s\n", package_text(report, o->archives[0]),
               package_text(report, o->archives[1]), o->num_resources,
               o->num_resources == 1 ? "" : "s", ct_size_text_of(o->size_bytes).text);
    }
}

static void print_tables(const ct_bundle_report *report, const size_tables *t) {
    printf("%-32s %9s %12s %12s\n", "package", "resources", "size", "packed");
    for (uint32_t i = 0; i < report->archives.count; ++i) {
        const ct_bundle_archive_report *const r = &report->archives.items[i];
        printf("%-32s %9u %12s %12s\n", package_text(report, i), r->num_resources,
               ct_size_text_of(r->size_bytes).text, ct_size_text_of(r->packed_bytes).text);
    }
    printf("\n%-32s %9s %12s\n", "type", "resources", "size");
    for (uint32_t i = 0; i < t->num_types; ++i)
        printf("%-32s %9u %12s\n", t->types[i].type, t->types[i].num_resources,
               ct_size_text_of(t->types[i].size_bytes).text);
    printf("\nlargest\n");
    for (uint32_t i = 0; i < num_largest(report); ++i)
        printf("%12s  %s.%s in %s\n", ct_size_text_of(t->largest[i].size_bytes).text,
               t->largest[i].name, ct_bundle_item_type(report, &t->largest[i]),
               package_text(report, t->largest[i].archive));
    print_overlaps(report);
}

void ct_bundle_print(ct_allocator *a, const ct_bundle_report *report, const char *folder) {
    size_tables t;
    make_tables(a, report, &t);
    if (report->archives.count > 0)
        print_tables(report, &t);
    else // of a patch; a bundle has at least one
        printf("no resource is new or changed: the patch has only a catalog and a manifest\n");
    if (report->num_left_out > 0)
        printf("\n%u resource%s in no package %s left out (`cuttle packages` lists them)\n",
               report->num_left_out, report->num_left_out == 1 ? "" : "s",
               report->num_left_out == 1 ? "is" : "are");
    printf("\n%s: %s of data, packed to %s\n", folder, ct_size_text_of(t.size_bytes).text,
           ct_size_text_of(t.packed_bytes + report->catalog_bytes).text);
    ct_free(a, t.largest);
}

// --- For tools -----------------------------------------------------------------------------------

static void write_archives(ct_sjson_writer *w, const ct_bundle_report *report) {
    ct_sjson_write_key(w, "archives");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < report->archives.count; ++i) {
        const ct_bundle_archive_report *const r = &report->archives.items[i];
        ct_sjson_begin_object(w);
        ct_sjson_member_string(w, "package", r->package);
        ct_sjson_member_string(w, "file", r->file);
        ct_sjson_member_number(w, "resources", r->num_resources);
        ct_sjson_member_number(w, "bytes", (double)r->size_bytes);
        ct_sjson_member_number(w, "packed_bytes", (double)r->packed_bytes);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

static void write_types(ct_sjson_writer *w, const size_tables *t) {
    ct_sjson_write_key(w, "types");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < t->num_types; ++i) {
        ct_sjson_begin_object(w);
        ct_sjson_member_string(w, "type", t->types[i].type);
        ct_sjson_member_number(w, "resources", t->types[i].num_resources);
        ct_sjson_member_number(w, "bytes", (double)t->types[i].size_bytes);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

static void write_largest(ct_sjson_writer *w, const ct_bundle_report *report,
                          const size_tables *t) {
    ct_sjson_write_key(w, "largest");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < num_largest(report); ++i) {
        const ct_bundle_item *const item = &t->largest[i];
        ct_sjson_begin_object(w);
        ct_sjson_member_string(w, "type", ct_bundle_item_type(report, item));
        ct_sjson_member_string(w, "name", item->name);
        ct_sjson_member_string(w, "package", report->archives.items[item->archive].package);
        ct_sjson_member_number(w, "bytes", (double)item->size_bytes);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

static void write_overlaps(ct_sjson_writer *w, const ct_bundle_report *report) {
    ct_sjson_write_key(w, "overlaps");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < report->overlaps.count; ++i) {
        const ct_bundle_overlap *const o = &report->overlaps.items[i];
        ct_sjson_begin_object(w);
        ct_sjson_write_key(w, "packages");
        ct_sjson_begin_array(w);
        ct_sjson_write_string(w, report->archives.items[o->archives[0]].package);
        ct_sjson_write_string(w, report->archives.items[o->archives[1]].package);
        ct_sjson_end_array(w);
        ct_sjson_member_number(w, "resources", o->num_resources);
        ct_sjson_member_number(w, "bytes", (double)o->size_bytes);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

void ct_bundle_print_json(ct_allocator *a, const ct_bundle_report *report, const char *folder) {
    size_tables t;
    make_tables(a, report, &t);
    ct_string_builder text;
    ct_string_builder_init(&text, a);
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, &text, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_member_string(&w, "folder", folder);
    ct_sjson_member_number(&w, "bytes", (double)t.size_bytes);
    ct_sjson_member_number(&w, "packed_bytes", (double)(t.packed_bytes + report->catalog_bytes));
    ct_sjson_member_number(&w, "left_out", report->num_left_out);
    write_archives(&w, report);
    write_types(&w, &t);
    write_largest(&w, report, &t);
    write_overlaps(&w, report);
    ct_sjson_write_key(&w, "errors"); // a refused one has them
    ct_sjson_begin_array(&w);
    ct_sjson_end_array(&w);
    ct_sjson_end_object(&w);
    puts(ct_string_builder_text(&text));
    ct_string_builder_free(&text);
    ct_free(a, t.largest);
}
