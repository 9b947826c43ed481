// strings_source.h: reads a .strings file.
//
// Used by the compile function and by `cuttle strings`, so that both find the same. A source is a
// map of keys to texts. An object is a group, whose members' keys follow its own and a dot;
// or, when a member has the name of a plural category, the plural forms of one text. The language
// is in the member `language`, or a property of the variant (`menu.fr.strings`), or the project's.
#pragma once
#include "compiler/strings/plural_languages.h"
#include "foundation/container/array.h"
#include "foundation/sjson/sjson.h"
#include "foundation/string/string_id.h"
#include "resource/types/strings_resource.h"

typedef struct ct_strings_source_text {
    const char *key; // with dots
    ct_string_id32 id;
    ct_sjson_value at;                     // the member, for errors
    ct_sjson_value forms[CT_PLURAL_COUNT]; // {0}: not given; `other` is always there
    bool is_plural;
} ct_strings_source_text;

typedef struct ct_strings_source {
    ct_plural_language language;
    const char *mistaken; // the first property that looks like a language but is unknown, when
                          // nothing else gives the language; or NULL
    CT_ARRAY(ct_strings_source_text) texts; // sorted by id, each once
} ct_strings_source;

typedef struct ct_strings_source_desc {
    ct_allocator *allocator; // freed as a whole afterwards: nothing is freed here
    const ct_sjson *doc;
    const char *const *properties; // of this variant; a platform among them is not a language
    uint32_t num_properties;
    // Called when neither file nor properties give the language: returns `language` of
    // settings.config, {0} for "en". Sets `settings`, which must outlive the call of
    // ct_strings_source_read. May be NULL.
    ct_sjson_value (*default_language)(void *user, const ct_sjson **settings);
    // Called for each error, at a value of `doc` or of the settings. The message is borrowed for
    // the call.
    void (*report)(void *user, const ct_sjson *doc, ct_sjson_value at, const char *message);
    void *user;
} ct_strings_source_desc;

// Reads a source. Returns false after reporting any error; `source` then has the parts that are
// right.
bool ct_strings_source_read(const ct_strings_source_desc *desc, ct_strings_source *source);

// Writes the message about `source->mistaken`, which must not be NULL.
void ct_strings_source_mistake(const ct_strings_source *source,
                               char message[CT_ERROR_MESSAGE_BYTES]);
