// Follows the values that are stored to gl_Position back to what they were made from.
#include "compiler/types/shader/worker_spirv_points.h"

// The numbers of the SPIR-V specification.
enum {
    HEADER_WORDS = 5,
    BOUND_WORD = 3,
    MOST_IDS = 1 << 22, // what a module may have by the specification
    OP_EXT_INST = 12,
    OP_TYPE_POINTER = 32,
    OP_CONSTANT = 43,
    OP_FUNCTION_CALL = 57,
    OP_VARIABLE = 59,
    OP_LOAD = 61,
    OP_STORE = 62,
    OP_ACCESS_CHAIN = 65,
    OP_IN_BOUNDS_ACCESS_CHAIN = 66,
    OP_DECORATE = 71,
    OP_MEMBER_DECORATE = 72,
    OP_VECTOR_EXTRACT_DYNAMIC = 77,
    OP_VECTOR_SHUFFLE = 79,
    OP_COMPOSITE_EXTRACT = 81,
    OP_COMPOSITE_INSERT = 82,
    OP_FWIDTH_COARSE = 215,
    OP_PHI = 245,
    DECORATION_LOCATION = 30,
    DECORATION_BINDING = 33,
    DECORATION_SET = 34,
    DECORATION_OFFSET = 35,
    STORAGE_UNIFORM = 2,
    STORAGE_OUTPUT = 3,
};

// What is known of an id.
typedef struct id_facts {
    bool is_wanted;   // points are made from it
    bool is_variable; //
    bool has_location, has_other_binding;
    uint32_t storage; // of a variable
    uint32_t type;    // of a variable: its pointer; of a pointer: what it leads to
    uint32_t base;    // of a pointer into a variable: the variable
    uint32_t value;   // of a constant
} id_facts;

typedef struct slicer {
    const uint32_t *words;
    uint32_t num_words, num_ids, offset;
    id_facts *ids;
    bool is_changed, is_found;
} slicer;

// The instruction at `*at`, and its length; moves on. NULL at the end.
static const uint32_t *next(const slicer *s, uint32_t *at, uint32_t *length) {
    if (*at >= s->num_words)
        return NULL;
    *length = s->words[*at] >> 16;
    if (*length == 0 || *length > s->num_words - *at)
        return NULL;
    *at += *length;
    return s->words + *at - *length;
}

static id_facts *id_of(const slicer *s, uint32_t id) {
    return &s->ids[id < s->num_ids ? id : 0];
}

// --- Facts ---------------------------------------------------------------------------------------

static void note_decoration(const slicer *s, const uint32_t *x, uint32_t length) {
    id_facts *const id = id_of(s, x[1]);
    if (length < 4)
        return;
    id->has_location |= x[2] == DECORATION_LOCATION;
    id->has_other_binding |= (x[2] == DECORATION_BINDING || x[2] == DECORATION_SET) && x[3] != 0;
}

static void note_facts(const slicer *s) {
    const uint32_t *x;
    uint32_t length;
    for (uint32_t at = HEADER_WORDS; (x = next(s, &at, &length));) {
        const uint32_t op = x[0] & 0xffff;
        if (op == OP_DECORATE && length >= 3)
            note_decoration(s, x, length);
        if (length < 4)
            continue;
        id_facts *const id = id_of(s, op == OP_TYPE_POINTER ? x[1] : x[2]);
        if (op == OP_TYPE_POINTER) {
            id->type = x[3];
        } else if (op == OP_CONSTANT) {
            id->value = x[3];
        } else if (op == OP_VARIABLE) {
            id->is_variable = true;
            id->type = x[1];
            id->storage = x[3];
            id->base = x[2];
        } else if (op == OP_ACCESS_CHAIN || op == OP_IN_BOUNDS_ACCESS_CHAIN) {
            id->base = id_of(s, x[3])->base;
        }
    }
}

// --- Following -----------------------------------------------------------------------------------

static void want(slicer *s, uint32_t id) {
    id_facts *const facts = id_of(s, id);
    s->is_changed |= !facts->is_wanted;
    facts->is_wanted = true;
}

static void want_all(slicer *s, const uint32_t *ids, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        want(s, ids[i]);
}

// gl_Position is in the only output without a location.
static bool is_position(const id_facts *variable) {
    return variable->is_variable && variable->storage == STORAGE_OUTPUT && !variable->has_location;
}

static bool is_view(const id_facts *variable) {
    return variable->is_variable && variable->storage == STORAGE_UNIFORM &&
           !variable->has_other_binding;
}

// True when member `member` of the block that `variable` is has the offset.
static bool is_member(const slicer *s, const id_facts *variable, uint32_t member) {
    const uint32_t block = id_of(s, variable->type)->type;
    const uint32_t *x;
    uint32_t length;
    for (uint32_t at = HEADER_WORDS; (x = next(s, &at, &length));)
        if ((x[0] & 0xffff) == OP_MEMBER_DECORATE && length >= 5 && x[1] == block &&
            x[2] == member && x[3] == DECORATION_OFFSET)
            return x[4] == s->offset;
    return false;
}

static void follow_chain(slicer *s, const uint32_t *x, uint32_t length) {
    const id_facts *const variable = id_of(s, x[3]);
    if (length > 4 && is_view(variable))
        s->is_found |= is_member(s, variable, id_of(s, x[4])->value);
    want_all(s, x + 3, length - 3);
}

// The value of an instruction that points are made from: its operands. Numbers among them that are
// no ids are left out.
static void follow(slicer *s, uint32_t op, const uint32_t *x, uint32_t length) {
    if (op == OP_ACCESS_CHAIN || op == OP_IN_BOUNDS_ACCESS_CHAIN)
        follow_chain(s, x, length);
    else if (op == OP_LOAD || op == OP_COMPOSITE_EXTRACT)
        want(s, x[3]);
    else if ((op == OP_COMPOSITE_INSERT || op == OP_VECTOR_SHUFFLE) && length >= 5)
        want_all(s, x + 3, 2);
    else if (op == OP_EXT_INST && length >= 5)
        want_all(s, x + 5, length - 5);
    else if (op == OP_PHI || op == OP_FUNCTION_CALL ||
             (op >= OP_VECTOR_EXTRACT_DYNAMIC && op <= OP_FWIDTH_COARSE))
        want_all(s, x + 3, length - 3);
}

static void follow_all(slicer *s) {
    const uint32_t *x;
    uint32_t length;
    for (uint32_t at = HEADER_WORDS; (x = next(s, &at, &length));) {
        const uint32_t op = x[0] & 0xffff;
        if (op == OP_STORE && length >= 3) {
            const uint32_t base = id_of(s, x[1])->base;
            if (is_position(id_of(s, base)) || id_of(s, base)->is_wanted)
                want(s, x[2]);
        } else if (length >= 4 && op != OP_DECORATE && op != OP_MEMBER_DECORATE &&
                   id_of(s, x[2])->is_wanted) {
            follow(s, op, x, length);
        }
    }
}

bool ct_worker_spirv_points_read(ct_allocator *a, const ct_worker_spirv *spirv, uint32_t offset) {
    if (spirv->num_words < HEADER_WORDS || spirv->words[BOUND_WORD] > MOST_IDS)
        return false;
    slicer s = {.words = spirv->words,
                .num_words = spirv->num_words,
                .num_ids = spirv->words[BOUND_WORD] + 1,
                .offset = offset};
    s.ids = CT_NEW_ARRAY(a, id_facts, s.num_ids);
    note_facts(&s);
    do {
        s.is_changed = false;
        follow_all(&s);
    } while (s.is_changed && !s.is_found);
    return s.is_found;
}
