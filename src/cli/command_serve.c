#include <stdio.h>

#include "cli/commands.h"
#include "cli/core_folder.h"
#include "cli/project_compile.h"
#include "cli/run_served.h"
#include "dev/serve/serve_projects.h"
#include "dev/serve/serve_server.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/os/os.h"

static const uint64_t slice_ns = 20000000; // between looks at what the compilers have done

static const ct_command_option options[] = {
    {"port", "N", "listen at this port (64100); 0: the system chooses"},
    {"address", "A", "listen at this address of the machine (127.0.0.1); others need --token"},
    {"token", "T", "what engines must know, 16 characters or more (or CUTTLE_TOKEN)"},
};

static bool has_interrupt;

static bool is_interrupted(void) {
    has_interrupt |= ct_os_take_interrupt();
    return has_interrupt;
}

static ct_compiler *make_compiler(void *user, const char *project, ct_error *error) {
    const ct_project_target target = {.project = project};
    return ct_project_compiler(user, &target, error);
}

static bool add_projects(ct_serve_projects *projects, const ct_command_arguments *arguments,
                         ct_error *error) {
    for (uint32_t i = 0; i < arguments->num_operands; ++i) {
        if (!ct_serve_projects_add(projects, arguments->operands[i], error))
            return false;
    }
    return true;
}

// Serves until Ctrl-C. Returns false with `error` when it cannot begin.
static bool serve(const ct_serve_server_desc *desc, const ct_command_arguments *arguments,
                  ct_error *error) {
    ct_serve_projects *const projects = desc->host.user;
    ct_serve_server *const server = ct_serve_server_create(desc, error);
    const bool is_open = server && add_projects(projects, arguments, error);
    if (is_open)
        ct_log_info("serve", "serving at %s:%u; Ctrl-C ends it",
                    desc->address ? desc->address : "127.0.0.1", ct_serve_server_port(server));
    for (uint32_t i = 0; is_open && i < ct_serve_projects_count(projects); ++i)
        ct_log_info("serve", "  %s", ct_serve_projects_name(projects, i));
    while (is_open && !is_interrupted()) {
        ct_serve_server_step(server, slice_ns);
        ct_serve_projects_update(projects);
    }
    ct_serve_server_destroy(server);
    return is_open;
}

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    const ct_command *const self = &ct_command_serve;
    const char *const token = ct_command_option_of(self, arguments, "token");
    uint32_t port = CT_SERVE_PORT;
    char core[CT_PATH_BYTES];
    ct_error error = {0};
    if (!ct_command_count("port", ct_command_option_of(self, arguments, "port"), 0, 65535, &port,
                          &error)) {
        fprintf(stderr, "cuttle serve: %s\n", error.message);
        return CT_EXIT_USAGE;
    }
    if (!ct_core_folder(core, &error)) {
        ct_log_report("serve", &error);
        return CT_EXIT_FAILED;
    }
    ct_os_catch_interrupts();
    const ct_serve_projects_desc projects_desc = {
        .allocator = a, .core_folder = core, .user = a, .make_compiler = make_compiler};
    ct_serve_projects *const projects = ct_serve_projects_create(&projects_desc);
    const ct_serve_server_desc desc = {.allocator = a,
                                       .address = ct_command_option_of(self, arguments, "address"),
                                       .port = (uint16_t)port,
                                       .host = {.token = ct_run_served_token(token),
                                                .user = projects,
                                                .open = ct_serve_projects_open}};
    const bool is_done = serve(&desc, arguments, &error);
    ct_serve_projects_destroy(projects);
    if (!is_done)
        ct_log_report("serve", &error);
    return is_done ? CT_EXIT_OK : CT_EXIT_FAILED;
}

const ct_command ct_command_serve = {
    .name = "serve",
    .operands = "PROJECT...",
    .least_operands = 1,
    .most_operands = CT_COMMAND_ANY_OPERANDS,
    .summary = "compile projects and serve their data to engines on other machines",
    .description =
        "Engines that are started with `cuttle run --host ADDRESS --project NAME` get the "
        "compiled\n"
        "data of a project from here, and each save of a source while they run. PROJECT may also\n"
        "be a folder with projects below it: these are compiled when an engine first asks for\n"
        "them. Without --address only this machine is served. With it, a token is needed, which\n"
        "engines prove to know; what is sent is then encrypted.\n"
        "Examples: cuttle serve mygame\n"
        "          cuttle serve samples --address 0.0.0.0 --token \"$(openssl rand -hex 16)\"",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
