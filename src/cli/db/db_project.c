#include <stdio.h>

#include "cli/db/db_call.h"
#include "content/database/database_project.h"
#include "lua/database/lua_database.h"

static void print_warnings(const ct_database_report *report) {
    for (uint32_t i = 0; i < report->warnings.count; ++i)
        fprintf(stderr, "%s\n", report->warnings.items[i]);
}

static void print_numbers(const ct_database_report *report) {
    printf("%u file%s: %u added, %u changed, %u removed", report->num_files,
           ct_db_plural(report->num_files), report->num_added, report->num_changed,
           report->num_removed);
    if (report->num_merged > 0)
        printf(", %u that both sides had changed", report->num_merged);
    printf("\n");
}

bool ct_db_import(ct_db_call *call, ct_error *error) {
    const char *const folder = call->operands[0];
    if (!ct_db_expect_no_local(call, error))
        return false;
    ct_database_report report;
    ct_database_report_init(&report, call->allocator);
    const bool is_done = ct_database_import(call->allocator, call->db, folder,
                                            ct_db_option(call, "force") != NULL, &report, error) &&
                         ct_db_commit(call, "Import a project", error) &&
                         ct_database_import_done(call->db, folder, &report, error);
    print_warnings(&report);
    if (is_done)
        print_numbers(&report);
    else
        ct_database_leave_local(call->db);
    ct_database_report_free(&report);
    return is_done;
}

bool ct_db_export(ct_db_call *call, ct_error *error) {
    ct_database_report report;
    ct_database_report_init(&report, call->allocator);
    const bool is_done = ct_database_export(call->allocator, call->db, call->operands[0],
                                            ct_db_option(call, "force") != NULL, &report, error);
    print_warnings(&report);
    for (uint32_t i = 0; i < report.edited.count; ++i)
        fprintf(stderr, "edited since the last import or export: %s\n", report.edited.items[i]);
    if (is_done)
        print_numbers(&report);
    ct_database_report_free(&report);
    return is_done;
}

bool ct_db_lua(ct_db_call *call, ct_error *error) {
    const bool is_done = ct_lua_database_run(call->allocator, call->db, call->operands[0], error);
    if (!is_done || !ct_db_option(call, "local"))
        ct_database_leave_local(call->db); // what the script did not commit is dropped
    return is_done;
}
