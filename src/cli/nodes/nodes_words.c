#include "cli/nodes/nodes_words.h"

#include <stdio.h>
#include <string.h>

#include "cli/shell_word.h"

enum { NUM_LUA_NAMES = 5, MAX_NAMES = 9 };

// The texts of placeholders, by position in `names`.
static const char *const names[MAX_NAMES] = {"seed",   "run",     "node", "index",    "folder",
                                             "cuttle", "project", "port", "arguments"};

typedef struct texts {
    const char *items[MAX_NAMES];
    uint32_t count;
    char seed[16], run[16], index[16], port[16];
} texts;

static void fill_texts(texts *t, const ct_nodes_values *values) {
    const ct_nodes_node *const node = &values->plan->nodes.items[values->node];
    snprintf(t->seed, sizeof(t->seed), "%u", values->seed);
    snprintf(t->run, sizeof(t->run), "%u", values->run);
    snprintf(t->index, sizeof(t->index), "%u", values->node + 1);
    snprintf(t->port, sizeof(t->port), "%u", node->port);
    const char *const items[] = {t->seed,        t->run,         node->id,        t->index,
                                 values->folder, values->cuttle, values->project, t->port};
    memcpy(t->items, items, sizeof(items));
    t->count = CT_COUNT_OF(items);
}

static void expand(ct_string_builder *out, const char *text, const texts *t) {
    while (*text != '\0') {
        const size_t plain = strcspn(text, "$");
        ct_string_builder_add_bytes(out, text, (uint32_t)plain);
        text += plain;
        if (*text == '\0')
            return;
        const size_t length = strspn(text + 1, "abcdefghijklmnopqrstuvwxyz");
        uint32_t i = 0;
        while (i < t->count && (strlen(names[i]) != length || strncmp(text + 1, names[i], length)))
            ++i;
        if (i < t->count)
            ct_string_builder_add(out, t->items[i]);
        else
            ct_string_builder_add_bytes(out, text, (uint32_t)length + 1);
        text += length + 1;
    }
}

void ct_nodes_add_lua(ct_string_builder *out, const char *lua, const ct_nodes_values *values) {
    texts t;
    fill_texts(&t, values);
    t.count = NUM_LUA_NAMES;
    expand(out, lua, &t);
}

// --- Commands ------------------------------------------------------------------------------------

static void add_word(ct_string_array *words, const char *word) {
    char *const copy = ct_copy_string(words->allocator, word);
    ct_array_push(words, copy);
}

static void add_expanded(ct_string_array *words, const char *word, const texts *t) {
    ct_string_builder text CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&text, words->allocator);
    expand(&text, word, t);
    add_word(words, ct_string_builder_text(&text));
}

// The words of `cuttle run`, from "run" on.
static void add_arguments(ct_string_array *words, const ct_nodes_values *values, const texts *t) {
    const ct_nodes_plan *const plan = values->plan;
    const ct_nodes_node *const node = &plan->nodes.items[values->node];
    add_word(words, "run");
    if (plan->data == CT_NODES_DATA_SERVER) {
        add_word(words, "--host");
        add_word(words, values->server);
        add_word(words, "--project");
        add_word(words, plan->project_name[0] != '\0' ? plan->project_name
                                                      : ct_path_file_name(values->project));
        add_word(words, "--require-server"); // data of another day would fail or pass by chance
    } else {
        add_word(words, values->project);
        add_word(words, "--no-compile"); // the command has compiled it for all
    }
    if (!node->has_window)
        add_word(words, "--headless");
    add_word(words, "--port");
    add_word(words, t->items[7]);
    if (plan->has_network_log) {
        char name[64];
        snprintf(name, sizeof(name),
                 values->start < 2 ? "$folder/$node.network" : "$folder/$node.%u.network",
                 values->start);
        add_word(words, "--network-log");
        add_expanded(words, name, t);
    }
    for (uint32_t i = 0; i < node->options.count; ++i)
        add_expanded(words, node->options.items[i], t);
    add_word(words, "--");
    add_word(words, "--seed");
    add_word(words, t->seed);
    for (uint32_t i = 0; i < node->arguments.count; ++i)
        add_expanded(words, node->arguments.items[i], t);
}

static void add_launch(ct_string_array *words, const ct_nodes_words *launch, texts *t,
                       const ct_string_array *arguments) {
    ct_string_builder line CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&line, words->allocator);
    for (uint32_t i = 0; i < arguments->count; ++i) {
        if (i > 0)
            ct_string_builder_add_char(&line, ' ');
        ct_shell_word_add(&line, arguments->items[i]);
    }
    t->items[t->count++] = ct_string_builder_text(&line);
    for (uint32_t i = 0; i < launch->count; ++i) {
        if (strcmp(launch->items[i], "$arguments") != 0) {
            add_expanded(words, launch->items[i], t);
            continue;
        }
        for (uint32_t k = 0; k < arguments->count; ++k)
            add_word(words, arguments->items[k]);
    }
}

void ct_nodes_add_command(ct_string_array *words, const ct_nodes_values *values) {
    const ct_nodes_node *const node = &values->plan->nodes.items[values->node];
    const ct_nodes_words local = {.items = {"$cuttle", "$arguments"}, .count = 2};
    texts t;
    ct_string_array arguments;
    ct_array_init(&arguments, words->allocator);
    fill_texts(&t, values);
    add_arguments(&arguments, values, &t);
    if (node->launch.count != 0)
        add_launch(words, &node->launch, &t, &arguments);
    else if (!node->is_detached)
        add_launch(words, &local, &t, &arguments);
    ct_nodes_free_words(&arguments);
}

void ct_nodes_add_server_command(ct_string_array *words, const ct_nodes_values *values) {
    const ct_nodes_words usual = {.items = {"$cuttle", "serve", "$project", "--port", "0"},
                                  .count = 5};
    const ct_nodes_words *const launch = &values->plan->server_launch;
    const ct_nodes_words *const used = launch->count != 0 ? launch : &usual;
    texts t;
    fill_texts(&t, values);
    for (uint32_t i = 0; i < used->count; ++i)
        add_expanded(words, used->items[i], &t);
}

void ct_nodes_free_words(ct_string_array *words) {
    for (uint32_t i = 0; i < words->count; ++i)
        ct_free(words->allocator, words->items[i]);
    ct_array_free(words);
}
