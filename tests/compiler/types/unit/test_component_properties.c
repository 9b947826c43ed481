// What units' sources may not say of components: each property of each component type there is, as
// the schemas have them, unknown, of wrong type and out of range.
#include "compiler/types/unit/template_support.h"

#include "foundation/string/string_builder.h"

enum { TEXT_BYTES = 2048 };

static const char *project; // the same folder for all

// A property of a component type, or of the nodes of a scene graph.
typedef struct property {
    const ct_component_type *type;
    const ct_schema *schema;
    const ct_field *field;
} property;

static bool is_node(const property *p) {
    return p->schema != p->type->schema;
}

// Writes a unit whose one component has `member` in line 3, from column 5 on, beside what it needs,
// except the property itself.
static void write_unit(const property *p, const char *member) {
    char text[TEXT_BYTES], required[512] = "";
    for (uint32_t i = 0; i < p->schema->num_fields; ++i) {
        const ct_field *const f = &p->schema->fields[i];
        if ((f->flags & CT_FIELD_REQUIRED) && f != p->field)
            snprintf(required + strlen(required), sizeof(required) - strlen(required),
                     " %s = \"some\"", f->name);
    }
    if (is_node(p))
        snprintf(text, sizeof(text),
                 "components = [ { id = \"a\" type = \"%s\"\n  nodes = [ { id = \"n\" %s\n"
                 "    %s\n  } ] } ]\n",
                 p->type->name,
                 p->field && strcmp(p->field->name, "name") == 0 ? "" : "name = \"n\"", member);
    else
        snprintf(text, sizeof(text),
                 "components = [\n  { id = \"a\" type = \"%s\"%s\n    %s\n  }\n]\n", p->type->name,
                 required, member);
    write_text(project, "x.unit", text);
}

// The unit's one error is in line 3, from `column` on; its message has all of `texts`.
static void expect_refusal(const property *p, const char *member, uint32_t column,
                           const char *const *texts, uint32_t num_texts) {
    write_unit(p, member);
    ct_compile_answer answer = compile_file(project, "unit", "x");
    if (answer.errors.count != 1)
        fail_msg("%s with `%s`: %u errors", p->type->name, member, answer.errors.count);
    for (uint32_t i = 0; i + 1 < num_texts; ++i) {
        if (!strstr(answer.errors.items[0].message, texts[i]))
            fail_msg("%s with `%s`: found \"%s\", expected \"%s\"", p->type->name, member,
                     answer.errors.items[0].message, texts[i]);
    }
    expect_error(&answer, "x.unit", 3, column, texts[num_texts - 1]);
}

// Calls `check` with each property that a source can give. Returns how many there are.
static uint32_t for_each_property(void (*check)(const property *p)) {
    uint32_t num_types, count = 0;
    const ct_component_type *const types = ct_component_types(&num_types);
    project = test_scratch_folder();
    for (uint32_t t = 0; t < num_types; ++t) {
        const ct_schema *schemas[2] = {types[t].schema, types[t].instance_schema};
        const uint32_t num_schemas = schemas[1] && schemas[1] != schemas[0] ? 2 : 1;
        for (uint32_t s = 0; s < num_schemas; ++s) {
            for (uint32_t i = 0; i < schemas[s]->num_fields; ++i) {
                const property p = {&types[t], schemas[s], &schemas[s]->fields[i]};
                if (!ct_field_is_in_source(p.field))
                    continue;
                check(&p);
                ++count;
            }
        }
    }
    return count;
}

// --- Wrong types ---------------------------------------------------------------------------------

// A value that no property of this type has, and how errors call it.
static const char *wrong_value(ct_field_type type, const char **found) {
    switch (type) {
    case CT_FIELD_TYPE_BOOL:
    case CT_FIELD_TYPE_ENUM:
    case CT_FIELD_TYPE_TEXT:
    case CT_FIELD_TYPE_NAME:
    case CT_FIELD_TYPE_REFERENCE:
        *found = "found a number, expected";
        return "12";
    case CT_FIELD_TYPE_VECTOR3:
    case CT_FIELD_TYPE_QUATERNION:
    case CT_FIELD_TYPE_COLOR:
        *found = "found an array of 2, expected";
        return "[ 1 2 ]";
    default:
        *found = "found a string, expected";
        return "\"some\"";
    }
}

static void check_wrong_type(const property *p) {
    const char *found;
    char member[256], place[128];
    snprintf(member, sizeof(member), "%s = %s", p->field->name,
             wrong_value(p->field->type, &found));
    snprintf(place, sizeof(place), "%s.%s: ", p->schema->name, p->field->name);
    expect_refusal(p, member, 5, (const char *const[]){place, found}, 2);
}

static void refuses_values_of_wrong_type(void **state) {
    (void)state;
    assert_true(for_each_property(check_wrong_type) >= 37);
}

static void check_wrong_word(const property *p) {
    char place[128];
    if (p->field->type != CT_FIELD_TYPE_ENUM)
        return;
    char member[256];
    snprintf(member, sizeof(member), "%s = \"no_word\"", p->field->name);
    snprintf(place, sizeof(place), "found \"no_word\", expected one of: %s",
             p->field->enum_names[0]);
    expect_refusal(p, member, 5, (const char *const[]){place}, 1);
}

static void refuses_words_that_are_none_of_an_enum(void **state) {
    (void)state;
    for_each_property(check_wrong_word);
}

// --- Out of range --------------------------------------------------------------------------------

static uint32_t num_ranges;

// The property with `number` as its last part; sets the column of that.
static uint32_t write_number(const ct_field *f, double number, char *member, size_t bytes) {
    const uint32_t parts = f->size_bytes / 4;
    int length = snprintf(member, bytes, "%s = %s", f->name, parts > 1 ? "[" : "");
    for (uint32_t i = 0; i + 1 < parts; ++i)
        length += snprintf(member + length, bytes - (size_t)length, "%g ", f->least);
    snprintf(member + length, bytes - (size_t)length, "%.9g%s", number, parts > 1 ? "]" : "");
    return parts > 1 ? 5 + (uint32_t)length : 5; // single numbers are told at their names
}

static void check_range(const property *p) {
    const ct_field *const f = p->field;
    if (!(f->least < f->most))
        return;
    ++num_ranges;
    char range[64], member[256];
    snprintf(range, sizeof(range), "expected %g to %g%s%s", f->least, f->most, f->unit ? " " : "",
             f->unit ? f->unit : "");
    const double span = f->most - f->least;
    uint32_t column = write_number(f, f->most + span / 100, member, sizeof(member));
    expect_refusal(p, member, column, (const char *const[]){range}, 1);
    column = write_number(f, f->least - span / 100, member, sizeof(member));
    expect_refusal(p, member, column, (const char *const[]){range}, 1);
}

static void refuses_numbers_out_of_the_documented_range(void **state) {
    (void)state;
    num_ranges = 0;
    for_each_property(check_range);
    assert_true(num_ranges >= 14);
}

// Of those without a range of their own.
static void check_float(const property *p) {
    if (p->field->type == CT_FIELD_TYPE_QUATERNION) {
        expect_refusal(p, "rotation = [0 0 0 0]", 5,
                       (const char *const[]){"found a rotation of length 0"}, 1);
        expect_refusal(p, "rotation = [0 0 0 1e39]", 23, (const char *const[]){"found 1e+39"}, 1);
    } else if (p->field->type == CT_FIELD_TYPE_COLOR) {
        expect_refusal(p, "color = [0 0 1.5]", 18, (const char *const[]){"expected 0 to 1"}, 1);
    } else if (p->field->type == CT_FIELD_TYPE_TEXT) {
        char member[512];
        snprintf(member, sizeof(member), "%s = \"%0*d\"", p->field->name, (int)p->field->size_bytes,
                 0);
        expect_refusal(p, member, 5, (const char *const[]){"bytes of text, expected at most"}, 1);
    }
}

static void refuses_what_no_field_holds(void **state) {
    (void)state;
    for_each_property(check_float);
}

// --- Unknown -------------------------------------------------------------------------------------

static void check_unknown(const property *p) {
    char member[256], place[160];
    const property other = {p->type, p->schema, NULL};
    snprintf(place, sizeof(place),
             "%s.qqqqqqqqqqqq: unknown member; expected one of: ", p->schema->name);
    expect_refusal(&other, "qqqqqqqqqqqq = 1", 5, (const char *const[]){p->field->name, place}, 2);
    snprintf(member, sizeof(member), "%sx = 1", p->field->name);
    snprintf(place, sizeof(place), "%s.%sx: unknown member; did you mean \"%s\"?", p->schema->name,
             p->field->name, p->field->name);
    expect_refusal(&other, member, 5, (const char *const[]){place}, 1);
}

static void refuses_properties_that_are_unknown(void **state) {
    (void)state;
    for_each_property(check_unknown);
}

// --- Several of a type ---------------------------------------------------------------------------

static void refuses_a_second_one_where_there_may_be_one(void **state) {
    (void)state;
    uint32_t count, num_single = 0;
    const ct_component_type *const types = ct_component_types(&count);
    const char *const folder = test_scratch_folder();
    for (uint32_t t = 0; t < count; ++t) {
        char text[TEXT_BYTES], expected[128], required[128] = "";
        for (uint32_t i = 0; i < types[t].schema->num_fields; ++i) {
            if (types[t].schema->fields[i].flags & CT_FIELD_REQUIRED)
                snprintf(required, sizeof(required), " %s = \"some\"",
                         types[t].schema->fields[i].name);
        }
        if (ct_schema_find(types[t].schema, "shapes")) // without any they need a mesh
            snprintf(required, sizeof(required), " shapes = [ { id = \"s\" } ]");
        snprintf(text, sizeof(text),
                 "components = [ { id = \"a\" type = \"%s\"%s }\n"
                 "  { id = \"b\" type = \"%s\"%s } ]\n",
                 types[t].name, required, types[t].name, required);
        write_text(folder, "x.unit", text);
        ct_compile_answer answer = compile_file(folder, "unit", "x");
        snprintf(expected, sizeof(expected), "a unit has at most one %s; \"a\" is one already",
                 types[t].name);
        num_single += !types[t].may_repeat;
        if (!types[t].may_repeat) {
            expect_error(&answer, "x.unit", 2, 3, expected);
            continue;
        }
        expect_blob(&answer, "unit");
        ct_compile_answer_free(&answer);
    }
    assert_int_equal(
        num_single,
        7); // transform, scene_graph, animation, debug_name, tag, flow, navigation_agent
}

// --- Overrides -----------------------------------------------------------------------------------

static void refuses_the_same_in_overrides(void **state) {
    (void)state;
    const char *const folder = test_scratch_folder();
    write_text(folder, "lamp.unit",
               "components = [ { id = \"t\" type = \"transform\" }\n"
               "  { id = \"l\" type = \"light\" } ]\n");
    write_text(folder, "x.unit",
               "inherit = \"lamp\"\ncomponents = [ { id = \"l\"\n    intensity = -1 } ]\n");
    ct_compile_answer answer = compile_file(folder, "unit", "x");
    expect_error(&answer, "x.unit", 3, 5, "light.intensity: found -1, expected 0 to 1e+06 cd");
    write_text(folder, "x.unit",
               "children = [ { id = \"c\" unit = \"lamp\" overrides = [ { id = \"l\"\n"
               "    intensty = 1 } ] } ]\n");
    answer = compile_file(folder, "unit", "x");
    expect_error(&answer, "x.unit", 2, 5, "did you mean \"intensity\"?");
    write_text(folder, "y.level",
               "units = [ { id = \"c\" unit = \"lamp\" overrides = [ { id = \"l\"\n"
               "    is_enabled = 1 } ] } ]\n");
    answer = compile_file(folder, "level", "y");
    expect_error(&answer, "y.level", 2, 5, "found a number, expected true or false");
    write_text(folder, "y.level",
               "units = [ { id = \"c\" unit = \"lamp\"\n    scale = [1 1 1e7] } ]\n");
    answer = compile_file(folder, "level", "y");
    expect_error(&answer, "y.level", 2, 18, "unit.scale[2]: found 1e+07, expected -1e+06 to 1e+06");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_values_of_wrong_type),
        cmocka_unit_test(refuses_words_that_are_none_of_an_enum),
        cmocka_unit_test(refuses_numbers_out_of_the_documented_range),
        cmocka_unit_test(refuses_what_no_field_holds),
        cmocka_unit_test(refuses_properties_that_are_unknown),
        cmocka_unit_test(refuses_a_second_one_where_there_may_be_one),
        cmocka_unit_test(refuses_the_same_in_overrides),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
