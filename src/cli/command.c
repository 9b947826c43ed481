#include "cli/command.h"

#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "foundation/error.h"
#include "foundation/os/path.h"
#include "resource/schema/schema.h"

static const ct_command *const command_table[] = {
    &ct_command_new,       &ct_command_compile, &ct_command_import,     &ct_command_font,
    &ct_command_animation, &ct_command_sound,   &ct_command_navigation, &ct_command_flow,
    &ct_command_run,       &ct_command_serve,   &ct_command_check,      &ct_command_bundle,
    &ct_command_console,   &ct_command_debug,   &ct_command_nodes,      &ct_command_network,
    &ct_command_strings,   &ct_command_save,    &ct_command_packages,   &ct_command_deps,
    &ct_command_protocol,  &ct_command_mv,      &ct_command_cp,         &ct_command_replace,
    &ct_command_rm,        &ct_command_diff,    &ct_command_merge,      &ct_command_ids,
    &ct_command_sjson,     &ct_command_lua_api, &ct_command_components, &ct_command_flow_nodes,
    &ct_command_plugin,    &ct_command_db,      &ct_command_hash,       &ct_command_version,
    &ct_command_help,
};

const ct_command *const *ct_commands(uint32_t *count) {
    *count = CT_COUNT_OF(command_table);
    return command_table;
}

const ct_command *ct_command_named(const char *name) {
    for (uint32_t i = 0; i < CT_COUNT_OF(command_table); ++i) {
        if (strcmp(command_table[i]->name, name) == 0)
            return command_table[i];
    }
    return NULL;
}

const char *ct_command_option_of(const ct_command *command, const ct_command_arguments *arguments,
                                 const char *name) {
    for (uint32_t i = 0; i < command->num_options; ++i) {
        if (strcmp(command->options[i].name, name) == 0)
            return arguments->options[i];
    }
    ct_assert_failed(__FILE__, __LINE__, "option exists", "`cuttle %s` has no option --%s",
                     command->name, name);
}

const char *ct_command_option_dashes(const ct_command_option *option) {
    return option->name[1] == '\0' ? "-" : "--";
}

static bool unknown_option(const ct_command *command, const char *argument, ct_error *error) {
    if (argument[1] != '-')
        return ct_error_set(error, "unknown option \"%s\"; expected a long option: --name",
                            argument);
    const char *names[CT_COMMAND_MAX_OPTIONS];
    for (uint32_t i = 0; i < command->num_options; ++i)
        names[i] = command->options[i].name;
    const char *const nearest = ct_nearest_name(argument + 2, names, command->num_options);
    if (nearest)
        return ct_error_set(error, "unknown option \"%s\" (did you mean \"--%s\"?)", argument,
                            nearest);
    return ct_error_set(error, "unknown option \"%s\"", argument);
}

// Checks that the value of an option that takes a path fits in CT_PATH_BYTES.
static bool check_path(const ct_command_option *option, const char *value, ct_error *error) {
    static const char *const path_values[] = {"FILE", "DIR", "D"};
    bool is_path = false;
    for (uint32_t i = 0; option->value && i < CT_COUNT_OF(path_values); ++i)
        is_path |= strcmp(option->value, path_values[i]) == 0;
    return !is_path || strlen(value) < CT_PATH_BYTES ||
           ct_error_set(error, "the path of option %s%s has %zu bytes; expected at most %d",
                        ct_command_option_dashes(option), option->name, strlen(value),
                        CT_PATH_BYTES - 1);
}

// Reads the option at argv[*i], and the next argument when that is its value.
static bool parse_option(const ct_command *command, int argc, const char *const *argv, int *i,
                         ct_command_arguments *arguments, ct_error *error) {
    const bool is_long = argv[*i][1] == '-';
    const char *const name = argv[*i] + (is_long ? 2 : 1);
    const char *const equals = strchr(name, '=');
    const size_t length = equals ? (size_t)(equals - name) : strlen(name);
    for (uint32_t o = 0; o < command->num_options; ++o) {
        const ct_command_option *const option = &command->options[o];
        if (is_long != (option->name[1] != '\0') || strlen(option->name) != length ||
            strncmp(option->name, name, length) != 0)
            continue;
        if (arguments->options[o])
            return ct_error_set(error, "option %s%s is given twice",
                                ct_command_option_dashes(option), option->name);
        if (!option->value && equals)
            return ct_error_set(error, "option %s%s takes no value",
                                ct_command_option_dashes(option), option->name);
        if (!option->value) {
            arguments->options[o] = "";
        } else if (equals) {
            arguments->options[o] = equals + 1;
        } else if (*i + 1 < argc) {
            arguments->options[o] = argv[++*i];
        } else {
            const char *const dashes = ct_command_option_dashes(option);
            return ct_error_set(error, "option %s%s needs a value: %s%s %s", dashes, option->name,
                                dashes, option->name, option->value);
        }
        return check_path(option, arguments->options[o], error);
    }
    return unknown_option(command, argv[*i], error);
}

bool ct_command_parse(const ct_command *command, int argc, const char **argv,
                      ct_command_arguments *arguments, ct_error *error) {
    memset(arguments, 0, sizeof(*arguments));
    bool is_past_options = false;
    uint32_t num_operands = 0;
    for (int i = 0; i < argc; ++i) {
        if (!is_past_options && strcmp(argv[i], "--") == 0) {
            arguments->rest = argv + i + 1;
            arguments->num_rest = (uint32_t)(argc - i - 1);
            if (command->takes_rest)
                break;
            // All that follows are operands, even what begins with `-`.
            arguments->num_rest = 0;
            is_past_options = true;
            continue;
        }
        if (!is_past_options && argv[i][0] == '-' && argv[i][1] != '\0') {
            if (!parse_option(command, argc, argv, &i, arguments, error))
                return false;
            continue;
        }
        if (num_operands == command->most_operands)
            return ct_error_set(error, "unexpected argument \"%s\"", argv[i]);
        argv[num_operands++] = argv[i];
    }
    argv[num_operands] = NULL;
    arguments->operands = argv;
    arguments->num_operands = num_operands;
    if (num_operands < command->least_operands)
        return ct_error_set(error, "expected: cuttle %s %s", command->name, command->operands);
    return true;
}

bool ct_command_number(const char *option, const char *value, double least, double most,
                       double *number, ct_error *error) {
    if (!value)
        return true;
    char *end = NULL;
    const double parsed = strtod(value, &end);
    if (end == value || *end != '\0' || !(parsed >= least && parsed <= most))
        return ct_error_set(error, "--%s is \"%s\"; expected a number from %g to %g", option, value,
                            least, most);
    *number = parsed;
    return true;
}

bool ct_command_count(const char *option, const char *value, uint32_t least, uint32_t most,
                      uint32_t *count, ct_error *error) {
    double number = *count;
    if (!ct_command_number(option, value, least, most, &number, error))
        return false;
    if (number != (double)(uint32_t)number)
        return ct_error_set(error, "--%s is \"%s\"; expected a whole number", option, value);
    *count = (uint32_t)number;
    return true;
}
