#include "content/diff/diff_html.h"

#include <string.h>

#include "content/diff/diff_html_lines.h"
#include "content/diff/diff_text.h"
#include "content/merge/array_kind.h"
#include "foundation/string/utf8.h"

enum {
    CONTEXT = 3,            // equal lines that stay open around others
    LEAST_FOLDED = 4,       // fewer are not worth a click
    MOST_VALUE_BYTES = 160, // of a value in the list of operations
};

static const char style[] =
    ":root{color-scheme:light dark;--back:#fff;--text:#1f2328;--faint:#656d76;--line:#d1d9e0;"
    "--panel:#f6f8fa;--del:#ffebe9;--del-mark:#ffb5b0;--del-text:#b3261e;--ins:#e4f8e8;"
    "--ins-mark:#9be3ae;--ins-text:#1a7f37;--move:#8250df;--link:#0969da;--here:#fff3c4}\n"
    "@media(prefers-color-scheme:dark){:root{--back:#0d1117;--text:#e6edf3;--faint:#8b949e;"
    "--line:#30363d;--panel:#161b22;--del:#3a1d20;--del-mark:#8e3a3d;--del-text:#ff9a92;"
    "--ins:#12301d;--ins-mark:#1f6b36;--ins-text:#7ee2a0;--move:#c297ff;--link:#6cb6ff;"
    "--here:#4d3f10}}\n"
    "*{box-sizing:border-box}body{margin:0;background:var(--back);color:var(--text);"
    "font:14px/1.45 system-ui,sans-serif}\n"
    "header{padding:16px 20px 8px}h1{font-size:18px;margin:0 0 4px}"
    "h1 small{color:var(--faint);font-weight:400;padding:0 .4em}"
    "header p{margin:0;color:var(--faint)}\n"
    "code,.sum{font:12.5px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,\"DejaVu Sans Mono\","
    "monospace}\n"
    ".ops{margin:8px 20px 16px;border:1px solid var(--line);border-radius:6px;overflow:hidden}"
    ".ops>summary{padding:6px 12px;background:var(--panel);cursor:pointer;font-weight:600}"
    ".ops ol{margin:0;padding:4px 0;list-style:none;max-height:40vh;overflow:auto}"
    ".ops a{display:block;padding:1px 12px 1px 28px;text-indent:-16px;text-decoration:none;"
    "color:inherit;overflow-wrap:anywhere}.ops a:hover,.ops a:focus{background:var(--panel)}"
    ".ops b{display:inline-block;width:16px;text-indent:0;font-weight:600}"
    ".path{color:var(--link)}del,ins{text-decoration:none}"
    "del,.rem b,.rem .path{color:var(--del-text)}ins,.add b,.add .path{color:var(--ins-text)}"
    ".mov b,.mov .path{color:var(--move)}\n"
    "main{border-top:1px solid var(--line);padding-bottom:40px}"
    ".row{display:grid;grid-template-columns:5.2em minmax(0,1fr) 5.2em minmax(0,1fr)}"
    ".head{position:sticky;top:0;background:var(--panel);border-bottom:1px solid var(--line);"
    "font-weight:600;z-index:1}.head span{grid-column:span 2;padding:6px 12px;"
    "overflow-wrap:anywhere}"
    ".row i{font:12px/1.56 ui-monospace,\"DejaVu Sans Mono\",monospace;color:var(--faint);"
    "text-align:right;padding:0 .8em 0 0;user-select:none;background:var(--panel)}"
    ".row code{white-space:pre-wrap;overflow-wrap:anywhere;"
    "padding:0 8px 0 calc(8px + 6ch);text-indent:-6ch;tab-size:4;min-height:1.5em}"
    ".row i+code{border-right:1px solid var(--line)}"
    ".d,i.d{background:var(--del)}.i,i.i{background:var(--ins)}.n{background:var(--panel)}"
    "mark{color:inherit;border-radius:2px}.d mark{background:var(--del-mark)}"
    ".i mark{background:var(--ins-mark)}"
    "code:target{background:var(--here);box-shadow:inset 3px 0 0 var(--move)}"
    ".u{color:var(--move);border:1px solid;border-radius:3px;font-size:10px;padding:0 2px}\n"
    "details.f>summary{cursor:pointer;padding:3px 12px;background:var(--panel);"
    "color:var(--faint);border:solid var(--line);border-width:1px 0;list-style-position:inside}"
    "details.f>summary:hover{color:var(--link)}\n";

// --- Text ----------------------------------------------------------------------------------------

static void add_text(ct_string_builder *out, const char *text, uint32_t bytes) {
    for (uint32_t i = 0; i < bytes;) {
        const uint32_t length = ct_utf8_length(text + i, bytes - i);
        const uint32_t c = length > 0 ? ct_utf8_decode(text + i) : 0xfffd;
        if (c == '&')
            ct_string_builder_add(out, "&amp;");
        else if (c == '<')
            ct_string_builder_add(out, "&lt;");
        else if (c == '>')
            ct_string_builder_add(out, "&gt;");
        else if (c == '"')
            ct_string_builder_add(out, "&quot;");
        else if (c != '\t' && ct_utf8_is_hidden(c))
            ct_string_builder_addf(out, "<span class=u>U+%04X</span>", c);
        else if (length == 0)
            ct_string_builder_add(out, "\xef\xbf\xbd");
        else
            ct_string_builder_add_bytes(out, text + i, length);
        i += length > 0 ? length : 1;
    }
}

static void add_name(ct_string_builder *out, const char *name) {
    add_text(out, name, (uint32_t)strlen(name));
}

// --- The list of operations ----------------------------------------------------------------------

typedef struct page {
    const ct_diff *diff;
    const ct_diff_html_side *from, *to;
    ct_string_builder *out;
    ct_allocator *scratch;
    ct_text_line_array from_lines, to_lines;
    // Of each line: whether an operation leads to it.
    bool *is_from_target, *is_to_target;
} page;

// The line in which an operation shows, from 0, and on which side.
static uint32_t line_of(const page *p, const ct_diff_operation *o, bool *is_to) {
    const bool is_removed = o->kind == CT_DIFF_KIND_REMOVE;
    const ct_content_value at = is_removed ? o->old_value : o->new_value;
    const ct_text_line_array *const lines = is_removed ? &p->from_lines : &p->to_lines;
    uint32_t line = 0, column;
    ct_sjson_position(at.doc, at.value, &line, &column);
    *is_to = !is_removed;
    return line > 0 && line <= lines->count ? line - 1 : CT_NO_LINE;
}

static void note_targets(page *p) {
    p->is_from_target = CT_NEW_ARRAY(p->scratch, bool, p->from_lines.count);
    p->is_to_target = CT_NEW_ARRAY(p->scratch, bool, p->to_lines.count);
    for (uint32_t i = 0; i < p->diff->operations.count; ++i) {
        bool is_to;
        const uint32_t line = line_of(p, &p->diff->operations.items[i], &is_to);
        if (line != CT_NO_LINE)
            (is_to ? p->is_to_target : p->is_from_target)[line] = true;
    }
}

static void add_value(page *p, const char *tag, ct_content_value value, ct_string_builder *text) {
    ct_string_builder_clear(text);
    ct_diff_write_brief(value, MOST_VALUE_BYTES, text);
    ct_string_builder_addf(p->out, "<%s>", tag);
    add_text(p->out, text->text, text->length);
    ct_string_builder_addf(p->out, "</%s>", tag);
}

static void add_path(page *p, uint32_t step, ct_string_builder *text) {
    ct_string_builder_clear(text);
    ct_diff_write_path(p->diff, step, text);
    ct_string_builder_add(p->out, "<span class=path>");
    add_text(p->out, ct_string_builder_text(text), text->length);
    ct_string_builder_add(p->out, "</span>");
}

static void add_operation(page *p, const ct_diff_operation *o, ct_string_builder *text) {
    static const char *const classes[] = {"", "set", "add", "rem", "mov"};
    static const char *const marks[] = {"", "", "+", "−", "~"};
    bool is_to;
    const uint32_t line = line_of(p, o, &is_to);
    ct_string_builder_addf(p->out, "<li class=%s><a href=\"#%c%u\"><code><b>%s</b>",
                           classes[o->kind], is_to ? 'b' : 'a', line + 1, marks[o->kind]);
    add_path(p, o->step, text);
    if (o->kind == CT_DIFF_KIND_MOVE) {
        ct_string_builder_add(p->out, o->before ? " moved before " : " moved to the end");
        if (o->before)
            add_path(p, o->before, text);
    } else {
        ct_string_builder_add(p->out, " = ");
        if (ct_content_value_is(o->old_value))
            add_value(p, "del", o->old_value, text);
        if (o->kind == CT_DIFF_KIND_SET)
            ct_string_builder_add(p->out, " → ");
        if (ct_content_value_is(o->new_value))
            add_value(p, "ins", o->new_value, text);
    }
    ct_string_builder_add(p->out, "</code></a>\n");
}

static void add_summary(page *p) {
    static const char *const words[] = {"", "set", "added", "removed", "moved"};
    uint32_t counts[CT_COUNT_OF(words)] = {0};
    const char *between = "";
    for (uint32_t i = 0; i < p->diff->operations.count; ++i)
        ++counts[p->diff->operations.items[i].kind];
    ct_string_builder_add(p->out, "<p>");
    for (uint32_t i = 1; i < CT_COUNT_OF(words); ++i) {
        if (counts[i] == 0)
            continue;
        ct_string_builder_addf(p->out, "%s%u %s", between, counts[i], words[i]);
        between = ", ";
    }
    if (p->diff->operations.count == 0)
        ct_string_builder_add(p->out, "Both have the same values; only comments, the order of "
                                      "members or formatting can differ.");
    ct_string_builder_add(p->out, "</p>");
}

static void add_head(page *p) {
    ct_string_builder *const out = p->out;
    ct_string_builder_add(out, "<!doctype html>\n<html lang=en>\n<meta charset=utf-8>\n"
                               "<meta name=viewport content=\"width=device-width\">\n<title>");
    add_name(out, p->from->name);
    ct_string_builder_add(out, " → ");
    add_name(out, p->to->name);
    ct_string_builder_addf(out, "</title>\n<style>\n%s</style>\n<header><h1>", style);
    add_name(out, p->from->name);
    ct_string_builder_add(out, "<small>→</small>");
    add_name(out, p->to->name);
    ct_string_builder_add(out, "</h1>");
    add_summary(p);
    ct_string_builder_add(out, "</header>\n");
    if (p->diff->operations.count == 0)
        return;
    ct_string_builder text;
    ct_string_builder_init(&text, p->scratch);
    ct_string_builder_addf(out, "<details class=ops open><summary>%u operation%s</summary><ol>\n",
                           p->diff->operations.count, p->diff->operations.count == 1 ? "" : "s");
    for (uint32_t i = 0; i < p->diff->operations.count; ++i)
        add_operation(p, &p->diff->operations.items[i], &text);
    ct_string_builder_add(out, "</ol></details>\n");
    ct_string_builder_free(&text);
}

// --- Both sides ----------------------------------------------------------------------------------

// The text of a line, in which what `other` has not is marked.
static void add_words(page *p, ct_text_line line, ct_text_line other) {
    ct_word_run_array runs;
    ct_array_init(&runs, p->scratch);
    ct_word_runs(line, other, p->scratch, &runs);
    for (uint32_t i = 0; i < runs.count; ++i) {
        const ct_word_run run = runs.items[i];
        ct_string_builder_add(p->out, run.is_common ? "" : "<mark>");
        add_text(p->out, line.text + run.begin, run.bytes);
        ct_string_builder_add(p->out, run.is_common ? "" : "</mark>");
    }
    ct_array_free(&runs);
}

// One side of a row; `other` is the number of the line beside it in the other one's lines.
static void add_cell(page *p, const ct_line_row *row, bool is_to) {
    const ct_text_line_array *const lines = is_to ? &p->to_lines : &p->from_lines;
    const ct_text_line_array *const others = is_to ? &p->from_lines : &p->to_lines;
    const uint32_t line = is_to ? row->to : row->from, other = is_to ? row->from : row->to;
    if (line == CT_NO_LINE) {
        ct_string_builder_add(p->out, "<i class=n></i><code class=n></code>");
        return;
    }
    const char *const class = row->is_equal ? "" : is_to ? " class=i" : " class=d";
    ct_string_builder_addf(p->out, "<i%s>%u</i><code%s", class, line + 1, class);
    if ((is_to ? p->is_to_target : p->is_from_target)[line])
        ct_string_builder_addf(p->out, " id=%c%u", is_to ? 'b' : 'a', line + 1);
    ct_string_builder_add_char(p->out, '>');
    const ct_text_line text = lines->items[line];
    if (row->is_alike)
        add_words(p, text, others->items[other]);
    else
        add_text(p->out, text.text, text.bytes);
    ct_string_builder_add(p->out, "</code>");
}

static void add_row(page *p, const ct_line_row *row) {
    ct_string_builder_add(p->out, "<div class=row>");
    add_cell(p, row, false);
    add_cell(p, row, true);
    ct_string_builder_add(p->out, "</div>\n");
}

static bool is_dull(const page *p, const ct_line_row *row) {
    return row->is_equal && !p->is_from_target[row->from] && !p->is_to_target[row->to];
}

// A stretch of rows in which nothing is to be seen, from `begin` to before `end` of `count`.
static void add_dull_rows(page *p, const ct_line_row *rows, uint32_t begin, uint32_t end,
                          uint32_t count) {
    const uint32_t first = begin + (begin > 0 ? CONTEXT : 0);
    const uint32_t past = end < count && end >= CONTEXT ? end - CONTEXT : end;
    const bool is_folded = past >= first + LEAST_FOLDED;
    for (uint32_t i = begin; i < end; ++i) {
        if (is_folded && i == first)
            ct_string_builder_addf(p->out,
                                   "<details class=f><summary class=sum>%u equal lines</summary>\n",
                                   past - first);
        add_row(p, &rows[i]);
        if (is_folded && i + 1 == past)
            ct_string_builder_add(p->out, "</details>\n");
    }
}

static void add_rows(page *p, const ct_line_row_array *rows) {
    for (uint32_t i = 0, end; i < rows->count; i = end) {
        for (end = i; end < rows->count && is_dull(p, &rows->items[end]);)
            ++end;
        add_dull_rows(p, rows->items, i, end, rows->count);
        for (; end < rows->count && !is_dull(p, &rows->items[end]); ++end)
            add_row(p, &rows->items[end]);
    }
}

void ct_diff_write_html(const ct_diff *diff, const ct_diff_html_side *from,
                        const ct_diff_html_side *to, ct_string_builder *out) {
    page p = {.diff = diff, .from = from, .to = to, .out = out, .scratch = diff->allocator};
    ct_line_row_array rows;
    ct_array_init(&p.from_lines, p.scratch);
    ct_array_init(&p.to_lines, p.scratch);
    ct_array_init(&rows, p.scratch);
    ct_text_lines(from->text, from->size_bytes, &p.from_lines);
    ct_text_lines(to->text, to->size_bytes, &p.to_lines);
    ct_line_rows(&p.from_lines, &p.to_lines, p.scratch, &rows);
    note_targets(&p);
    add_head(&p);
    ct_string_builder_add(out, "<main>\n<div class=\"row head\"><span>");
    add_name(out, from->name);
    ct_string_builder_add(out, "</span><span>");
    add_name(out, to->name);
    ct_string_builder_add(out, "</span></div>\n");
    add_rows(&p, &rows);
    ct_string_builder_add(out, "</main>\n");
    ct_array_free(&rows);
    ct_array_free(&p.from_lines);
    ct_array_free(&p.to_lines);
    ct_free(p.scratch, p.is_from_target);
    ct_free(p.scratch, p.is_to_target);
}
