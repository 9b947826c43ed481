// What holds of every merge, over random documents.
#include <stdio.h>
#include <string.h>

#include "content/merge.h"
#include "content/value_compare.h"
#include "support/random_tree.h"
#include "support/test_support.h"

static uint32_t current_round; // for messages

static ct_sjson *parse(const ct_string_builder *text, const char *what) {
    ct_error error = {0};
    ct_sjson *const doc =
        ct_sjson_parse(test_heap(), ct_string_builder_text(text), text->length, what, NULL, &error);
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
                                .mine = text_of(mine, "mine")};
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

// Two trees as members of one document.
static ct_string_builder join(const ct_string_builder *one, const ct_string_builder *two) {
    ct_string_builder text;
    ct_string_builder_init(&text, test_heap());
    ct_string_builder_addf(&text, "// both\none = {\n");
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
    fate fates[MOST_ELEMENTS];
    uint32_t added_by_a[MOST_ELEMENTS], added_by_b[MOST_ELEMENTS]; // after each; 0: none
    bool a_moves;                                                  // the first element to the end
} elements;

static elements random_elements(uint32_t *random) {
    elements e = {.count = test_random(random) % MOST_ELEMENTS,
                  .a_moves = test_random(random) % 3 == 0};
    for (uint32_t i = 0; i < e.count; ++i) {
        e.fates[i] = test_random(random) % 2 ? KEPT : (fate)(test_random(random) % NUM_FATES);
        e.added_by_a[i] = test_random(random) % 6 == 0 ? 100 + i : 0;
        e.added_by_b[i] = test_random(random) % 6 == 0 ? 200 + i : 0;
    }
    return e;
}

static void add_element(ct_string_builder *out, uint32_t id, bool is_changed) {
    ct_string_builder_addf(out, "\t// of %u\n\t{ id = \"e%u\"   x = [%u 2%s]\n  n = %s } // %u\n",
                           id, id, id, id % 2 ? "" : " ", is_changed ? "{ new = true }" : "null",
                           id);
}

// The elements as base (no side), A, B or both have them.
static ct_string_builder write_elements(const elements *e, bool by_a, bool by_b) {
    ct_string_builder out;
    ct_string_builder_init(&out, test_heap());
    ct_string_builder_add(&out, "units = [\n");
    const bool moves = by_a && e->a_moves && e->count > 0;
    for (uint32_t i = moves ? 1 : 0; i < e->count + moves; ++i) {
        const uint32_t at = i % e->count;
        const fate f = e->fates[at];
        const bool is_gone = (by_a && f == REMOVED_BY_A) || (by_b && f == REMOVED_BY_B);
        const bool is_changed = (by_a && f == CHANGED_BY_A) || (by_b && f == CHANGED_BY_B);
        if (!is_gone)
            add_element(&out, at, is_changed);
        if (by_a && e->added_by_a[at])
            add_element(&out, e->added_by_a[at], false);
        if (by_b && e->added_by_b[at])
            add_element(&out, e->added_by_b[at], false);
    }
    ct_string_builder_add(&out, "]\n");
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
        add_element(&text, i, false);
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
        if (!has_same_elements(&ab, &both) || one.num_decisions > 0 || !keeps_text(&e, &ab))
            fail_with("A into B", &base, &a, &b, &ab);
        if (!has_same_elements(&ba, &both) || other.num_decisions > 0 || !keeps_text(&e, &ba))
            fail_with("B into A", &base, &b, &a, &ba);
        ct_string_builder *const all[] = {&base, &a, &b, &both, &ab, &ba};
        for (uint32_t i = 0; i < CT_COUNT_OF(all); ++i)
            ct_string_builder_free(all[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_sided_changes_give_the_file_that_changed),
        cmocka_unit_test(any_two_changes_merge),
        cmocka_unit_test(disjoint_changes_are_all_taken),
        cmocka_unit_test(changes_of_different_elements_are_all_taken),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
