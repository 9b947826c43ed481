#include "cli/flow/flow_picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/flow/project_nodes.h"
#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "foundation/error.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/sjson/sjson_writer.h"
#include "foundation/string/utf8.h"
#include "resource/types/flow/flow_source.h"

enum {
    MOST_ROWS = 2 * CT_FLOW_MAX_SLOTS,
    ROW_BYTES = 96,
    ROW = 18,          // height of a row; all in pixels
    TITLE = 26,        // of a title
    LEAST_WIDTH = 150, // of a box, which is as wide as its texts
    MOST_WIDTH = 340,
    INSET = 9,       // from a side of a box to a text
    LETTER = 7,      // width of a letter, a little more than the mean
    MARGIN = 40,     // around everything
    COLUMN_GAP = 70, // between columns
    GAP = 26,        // between boxes of a column
};

// A slot that the picture shows.
typedef struct picture_row {
    const char *name;
    const char *value; // of an input that is given; NULL: none
    bool is_event;
} picture_row;

// A node. Rows on the left are what comes in, on the right what goes out.
typedef struct picture_node {
    const char *id, *type, *comment;
    const ct_flow_node_type *description; // NULL: it is not known
    ct_sjson_value inputs;
    double x, y, width;
    picture_row left[MOST_ROWS], right[MOST_ROWS];
    uint32_t num_left, num_right;
    uint32_t column; // of the layout
} picture_node;

typedef struct picture_link {
    uint32_t from, to; // nodes
    uint32_t out, in;  // rows
    bool is_event;
} picture_link;

typedef struct picture {
    const ct_sjson *doc;
    ct_allocator *allocator;
    const char *project;    // or NULL
    ct_project_nodes files; // of nodes in Lua
    ct_flow_source source;
    CT_ARRAY(picture_node) nodes;
    ct_hash_map ids; // of nodes, by the hash of the text
    CT_ARRAY(picture_link) links;
    bool has_positions;
    ct_error *error;
    bool is_wrong;
} picture;

// --- Reading -------------------------------------------------------------------------------------

static void note_error(void *user, const ct_error *error) {
    picture *const p = user;
    if (!p->is_wrong)
        *p->error = *error;
    p->is_wrong = true;
}

static uint32_t find_node(const picture *p, const char *id) {
    return (uint32_t)ct_hash_map_get(&p->ids, ct_string_id64_of(id).value, UINT32_MAX);
}

// Returns the row with this name, which is added when it is not there; the last one when there is no
// more room.
static uint32_t row_of(picture_row *rows, uint32_t *count, const char *name, bool is_event) {
    for (uint32_t i = 0; i < *count; ++i)
        if (strcmp(rows[i].name, name) == 0)
            return i;
    if (*count == MOST_ROWS)
        return MOST_ROWS - 1;
    rows[*count] = (picture_row){.name = name, .is_event = is_event};
    return (*count)++;
}

// Those of a graph as a node are only shown where they have links: most graphs are not switched.
static void add_events(picture_node *n) {
    if (n->description && n->description->role == CT_FLOW_ROLE_GRAPH)
        return;
    for (const ct_flow_slot *s = n->description ? n->description->slots : NULL; s && s->name; ++s) {
        if (s->kind == CT_FLOW_SLOT_EVENT_IN)
            row_of(n->left, &n->num_left, s->name, true);
        else if (s->kind == CT_FLOW_SLOT_EVENT_OUT)
            row_of(n->right, &n->num_right, s->name, true);
    }
}

// The description of a node in Lua; NULL when it is not found: the picture does without.
static const ct_flow_node_type *project_node(picture *p, const char *file, const char *name) {
    uint32_t i = 0;
    while (i < p->files.count && strcmp(p->files.items[i].name, file) != 0)
        ++i;
    if (i == p->files.count) {
        ct_project_nodes_file read = {.name = file};
        ct_error ignored = {0};
        if (p->project)
            ct_project_nodes_read(p->allocator, p->project, file, &read.nodes, &ignored);
        ct_array_push(&p->files, read);
    }
    return ct_flow_find_project_node(&p->files.items[i].nodes, name);
}

static void add_node(picture *p, ct_sjson_value v, const ct_schema_listener *listener) {
    ct_flow_node_source source = {0};
    ct_schema_read(&ct_flow_node_schema, p->doc, v, &source, listener);
    const char *const type =
        ct_sjson_string(p->doc, ct_sjson_find(p->doc, v, "type"), "node without a type");
    const char *const graph = ct_sjson_string(p->doc, source.graph_value, NULL);
    const char *const file = ct_sjson_string(p->doc, source.nodes_value, NULL);
    const bool is_lua = file && source.node;
    picture_node node = {.id = ct_sjson_string(p->doc, ct_sjson_find(p->doc, v, "id"), ""),
                         .type = is_lua  ? source.node
                                 : graph ? graph
                                         : type,
                         .comment = source.comment,
                         .description = is_lua ? project_node(p, file, source.node)
                                               : ct_flow_find_node_type(type),
                         .inputs = source.inputs,
                         .x = (double)source.position[0],
                         .y = (double)source.position[1]};
    add_events(&node);
    p->has_positions = p->has_positions || node.x != 0 || node.y != 0;
    ct_hash_map_add(&p->ids, ct_string_id64_of(node.id).value, p->nodes.count);
    ct_array_push(&p->nodes, node);
}

// Whether a slot carries events: as its node's description says, or as that of the other end does.
static bool is_event(const picture_node *from, const char *out, const picture_node *to,
                     const char *in) {
    uint32_t number;
    const ct_flow_slot *const left =
        from->description ? ct_flow_find_slot(from->description, true, out, &number) : NULL;
    const ct_flow_slot *const right =
        to->description ? ct_flow_find_slot(to->description, false, in, &number) : NULL;
    const ct_flow_slot *const slot = left ? left : right;
    return slot && slot->type == CT_FLOW_TYPE_EVENT;
}

static void add_link(picture *p, ct_sjson_value v, const ct_schema_listener *listener) {
    ct_flow_link_source source = {0};
    if (!ct_schema_read(&ct_flow_link_schema, p->doc, v, &source, listener))
        return;
    const uint32_t from = find_node(p, source.from), to = find_node(p, source.to);
    if (from == UINT32_MAX || to == UINT32_MAX) {
        ct_error error = {0};
        const bool is_from = from == UINT32_MAX;
        ct_sjson_error(p->doc, is_from ? source.from_value : source.to_value, &error,
                       "there is no node \"%.64s\"", is_from ? source.from : source.to);
        note_error(p, &error);
        return;
    }
    picture_node *const a = &p->nodes.items[from], *const b = &p->nodes.items[to];
    const bool carries = is_event(a, source.out, b, source.in);
    ct_array_push(&p->links,
                  (picture_link){.from = from,
                                 .to = to,
                                 .out = row_of(a->right, &a->num_right, source.out, carries),
                                 .in = row_of(b->left, &b->num_left, source.in, carries),
                                 .is_event = carries});
}

// Adds the inputs that a node's source gives.
static void add_inputs(picture *p, picture_node *n, ct_string_builder *texts) {
    for (ct_sjson_value v = ct_sjson_first(p->doc, n->inputs); v.entry;
         v = ct_sjson_next(p->doc, v)) {
        const uint32_t row = row_of(n->left, &n->num_left, ct_sjson_key(p->doc, v), false);
        ct_string_builder_clear(texts);
        ct_sjson_writer w;
        ct_sjson_writer_init(&w, texts, CT_SJSON_STYLE_JSON);
        ct_sjson_write_value(&w, p->doc, v);
        n->left[row].value = ct_copy_string(p->allocator, ct_string_builder_text(texts));
    }
}

// --- Layout --------------------------------------------------------------------------------------

static void row_text(const picture_row *row, char *text, size_t bytes) {
    char name[31], value[41]; // cut between characters
    ct_utf8_write_printable(name, sizeof(name), row->name);
    ct_utf8_write_printable(value, sizeof(value), row->value ? row->value : "");
    snprintf(text, bytes, row->value ? "%s = %s" : "%s", name, value);
}

static double width_of_row(const picture_row *rows, uint32_t count, uint32_t i) {
    char text[ROW_BYTES];
    if (i >= count)
        return 0;
    row_text(&rows[i], text, sizeof(text));
    return (double)strlen(text) * LETTER + INSET;
}

static double width_of(const picture_node *n) {
    double width = (double)strlen(n->type) * (LETTER + 0.5) + 2 * INSET;
    for (uint32_t i = 0; i < n->num_left || i < n->num_right; ++i)
        width = fmax(width, width_of_row(n->left, n->num_left, i) + INSET +
                                width_of_row(n->right, n->num_right, i));
    if (n->comment)
        width = fmax(width, (double)strlen(n->comment) * LETTER + 2 * INSET);
    return fmin(fmax(width, LEAST_WIDTH), MOST_WIDTH);
}

static double height_of(const picture_node *n) {
    const uint32_t rows = n->num_left > n->num_right ? n->num_left : n->num_right;
    return TITLE + ROW * rows + 8 + (n->comment ? ROW : 0);
}

// Links by the node that they start at: those of node i are from first[i] to before first[i + 1] in `to`.
typedef struct picture_ways {
    uint32_t *first, *to;
    uint32_t *num_before; // links to each node from nodes that have no column yet
} picture_ways;

static picture_ways find_ways(const picture *p) {
    ct_allocator *const a = p->allocator;
    const uint64_t num_nodes = p->nodes.count, num_links = p->links.count;
    const picture_ways w = {.first = ct_alloc_zero(a, sizeof(uint32_t) * (num_nodes + 2)),
                            .to = ct_alloc(a, sizeof(uint32_t) * (num_links + 1)),
                            .num_before = ct_alloc_zero(a, sizeof(uint32_t) * (num_nodes + 1))};
    for (uint32_t i = 0; i < num_links; ++i) {
        ++w.first[p->links.items[i].from + 2];
        ++w.num_before[p->links.items[i].to];
    }
    for (uint32_t i = 0; i < num_nodes; ++i)
        w.first[i + 2] += w.first[i + 1];
    for (uint32_t i = 0; i < num_links; ++i)
        w.to[w.first[p->links.items[i].from + 1]++] = p->links.items[i].to;
    return w;
}

// Places a node, and those that only it led to.
static void place_from(picture *p, const picture_ways *w, uint32_t node, bool *is_placed,
                       uint32_t *stack) {
    uint32_t count = 0;
    is_placed[node] = true;
    stack[count++] = node;
    while (count > 0) {
        const uint32_t from = stack[--count];
        for (uint32_t i = w->first[from]; i < w->first[from + 1]; ++i) {
            const uint32_t to = w->to[i], after = p->nodes.items[from].column + 1;
            --w->num_before[to];
            if (is_placed[to])
                continue;
            if (p->nodes.items[to].column < after)
                p->nodes.items[to].column = after;
            is_placed[to] = w->num_before[to] == 0;
            if (is_placed[to])
                stack[count++] = to;
        }
    }
}

// Puts each node a column behind those that lead to it; of a loop, the first node comes first.
static void choose_columns(picture *p) {
    const uint64_t num_nodes = p->nodes.count;
    const picture_ways w = find_ways(p);
    bool *const is_placed = ct_alloc_zero(p->allocator, sizeof(bool) * (num_nodes + 1));
    uint32_t *const stack = ct_alloc(p->allocator, sizeof(uint32_t) * (num_nodes + 1));
    for (uint32_t i = 0; i < num_nodes; ++i)
        if (!is_placed[i] && w.num_before[i] == 0)
            place_from(p, &w, i, is_placed, stack);
    for (uint32_t i = 0; i < num_nodes; ++i)
        if (!is_placed[i])
            place_from(p, &w, i, is_placed, stack);
    ct_free(p->allocator, stack);
    ct_free(p->allocator, is_placed);
    ct_free(p->allocator, w.num_before);
    ct_free(p->allocator, w.to);
    ct_free(p->allocator, w.first);
}

static void lay_out(picture *p) {
    choose_columns(p);
    // The width of each column, then its left side; and where each ends so far.
    const uint64_t count = (uint64_t)p->nodes.count + 1;
    double *const lefts = ct_alloc_zero(p->allocator, sizeof(double) * count);
    double *const ends = ct_alloc_zero(p->allocator, sizeof(double) * count);
    for (uint32_t i = 0; i < p->nodes.count; ++i) {
        const picture_node *const n = &p->nodes.items[i];
        lefts[n->column] = fmax(lefts[n->column], n->width);
    }
    double x = 0;
    for (uint32_t column = 0; column < p->nodes.count; ++column) {
        const double width = lefts[column];
        lefts[column] = x;
        x += width + COLUMN_GAP;
    }
    for (uint32_t i = 0; i < p->nodes.count; ++i) {
        picture_node *const n = &p->nodes.items[i];
        n->x = lefts[n->column];
        n->y = ends[n->column];
        ends[n->column] += height_of(n) + GAP;
    }
    ct_free(p->allocator, ends);
    ct_free(p->allocator, lefts);
}

// --- Writing -------------------------------------------------------------------------------------

static void add_text(ct_string_builder *b, double x, double y, const char *style,
                     const char *text) {
    ct_string_builder_addf(b, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, style);
    for (; *text; ++text) {
        if (*text == '<')
            ct_string_builder_add(b, "&lt;");
        else if (*text == '>')
            ct_string_builder_add(b, "&gt;");
        else if (*text == '&')
            ct_string_builder_add(b, "&amp;");
        else if ((uint8_t)*text < ' ') // XML has no control characters
            ct_string_builder_add(b, " ");
        else
            ct_string_builder_add_bytes(b, text, 1);
    }
    ct_string_builder_add(b, "</text>\n");
}

static const char *color_of(const picture_node *n) {
    const uint32_t role = n->description ? n->description->role : CT_FLOW_ROLE_LUA;
    if (role == CT_FLOW_ROLE_LUA || role == CT_FLOW_ROLE_GRAPH)
        return "#b8860b"; // of the project
    if (n->description->kind == CT_FLOW_NODE_PURE)
        return "#4a6a8a";
    return n->description->kind == CT_FLOW_NODE_ENTRY ? "#3a7d44" : "#9c3d3d";
}

static double row_y(const picture_node *n, uint32_t row) {
    return n->y + TITLE + ROW * row + ROW / 2.0 + 2;
}

static void add_rows(ct_string_builder *b, const picture_node *n, bool is_left) {
    const picture_row *const rows = is_left ? n->left : n->right;
    const uint32_t count = is_left ? n->num_left : n->num_right;
    for (uint32_t i = 0; i < count; ++i) {
        const double x = n->x + (is_left ? 0 : n->width), y = row_y(n, i);
        char text[ROW_BYTES];
        row_text(&rows[i], text, sizeof(text));
        ct_string_builder_addf(b, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>\n", x, y,
                               rows[i].is_event ? "#222" : "#2f6fd0");
        add_text(b, x + (is_left ? INSET : -INSET), y + 4,
                 is_left ? "class=\"s\"" : "class=\"s e\"", text);
    }
}

static void add_box(ct_string_builder *b, const picture_node *n) {
    const double height = height_of(n);
    ct_string_builder_addf(b,
                           "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"5\" "
                           "fill=\"#fff\" stroke=\"#888\"/>\n"
                           "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" rx=\"5\" "
                           "fill=\"%s\"/>\n",
                           n->x, n->y, n->width, height, n->x, n->y, n->width, TITLE - 4,
                           color_of(n));
    char title[41];
    ct_utf8_write_printable(title, sizeof(title), n->type);
    add_text(b, n->x + 8, n->y + 16, "class=\"t\"", title);
    add_rows(b, n, true);
    add_rows(b, n, false);
    if (n->comment)
        add_text(b, n->x + 8, n->y + height - 8, "class=\"c\"", n->comment);
}

static void add_curve(ct_string_builder *b, const picture *p, const picture_link *l) {
    const picture_node *const from = &p->nodes.items[l->from], *const to = &p->nodes.items[l->to];
    const double x = from->x + from->width, y = row_y(from, l->out);
    const double end_x = to->x, end_y = row_y(to, l->in);
    const double reach = end_x > x ? (end_x - x) / 2 + 20 : 90;
    ct_string_builder_addf(b,
                           "<path d=\"M %.1f %.1f C %.1f %.1f %.1f %.1f %.1f %.1f\" fill=\"none\" "
                           "stroke=\"%s\" stroke-width=\"2\"/>\n",
                           x, y, x + reach, y, end_x - reach, end_y, end_x, end_y,
                           l->is_event ? "#222" : "#2f6fd0");
}

static void add_group(ct_string_builder *b, const picture *p, ct_sjson_value v,
                      const ct_schema_listener *listener) {
    ct_flow_group_source g = {0};
    if (!ct_schema_read(&ct_flow_group_schema, p->doc, v, &g, listener) || !p->has_positions)
        return;
    ct_string_builder_addf(b,
                           "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"8\" "
                           "fill=\"#e8e8e8\" stroke=\"#bbb\"/>\n",
                           (double)g.position[0], (double)g.position[1], (double)g.size[0],
                           (double)g.size[1]);
    add_text(b, (double)g.position[0] + 8, (double)g.position[1] + 18, "class=\"g\"",
             g.title ? g.title : "");
}

static void add_comment(ct_string_builder *b, const picture *p, ct_sjson_value v,
                        const ct_schema_listener *listener) {
    ct_flow_comment_source c = {0};
    if (ct_schema_read(&ct_flow_comment_schema, p->doc, v, &c, listener) && p->has_positions)
        add_text(b, (double)c.position[0], (double)c.position[1] + 12, "class=\"c\"",
                 c.text ? c.text : "");
}

static void write(ct_string_builder *b, const picture *p, const ct_schema_listener *listener) {
    double left = 0, top = 0, right = LEAST_WIDTH, bottom = TITLE;
    for (uint32_t i = 0; i < p->nodes.count; ++i) {
        const picture_node *const n = &p->nodes.items[i];
        left = n->x < left || i == 0 ? n->x : left;
        top = n->y < top || i == 0 ? n->y : top;
        right = n->x + n->width > right || i == 0 ? n->x + n->width : right;
        bottom = n->y + height_of(n) > bottom || i == 0 ? n->y + height_of(n) : bottom;
    }
    ct_string_builder_addf(
        b,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"%.0f %.0f %.0f %.0f\" "
        "width=\"%.0f\" height=\"%.0f\">\n<style>text { font: 12px sans-serif; fill: #222; } "
        ".t { fill: #fff; font-weight: bold; } .e { text-anchor: end; } .c { font-style: italic; "
        "fill: #666; } .g { font-weight: bold; fill: #666; }</style>\n"
        "<rect x=\"%.0f\" y=\"%.0f\" width=\"100%%\" height=\"100%%\" fill=\"#f7f7f7\"/>\n",
        left - MARGIN, top - MARGIN, right - left + 2 * MARGIN, bottom - top + 2 * MARGIN,
        right - left + 2 * MARGIN, bottom - top + 2 * MARGIN, left - MARGIN, top - MARGIN);
    for (ct_sjson_value v = ct_sjson_first(p->doc, p->source.groups); v.entry;
         v = ct_sjson_next(p->doc, v))
        add_group(b, p, v, listener);
    for (uint32_t i = 0; i < p->links.count; ++i)
        add_curve(b, p, &p->links.items[i]);
    for (uint32_t i = 0; i < p->nodes.count; ++i)
        add_box(b, &p->nodes.items[i]);
    for (ct_sjson_value v = ct_sjson_first(p->doc, p->source.comments); v.entry;
         v = ct_sjson_next(p->doc, v))
        add_comment(b, p, v, listener);
    ct_string_builder_add(b, "</svg>\n");
}

bool ct_flow_picture(const ct_sjson *doc, const char *project, ct_string_builder *svg,
                     ct_error *error) {
    CT_TEMP_ALLOCATOR(scratch, svg->allocator);
    picture p = {.doc = doc, .allocator = scratch, .project = project, .error = error};
    const ct_schema_listener listener = {.user = &p, .error = note_error};
    ct_array_init(&p.nodes, scratch);
    ct_array_init(&p.links, scratch);
    ct_array_init(&p.files, scratch);
    ct_hash_map_init(&p.ids, scratch);
    ct_string_builder texts;
    ct_string_builder_init(&texts, scratch);
    ct_schema_read(&ct_flow_schema, doc, ct_sjson_root(doc), &p.source, &listener);
    if (ct_sjson_count(doc, p.source.nodes) > CT_FLOW_MAX_NODES) {
        ct_error too_many = {0};
        ct_sjson_error(doc, p.source.nodes, &too_many, "found %u nodes, expected at most %d",
                       ct_sjson_count(doc, p.source.nodes), (int)CT_FLOW_MAX_NODES);
        note_error(&p, &too_many);
        p.source = (ct_flow_source){0};
    }
    for (ct_sjson_value v = ct_sjson_first(doc, p.source.nodes); v.entry; v = ct_sjson_next(doc, v))
        add_node(&p, v, &listener);
    for (ct_sjson_value v = ct_sjson_first(doc, p.source.links); v.entry; v = ct_sjson_next(doc, v))
        add_link(&p, v, &listener);
    for (uint32_t i = 0; i < p.nodes.count; ++i)
        add_inputs(&p, &p.nodes.items[i], &texts);
    for (uint32_t i = 0; i < p.nodes.count; ++i)
        p.nodes.items[i].width = width_of(&p.nodes.items[i]);
    if (!p.has_positions)
        lay_out(&p);
    if (!p.is_wrong)
        write(svg, &p, &listener);
    ct_string_builder_free(&texts);
    return !p.is_wrong;
}
