// bench_sjson.c: reading a level document.
//
// sjson_tape: one level of 14,000 entities from a fixed seed, as the level editor would write it
// (GUID, unit name, position in millimetres, rotation and scale in the digits of a float, layer;
// every fourth has overrides, two objects of two numbers and a name). We read it as SJSON in our
// own format, the peers as JSON, indented, with the same values. Time for one document: parse,
// visit every value (sum of numbers, lengths of strings), free. Ours: the tape; the lossless
// document. simdjson keeps its parser's memory from one document to the next, and gets the text
// padded; jansson allocates from the process's malloc, which is mimalloc.
#include "bench.h"

#include <math.h>
#include <stdio.h>

#include "foundation/error.h"
#include "foundation/sjson/sjson.h"
#include "foundation/sjson/sjson_document.h"
#include "foundation/sjson/sjson_writer.h"
#include "peer_json.h"

enum { NUM_ENTITIES = 14000, SEED = 20100603 };

static ct_string_builder sjson_text, json_text;
static void *simdjson;

// --- The document --------------------------------------------------------------------------------

static uint32_t next_random(uint32_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

// From 0 to 1.
static double fraction(uint32_t *random) {
    return next_random(random) / 4294967296.0;
}

static double rounded(double value, double steps) {
    return floor(value * steps + 0.5) / steps;
}

static void write_guid(ct_sjson_writer *w, uint32_t *random) {
    const uint32_t a = next_random(random), b = next_random(random), c = next_random(random),
                   d = next_random(random);
    char text[40];
    snprintf(text, sizeof(text), "%08x-%04x-4%03x-%04x-%04x%08x", a, b >> 16, b & 0xfff,
             0x8000 | (c >> 18), c & 0xffff, d);
    ct_sjson_member_string(w, "id", text);
}

static void write_position(ct_sjson_writer *w, uint32_t *random) {
    ct_sjson_write_key(w, "position");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < 3; ++i)
        ct_sjson_write_number(w, rounded((fraction(random) - 0.5) * 2000, 1000));
    ct_sjson_end_array(w);
}

// Every third about all axes, the others about the vertical one.
static void write_rotation(ct_sjson_writer *w, uint32_t *random) {
    const bool is_upright = next_random(random) % 3 != 0;
    double q[4], square = 0;
    for (uint32_t i = 0; i < 4; ++i) {
        q[i] = is_upright && i < 2 ? 0 : fraction(random) - 0.5;
        square += q[i] * q[i];
    }
    ct_sjson_write_key(w, "rotation");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < 4; ++i)
        ct_sjson_write_number(w, rounded(q[i] / sqrt(square), 1e8));
    ct_sjson_end_array(w);
}

static void write_scale(ct_sjson_writer *w, uint32_t *random) {
    const double scale = next_random(random) % 2 ? 1 : rounded(0.5 + fraction(random), 1e7);
    ct_sjson_write_key(w, "scale");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < 3; ++i)
        ct_sjson_write_number(w, scale);
    ct_sjson_end_array(w);
}

static void write_overrides(ct_sjson_writer *w, uint32_t *random) {
    ct_sjson_write_key(w, "overrides");
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < 2; ++i) {
        ct_sjson_begin_object(w);
        write_guid(w, random);
        ct_sjson_write_key(w, "values");
        ct_sjson_begin_object(w);
        ct_sjson_member_number(w, "health", next_random(random) % 200);
        ct_sjson_member_number(w, "intensity", rounded(fraction(random) * 10, 100));
        ct_sjson_member_string(w, "faction", next_random(random) % 2 ? "sea" : "mountain");
        ct_sjson_end_object(w);
        ct_sjson_end_object(w);
    }
    ct_sjson_end_array(w);
}

static void write_entity(ct_sjson_writer *w, uint32_t *random) {
    static const char *const units[] = {"units/props/crate_large", "units/nature/rocks/cliff_03",
                                        "units/lamp", "units/buildings/harbour/warehouse_door"};
    static const char *const layers[] = {"props", "landscape", "lights", "gameplay"};
    ct_sjson_begin_object(w);
    write_guid(w, random);
    const uint32_t unit = next_random(random) % CT_COUNT_OF(units);
    ct_sjson_member_string(w, "unit", units[unit]);
    write_position(w, random);
    write_rotation(w, random);
    write_scale(w, random);
    ct_sjson_member_string(w, "layer", layers[unit]);
    if (next_random(random) % 4 == 0)
        write_overrides(w, random);
    ct_sjson_end_object(w);
}

static void write_level(ct_string_builder *text, ct_sjson_style style) {
    uint32_t random = SEED;
    ct_sjson_writer w;
    ct_string_builder_init(text, ct_bench_heap());
    ct_sjson_writer_init(&w, text, style);
    ct_sjson_begin_object(&w);
    ct_sjson_write_key(&w, "units");
    ct_sjson_begin_array(&w);
    for (uint32_t i = 0; i < NUM_ENTITIES; ++i)
        write_entity(&w, &random);
    ct_sjson_end_array(&w);
    ct_sjson_member_string(&w, "script", "levels/harbour");
    ct_sjson_end_object(&w);
}

// --- Ours ----------------------------------------------------------------------------------------

static void visit(const ct_sjson *doc, ct_sjson_value value, peer_json_digest *digest) {
    ++digest->num_values;
    switch (ct_sjson_type_of(doc, value)) {
    case CT_SJSON_TYPE_ARRAY:
    case CT_SJSON_TYPE_OBJECT:
        for (ct_sjson_value c = ct_sjson_first(doc, value); c.entry; c = ct_sjson_next(doc, c)) {
            visit(doc, c, digest);
        }
        break;
    case CT_SJSON_TYPE_STRING:
        digest->string_bytes += ct_sjson_string_bytes(doc, value);
        break;
    case CT_SJSON_TYPE_NUMBER:
        digest->number_sum += ct_sjson_number(doc, value, 0);
        break;
    default:
        break;
    }
}

static peer_json_digest read_tape(void) {
    ct_error error = {0};
    ct_sjson *const doc =
        ct_sjson_parse(ct_bench_heap(), sjson_text.text, sjson_text.length, "level", NULL, &error);
    CT_ASSERT(doc, "%u:%u: %s", error.line, error.column, error.message);
    peer_json_digest digest = {0};
    visit(doc, ct_sjson_root(doc), &digest);
    ct_sjson_free(doc);
    return digest;
}

static void visit_node(const ct_sjson_document *doc, ct_sjson_node node, peer_json_digest *digest) {
    ++digest->num_values;
    switch (ct_sjson_document_type(doc, node)) {
    case CT_SJSON_TYPE_ARRAY:
    case CT_SJSON_TYPE_OBJECT:
        for (ct_sjson_node c = ct_sjson_document_first(doc, node); c.index;
             c = ct_sjson_document_next(doc, c))
            visit_node(doc, c, digest);
        break;
    case CT_SJSON_TYPE_STRING:
        digest->string_bytes += ct_sjson_document_string_bytes(doc, node);
        break;
    case CT_SJSON_TYPE_NUMBER:
        digest->number_sum += ct_sjson_document_number(doc, node, 0);
        break;
    default:
        break;
    }
}

static peer_json_digest read_document(void) {
    ct_error error = {0};
    ct_sjson_document *const doc = ct_sjson_document_parse(
        ct_bench_heap(), sjson_text.text, sjson_text.length, "level", NULL, &error);
    CT_ASSERT(doc, "%u:%u: %s", error.line, error.column, error.message);
    peer_json_digest digest = {0};
    visit_node(doc, ct_sjson_document_root(doc), &digest);
    ct_sjson_document_free(doc);
    return digest;
}

// --- Cases ---------------------------------------------------------------------------------------

static void expect_same(const peer_json_digest *a, const peer_json_digest *b, const char *who) {
    CT_ASSERT(a->number_sum == b->number_sum && a->string_bytes == b->string_bytes,
              "%s read different data", who);
}

static void begin(void) {
    write_level(&sjson_text, CT_SJSON_STYLE_SJSON);
    write_level(&json_text, CT_SJSON_STYLE_PRETTY_JSON);
    simdjson = peer_simdjson_create(json_text.text, json_text.length);
    peer_json_digest peer;
    const peer_json_digest tape = read_tape(), document = read_document();
    expect_same(&tape, &document, "the lossless reader");
    CT_ASSERT(peer_simdjson_run(simdjson, &peer), "simdjson cannot parse the document");
    expect_same(&tape, &peer, "simdjson");
    CT_ASSERT(peer_jansson_run(json_text.text, json_text.length, &peer),
              "jansson cannot parse the document");
    expect_same(&tape, &peer, "jansson");
}

static void end(void) {
    peer_simdjson_destroy(simdjson);
    ct_string_builder_free(&sjson_text);
    ct_string_builder_free(&json_text);
}

static double run_tape(void) {
    const double from = ct_bench_now_ns();
    const peer_json_digest digest = read_tape();
    ct_bench_use(digest.num_values);
    return (ct_bench_now_ns() - from) * 1e-6;
}

static double run_document(void) {
    const double from = ct_bench_now_ns();
    const peer_json_digest digest = read_document();
    ct_bench_use(digest.num_values);
    return (ct_bench_now_ns() - from) * 1e-6;
}

static double run_simdjson(void) {
    peer_json_digest digest;
    const double from = ct_bench_now_ns();
    peer_simdjson_run(simdjson, &digest);
    ct_bench_use(digest.num_values);
    return (ct_bench_now_ns() - from) * 1e-6;
}

static double run_jansson(void) {
    peer_json_digest digest;
    const double from = ct_bench_now_ns();
    peer_jansson_run(json_text.text, json_text.length, &digest);
    ct_bench_use(digest.num_values);
    return (ct_bench_now_ns() - from) * 1e-6;
}

static const ct_bench_case cases[] = {
    {.workload = "sjson_tape",
     .subject = "tape",
     .peer = "simdjson DOM",
     .unit = "ms",
     .goal = 3.0,
     .begin = begin,
     .end = end,
     .run_subject = run_tape,
     .run_peer = run_simdjson},
    {.workload = "sjson_tape",
     .subject = "tape",
     .peer = "jansson",
     .unit = "ms",
     .goal = 0.1,
     .begin = begin,
     .end = end,
     .run_subject = run_tape,
     .run_peer = run_jansson},
    {.workload = "sjson_tape",
     .subject = "lossless document",
     .peer = "jansson",
     .unit = "ms",
     .goal = 0.3,
     .begin = begin,
     .end = end,
     .run_subject = run_document,
     .run_peer = run_jansson},
};

const ct_bench_group ct_bench_sjson = {
    .name = "sjson", .cases = cases, .num_cases = CT_COUNT_OF(cases)};
