#include <stdlib.h>
#include <string.h>

#include "content/database/database_files.h"
#include "content/database/database_project.h"
#include "content/database/database_source.h"
#include "content/database/source_key.h"
#include "foundation/memory/temp_allocator.h"
#include "foundation/sjson/sjson.h"

static ct_allocator *allocator_of(const ct_database *db) {
    return ct_database_get_store((ct_database *)(uintptr_t)db)->allocator;
}

bool ct_database_find_file(const ct_database *db, const char *path, ct_guid *file) {
    const ct_guid named = ct_database_files_guid(path);
    const ct_database_value its = ct_database_get(db, named, "path");
    if (its.kind == CT_DATABASE_STRING && strcmp(its.string.text, path) == 0) {
        *file = named;
        return true;
    }
    // One that was not made by an import.
    CT_TEMP_ALLOCATOR(scratch, allocator_of(db));
    CT_ARRAY(ct_guid) files;
    ct_array_init(&files, scratch);
    const ct_database_value set = ct_database_get(db, (ct_guid){0}, "files");
    if (set.kind == CT_DATABASE_SET)
        ct_array_push_many(&files, set.set.items, set.set.count);
    for (uint32_t i = 0; i < files.count; ++i) {
        const ct_database_value value = ct_database_get(db, files.items[i], "path");
        if (value.kind == CT_DATABASE_STRING && strcmp(value.string.text, path) == 0) {
            *file = files.items[i];
            return true;
        }
    }
    return false;
}

// --- Steps of a path -------------------------------------------------------------------------------

typedef struct finder {
    const ct_database *db;
    ct_allocator *scratch;
    const char *text, *at; // the path, and how far it was walked
    ct_guid object;
    ct_string_builder key; // of `object`; "": the object itself
    ct_error *error;
} finder;

static bool fail(finder *f, const char *what) {
    return ct_error_set(f->error, "the path \"%.300s\": at \"%.100s\": %s", f->text, f->at, what);
}

// Goes to the object that the key refers to.
static bool enter(finder *f) {
    if (f->key.length == 0)
        return true;
    const ct_database_value value =
        ct_database_get(f->db, f->object, ct_string_builder_text(&f->key));
    if (value.kind != CT_DATABASE_REFERENCE)
        return fail(f, "what comes before is not an object");
    f->object = value.reference;
    ct_string_builder_clear(&f->key);
    return true;
}

// Takes the member `name` of the object, under whichever key has it.
static bool take_member(finder *f, const char *name) {
    if (!enter(f))
        return false;
    for (uint32_t i = 0; i < 2; ++i) {
        ct_string_builder_clear(&f->key);
        if (ct_source_key_of(name, i == 1, &f->key) &&
            ct_database_get(f->db, f->object, ct_string_builder_text(&f->key)).kind !=
                CT_DATABASE_NULL)
            return true;
    }
    return fail(f, "there is no such member");
}

// Reads a string in quotes, or what comes before `end`. Moves behind it. NULL with `error`.
static char *take_word(finder *f, const char *end) {
    if (*f->at != '"') {
        const size_t length = strcspn(f->at, end);
        char *const word = ct_alloc(f->scratch, length + 1);
        memcpy(word, f->at, length);
        word[length] = 0;
        f->at += length;
        return word;
    }
    const char *stop = f->at + 1;
    while (*stop && *stop != '"')
        stop += *stop == '\\' && stop[1] ? 2 : 1;
    ct_sjson *const doc =
        *stop ? ct_sjson_parse_value(f->scratch, f->at, (uint64_t)(stop + 1 - f->at), f->text, NULL,
                                     NULL)
              : NULL;
    if (!doc) {
        fail(f, "expected a string in quotes");
        return NULL;
    }
    char *const word = ct_copy_string(f->scratch, ct_sjson_string(doc, ct_sjson_root(doc), ""));
    f->at = stop + 1;
    return word;
}

// True when the key `name` of an element holds `text`, or the number that `text` spells.
static bool has_id(const finder *f, ct_guid element, const char *name, const char *text) {
    const ct_database_value value = ct_database_get(f->db, element, name);
    char *end;
    if (value.kind == CT_DATABASE_STRING)
        return strcmp(value.string.text, text) == 0;
    return value.kind == CT_DATABASE_NUMBER && strtod(text, &end) == value.number && *end == 0;
}

static bool take_element(finder *f, const ct_element_order_array *elements, const char *word) {
    char *end;
    if (*f->at == '=') {
        ++f->at;
        const char *const id = take_word(f, "]");
        for (uint32_t i = 0; id && i < elements->count; ++i) {
            if (has_id(f, elements->items[i].element, word, id)) {
                f->object = elements->items[i].element;
                return true;
            }
        }
        return id && fail(f, "no element has this id");
    }
    const unsigned long index = strtoul(word, &end, 10);
    if (word[0] < '0' || word[0] > '9' || *end)
        return fail(f, "expected an index, an id as [id=8f], or a key in quotes");
    if (index >= elements->count)
        return fail(f, "the array has fewer elements");
    f->object = elements->items[index].element;
    return true;
}

// A step in brackets: a key in quotes, or an element.
static bool take_bracket(finder *f) {
    const bool is_quoted = f->at[1] == '"';
    ++f->at;
    const char *const word = take_word(f, "=]");
    if (!word)
        return false;
    if (is_quoted && *f->at == ']') {
        ++f->at;
        return take_member(f, word);
    }
    ct_element_order_array elements;
    ct_array_init(&elements, f->scratch);
    if (f->key.length == 0)
        return fail(f, "what comes before is not an array");
    const char *const key = ct_string_builder_text(&f->key);
    if (ct_database_get(f->db, f->object, key).kind != CT_DATABASE_SET)
        return fail(f, "what comes before is not an array of objects; other arrays are one value");
    ct_database_source_elements(f->db, f->object, key, f->key.length, &elements);
    if (!take_element(f, &elements, word))
        return false;
    ct_string_builder_clear(&f->key);
    if (*f->at != ']')
        return fail(f, "expected a ]");
    ++f->at;
    return true;
}

static bool walk(finder *f) {
    while (*f->at) {
        if (*f->at == '[') {
            if (!take_bracket(f))
                return false;
            continue;
        }
        if (f->at != f->text && *f->at != '.')
            return fail(f, "expected a \".\" or a \"[\"");
        f->at += f->at != f->text || *f->at == '.';
        const char *const word = take_word(f, ".[");
        if (!word || !word[0])
            return word && fail(f, "expected the name of a member");
        if (!take_member(f, word))
            return false;
    }
    return true;
}

// A path that ends at an object means the object.
static void settle(finder *f) {
    const ct_database_value value =
        f->key.length ? ct_database_get(f->db, f->object, ct_string_builder_text(&f->key))
                      : (ct_database_value){0};
    if (value.kind != CT_DATABASE_REFERENCE)
        return;
    f->object = value.reference;
    ct_string_builder_clear(&f->key);
}

bool ct_database_find_value(const ct_database *db, const char *path, const char *value_path,
                            ct_database_place *place, ct_error *error) {
    ct_guid file;
    if (!ct_database_find_file(db, path, &file))
        return ct_error_set(error, "the database has no file \"%.300s\"", path);
    CT_TEMP_ALLOCATOR(scratch, allocator_of(db));
    finder f = {.db = db, .scratch = scratch, .text = value_path, .at = value_path, .error = error};
    ct_string_builder_init(&f.key, scratch);
    if (!ct_database_files_root(db, file, &f.object))
        return ct_error_set_at(error, path, 0, 0, "it has no objects: it is not an SJSON source");
    if (!walk(&f))
        return false;
    settle(&f);
    place->object = f.object;
    memcpy(place->key, ct_string_builder_text(&f.key), (size_t)f.key.length + 1);
    return true;
}
