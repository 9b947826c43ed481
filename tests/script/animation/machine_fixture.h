// machine_fixture.h: a state machine, made of numbers, for the clips of animation_fixture.h. Include
// once in a program.
//
// The state machine `robot` has the variables speed (0 to 10) and smile (0 to 1, 0.5), and grin, the curve of clips/walk, and two
// layers. Nothing fades.
//   base  starts in idle. "go": idle to walk; "stop", with speed < 1: walk to idle; "greet": any to
//         wave; after a round, by itself: wave to idle. Events out: "leaves_idle", "enters_walk",
//         "enters_wave", "leaves_wave"
//   arm   starts in the empty state. "greet": to wave
#pragma once
#include "resource/types/state_machine_resource.h"
#include "script/animation/animation_fixture.h"

enum { NUM_ROBOT_STATES = 5, NUM_ROBOT_TRANSITIONS = 5 };

static const struct {
    const char *name, *enters, *leaves;
    uint32_t clip; // and leaf; NONE: empty
    uint32_t num_exits;
    uint32_t exits[2];
} robot_states[NUM_ROBOT_STATES] = {
    {"idle", "", "leaves_idle", 0, 2, {0, 2}},
    {"walk", "enters_walk", "", 1, 2, {1, 2}},
    {"wave", "enters_wave", "leaves_wave", 2, 2, {3, 2}},
    {"", "", "", CT_STATE_MACHINE_NONE, 1, {4, 0}},
    {"wave", "", "", 2, 0, {0, 0}},
};

static const struct {
    const char *event; // "": by itself, after a round
    uint32_t to, condition;
} robot_transitions[NUM_ROBOT_TRANSITIONS] = {
    {"go", 1, CT_STATE_MACHINE_NONE},    {"stop", 0, 0},
    {"greet", 2, CT_STATE_MACHINE_NONE}, {"", 0, CT_STATE_MACHINE_NONE},
    {"greet", 4, CT_STATE_MACHINE_NONE},
};

static inline ct_blob_string write_text_of(ct_blob_writer *w, const char *text) {
    return ct_blob_write_string(w, text, strlen(text));
}

static inline ct_string_id32 id_of_text(const char *text) {
    return text[0] ? ct_string_id32_of(text) : (ct_string_id32){0};
}

static inline void write_robot_states(ct_blob_writer *w, ct_state_machine_resource *m) {
    ct_state_machine_state states[NUM_ROBOT_STATES];
    ct_state_machine_leaf leaves[NUM_ROBOT_STATES];
    uint32_t exits[2 * NUM_ROBOT_STATES], num_exits = 0, num_leaves = 0;
    memset(states, 0, sizeof(states));
    memset(leaves, 0, sizeof(leaves));
    for (uint32_t i = 0; i < NUM_ROBOT_STATES; ++i) {
        ct_state_machine_state *const s = &states[i];
        s->name_text = write_text_of(w, robot_states[i].name);
        s->enter_event_text = write_text_of(w, robot_states[i].enters);
        s->leave_event_text = write_text_of(w, robot_states[i].leaves);
        s->name = ct_string_id32_of(robot_states[i].name);
        s->enter_event = id_of_text(robot_states[i].enters);
        s->leave_event = id_of_text(robot_states[i].leaves);
        s->loop = CT_STATE_MACHINE_LOOP_AS_CLIP;
        s->moves_root = 1;
        s->speed = s->x = s->y = CT_STATE_MACHINE_NONE;
        s->first_leaf = num_leaves;
        s->kind = CT_STATE_MACHINE_STATE_EMPTY;
        if (robot_states[i].clip != CT_STATE_MACHINE_NONE) {
            s->kind = CT_STATE_MACHINE_STATE_CLIP;
            s->num_leaves = 1;
            leaves[num_leaves++] =
                (ct_state_machine_leaf){.clip = robot_states[i].clip, .speed = 1};
        }
        s->first_exit = num_exits;
        s->num_exits = robot_states[i].num_exits;
        for (uint32_t k = 0; k < s->num_exits; ++k)
            exits[num_exits++] = robot_states[i].exits[k];
    }
    m->states = ct_blob_write_items(w, &ct_state_machine_state_layout, states, NUM_ROBOT_STATES);
    m->leaves = ct_blob_write_items(w, &ct_state_machine_leaf_layout, leaves, num_leaves);
    m->exits = ct_blob_write_items(w, &ct_blob_u32_layout, exits, num_exits);
}

static inline void write_robot_transitions(ct_blob_writer *w, ct_state_machine_resource *m) {
    ct_state_machine_transition transitions[NUM_ROBOT_TRANSITIONS];
    memset(transitions, 0, sizeof(transitions));
    for (uint32_t i = 0; i < NUM_ROBOT_TRANSITIONS; ++i) {
        const bool is_by_itself = robot_transitions[i].event[0] == 0;
        transitions[i] = (ct_state_machine_transition){
            .to = robot_transitions[i].to,
            .event = id_of_text(robot_transitions[i].event),
            .condition = robot_transitions[i].condition,
            .exit_kind = is_by_itself ? CT_STATE_MACHINE_EXIT_PHASE : CT_STATE_MACHINE_EXIT_ANY,
            .exit = is_by_itself ? 1 : 0,
            .flags = CT_STATE_MACHINE_TRANSITION_INTERRUPTIBLE};
    }
    m->transitions = ct_blob_write_items(w, &ct_state_machine_transition_layout, transitions,
                                         NUM_ROBOT_TRANSITIONS);
    uint32_t events[] = {ct_string_id32_of("go").value, ct_string_id32_of("stop").value,
                         ct_string_id32_of("greet").value};
    for (uint32_t i = 1; i < CT_COUNT_OF(events); ++i) {
        for (uint32_t k = i; k > 0 && events[k] < events[k - 1]; --k) {
            const uint32_t other = events[k];
            events[k] = events[k - 1];
            events[k - 1] = other;
        }
    }
    m->events = ct_blob_write_items(w, &ct_blob_u32_layout, events, CT_COUNT_OF(events));
}

// The variables, and the expression 0: speed < 1.
static inline void write_robot_variables(ct_blob_writer *w, ct_state_machine_resource *m) {
    const ct_state_machine_variable_data variables[] = {
        {.name_text = write_text_of(w, "speed"), .name = ct_string_id32_of("speed"), .most = 10},
        {.name_text = write_text_of(w, "smile"),
         .name = ct_string_id32_of("smile"),
         .default_value = 0.5f,
         .most = 1},
        {.name_text = write_text_of(w, "grin"),
         .name = ct_string_id32_of("grin"),
         .most = 1,
         .curve_object = ct_string_id32_of("face"),
         .curve_parameter = ct_string_id32_of("smile")}};
    const uint32_t words[] = {CT_STATE_MACHINE_WORD(CT_STATE_MACHINE_OP_VARIABLE, 0),
                              CT_STATE_MACHINE_WORD(CT_STATE_MACHINE_OP_CONSTANT, 0),
                              CT_STATE_MACHINE_WORD(CT_STATE_MACHINE_OP_LESS, 0)};
    const ct_state_machine_expression expression = {0, CT_COUNT_OF(words)};
    const float one = 1;
    m->variables = ct_blob_write_items(w, &ct_state_machine_variable_layout, variables,
                                       CT_COUNT_OF(variables));
    m->expressions = ct_blob_write_items(w, &ct_state_machine_expression_layout, &expression, 1);
    m->words = ct_blob_write_items(w, &ct_blob_u32_layout, words, CT_COUNT_OF(words));
    m->constants = ct_blob_write_items(w, &ct_blob_u32_layout, &one, 1);
}

static inline void load_robot_machine(script_fixture *s) {
    ct_blob_writer w;
    ct_state_machine_resource m = {.skeleton = ct_string_id64_of("models/stick"),
                                   .structure_hash = 1234567890123};
    const ct_resource_id clips[] = {ct_resource_id_of("animation", "clips/idle"),
                                    ct_resource_id_of("animation", "clips/walk"),
                                    ct_resource_id_of("animation", "clips/wave")};
    ct_blob_writer_init(&w, test_heap(), CT_BYTE_ORDER_LITTLE, "state_machine",
                        CT_STATE_MACHINE_VERSION);
    ct_blob_begin(&w, &ct_state_machine_layout);
    const ct_state_machine_layer layers[] = {{.name_text = write_text_of(&w, "base"),
                                              .name = ct_string_id32_of("base"),
                                              .moves_root = 1,
                                              .first_mask = CT_STATE_MACHINE_NONE,
                                              .weight = CT_STATE_MACHINE_NONE,
                                              .num_states = 3},
                                             {.name_text = write_text_of(&w, "arm"),
                                              .name = ct_string_id32_of("arm"),
                                              .first_mask = CT_STATE_MACHINE_NONE,
                                              .weight = CT_STATE_MACHINE_NONE,
                                              .first_state = 3,
                                              .num_states = 2,
                                              .start = 3}};
    m.clips = ct_blob_write_items(&w, &ct_blob_resource_id_layout, clips, CT_COUNT_OF(clips));
    m.layers = ct_blob_write_items(&w, &ct_state_machine_layer_layout, layers, CT_COUNT_OF(layers));
    write_robot_states(&w, &m);
    write_robot_transitions(&w, &m);
    write_robot_variables(&w, &m);
    ct_blob_end(&w, &ct_state_machine_layout, &m);
    ct_blob_writer_finish(&w);
    load_blob(s, &w, "state_machine", "robot");
}
