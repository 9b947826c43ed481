#include "compiler/compile_case.h"
#include "resource/types/strings_resource.h"

static const ct_strings_resource *compile_as(compile_case *t, const char *file, const char *text) {
    compile_case_text(t, file, text);
    return compile_case_blob(t, "strings", "menu");
}

// Fails the test unless `text` is refused at `line` with `message`.
static void refuse(const char *text, uint32_t line, const char *message) {
    compile_case t = compile_case_make();
    compile_case_text(&t, "menu.strings", text);
    compile_case_run(&t, "strings", "menu");
    compile_case_expect(&t, "menu.strings", line, message);
    compile_case_free(&t);
}

static const char *look_up(const ct_strings_resource *s, const char *key, double count) {
    const ct_strings_entry *const entry = ct_strings_find(s, key, strlen(key));
    return entry ? ct_blob_at(s, ct_strings_text(s, entry, &count).offset) : NULL;
}

static const char *language_of(const ct_strings_resource *s) {
    return ct_blob_at(s, s->language.offset);
}

static void keeps_texts_by_key(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_strings_resource *const s =
        compile_as(&t, "menu.strings",
                   "start = \"Start\"\n"
                   "\"Quit the game?\" = \"Really?\"\n"
                   "options = { sound = { loud = \"Loud\" } }\n"
                   "a.b = \"with a dot\"\n"
                   "other = \"no plural form at the root\"\n"
                   "long = \"\"\"two\nlines \"quoted\" \\ \"\"\"\n");
    assert_int_equal(s->entries.count, 6);
    assert_string_equal(look_up(s, "start", 0), "Start");
    assert_string_equal(look_up(s, "Quit the game?", 0), "Really?");
    assert_string_equal(look_up(s, "options.sound.loud", 0), "Loud");
    assert_string_equal(look_up(s, "a.b", 0), "with a dot");
    assert_string_equal(look_up(s, "other", 0), "no plural form at the root");
    assert_string_equal(look_up(s, "long", 0), "two\nlines \"quoted\" \\ ");
    assert_null(look_up(s, "options", 0));
    assert_string_equal(language_of(s), "en");
    compile_case_free(&t);
}

static void compiles_an_empty_file(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    assert_int_equal(compile_as(&t, "menu.strings", "// nothing yet\n")->entries.count, 0);
    compile_case_free(&t);
}

static void keeps_plural_forms_with_their_rules(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_strings_resource *const s =
        compile_as(&t, "menu.strings",
                   "language = \"pl\"\n"
                   "shop = { apples = { one = \"{count} jabłko\" few = \"{count} jabłka\"\n"
                   "  many = \"{count} jabłek\" other = \"{count} jabłka\" } }\n");
    assert_string_equal(language_of(s), "pl");
    assert_string_equal(look_up(s, "shop.apples", 1), "{count} jabłko");
    assert_string_equal(look_up(s, "shop.apples", 3), "{count} jabłka");
    assert_string_equal(look_up(s, "shop.apples", 12), "{count} jabłek");
    assert_string_equal(look_up(s, "shop.apples", 1.5), "{count} jabłka");
    assert_null(look_up(s, "shop.apples.one", 1));
    compile_case_free(&t);
}

// Compiles a variant of menu.strings, as the driver would ask for it.
static const ct_strings_resource *compile_variant(compile_case *t, const char *file,
                                                  const char *const *properties, uint32_t count) {
    const ct_compile_request request = {.type = "strings",
                                        .name = "menu",
                                        .path = file,
                                        .project_folder = t->folder,
                                        .platform = "linux",
                                        .properties = properties,
                                        .num_properties = count};
    compile_case_free(t);
    ct_worker_compile(test_heap(), &request, &t->answer);
    t->has_run = true;
    return expect_blob(&t->answer, "strings");
}

static void takes_the_language_of_member_properties_settings_or_none(void **state) {
    (void)state;
    static const char *const with_french[] = {"classic", "fr"};
    static const char *const with_none[] = {"classic", "tv2"};
    compile_case t = compile_case_make();
    assert_string_equal(language_of(compile_as(&t, "menu.strings", "a = \"A\"\n")), "en");
    assert_true(compile_case_has_include(&t, "settings.config:language"));
    assert_false(compile_case_has_include(&t, "settings.config"));
    compile_case_text(&t, "settings.config", "language = \"pt-BR\"\n");
    assert_string_equal(language_of(compile_as(&t, "menu.strings", "a = \"A\"\n")), "pt-br");
    compile_case_text(&t, "menu.classic.tv2.strings", "a = \"A\"\n");
    assert_string_equal(language_of(compile_variant(&t, "menu.classic.tv2.strings", with_none, 2)),
                        "pt-br");
    compile_case_text(&t, "menu.classic.fr.strings", "a = \"A\"\n");
    assert_string_equal(language_of(compile_variant(&t, "menu.classic.fr.strings", with_french, 2)),
                        "fr");
    // What the settings say does not matter then.
    assert_false(compile_case_has_include(&t, "settings.config:language"));
    compile_case_text(&t, "menu.classic.fr.strings", "language = \"de\" a = \"A\"\n");
    assert_string_equal(language_of(compile_variant(&t, "menu.classic.fr.strings", with_french, 2)),
                        "de");
    assert_false(compile_case_has_include(&t, "settings.config:language"));
    compile_case_free(&t);
}

// The word of a platform may look like a language; it is no property of the variant then.
static void does_not_take_a_platform_for_a_language(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(&t, "menu.fr.strings", "a = \"A\"\n");
    assert_string_equal(language_of(compile_variant(&t, "menu.fr.strings", NULL, 0)), "en");
    compile_case_free(&t);
}

static void refuses_a_wrong_language_of_the_settings_in_their_place(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(&t, "menu.strings", "a = \"A\"\n");
    compile_case_text(&t, "settings.config", "title = \"x\"\nlanguage = \"klingon\"\n");
    compile_case_run(&t, "strings", "menu");
    compile_case_expect(&t, "settings.config", 2, "language is \"klingon\"; expected the tag");
    compile_case_text(&t, "settings.config", "\nlanguage = 7\n");
    compile_case_run(&t, "strings", "menu");
    compile_case_expect(&t, "settings.config", 2, "language is a number; expected the tag");
    compile_case_text(&t, "settings.config", "language = [\n");
    compile_case_run(&t, "strings", "menu");
    compile_case_expect(&t, "settings.config", 2, "");
    compile_case_free(&t);
}

// A group may be named like that member.
static void reads_a_group_named_language(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    const ct_strings_resource *const s =
        compile_as(&t, "menu.strings", "language = { title = \"Language\" }\n");
    assert_string_equal(look_up(s, "language.title", 0), "Language");
    compile_case_free(&t);
    refuse("a = \"A\"\nlanguage = \"Language\"\n", 2, "language is \"Language\"; expected the tag");
}

static void refuses_wrong_plural_forms(void **state) {
    (void)state;
    refuse("apples = {\n  one = \"a\"\n  few = \"b\"\n  other = \"c\"\n}\n", 3,
           "en has no plural form \"few\"; it has one and other");
    refuse("a = \"A\"\napples = { one = \"a\" }\n", 2, "the plural form \"other\" is missing");
    refuse("apples = {\n  one = \"a\"\n  others = \"c\"\n}\n", 3,
           "\"others\" is not a plural form, but other keys beside it are; en has one and other");
    refuse("apples = { one = 1 other = \"c\" }\n", 1, "found a number, expected a text");
    refuse("apples = { one = { a = \"b\" } other = \"c\" }\n", 1,
           "found an object, expected a text");
    refuse("language = \"ja\"\napples = { one = \"a\" other = \"b\" }\n", 2,
           "ja has no plural form \"one\"; it has other");
}

static void refuses_what_is_no_text(void **state) {
    (void)state;
    refuse("a = 1\n", 1, "found a number, expected a text");
    refuse("a = \"A\"\nb = [ \"B\" ]\n", 2, "found an array, expected a text");
    refuse("a = null\n", 1, "found null, expected a text");
    refuse("a = \"\"\n", 1, "the text is empty");
    refuse("a = { b = {} }\n", 1, "the group is empty");
    refuse("\"\" = \"A\"\n", 1, "the key has 0 bytes; expected 1 to 254");
    refuse("\"a\\nb\" = \"A\"\n", 1, "the key contains a control character");
}

static void refuses_keys_that_are_too_long(void **state) {
    (void)state;
    char text[512] = "";
    memset(text, 'k', 254);
    snprintf(text + 254, sizeof(text) - 254, " = \"A\"\n");
    compile_case t = compile_case_make();
    assert_int_equal(compile_as(&t, "menu.strings", text)->entries.count, 1);
    compile_case_free(&t);
    snprintf(text + 254, sizeof(text) - 254, " = { b = \"A\" }\n");
    refuse(text, 1, "the key has 256 bytes; expected 1 to 254");
}

static void refuses_wrong_placeholders(void **state) {
    (void)state;
    refuse("a = \"fine {count} {{x}}\"\nb = \"{}\"\n", 2, "found \"{}\", expected a placeholder");
    refuse("a = \"an open {count\"\n", 1, "found \"{count\", expected");
    refuse("a = \"a lone }\"\n", 1, "found \"}\", expected");
    refuse("a = \"{ count }\"\n", 1, "found \"{ count }\", expected");
    refuse("a = \"{1st}\"\n", 1, "found \"{1st}\", expected");
    // Cut between characters.
    refuse("a = \"{aaaaaaaaaaaaaaä\"\n", 1, "found \"{aaaaaaaaaaaaaa\", expected");
}

static const ct_compile_fault *warning(const compile_case *t, uint32_t i) {
    assert_true(i < t->answer.warnings.count);
    assert_string_equal(t->answer.warnings.items[i].file, "menu.fr.strings");
    return &t->answer.warnings.items[i];
}

static void warns_of_placeholders_that_the_translated_text_has_not(void **state) {
    (void)state;
    static const char *const french[] = {"fr"};
    compile_case t = compile_case_make();
    compile_case_text(&t, "menu.strings",
                      "hello = \"Hello {name}, {{you}}\"\n"
                      "apples = { one = \"an apple\" other = \"{count} apples of {name}\" }\n"
                      "bye = \"Bye {name}\"\nquit = \"Quit\"\n");
    compile_case_text(&t, "menu.fr.strings",
                      "quit = \"Quitter\"\n"
                      "hello = \"Salut {nom}\"\n"
                      "more = \"{what}\"\n"
                      "apples = { one = \"une pomme\" other = \"des pommes\" }\n"
                      "bye = \"{name}, {name}, au revoir\"\n");
    compile_variant(&t, "menu.fr.strings", french, 1);
    assert_int_equal(t.answer.warnings.count, 3);
    assert_string_equal(warning(&t, 0)->message, "\"hello\" has no {name}, which menu.strings has");
    assert_int_equal(warning(&t, 0)->line, 2);
    assert_string_equal(warning(&t, 1)->message,
                        "\"hello\" has {nom}, which menu.strings does not have");
    assert_string_equal(warning(&t, 2)->message,
                        "\"apples\" has no {count}, {name}, which menu.strings has");
    assert_int_equal(warning(&t, 2)->line, 4);
    assert_true(compile_case_has_include(&t, "menu.strings"));
    compile_case_free(&t);
}

// Of two or three letters; longer words are properties like any other, and so is what stands beside
// a language.
static void warns_of_what_was_meant_for_a_language(void **state) {
    (void)state;
    static const char *const words[][2] = {{"jp"}, {"hd", "kids"}, {"kids"}, {"fr", "hd"}};
    compile_case t = compile_case_make();
    compile_case_text(&t, "a.strings", "a = \"A\"\n");
    compile_variant(&t, "a.strings", words[0], 1);
    assert_int_equal(t.answer.warnings.count, 1);
    assert_int_equal(t.answer.warnings.items[0].line, 1);
    assert_non_null(strstr(t.answer.warnings.items[0].message,
                           "unknown language \"jp\" (did you mean \"ja\"?): the texts "
                           "are read as en; "));
    compile_variant(&t, "a.strings", words[1], 2);
    assert_non_null(
        strstr(t.answer.warnings.items[0].message, "unknown language \"hd\": the texts"));
    compile_variant(&t, "a.strings", words[2], 1);
    assert_int_equal(t.answer.warnings.count, 0);
    compile_variant(&t, "a.strings", words[3], 2);
    assert_int_equal(t.answer.warnings.count, 0);
    // The file says it.
    compile_case_text(&t, "a.strings", "language = \"en\"  a = \"A\"\n");
    compile_variant(&t, "a.strings", words[0], 1);
    assert_int_equal(t.answer.warnings.count, 0);
    compile_case_free(&t);
}

// That of the same platform is what is in the game beside it.
static void compares_placeholders_within_a_platform(void **state) {
    (void)state;
    static const char *const french[] = {"fr"};
    compile_case t = compile_case_make();
    compile_case_text(&t, "menu.strings", "a = \"{x}\"\n");
    compile_case_text(&t, "menu.fr.linux.strings", "a = \"{y}\"\n");
    compile_variant(&t, "menu.fr.linux.strings", french, 1);
    assert_int_equal(t.answer.warnings.count, 2);
    compile_case_text(&t, "menu.linux.strings", "a = \"{y}\"\n");
    compile_variant(&t, "menu.fr.linux.strings", french, 1);
    assert_int_equal(t.answer.warnings.count, 0);
    compile_variant(&t, "menu.linux.strings", NULL, 0);
    assert_int_equal(t.answer.warnings.count, 0);
    compile_case_free(&t);
}

// It is looked for all the same: it may come.
static void does_without_the_translated_file(void **state) {
    (void)state;
    static const char *const french[] = {"fr"};
    static const char *const useless[] = {"", "a = [", "a = 3\nb = \"{x}\"", "\xff"};
    compile_case t = compile_case_make();
    compile_case_text(&t, "menu.fr.strings", "a = \"{x}\"\nb = \"{x}\"\n");
    compile_variant(&t, "menu.fr.strings", french, 1);
    assert_int_equal(t.answer.warnings.count, 0);
    assert_true(compile_case_has_include(&t, "menu.strings"));
    for (uint32_t i = 0; i < CT_COUNT_OF(useless); ++i) {
        compile_case_text(&t, "menu.strings", useless[i]);
        compile_variant(&t, "menu.fr.strings", french, 1);
        assert_int_equal(t.answer.warnings.count, 0);
    }
    compile_case_free(&t);
}

static void refuses_a_key_that_stands_twice(void **state) {
    (void)state;
    refuse("a = { b = \"A\" }\nc = \"C\"\na.b = \"B\"\n", 3,
           "the key \"a.b\" is used twice; it is also in line 1");
}

static void refuses_keys_of_one_id(void **state) {
    (void)state;
    assert_int_equal(ct_string_id32_of("text_33989").value, ct_string_id32_of("text_103465").value);
    refuse("text_33989 = \"A\"\ntext_103465 = \"B\"\n", 2,
           "the keys \"text_103465\" and \"text_33989\" (line 1) have the same id; rename one");
}

static void tells_every_error(void **state) {
    (void)state;
    compile_case t = compile_case_make();
    compile_case_text(&t, "menu.strings", "a = 1\nb = \"{\"\nc = { one = \"x\" }\nd = \"\"\n");
    compile_case_run(&t, "strings", "menu");
    assert_int_equal(t.answer.errors.count, 4);
    compile_case_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_texts_by_key),
        cmocka_unit_test(compiles_an_empty_file),
        cmocka_unit_test(keeps_plural_forms_with_their_rules),
        cmocka_unit_test(takes_the_language_of_member_properties_settings_or_none),
        cmocka_unit_test(does_not_take_a_platform_for_a_language),
        cmocka_unit_test(refuses_a_wrong_language_of_the_settings_in_their_place),
        cmocka_unit_test(reads_a_group_named_language),
        cmocka_unit_test(refuses_wrong_plural_forms),
        cmocka_unit_test(refuses_what_is_no_text),
        cmocka_unit_test(refuses_keys_that_are_too_long),
        cmocka_unit_test(refuses_wrong_placeholders),
        cmocka_unit_test(warns_of_placeholders_that_the_translated_text_has_not),
        cmocka_unit_test(warns_of_what_was_meant_for_a_language),
        cmocka_unit_test(compares_placeholders_within_a_platform),
        cmocka_unit_test(does_without_the_translated_file),
        cmocka_unit_test(refuses_a_key_that_stands_twice),
        cmocka_unit_test(refuses_keys_of_one_id),
        cmocka_unit_test(tells_every_error),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
