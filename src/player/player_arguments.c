#include "player/player_arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"

const char ct_player_help[] =
    "usage: cuttle-player [options] [game's arguments]\n"
    "Plays the game whose compiled data is in the folder `data` beside this program, or beside\n"
    "the program's folder.\n"
    "  --data DIR         play the data of this folder\n"
    "  --headless         run without a window\n"
    "  --frames N         end after N frames; exit with 1 if an error was logged\n"
    "  --fixed-dt S       advance the game by S seconds each frame\n"
    "  --size WxH         the picture's size in pixels\n"
    "  --screenshot FILE  write the last frame as PNG (with --frames)\n"
    "  --log FILE         also write the log to FILE, with times\n"
    "  --help, --version\n"
    "All other arguments, and those after `--`, are the game's.\n";

// --- Values --------------------------------------------------------------------------------------

typedef struct option {
    const char *name;
    const char *value; // what stands for it in messages; NULL: a switch
    // Takes the value ("" of a switch). False with `error` when it is wrong.
    bool (*take)(ct_player_arguments *arguments, const char *value, ct_error *error);
} option;

static bool take_data(ct_player_arguments *arguments, const char *value, ct_error *error) {
    arguments->data_folder = value;
    return value[0] != '\0' || ct_error_set(error, "--data is \"\"; expected a folder");
}

static bool take_log(ct_player_arguments *arguments, const char *value, ct_error *error) {
    (void)error;
    arguments->log_path = value;
    return true;
}

static bool take_screenshot(ct_player_arguments *arguments, const char *value, ct_error *error) {
    (void)error;
    arguments->screenshot_path = value;
    return true;
}

static bool take_headless(ct_player_arguments *arguments, const char *value, ct_error *error) {
    (void)value, (void)error;
    arguments->is_headless = true;
    return true;
}

static bool take_help(ct_player_arguments *arguments, const char *value, ct_error *error) {
    (void)value, (void)error;
    arguments->wants_help = true;
    return true;
}

static bool take_version(ct_player_arguments *arguments, const char *value, ct_error *error) {
    (void)value, (void)error;
    arguments->wants_version = true;
    return true;
}

static bool take_frames(ct_player_arguments *arguments, const char *value, ct_error *error) {
    char *end = NULL;
    const unsigned long long number = strtoull(value, &end, 10);
    if (value[0] < '0' || value[0] > '9' || *end != '\0' || number < 1 || number > 1000000000)
        return ct_error_set(
            error, "--frames is \"%s\"; expected a whole number from 1 to 1000000000", value);
    arguments->num_frames = (uint32_t)number;
    return true;
}

static bool take_step(ct_player_arguments *arguments, const char *value, ct_error *error) {
    char *end = NULL;
    const double seconds = strtod(value, &end);
    if (end == value || *end != '\0' || !(seconds >= 1e-6 && seconds <= 10.0))
        return ct_error_set(error, "--fixed-dt is \"%s\"; expected a number from 1e-06 to 10",
                            value);
    arguments->fixed_step_seconds = seconds;
    return true;
}

static bool take_size(ct_player_arguments *arguments, const char *value, ct_error *error) {
    uint32_t width = 0, height = 0;
    int end = 0;
    if (sscanf(value, "%5ux%5u%n", &width, &height, &end) != 2 || value[end] != '\0' ||
        width == 0 || height == 0 || width > 16384 || height > 16384)
        return ct_error_set(error, "--size is \"%s\"; expected WxH, such as 1280x720", value);
    arguments->width = width;
    arguments->height = height;
    return true;
}

static const option option_table[] = {
    {"data", "DIR", take_data},      {"headless", NULL, take_headless},
    {"frames", "N", take_frames},    {"fixed-dt", "S", take_step},
    {"size", "WxH", take_size},      {"screenshot", "FILE", take_screenshot},
    {"log", "FILE", take_log},       {"help", NULL, take_help},
    {"version", NULL, take_version},
};

// --- The line ------------------------------------------------------------------------------------

// The option that `argument` names, by its place in the table, or the table's length for what is
// the game's. `value` is set to what follows a `=`, or NULL.
static uint32_t find_option(const char *argument, const char **value) {
    *value = NULL;
    if (strncmp(argument, "--", 2) != 0)
        return CT_COUNT_OF(option_table);
    const char *const equals = strchr(argument, '=');
    const size_t length = equals ? (size_t)(equals - argument) - 2 : strlen(argument + 2);
    uint32_t i = 0;
    while (i < CT_COUNT_OF(option_table) && (strlen(option_table[i].name) != length ||
                                             strncmp(option_table[i].name, argument + 2, length)))
        ++i;
    if (i < CT_COUNT_OF(option_table) && equals)
        *value = equals + 1;
    return i;
}

// The value of option `o`: what stood after `=`, or the next argument, to which `i` moves. NULL
// with `error` when there is none, or one too many.
static const char *value_of(const option *o, const char *given, int count, const char *const *argv,
                            int *i, ct_error *error) {
    if (!o->value && !given)
        return "";
    if (o->value && given)
        return given;
    if (o->value && *i + 1 < count)
        return argv[++*i];
    if (o->value)
        ct_error_set(error, "option --%s needs a value: --%s %s", o->name, o->name, o->value);
    else
        ct_error_set(error, "option --%s takes no value", o->name);
    return NULL;
}

bool ct_player_arguments_parse(int count, const char *const *argv, const char **game,
                               ct_player_arguments *arguments, ct_error *error) {
    bool is_given[CT_COUNT_OF(option_table)] = {false};
    *arguments = (ct_player_arguments){.game = game};
    bool is_past_options = false;
    for (int i = 0; i < count; ++i) {
        const char *given = NULL;
        if (!is_past_options && strcmp(argv[i], "--") == 0) {
            is_past_options = true;
            continue;
        }
        const uint32_t o =
            is_past_options ? CT_COUNT_OF(option_table) : find_option(argv[i], &given);
        if (o == CT_COUNT_OF(option_table)) {
            game[arguments->num_game++] = argv[i];
            continue;
        }
        const char *const value = value_of(&option_table[o], given, count, argv, &i, error);
        if (!value)
            return false;
        if (is_given[o])
            return ct_error_set(error, "option --%s is given twice", option_table[o].name);
        is_given[o] = true;
        if (!option_table[o].take(arguments, value, error))
            return false;
    }
    if (arguments->screenshot_path && arguments->num_frames == 0)
        return ct_error_set(error, "--screenshot needs --frames");
    return true;
}
