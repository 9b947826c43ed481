// What holds of every merge, over random documents.
#include <stdio.h>
#include <string.h>

#include "content/merge/array_kind.h"
#include "content/merge/merge.h"
#include "content/value_compare.h"
#include "foundation/sjson/sjson_document.h"
#include "support/random_tree.h"
#include "support/test_support.h"

static uint32_t current_round;  // for messages
static const char *merged_path; // of the files, for their type; NULL: no schema speaks

static const ct_sjson_limits limits = {.takes_array = true};

static ct_sjson *parse(const ct_string_builder *text, const char *what) {
    ct_error error = {0};
    ct_sjson *const doc = ct_sjson_parse(test_heap(), ct_string_builder_text(text), text->length,
                                         what, &limits, &error);
    if (!doc)
        fail_msg("round %u: %s:%u:%u: %s in\n%s", current_round, what, error.line, error.column,
                 error.message, ct_string_builder_text(text));
    return doc;
}

static bool is_same_text(const ct_string_builder *a, const ct_string_builder *b) {
    return a->length == b->length &&
           strcmp(ct_string_builder_text(a), ct_string_builder_text(b)) == 0;
}

static bool is_same_value(const ct_string_builder *a, const ct_string_builder *b) {
    ct_sjson *const x = parse(a, "one"), *const y = parse(b, "other");
    const bool same = ct_value_is_equal(test_heap(), (ct_content_value){x, ct_sjson_root(x)},
                                        (ct_content_value){y, ct_sjson_root(y)});
    ct_sjson_free(x);
    ct_sjson_free(y);
    return same;
}

static ct_merge_text text_of(const ct_string_builder *b, const char *file) {
    return (ct_merge_text){ct_string_builder_text(b), b->length, file, false};
}

// Merges; the result is SJSON, the report JSON. Frees nothing.
static ct_string_builder merge(const ct_string_builder *base, const ct_string_builder *theirs,
                               const ct_string_builder *mine, ct_merge_summary *summary) {
    ct_string_builder result, report;
    ct_string_builder_init(&result, test_heap());
    ct_string_builder_init(&report, test_heap());
    const ct_merge_desc desc = {.base = text_of(base, "base"),
                                .theirs = text_of(theirs, "theirs"),
                                .mine = text_of(mine, "mine"),
                                .path = merged_path};
    ct_error error = {0};
    if (!ct_merge_texts(test_heap(), &desc, &result, &report, summary, &error))
        fail_msg("round %u: %s:%u:%u: %s", current_round, error.file, error.line, error.column,
                 error.message);
    ct_sjson_free(parse(&result, "the result"));
    ct_sjson_free(parse(&report, "the report"));
    ct_string_builder_free(&report);
    return result;
}

static void fail_with(const char *what, const ct_string_builder *base,
                      const ct_string_builder *theirs, const ct_string_builder *mine,
                      const ct_string_builder *result) {
    print_message("round %u: %s\n--- base\n%s\n--- theirs\n%s\n--- mine\n%s\n--- result\n%s\n",
                  current_round, what, ct_string_builder_text(base), ct_string_builder_text(theirs),
                  ct_string_builder_text(mine), ct_string_builder_text(result));
    fail();
}

static ct_string_builder random_tree(uint32_t *random) {
    ct_string_builder text;
    ct_string_builder_init(&text, test_heap());
    random_tree_write(random, &text);
    return text;
}

static ct_string_builder edited(uint32_t *random, const ct_string_builder *of) {
    ct_string_builder text;
    ct_string_builder_init(&text, test_heap());
    ct_sjson *const doc = parse(of, "base");
    random_tree_write_edited(random, 3 + test_random(random) % 40, doc, &text);
    ct_sjson_free(doc);
    return text;
}

// The same values in another text.
static ct_string_builder with_comment(const ct_string_builder *of) {
    ct_string_builder text;
    ct_string_builder_init(&text, test_heap());
    ct_string_builder_add_bytes(&text, ct_string_builder_text(of), of->length);
    ct_string_builder_add(&text, "\n// the end\n");
    return text;
}

static void trees_can_be_edited_everywhere(void **state) {
    (void)state;
    uint32_t random = 1;
    for (current_round = 0; current_round < 50; ++current_round) {
        ct_string_builder base = random_tree(&random), text;
        ct_string_builder_init(&text, test_heap());
        ct_sjson *const doc = parse(&base, "base");
        random_tree_write_edited(&random, 1, doc, &text);
        ct_sjson_free(parse(&text, "edited"));
        ct_sjson_free(doc);
        ct_string_builder_free(&base);
        ct_string_builder_free(&text);
    }
}

// --- One side, or both the same ------------------------------------------------------------------

static void expect_same_text(const char *what, const ct_string_builder *base,
                             const ct_string_builder *theirs, const ct_string_builder *mine,
                             const ct_string_builder *expected) {
    ct_merge_summary summary;
    ct_string_builder result = merge(base, theirs, mine, &summary);
    if (!is_same_text(&result, expected))
        fail_with(what, base, theirs, mine, &result);
    ct_string_builder_free(&result);
}

static void expect_same_value(const char *what, const ct_string_builder *base,
                              const ct_string_builder *theirs, const ct_string_builder *mine,
                              const ct_string_builder *expected) {
    ct_merge_summary summary;
    ct_string_builder result = merge(base, theirs, mine, &summary);
    if (!is_same_value(&result, expected))
        fail_with(what, base, theirs, mine, &result);
    ct_string_builder_free(&result);
}

static void one_sided_changes_give_the_file_that_changed(void **state) {
    (void)state;
    uint32_t random = 20100625;
    const uint32_t rounds = test_rounds(1500, 100000);
    for (current_round = 0; current_round < rounds; ++current_round) {
        ct_string_builder base = random_tree(&random), a = edited(&random, &base);
        ct_string_builder same = with_comment(&base), also = with_comment(&a);
        expect_same_text("theirs changed", &base, &a, &base, &a);
        expect_same_text("mine changed", &base, &base, &a, &a);
        expect_same_text("both changed the same", &base, &a, &a, &a);
        if (!is_same_text(&base, &a)) { // else the result is theirs
            expect_same_text("mine changed, theirs but for comments", &base, &same, &a, &a);
            expect_same_text("both changed the same but for comments", &base, &also, &a, &a);
        }
        expect_same_value("theirs changed, mine is as base but for comments", &base, &a, &same, &a);
        ct_string_builder_free(&base);
        ct_string_builder_free(&a);
        ct_string_builder_free(&same);
        ct_string_builder_free(&also);
    }
}

// Two trees as members of one document; in every other round with so much before them that merges
// do not open what nobody edits.
static ct_string_builder join(const ct_string_builder *one, const ct_string_builder *two) {
    ct_string_builder text;
    ct_string_builder_init(&text, test_heap());
    ct_string_builder_add(&text, "// both\n");
    for (uint32_t i = 0; i < 800 && current_round % 2; ++i)
        ct_string_builder_add(&text, i == 0 ? "first = [ 0" : i < 799 ? " 0" : " ]\n");
    ct_string_builder_add(&text, "one = {\n");
    ct_string_builder_add_bytes(&text, ct_string_builder_text(one), one->length);
    ct_string_builder_addf(&text, "\n}\n/* between */\ntwo = {\n");
    ct_string_builder_add_bytes(&text, ct_string_builder_text(two), two->length);
    ct_string_builder_addf(&text, "\n}\n// end");
    return text;
}

// Random documents may have braces of their own; then they cannot be put into others.
static ct_string_builder bare_tree(uint32_t *random) {
    for (;;) {
        ct_string_builder text = random_tree(random);
        ct_error error = {0};
        ct_string_builder joined = join(&text, &text);
        ct_sjson *const doc =
            ct_sjson_parse(test_heap(), joined.text, joined.length, "joined", NULL, &error);
        ct_string_builder_free(&joined);
        if (doc) {
            ct_sjson_free(doc);
            return text;
        }
        ct_string_builder_free(&text);
    }
}

static ct_string_builder bare_edited(uint32_t *random, const ct_string_builder *of) {
    for (;;) {
        ct_string_builder text = edited(random, of);
        ct_error error = {0};
        ct_string_builder joined = join(&text, &text);
        ct_sjson *const doc =
            ct_sjson_parse(test_heap(), joined.text, joined.length, "joined", NULL, &error);
        ct_string_builder_free(&joined);
        if (doc) {
            ct_sjson_free(doc);
            return text;
        }
        ct_string_builder_free(&text);
    }
}

// --- What theirs left alone ----------------------------------------------------------------------

// One object in base, theirs, mine and the result, and where it is missing {0}.
typedef struct versions {
    ct_content_value base, theirs, mine, result;
} versions;

typedef struct untouched {
    const char *mine, *result;   // the texts, after byte order marks
    ct_sjson_document *document; // of mine: its nodes are numbered as the entries of the tape
    uint32_t num_seen;           // of values and gaps that were compared
    const char *different_from;  // in mine's text; NULL: all is as it was
} untouched;

static bool has(const ct_content_value *v) {
    return ct_content_value_is(*v);
}

static bool is_equal(ct_content_value a, ct_content_value b) {
    return ct_value_is_equal(test_heap(), a, b);
}

// Where a member or element starts, with its key.
static uint32_t begin_of(ct_content_value v) {
    const ct_sjson_entry *const e = ct_sjson_entry_of(v.doc, v.value);
    return e->key ? e->key_source : e->source;
}

static ct_content_value next_of(ct_content_value v) {
    return (ct_content_value){v.doc, ct_sjson_next(v.doc, v.value)};
}

// The counterpart of a child in another version of its container: by key, or by id.
static ct_content_value counterpart(ct_content_value container, ct_content_value child,
                                    const char *id_key) {
    if (!has(&container))
        return container;
    const char *const key = ct_sjson_key(child.doc, child.value);
    if (key)
        return (ct_content_value){container.doc,
                                  ct_sjson_find(container.doc, container.value, key)};
    ct_content_value e = {container.doc, ct_sjson_first(container.doc, container.value)};
    for (; has(&e); e = next_of(e)) {
        if (is_equal(ct_array_element_id(e, id_key), ct_array_element_id(child, id_key)))
            return e;
    }
    return (ct_content_value){0};
}

static versions children_of(const versions *in, ct_content_value mine, const char *id_key) {
    return (versions){.base = counterpart(in->base, mine, id_key),
                      .theirs = counterpart(in->theirs, mine, id_key),
                      .mine = mine,
                      .result = counterpart(in->result, mine, id_key)};
}

// True when theirs did nothing to a child of mine: it has it as base, or neither has it.
static bool is_left_alone(const versions *v) {
    return has(&v->base) == has(&v->theirs) && (!has(&v->base) || is_equal(v->base, v->theirs));
}

static uint32_t value_end(const untouched *u, ct_content_value mine) {
    ct_string_builder text;
    ct_string_builder_init(&text, test_heap());
    ct_sjson_document_write_value(u->document, (ct_sjson_node){mine.value.entry}, &text);
    const uint32_t bytes = text.length;
    ct_string_builder_free(&text);
    return ct_sjson_entry_of(mine.doc, mine.value)->source + bytes;
}

// The end of what is compared of a child: of the gap after it, if the next child is left alone,
// too, and next in the result; else of its value.
static uint32_t compared_end(const untouched *u, const versions *in, const versions *v,
                             const char *id_key) {
    const ct_content_value next = next_of(v->mine);
    const uint32_t least = value_end(u, v->mine);
    if (!has(&next))
        return least;
    const versions after = children_of(in, next, id_key);
    const bool is_next =
        has(&after.result) &&
        ct_sjson_next(v->result.doc, v->result.value).entry == after.result.value.entry;
    return is_next && is_left_alone(&after) ? begin_of(next) : least;
}

static void compare_texts(untouched *u, const versions *in, const versions *v, const char *id_key) {
    const uint32_t begin = begin_of(v->mine), end = compared_end(u, in, v, id_key);
    ++u->num_seen;
    if (strncmp(u->mine + begin, u->result + begin_of(v->result), end - begin) != 0)
        u->different_from = u->mine + begin;
}

// True for an object of one id, or of none, in all versions: otherwise another took its place.
static bool is_one_object(const versions *v) {
    static const char *const id_keys[] = {"id", "Id", "ID"};
    const ct_content_value all[] = {v->base, v->theirs, v->mine, v->result};
    for (uint32_t i = 0; i < CT_COUNT_OF(all); ++i) {
        if (ct_content_value_type(all[i]) != CT_SJSON_TYPE_OBJECT)
            return false;
        for (uint32_t k = 0; k < CT_COUNT_OF(id_keys); ++k) {
            if (!is_equal(ct_array_element_id(all[i], id_keys[k]),
                          ct_array_element_id(all[0], id_keys[k])))
                return false;
        }
    }
    return true;
}

// The key by which the elements go in all versions; NULL when these are no such arrays.
static const char *id_key_of(const versions *v) {
    const ct_content_value all[] = {v->base, v->theirs, v->mine};
    for (uint32_t i = 0; i < CT_COUNT_OF(all); ++i) {
        if (ct_content_value_type(all[i]) != CT_SJSON_TYPE_ARRAY)
            return NULL;
    }
    if (ct_content_value_type(v->result) != CT_SJSON_TYPE_ARRAY)
        return NULL;
    ct_array_match match;
    ct_array_match_make(&match, test_heap(), (ct_content_place){0}, all, CT_COUNT_OF(all));
    const char *const id_key = match.kind == CT_ARRAY_KIND_IDENTITY ? match.id_key : NULL;
    ct_array_match_free(&match);
    return id_key;
}

static void compare_children(untouched *u, const versions *in, const char *id_key) {
    ct_content_value mine = {in->mine.doc, ct_sjson_first(in->mine.doc, in->mine.value)};
    for (; has(&mine) && !u->different_from; mine = next_of(mine)) {
        const versions v = children_of(in, mine, id_key);
        const char *const inner_id_key = id_key_of(&v);
        if (is_left_alone(&v) && !has(&v.result))
            u->different_from = u->mine + begin_of(mine);
        else if (is_left_alone(&v))
            compare_texts(u, in, &v, id_key);
        else if (inner_id_key || is_one_object(&v))
            compare_children(u, &v, inner_id_key);
    }
}

static const char *after_mark(const ct_string_builder *text) {
    const char *const begin = ct_string_builder_text(text);
    return strncmp(begin, "\xef\xbb\xbf", 3) == 0 ? begin + 3 : begin;
}

// Members and elements with ids that theirs has as base has them stand in the result as mine wrote
// them, byte for byte, with the comments and all else between neighbours.
static uint32_t expect_untouched(const ct_string_builder *base, const ct_string_builder *theirs,
                                 const ct_string_builder *mine, const ct_string_builder *result) {
    ct_sjson *const docs[] = {parse(base, "base"), parse(theirs, "theirs"), parse(mine, "mine"),
                              parse(result, "result")};
    ct_content_value roots[CT_COUNT_OF(docs)];
    for (uint32_t i = 0; i < CT_COUNT_OF(docs); ++i)
        roots[i] = (ct_content_value){docs[i], ct_sjson_root(docs[i])};
    untouched u = {.mine = after_mark(mine), .result = after_mark(result)};
    u.document = ct_sjson_document_parse(test_heap(), ct_string_builder_text(mine), mine->length,
                                         "mine", &limits, NULL);
    const versions all = {roots[0], roots[1], roots[2], roots[3]};
    const char *const id_key = id_key_of(&all);
    if (id_key || is_one_object(&all))
        compare_children(&u, &all, id_key);
    if (u.different_from) {
        print_message("an untouched part changed: %.80s\n", u.different_from);
        fail_with("an untouched part changed", base, theirs, mine, result);
    }
    ct_sjson_document_free(u.document);
    for (uint32_t i = 0; i < CT_COUNT_OF(docs); ++i)
        ct_sjson_free(docs[i]);
    return u.num_seen;
}

// A document of two trees, and an edit of both.
static ct_string_builder joined_trees(uint32_t *random, ct_string_builder trees[2]) {
    for (uint32_t i = 0; i < 2; ++i)
        trees[i] = bare_tree(random);
    return join(&trees[0], &trees[1]);
}

static ct_string_builder joined_edits(uint32_t *random, const ct_string_builder trees[2]) {
    ct_string_builder one = bare_edited(random, &trees[0]), two = bare_edited(random, &trees[1]);
    const ct_string_builder joined = join(&one, &two);
    ct_string_builder_free(&one);
    ct_string_builder_free(&two);
    return joined;
}

static void what_theirs_left_alone_stays_byte_for_byte(void **state) {
    (void)state;
    uint32_t random = 20100629, num_seen = 0;
    const uint32_t rounds = test_rounds(1500, 100000);
    for (current_round = 0; current_round < rounds; ++current_round) {
        ct_string_builder trees[2], base, theirs, mine;
        const bool is_joined = current_round % 4 < 2;
        base = is_joined ? joined_trees(&random, trees) : random_tree(&random);
        theirs = is_joined ? joined_edits(&random, trees) : edited(&random, &base);
        mine = is_joined ? joined_edits(&random, trees) : edited(&random, &base);
        ct_merge_summary summary;
        ct_string_builder result = merge(&base, &theirs, &mine, &summary);
        if (!is_same_text(&base, &mine)) // else the result is theirs
            num_seen += expect_untouched(&base, &theirs, &mine, &result);
        ct_string_builder *const all[] = {&base, &theirs, &mine, &result, &trees[0], &trees[1]};
        for (uint32_t i = 0; i < (is_joined ? 6 : 4); ++i)
            ct_string_builder_free(all[i]);
    }
    assert_true(num_seen > rounds); // the test has something to look at
}

// --- Both sides ----------------------------------------------------------------------------------

// Whatever both change, the result is a document, and merging it again changes nothing.
static void any_two_changes_merge(void **state) {
    (void)state;
    uint32_t random = 20100626;
    const uint32_t rounds = test_rounds(1500, 100000);
    for (current_round = 0; current_round < rounds; ++current_round) {
        ct_string_builder base = random_tree(&random);
        ct_string_builder theirs = edited(&random, &base), mine = edited(&random, &base);
        ct_merge_summary summary, again;
        ct_string_builder result = merge(&base, &theirs, &mine, &summary);
        ct_string_builder second = merge(&base, &theirs, &mine, &again);
        if (!is_same_text(&result, &second) || summary.num_edits != again.num_edits)
            fail_with("merged otherwise the second time", &base, &theirs, &mine, &second);
        ct_string_builder_free(&base);
        ct_string_builder_free(&theirs);
        ct_string_builder_free(&mine);
        ct_string_builder_free(&result);
        ct_string_builder_free(&second);
    }
}

static void disjoint_changes_are_all_taken(void **state) {
    (void)state;
    uint32_t random = 20100627;
    const uint32_t rounds = test_rounds(800, 100000);
    for (current_round = 0; current_round < rounds; ++current_round) {
        ct_string_builder one = bare_tree(&random), two = bare_tree(&random);
        ct_string_builder new_one = bare_edited(&random, &one);
        ct_string_builder new_two = bare_edited(&random, &two);
        ct_string_builder base = join(&one, &two), expected = join(&new_one, &new_two);
        ct_string_builder a = join(&new_one, &two), b = join(&one, &new_two);
        ct_merge_summary summary;
        ct_string_builder ab = merge(&base, &a, &b, &summary);
        ct_string_builder ba = merge(&base, &b, &a, &summary);
        if (!is_same_value(&ab, &expected))
            fail_with("not both changes", &base, &a, &b, &ab);
        if (!is_same_value(&ba, &expected))
            fail_with("not both changes, the other way round", &base, &b, &a, &ba);
        // The part that theirs did not touch is there byte for byte, and so is what is around it.
        const char *const tail = strstr(b.text, "\n}\n/* between */\ntwo = {\n");
        const uint32_t tail_bytes = (uint32_t)strlen(tail);
        if (ab.length < tail_bytes || strcmp(ab.text + ab.length - tail_bytes, tail) != 0)
            fail_with("an untouched part changed", &base, &a, &b, &ab);
        ct_string_builder *const all[] = {&one, &two, &new_one,  &new_two, &base,
                                          &a,   &b,   &expected, &ab,      &ba};
        for (uint32_t i = 0; i < CT_COUNT_OF(all); ++i)
            ct_string_builder_free(all[i]);
    }
}

// --- Elements ------------------------------------------------------------------------------------

enum { MOST_ELEMENTS = 24 };

// What becomes of an element, and who does it.
typedef enum fate { KEPT, CHANGED_BY_A, REMOVED_BY_A, CHANGED_BY_B, REMOVED_BY_B, NUM_FATES } fate;

typedef struct elements {
    uint32_t count;
    bool has_crlf; // lines end so
    fate fates[MOST_ELEMENTS];
    uint32_t added_by_a[MOST_ELEMENTS], added_by_b[MOST_ELEMENTS]; // after each; 0: none
    bool a_moves;                                                  // the first element to the end
} elements;

static elements random_elements(uint32_t *random) {
    elements e = {.count = test_random(random) % MOST_ELEMENTS,
                  .has_crlf = test_random(random) % 2,
                  .a_moves = test_random(random) % 3 == 0};
    for (uint32_t i = 0; i < e.count; ++i) {
        e.fates[i] = test_random(random) % 2 ? KEPT : (fate)(test_random(random) % NUM_FATES);
        e.added_by_a[i] = test_random(random) % 6 == 0 ? 100 + i : 0;
        e.added_by_b[i] = test_random(random) % 6 == 0 ? 200 + i : 0;
    }
    return e;
}

static const char *line_end(const elements *e) {
    return e->has_crlf ? "\r\n" : "\n";
}

static void add_element(const elements *e, ct_string_builder *out, uint32_t id, bool is_changed) {
    const char *const end = line_end(e);
    ct_string_builder_addf(out, "\t// of %u%s\t{ id = \"e%u\"   x = [%u 2%s]%s  n = %s } // %u%s",
                           id, end, id, id, id % 2 ? "" : " ", end,
                           is_changed ? "{ new = true }" : "null", id, end);
}

static bool has_other_line_ends(const elements *e, const ct_string_builder *text) {
    bool has_other = false;
    for (uint32_t i = 0; i < text->length; ++i)
        has_other |= text->text[i] == '\n' && e->has_crlf != (i > 0 && text->text[i - 1] == '\r');
    return has_other;
}

// The elements as base (no side), A, B or both have them.
static ct_string_builder write_elements(const elements *e, bool by_a, bool by_b) {
    ct_string_builder out;
    ct_string_builder_init(&out, test_heap());
    ct_string_builder_addf(&out, "units = [%s", line_end(e));
    const bool moves = by_a && e->a_moves && e->count > 0;
    for (uint32_t i = moves ? 1 : 0; i < e->count + moves; ++i) {
        const uint32_t at = i % e->count;
        const fate f = e->fates[at];
        const bool is_gone = (by_a && f == REMOVED_BY_A) || (by_b && f == REMOVED_BY_B);
        const bool is_changed = (by_a && f == CHANGED_BY_A) || (by_b && f == CHANGED_BY_B);
        if (!is_gone)
            add_element(e, &out, at, is_changed);
        if (by_a && e->added_by_a[at])
            add_element(e, &out, e->added_by_a[at], false);
        if (by_b && e->added_by_b[at])
            add_element(e, &out, e->added_by_b[at], false);
    }
    ct_string_builder_addf(&out, "]%s", line_end(e));
    return out;
}

static ct_content_value find_element(const ct_sjson *doc, const char *id) {
    ct_sjson_value e = ct_sjson_find(doc, ct_sjson_root(doc), "units");
    for (e = ct_sjson_first(doc, e); e.entry; e = ct_sjson_next(doc, e)) {
        if (strcmp(ct_sjson_string(doc, ct_sjson_find(doc, e, "id"), ""), id) == 0)
            return (ct_content_value){doc, e};
    }
    return (ct_content_value){0};
}

// True when both have the same elements, in whatever order.
static bool has_same_elements(const ct_string_builder *a, const ct_string_builder *b) {
    ct_sjson *const x = parse(a, "one"), *const y = parse(b, "other");
    const ct_sjson_value from = ct_sjson_find(x, ct_sjson_root(x), "units");
    const ct_sjson_value to = ct_sjson_find(y, ct_sjson_root(y), "units");
    bool same = ct_sjson_count(x, from) == ct_sjson_count(y, to);
    for (ct_sjson_value e = ct_sjson_first(x, from); e.entry && same; e = ct_sjson_next(x, e)) {
        const char *const id = ct_sjson_string(x, ct_sjson_find(x, e, "id"), "");
        same = ct_value_is_equal(test_heap(), (ct_content_value){x, e}, find_element(y, id));
    }
    ct_sjson_free(x);
    ct_sjson_free(y);
    return same;
}

// True when the result has every element that nobody changed as mine wrote it.
static bool keeps_text(const elements *e, const ct_string_builder *result) {
    bool keeps = true;
    for (uint32_t i = 0; i < e->count && keeps; ++i) {
        ct_string_builder text;
        ct_string_builder_init(&text, test_heap());
        add_element(e, &text, i, false);
        keeps = e->fates[i] != KEPT || strstr(result->text, text.text);
        ct_string_builder_free(&text);
    }
    return keeps;
}

static void changes_of_different_elements_are_all_taken(void **state) {
    (void)state;
    uint32_t random = 20100628;
    const uint32_t rounds = test_rounds(1500, 100000);
    for (current_round = 0; current_round < rounds; ++current_round) {
        const elements e = random_elements(&random);
        ct_string_builder base = write_elements(&e, false, false);
        ct_string_builder a = write_elements(&e, true, false);
        ct_string_builder b = write_elements(&e, false, true);
        ct_string_builder both = write_elements(&e, true, true);
        ct_merge_summary one, other;
        ct_string_builder ab = merge(&base, &a, &b, &one), ba = merge(&base, &b, &a, &other);
        if (has_other_line_ends(&e, &ab) || has_other_line_ends(&e, &ba))
            fail_with("other line ends", &base, &a, &b, &ab);
        if (!has_same_elements(&ab, &both) || one.num_decisions > 0 || !keeps_text(&e, &ab))
            fail_with("A into B", &base, &a, &b, &ab);
        if (!has_same_elements(&ba, &both) || other.num_decisions > 0 || !keeps_text(&e, &ba))
            fail_with("B into A", &base, &b, &a, &ba);
        ct_string_builder *const all[] = {&base, &a, &b, &both, &ab, &ba};
        for (uint32_t i = 0; i < CT_COUNT_OF(all); ++i)
            ct_string_builder_free(all[i]);
    }
}

// --- Sets ----------------------------------------------------------------------------------------

enum { NUM_NAMES = 16 };

// A package of the textures whose bits are set, in an order of its own, each with its comment.
static ct_string_builder write_set(uint32_t *random, uint32_t bits, const char *side) {
    ct_string_builder out;
    ct_string_builder_init(&out, test_heap());
    ct_string_builder_addf(&out, "texture = [ // %s\n", side);
    const uint32_t first = test_random(random) % NUM_NAMES,
                   step = 2 * (test_random(random) % 8) + 1;
    for (uint32_t i = 0; i < NUM_NAMES; ++i) {
        const uint32_t name = (first + i * step) % NUM_NAMES;
        if (bits >> name & 1)
            ct_string_builder_addf(&out, "  \"textures/%c\" // of %s\n", 'a' + (int)name, side);
    }
    ct_string_builder_add(&out, "]\n");
    return out;
}

static uint32_t bits_of_set(const ct_string_builder *text) {
    ct_sjson *const doc = parse(text, "set");
    ct_sjson_value e = ct_sjson_first(doc, ct_sjson_find(doc, ct_sjson_root(doc), "texture"));
    uint32_t bits = 0;
    for (; e.entry; e = ct_sjson_next(doc, e)) {
        const uint32_t bit = 1u << (ct_sjson_string(doc, e, "")[strlen("textures/")] - 'a');
        if (bits & bit)
            fail_msg("round %u: twice in\n%s", current_round, text->text);
        bits |= bit;
    }
    ct_sjson_free(doc);
    return bits;
}

// Every line of mine is in the result, in order, but for those of names that theirs took out.
static bool keeps_lines(const ct_string_builder *mine, const ct_string_builder *result,
                        uint32_t removed) {
    const char *at = result->text;
    for (const char *line = mine->text; *line && at;) {
        const char *const end = strchr(line, '\n') + 1;
        const char *const name = strstr(line, "\"textures/");
        const bool is_name = name && name < end;
        if (!is_name || !(removed >> (name[strlen("\"textures/")] - 'a') & 1)) {
            char text[128];
            snprintf(text, sizeof(text), "%.*s", (int)(end - line), line);
            at = strstr(at, text);
        }
        line = end;
    }
    return at;
}

static void sets_take_what_both_did(void **state) {
    (void)state;
    uint32_t random = 20100630;
    const uint32_t rounds = test_rounds(1500, 100000);
    for (current_round = 0; current_round < rounds; ++current_round) {
        const uint32_t most = (1u << NUM_NAMES) - 1, in_base = test_random(&random) & most;
        const uint32_t by_theirs = test_random(&random) & test_random(&random) & most;
        const uint32_t by_mine = test_random(&random) & test_random(&random) & most;
        const uint32_t in_theirs = in_base ^ by_theirs, in_mine = in_base ^ by_mine;
        ct_string_builder base = write_set(&random, in_base, "base");
        ct_string_builder theirs = write_set(&random, in_theirs, "theirs");
        ct_string_builder mine = write_set(&random, in_mine, "mine");
        ct_merge_summary summary;
        merged_path = "x.package";
        ct_string_builder result = merge(&base, &theirs, &mine, &summary);
        merged_path = NULL;
        // What one of them changed is as that one has it; what both changed is the same in both.
        if (bits_of_set(&result) != (in_base ^ (by_theirs | by_mine)) ||
            !keeps_lines(&mine, &result, in_base & by_theirs))
            fail_with("not what both did", &base, &theirs, &mine, &result);
        ct_string_builder *const all[] = {&base, &theirs, &mine, &result};
        for (uint32_t i = 0; i < CT_COUNT_OF(all); ++i)
            ct_string_builder_free(all[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_can_be_edited_everywhere),
        cmocka_unit_test(one_sided_changes_give_the_file_that_changed),
        cmocka_unit_test(what_theirs_left_alone_stays_byte_for_byte),
        cmocka_unit_test(any_two_changes_merge),
        cmocka_unit_test(disjoint_changes_are_all_taken),
        cmocka_unit_test(changes_of_different_elements_are_all_taken),
        cmocka_unit_test(sets_take_what_both_did),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
