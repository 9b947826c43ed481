// network_report.h: sums over a network log, as text and as JSON.
#pragma once
#include "cli/network/network_traffic.h"
#include "foundation/string/string_builder.h"

// What is reported.
typedef struct ct_network_report {
    const char *path;
    const ct_network_timeline *timeline;
    const ct_network_traffic *traffic; // ended
    uint32_t top;                      // of objects and rows in the summary
    const char *error;                 // where the log is damaged; "": it is whole
} ct_network_report;

// Append the summary, and the tables of bandwidth, as text.
void ct_network_report_add_summary(ct_string_builder *out, const ct_network_report *r);
void ct_network_report_add_bandwidth(ct_string_builder *out, const ct_network_report *r);
// Appends one JSON object: the summary, with all rows; with the bits of each stretch of time, too.
void ct_network_report_add_json(ct_string_builder *out, const ct_network_report *r,
                                bool has_buckets);
// Append the first line of a list of events, with what the log is, and the last one.
void ct_network_report_add_first_line(ct_string_builder *out, const ct_network_report *r);
void ct_network_report_add_last_line(ct_string_builder *out, const ct_network_report *r);
