#include "compiler/types/shader/worker_glsl.h"

#include <stdlib.h>
#include <string.h>

#include <shaderc/shaderc.h>

#include "foundation/error.h"
#include "foundation/string/string_id.h"

void ct_worker_glsl_init(ct_worker_glsl *g, ct_compile *c) {
    g->c = c;
    ct_hash_map_init(&g->told, c->allocator);
}

static shaderc_compiler_t process_compiler(void) {
    static shaderc_compiler_t compiler;
    if (!compiler)
        compiler = shaderc_compiler_initialize();
    CT_ASSERT(compiler, "shaderc cannot be started");
    return compiler;
}

static shaderc_compile_options_t make_options(bool optimize) {
    const shaderc_compile_options_t options = shaderc_compile_options_initialize();
    CT_ASSERT(options, "shaderc cannot make options");
    shaderc_compile_options_set_target_env(options, shaderc_target_env_vulkan,
                                           shaderc_env_version_vulkan_1_3);
    shaderc_compile_options_set_optimization_level(options,
                                                   optimize ? shaderc_optimization_level_performance
                                                            : shaderc_optimization_level_zero);
    shaderc_compile_options_set_suppress_warnings(options);
    return options;
}

// Reports one line of shaderc's text: `file:line: error: message`, or `file: error: message`.
static void report_line(ct_worker_glsl *g, const char *text, uint32_t bytes) {
    const uint64_t hash = ct_string_id64_of_bytes(text, bytes).value;
    if (bytes == 0 || ct_hash_map_find(&g->told, hash))
        return;
    ct_hash_map_set(&g->told, hash, 1);
    const char *const line_text = ct_compile_text(g->c, "%.*s", (int)bytes, text);
    const char *const message = strstr(line_text, ": error: ");
    const char *const colon = strchr(line_text, ':');
    if (!message || !colon) {
        ct_compile_error_at(g->c, NULL, 0, 0, "%s", line_text);
        return;
    }
    const char *const file = ct_compile_text(g->c, "%.*s", (int)(colon - line_text), line_text);
    const uint32_t line = colon < message ? (uint32_t)strtoul(colon + 1, NULL, 10) : 0;
    ct_compile_error_at(g->c, file, line, 0, "%s", message + strlen(": error: "));
}

static void report_lines(ct_worker_glsl *g, const char *text) {
    const uint32_t errors = ct_compile_error_count(g->c);
    const bool has_told = g->told.count > 0;
    while (*text) {
        const uint32_t bytes = (uint32_t)strcspn(text, "\n");
        report_line(g, text, bytes);
        text += bytes + (text[bytes] != 0);
    }
    if (!has_told && ct_compile_error_count(g->c) == errors)
        ct_compile_error_at(g->c, NULL, 0, 0,
                            "the shader compiler failed without an error message");
}

bool ct_worker_glsl_compile(ct_worker_glsl *g, ct_worker_stage stage, const char *glsl,
                            bool optimize, ct_worker_spirv *spirv) {
    const shaderc_compile_options_t options = make_options(optimize);
    static const shaderc_shader_kind kinds[] = {
        [CT_WORKER_STAGE_VERTEX] = shaderc_vertex_shader,
        [CT_WORKER_STAGE_FRAGMENT] = shaderc_fragment_shader,
        [CT_WORKER_STAGE_COMPUTE] = shaderc_compute_shader,
    };
    const shaderc_compilation_result_t result = shaderc_compile_into_spv(
        process_compiler(), glsl, strlen(glsl), kinds[stage], g->c->path, "main", options);
    shaderc_compile_options_release(options);
    CT_ASSERT(result, "shaderc cannot be started");
    const bool is_compiled =
        shaderc_result_get_compilation_status(result) == shaderc_compilation_status_success;
    if (is_compiled) {
        const uint64_t bytes = shaderc_result_get_length(result);
        spirv->num_words = (uint32_t)(bytes / sizeof(uint32_t));
        spirv->words = ct_alloc(g->c->allocator, bytes);
        memcpy(spirv->words, shaderc_result_get_bytes(result), bytes);
    } else {
        report_lines(g, shaderc_result_get_error_message(result));
    }
    shaderc_result_release(result);
    return is_compiled;
}
