#include "dev/overlay/overlay_script.h"

#include "foundation/log.h"
#include "foundation/string/string_builder.h"

static void run_line(ct_allocator *a, ct_lua *lua, const char *line) {
    ct_string_builder result CT_CLEANUP(ct_string_builder_free);
    ct_string_builder traceback CT_CLEANUP(ct_string_builder_free);
    ct_string_builder_init(&result, a);
    ct_string_builder_init(&traceback, a);
    ct_log_info("overlay", "> %s", line);
    const bool is_done = ct_lua_execute(lua, line, &result, &traceback);
    if (traceback.length != 0) {
        ct_string_builder_add(&result, "\n");
        ct_string_builder_add(&result, ct_string_builder_text(&traceback));
    }
    if (result.length != 0)
        ct_log_message_from(is_done ? CT_LOG_LEVEL_INFO : CT_LOG_LEVEL_ERROR, "overlay",
                            ct_string_builder_text(&result), result.length, NULL);
}

void ct_overlay_run_lines(ct_overlay *o, ct_allocator *a, ct_lua *lua) {
    char line[CT_OVERLAY_LINE_BYTES];
    while (ct_overlay_take_line(o, line))
        run_line(a, lua, line);
}
