// network_event_lines.h: the moments of a log in a list, as lines of text or of JSON.
#pragma once
#include "cli/network/network_filter.h"
#include "foundation/string/string_builder.h"

// Returns whether a moment is one of the list: all but frames, datagrams, and packets of the session,
// whose contents are listed.
bool ct_network_event_lines_has(const ct_network_moment *m);
// Appends the heading of the list as text.
void ct_network_event_lines_add_heading(ct_string_builder *out);
// Append a moment as a line, as text or as JSON, with the values of `fields` alone.
void ct_network_event_lines_add_text(ct_string_builder *out, const ct_network_timeline *t,
                                     const ct_network_moment *m, uint64_t fields);
void ct_network_event_lines_add_json(ct_string_builder *out, const ct_network_timeline *t,
                                     const ct_network_moment *m, uint64_t fields);

// Returns the name of a way: "in", "out", or "".
const char *ct_network_direction_name(ct_network_direction direction);
