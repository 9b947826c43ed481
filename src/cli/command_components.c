#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/reference/component_reference.h"
#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/sjson/sjson_writer.h"
#include "world/world_schedule.h"

static const ct_command_option options[] = {
    {"markdown", "FILE", "write the reference to FILE as Markdown"},
    {"json", NULL, "print the whole reference as one JSON object"},
    {"steps", NULL, "print the systems of worlds and their steps in order instead"},
};

static void print_list(void) {
    uint32_t count;
    const ct_component_type *const types = ct_component_types(&count);
    for (uint32_t i = 0; i < count; ++i)
        printf("%-12s %s\n", types[i].name, types[i].schema->doc);
}

// Prints the engine's own systems. Those of games and plugins follow them in each phase.
static void print_steps(void) {
    ct_world_schedule schedule;
    ct_world_schedule_init(&schedule);
    for (uint32_t i = 0; i < schedule.num_steps; ++i) {
        const ct_world_scheduled_step *const s = &schedule.steps[i];
        printf("%-9s %-12s %s\n", ct_world_phase_name(s->step->phase), schedule.rows[s->row]->name,
               s->step->name);
    }
}

static void add_steps_json(ct_string_builder *text) {
    ct_world_schedule schedule;
    ct_world_schedule_init(&schedule);
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, text, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_write_key(&w, "steps");
    ct_sjson_begin_array(&w);
    for (uint32_t i = 0; i < schedule.num_steps; ++i) {
        const ct_world_scheduled_step *const s = &schedule.steps[i];
        ct_sjson_begin_object(&w);
        ct_sjson_member_string(&w, "phase", ct_world_phase_name(s->step->phase));
        ct_sjson_member_string(&w, "system", schedule.rows[s->row]->name);
        ct_sjson_member_string(&w, "step", s->step->name);
        ct_sjson_end_object(&w);
    }
    ct_sjson_end_array(&w);
    ct_sjson_end_object(&w);
}

static ct_exit unknown(const char *name) {
    enum { MOST_NAMES = 256 };
    const char *names[MOST_NAMES];
    uint32_t count;
    const ct_component_type *const types = ct_component_types(&count);
    CT_ASSERT(count <= MOST_NAMES, "there are %u component types", count);
    for (uint32_t i = 0; i < count; ++i)
        names[i] = types[i].name;
    const char *const nearest = ct_nearest_name(name, names, count);
    fprintf(stderr, "cuttle components: unknown component type \"%s\"", name);
    if (nearest)
        fprintf(stderr, " (did you mean \"%s\"?)", nearest);
    fputc('\n', stderr);
    return CT_EXIT_FAILED;
}

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    const char *const markdown =
        ct_command_option_of(&ct_command_components, arguments, "markdown");
    const bool prints_json =
        ct_command_option_of(&ct_command_components, arguments, "json") != NULL;
    const char *const name = arguments->num_operands == 1 ? arguments->operands[0] : NULL;
    const ct_component_type *const type = name ? ct_component_type_named(name) : NULL;
    if (name && !type)
        return unknown(name);
    ct_string_builder text CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&text, a);
    ct_error error = {0};
    if (markdown) {
        ct_component_reference_markdown(&text);
        if (!ct_file_write_output(markdown, ct_string_builder_text(&text), text.length, false,
                                  &error)) {
            fprintf(stderr, "cuttle components: %s\n", error.message);
            return CT_EXIT_FAILED;
        }
        ct_string_builder_clear(&text);
    }
    const bool prints_steps =
        ct_command_option_of(&ct_command_components, arguments, "steps") != NULL;
    if (prints_json) {
        if (prints_steps)
            add_steps_json(&text);
        else
            ct_component_reference_json(&text);
        ct_string_builder_add(&text, "\n");
    }
    if (type)
        ct_component_reference_text(&text, type);
    fputs(ct_string_builder_text(&text), stdout);
    if (prints_steps && !prints_json)
        print_steps();
    else if (!markdown && !prints_json && !type)
        print_list();
    return CT_EXIT_OK;
}

const ct_command ct_command_components = {
    .name = "components",
    .operands = "[TYPE]",
    .least_operands = 0,
    .most_operands = 1,
    .summary = "print or write the reference of component types",
    .description =
        "Lists the component types, or the members of one type: their types, units, ranges and\n"
        "defaults, as the compiler checks them. --json prints all types, and the members of\n"
        "units and levels, for tools. --steps lists the systems that each world has, in the\n"
        "order of their updates: phase, system and step.\n"
        "Example: cuttle components light",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
