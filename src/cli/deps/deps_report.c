#include "cli/deps/deps_report.h"

#include <stdio.h>
#include <string.h>

#include "cli/project_compile.h"
#include "foundation/error.h"
#include "foundation/sjson/sjson_writer.h"
#include "foundation/string/string_builder.h"
#include "foundation/string/utf8.h"

// A guess looks at every name there is: of more than this many none is made.
enum { MAX_GUESSES = 50 };

static const ct_reference_mention *mention_at(const ct_deps_report *r, uint32_t i) {
    return &ct_reference_mentions(r->graph->index)[i];
}

static const char *path_of(const ct_deps_report *r, uint32_t file) {
    return ct_reference_text(r->graph->index, ct_reference_files(r->graph->index)[file].path);
}

static const char *name_of(const ct_deps_report *r, const ct_reference_mention *m) {
    return ct_reference_text(r->graph->index, m->name);
}

// What a mention names, for people: "texture", "media".
static const char *kind_text(const ct_reference_mention *m) {
    const ct_resource_type *const type = ct_reference_type(m);
    return type ? type->name : m->kind == CT_MENTION_KIND_MEDIA ? "media" : "text";
}

static const char *guess(const ct_deps_report *r, uint32_t place, const ct_reference_mention *m) {
    return place < MAX_GUESSES ? ct_reference_graph_meant(r->graph, m) : NULL;
}

// --- Text ----------------------------------------------------------------------------------------

void ct_deps_mention_text(const ct_deps_report *report, uint32_t file, uint32_t mention, char *text,
                          size_t bytes) {
    const ct_reference_mention *const m = mention_at(report, mention);
    ct_error place;
    char name[CT_PATH_BYTES];
    ct_utf8_write_printable(name, sizeof(name), name_of(report, m));
    ct_error_set_at(&place, path_of(report, file), m->line, m->column, "%s", "");
    ct_project_error_path(&place, report->project);
    snprintf(text, bytes, "%s:%u:%u: %s \"%s\"", place.file, m->line, m->column, kind_text(m),
             name);
}

static void print_missing(const ct_deps_report *r) {
    for (uint32_t i = 0; i < r->graph->missing.count; ++i) {
        const ct_reference_missing *const missing = &r->graph->missing.items[i];
        const char *const meant = guess(r, i, mention_at(r, missing->mention));
        char text[2 * CT_PATH_BYTES];
        ct_deps_mention_text(r, missing->file, missing->mention, text, sizeof(text));
        printf("%s is missing%s%s%s\n", text, meant ? " (did you mean \"" : "", meant ? meant : "",
               meant ? "\"?)" : "");
    }
}

static void print_nodes(const ct_deps_report *r, const char *heading, const ct_u32_array *nodes) {
    if (nodes->count > 0)
        printf("%s:\n", heading);
    for (uint32_t i = 0; i < nodes->count; ++i) {
        char text[CT_PATH_BYTES];
        ct_reference_node_text(&r->graph->nodes.items[nodes->items[i]], text);
        printf("  %s\n", text);
    }
}

// What nothing refers to at all comes first: with it goes the rest, unless that is a circle.
static void print_unused(const ct_deps_report *r) {
    ct_u32_array roots, others;
    ct_array_init(&roots, r->graph->allocator);
    ct_array_init(&others, r->graph->allocator);
    for (uint32_t i = 0; i < r->reach.dangling.count; ++i) {
        const uint32_t node = r->reach.dangling.items[i];
        const bool is_root = r->graph->first_in[node] == r->graph->first_in[node + 1];
        ct_array_push(is_root ? &roots : &others, node);
    }
    print_nodes(r, "nothing uses", &roots);
    print_nodes(r, "used only by what nothing uses", &others);
}

static void print_dangling(const ct_deps_report *r) {
    print_unused(r);
    print_nodes(r, "matched only by a package's wildcard", &r->reach.only_wildcards);
    print_nodes(r, "not named by any source, but shipped by bundles", &r->reach.unnamed_packages);
    print_nodes(r, "not named by any source", &r->reach.unnamed_media);
}

static void print_edge(const ct_deps_report *r, uint32_t file, uint32_t mention,
                       const ct_reference_node *to) {
    const uint32_t kind = mention_at(r, mention)->kind;
    char text[2 * CT_PATH_BYTES], target[CT_PATH_BYTES] = "";
    if (to)
        ct_reference_node_text(to, target);
    ct_deps_mention_text(r, file, mention, text, sizeof(text));
    printf("%s", text);
    if (!to)
        printf(" (missing)");
    else if (kind == CT_MENTION_KIND_PATTERN)
        printf(" (a wildcard that matches %s)", target);
    else if (kind == CT_MENTION_KIND_LIKELY)
        printf(" (likely %s)", target);
    printf("\n");
}

// --- Edges of what was selected ------------------------------------------------------------------

typedef struct edge_visitor {
    void (*visit)(void *user, uint32_t file, uint32_t mention, const ct_reference_node *to);
    void *user;
} edge_visitor;

static void visit_missing_of(const ct_deps_report *r, uint32_t file, const edge_visitor *v) {
    for (uint32_t i = 0; i < r->graph->missing.count; ++i) {
        const ct_reference_missing *const missing = &r->graph->missing.items[i];
        if (missing->file == file)
            v->visit(v->user, file, missing->mention, NULL);
    }
}

static void visit_out_of(const ct_deps_report *r, uint32_t node, const edge_visitor *v) {
    const ct_reference_graph *const g = r->graph;
    for (uint32_t f = g->nodes.items[node].first_file + 1; f > 0; f = g->next_variant[f - 1]) {
        for (uint32_t e = g->first_edge[f - 1]; e < g->first_edge[f]; ++e)
            v->visit(v->user, f - 1, g->edges.items[e].mention,
                     &g->nodes.items[g->edges.items[e].to]);
        visit_missing_of(r, f - 1, v);
    }
}

static void visit_in_of(const ct_deps_report *r, uint32_t node, const edge_visitor *v) {
    const ct_reference_graph *const g = r->graph;
    for (uint32_t i = g->first_in[node]; i < g->first_in[node + 1]; ++i) {
        const ct_reference_edge *const e = &g->edges.items[g->in_edges[i]];
        v->visit(v->user, e->file, e->mention, &g->nodes.items[e->to]);
    }
}

static void visit_selected(const ct_deps_report *r, const edge_visitor *v) {
    for (uint32_t i = 0; i < r->nodes.count; ++i) {
        if (r->is_backwards)
            visit_in_of(r, r->nodes.items[i], v);
        else
            visit_out_of(r, r->nodes.items[i], v);
    }
}

static void print_visited(void *user, uint32_t file, uint32_t mention,
                          const ct_reference_node *to) {
    print_edge(user, file, mention, to);
}

// --- The summary ---------------------------------------------------------------------------------

typedef struct summary {
    uint32_t num_resources, num_media, num_core;
    uint32_t num_references, num_likely, num_patterns;
} summary;

static void count_nodes(const ct_reference_graph *g, summary *s) {
    for (uint32_t i = 0; i < g->nodes.count; ++i) {
        const ct_reference_node *const node = &g->nodes.items[i];
        s->num_core += node->is_core && node->type;
        s->num_resources += !node->is_core && node->type;
        s->num_media += !node->is_core && !node->type;
    }
}

// Of the project's own files.
static summary summarise(const ct_deps_report *r) {
    const ct_reference_graph *const g = r->graph;
    summary s = {0};
    count_nodes(g, &s);
    for (uint32_t i = 0; i < g->missing.count; ++i)
        s.num_references += g->missing.items[i].file < g->index->num_project;
    uint32_t last = UINT32_MAX; // a wildcard has an edge to each that it takes
    const uint32_t end = g->first_edge[g->index->num_project];
    for (uint32_t i = 0; i < end; ++i) {
        const uint32_t kind = ct_reference_edge_kind(g, &g->edges.items[i]);
        const bool is_first = g->edges.items[i].mention != last;
        last = g->edges.items[i].mention;
        s.num_patterns += is_first && kind == CT_MENTION_KIND_PATTERN;
        s.num_likely += is_first && kind == CT_MENTION_KIND_LIKELY;
        s.num_references += kind == CT_MENTION_KIND_RESOURCE || kind == CT_MENTION_KIND_MEDIA;
    }
    return s;
}

static const char *s_of(uint32_t count) {
    return count == 1 ? "" : "s";
}

static void print_summary(const ct_deps_report *r) {
    const summary s = summarise(r);
    printf("%u resource%s and %u other file%s, besides %u resource%s of core\n", s.num_resources,
           s_of(s.num_resources), s.num_media, s_of(s.num_media), s.num_core, s_of(s.num_core));
    printf("%u reference%s, %u wildcard%s of packages, %u likely name%s in scripts and configs\n",
           s.num_references, s_of(s.num_references), s.num_patterns, s_of(s.num_patterns),
           s.num_likely, s_of(s.num_likely));
    printf("%u missing (--missing lists them)\n", r->graph->missing.count);
    const uint32_t num_unnamed = r->reach.unnamed_media.count;
    printf("%u that nothing uses, %u that only wildcards match, %u media file%s that no source "
           "names (--dangling)\n",
           r->reach.dangling.count, r->reach.only_wildcards.count, num_unnamed, s_of(num_unnamed));
}

void ct_deps_print(const ct_deps_report *report) {
    const edge_visitor visitor = {print_visited, (void *)(uintptr_t)report};
    if (report->tells_missing)
        print_missing(report);
    if (report->tells_dangling)
        print_dangling(report);
    visit_selected(report, &visitor);
    if (!report->tells_missing && !report->tells_dangling && report->nodes.count == 0)
        print_summary(report);
}

void ct_deps_print_problems(const ct_deps_report *report) {
    const ct_reference_index *const index = report->graph->index;
    for (uint32_t i = 0; i < index->files.count; ++i) {
        const ct_reference_file *const f = &ct_reference_files(index)[i];
        if (f->problem.bytes == 0)
            continue;
        ct_error error;
        char text[CT_ERROR_MESSAGE_BYTES + CT_ERROR_FILE_BYTES + 64];
        ct_error_set_at(&error, path_of(report, i), f->problem_line, f->problem_column, "%s",
                        ct_reference_text(index, f->problem));
        ct_project_error_path(&error, report->project);
        ct_error_format_warning(&error, text, sizeof(text));
        fprintf(stderr, "%s%s\n", text,
                f->num_mentions > 0 ? " (its references are those of its last good content)" : "");
    }
}

// --- JSON ----------------------------------------------------------------------------------------

typedef struct json_visitor {
    const ct_deps_report *report;
    ct_sjson_writer *writer;
} json_visitor;

void ct_deps_write_mention(ct_sjson_writer *w, const ct_deps_report *r, uint32_t file,
                           uint32_t mention) {
    static const char *const kinds[CT_NUM_MENTION_KINDS] = {
        [CT_MENTION_KIND_RESOURCE] = "resource",
        [CT_MENTION_KIND_PATTERN] = "wildcard",
        [CT_MENTION_KIND_MEDIA] = "media",
        [CT_MENTION_KIND_LIKELY] = "likely",
    };
    const ct_reference_mention *const m = mention_at(r, mention);
    ct_sjson_member_string(w, "file", path_of(r, file));
    ct_sjson_member_number(w, "line", m->line);
    ct_sjson_member_number(w, "column", m->column);
    ct_sjson_member_string(w, "kind", kinds[m->kind]);
    if (ct_reference_type(m))
        ct_sjson_member_string(w, "type", ct_reference_type(m)->name);
    ct_sjson_member_string(w, "name", name_of(r, m));
}

static void write_visited(void *user, uint32_t file, uint32_t mention,
                          const ct_reference_node *to) {
    const json_visitor *const v = user;
    char text[CT_PATH_BYTES];
    ct_sjson_begin_object(v->writer);
    ct_deps_write_mention(v->writer, v->report, file, mention);
    if (to) {
        ct_reference_node_text(to, text);
        ct_sjson_member_string(v->writer, "to", text);
    }
    ct_sjson_member_bool(v->writer, "missing", !to);
    ct_sjson_end_object(v->writer);
}

static void write_missing(ct_sjson_writer *w, const ct_deps_report *r) {
    ct_sjson_write_key(w, "missing");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < r->graph->missing.count; ++i) {
        const ct_reference_missing *const missing = &r->graph->missing.items[i];
        const char *const meant = guess(r, i, mention_at(r, missing->mention));
        ct_sjson_begin_object(w);
        ct_deps_write_mention(w, r, missing->file, missing->mention);
        if (meant)
            ct_sjson_member_string(w, "did_you_mean", meant);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

static void write_nodes(ct_sjson_writer *w, const ct_deps_report *r, const char *key,
                        const ct_u32_array *nodes) {
    ct_sjson_write_key(w, key);
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < nodes->count; ++i) {
        char text[CT_PATH_BYTES];
        ct_reference_node_text(&r->graph->nodes.items[nodes->items[i]], text);
        ct_sjson_write_string(w, text);
    }
    ct_sjson_end_array(w);
}

static void write_problems(ct_sjson_writer *w, const ct_deps_report *r) {
    const ct_reference_index *const index = r->graph->index;
    ct_sjson_write_key(w, "problems");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < index->files.count; ++i) {
        const ct_reference_file *const f = &ct_reference_files(index)[i];
        if (f->problem.bytes == 0)
            continue;
        ct_sjson_begin_object(w);
        ct_sjson_member_string(w, "file", path_of(r, i));
        ct_sjson_member_number(w, "line", f->problem_line);
        ct_sjson_member_number(w, "column", f->problem_column);
        ct_sjson_member_string(w, "message", ct_reference_text(index, f->problem));
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

static void write_summary(ct_sjson_writer *w, const ct_deps_report *r) {
    const summary s = summarise(r);
    ct_sjson_member_number(w, "num_resources", s.num_resources);
    ct_sjson_member_number(w, "num_media", s.num_media);
    ct_sjson_member_number(w, "num_core_resources", s.num_core);
    ct_sjson_member_number(w, "num_references", s.num_references);
    ct_sjson_member_number(w, "num_wildcards", s.num_patterns);
    ct_sjson_member_number(w, "num_likely", s.num_likely);
}

void ct_deps_print_json(ct_allocator *a, const ct_deps_report *report) {
    const bool tells_all =
        !report->tells_missing && !report->tells_dangling && report->nodes.count == 0;
    ct_string_builder text;
    ct_sjson_writer w;
    ct_string_builder_init(&text, a);
    ct_sjson_writer_init(&w, &text, CT_SJSON_STYLE_JSON);
    json_visitor json = {report, &w};
    const edge_visitor visitor = {write_visited, &json};
    ct_sjson_begin_object(&w);
    write_summary(&w, report);
    if (report->tells_missing || tells_all)
        write_missing(&w, report);
    if (report->tells_dangling || tells_all) {
        write_nodes(&w, report, "dangling", &report->reach.dangling);
        write_nodes(&w, report, "only_wildcards", &report->reach.only_wildcards);
        write_nodes(&w, report, "unnamed_packages", &report->reach.unnamed_packages);
        write_nodes(&w, report, "unnamed_media", &report->reach.unnamed_media);
    }
    if (report->nodes.count > 0) {
        ct_sjson_write_key(&w, "references");
        ct_sjson_begin_array(&w);
        visit_selected(report, &visitor);
        ct_sjson_end_array(&w);
    }
    write_problems(&w, report);
    ct_sjson_write_key(&w, "errors"); // of a failure there are some
    ct_sjson_begin_array(&w);
    ct_sjson_end_array(&w);
    ct_sjson_end_object(&w);
    puts(ct_string_builder_text(&text));
    ct_string_builder_free(&text);
}
