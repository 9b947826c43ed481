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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_sided_changes_give_the_file_that_changed),
        cmocka_unit_test(any_two_changes_merge),
        cmocka_unit_test(disjoint_changes_are_all_taken),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
