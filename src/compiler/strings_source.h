// strings_source.h: what a .strings file says.
//
// Read by the compile function and by `cuttle strings`, so that both find the same. A source is a
// map of keys to texts; an object is a group, whose members' keys follow its own and a dot, or,
// when a member is named by a plural category, the plural forms of one text. The language stands in
// the member `language`, or in the file's name (`menu.fr.strings`), or is the project's.
#pragma once
#include "compiler/plural_languages.h"
#include "foundation/array.h"
#include "foundation/sjson.h"
#include "foundation/string_id.h"
#include "resource/strings_resource.h"

typedef struct ct_strings_source_text {
    const char *key; // with dots
    ct_string_id32 id;
    ct_sjson_value at;                     // the member, for errors
    ct_sjson_value forms[CT_PLURAL_COUNT]; // {0}: it has none; `other` is always there
    bool is_plural;
} ct_strings_source_text;

typedef struct ct_strings_source {
    ct_plural_language language;
    CT_ARRAY(ct_strings_source_text) texts; // sorted by id, each once
} ct_strings_source;

typedef struct ct_strings_source_desc {
    ct_allocator *allocator; // freed as a whole afterwards: nothing is freed here
    const ct_sjson *doc;
    const char *path; // project path, for the words of its name
    // Asked when neither file nor name says it; NULL: it is "en". Borrowed.
    const char *(*default_language)(void *user);
    // Told of everything that is wrong. The message is borrowed for the call.
    void (*report)(void *user, ct_sjson_value at, const char *message);
    void *user;
} ct_strings_source_desc;

// Reads a source. False after reporting anything; `source` then has what was right.
bool ct_strings_source_read(const ct_strings_source_desc *desc, ct_strings_source *source);

// The member `language` of a project's settings.config, or NULL: not there, or no string. Borrowed
// from `settings`, which may be NULL.
const char *ct_strings_settings_language(const ct_sjson *settings);
