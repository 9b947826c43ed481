// bench_merge.c: merging two versions of a level.
//
// merge: a level of 50,000 units from a fixed seed (id, unit, position, rotation, layer: 10 MB; for
// the growth also one of 5,000), as the level editor writes it. Each side has changed 2 % of it:
// moved 1.6 %, removed 0.2 %, added 0.2 %. Time of one merge: read the three texts, decide, make
// the result and the report. The peers are the reading of the same three texts to tapes, and the
// merge of the smaller level, times ten.
//
// Each figure is of a process of its own, as git has one for each file: what it takes is new to it,
// which is much of the time. In one process after the other only the smaller's memory stays.
//
// merge_deep: 400 plain arrays inside each other, each with another element, and 20,000 numbers in
// the innermost; each side has changed one of them. The peer is the same with the numbers in the
// outermost, where nothing is looked at on more than one level.
#include "bench.h"

#include <sys/wait.h>
#include <unistd.h>

#include "content/merge/merge.h"
#include "foundation/error.h"
#include "foundation/sjson/sjson.h"

enum {
    NUM_UNITS = 50000,
    FEWER_UNITS = 5000,
    SEED = 20100625,
    NUM_LEVELS = 400,
    NUM_NUMBERS = 20000
};

typedef struct level {
    ct_string_builder base, theirs, mine;
} level;

static level large, small;

// --- The levels ----------------------------------------------------------------------------------

static uint32_t hash_of(uint32_t a, uint32_t b) {
    uint32_t h = a * 2654435761u ^ b * 2246822519u;
    h = (h ^ h >> 15) * 2246822519u;
    h = (h ^ h >> 13) * 3266489917u;
    return h ^ h >> 16;
}

static double coordinate(uint32_t unit, uint32_t salt) {
    return (hash_of(unit, salt) % 1000000) / 1000.0 - 500;
}

// A unit whose position is that of `version`.
static void write_unit(ct_string_builder *out, uint32_t unit, uint32_t version) {
    static const char *const names[] = {"props/crate", "nature/birch", "street/lamp",
                                        "houses/wall_corner"};
    const uint32_t position = 16 * version;
    ct_string_builder_addf(
        out,
        "    { id = \"%08x-%04x-4%03x-9%03x-%08x%04x\"  unit = \"units/%s\"  "
        "position = [%.3f %.3f %.3f]  rotation = [0 0 %.7f %.7f]  layer = \"layer %u\"  "
        "visible = true }\n",
        hash_of(unit, 1), hash_of(unit, 2) >> 16, hash_of(unit, 3) >> 20, hash_of(unit, 4) >> 20,
        unit, SEED & 0xffff, names[unit % 4], coordinate(unit, position + 5),
        coordinate(unit, position + 6), coordinate(unit, position + 7), coordinate(unit, 8) / 500,
        coordinate(unit, 9) / 500, unit % 7);
}

// The level as one side has it; side 0 is base.
static void write_level(ct_string_builder *out, uint32_t num_units, uint32_t side) {
    ct_string_builder_init(out, ct_bench_heap());
    ct_string_builder_add(out, "// A yard.\nunits = [\n");
    for (uint32_t unit = 0; unit < num_units; ++unit) {
        const uint32_t what = side ? hash_of(unit, 100 + side) % 1000 : 1000;
        if (what >= 2)
            write_unit(out, unit, what < 18 ? side : 0);
        if (what == 18 || what == 19)
            write_unit(out, unit + side * num_units, 0);
    }
    ct_string_builder_add(out, "]\nscript = \"levels/yard\"\n");
}

static void make_level(level *l, uint32_t num_units) {
    write_level(&l->base, num_units, 0);
    write_level(&l->theirs, num_units, 1);
    write_level(&l->mine, num_units, 2);
}

static void begin(void) {
    make_level(&large, NUM_UNITS);
    make_level(&small, FEWER_UNITS);
}

// Arrays inside each other as one side has them, with the numbers on `level`.
static void write_arrays(ct_string_builder *out, uint32_t at_level, uint32_t side) {
    ct_string_builder_init(out, ct_bench_heap());
    ct_string_builder_add(out, "arrays = ");
    for (uint32_t i = 0; i < NUM_LEVELS; ++i) {
        ct_string_builder_add(out, "[ true");
        for (uint32_t k = 0; k < NUM_NUMBERS && i == at_level; ++k)
            ct_string_builder_addf(out, " %u", k == 1000 * side ? k : hash_of(k, 1) % 1000);
        ct_string_builder_add(out, "\n");
    }
    for (uint32_t i = 0; i < NUM_LEVELS; ++i)
        ct_string_builder_add(out, " ]");
}

static void make_arrays(level *l, uint32_t at_level) {
    write_arrays(&l->base, at_level, 0);
    write_arrays(&l->theirs, at_level, 1);
    write_arrays(&l->mine, at_level, 2);
}

static void begin_deep(void) {
    make_arrays(&large, NUM_LEVELS - 1);
    make_arrays(&small, 0);
}

static void end(void) {
    ct_string_builder *const all[] = {&large.base, &large.theirs, &large.mine,
                                      &small.base, &small.theirs, &small.mine};
    for (uint32_t i = 0; i < CT_COUNT_OF(all); ++i)
        ct_string_builder_free(all[i]);
}

// --- The work ------------------------------------------------------------------------------------

static ct_merge_text text_of(const ct_string_builder *text, const char *name) {
    return (ct_merge_text){.text = text->text, .size_bytes = text->length, .file = name};
}

// Milliseconds of one merge.
static double merge(const level *l) {
    const double from = ct_bench_now_ns();
    const ct_merge_desc desc = {.base = text_of(&l->base, "base"),
                                .theirs = text_of(&l->theirs, "theirs"),
                                .mine = text_of(&l->mine, "mine"),
                                .path = "levels/yard.level"};
    ct_string_builder result, report;
    ct_string_builder_init(&result, ct_bench_heap());
    ct_string_builder_init(&report, ct_bench_heap());
    ct_merge_summary summary;
    ct_error error = {0};
    const bool ok = ct_merge_texts(ct_bench_heap(), &desc, &result, &report, &summary, &error);
    CT_ASSERT(ok && summary.num_edits > 0, "%s", error.message);
    ct_bench_use(result.length);
    ct_string_builder_free(&result);
    ct_string_builder_free(&report);
    return (ct_bench_now_ns() - from) * 1e-6;
}

// Milliseconds of reading its three texts.
static double read_texts(const level *l) {
    const ct_string_builder *const texts[] = {&l->base, &l->theirs, &l->mine};
    const double from = ct_bench_now_ns();
    for (uint32_t i = 0; i < CT_COUNT_OF(texts); ++i) {
        ct_error error = {0};
        ct_sjson *const tape = ct_sjson_parse(ct_bench_heap(), texts[i]->text, texts[i]->length,
                                              "level", NULL, &error);
        CT_ASSERT(tape, "%s", error.message);
        ct_sjson_free(tape);
    }
    return (ct_bench_now_ns() - from) * 1e-6;
}

// What `work` returns in a process that begins as a copy of this one, in which nothing was merged.
static double in_process(double (*work)(const level *), const level *l) {
    int ends[2], status = -1;
    double ms = 0;
    CT_ASSERT(pipe(ends) == 0, "cannot make a pipe");
    const pid_t child = fork();
    CT_ASSERT(child >= 0, "cannot make a process");
    if (child == 0) {
        ms = work(l);
        _exit(write(ends[1], &ms, sizeof(ms)) != sizeof(ms));
    }
    close(ends[1]);
    const bool ok = read(ends[0], &ms, sizeof(ms)) == sizeof(ms);
    close(ends[0]);
    CT_ASSERT(waitpid(child, &status, 0) == child && status == 0 && ok,
              "the child ended with status %d", status);
    return ms;
}

static double run_merge(void) {
    return in_process(merge, &large);
}

static double run_small_merges(void) {
    return 10 * in_process(merge, &small);
}

static double run_shallow_merge(void) {
    return in_process(merge, &small);
}

static double run_reading(void) {
    return in_process(read_texts, &large);
}

static const ct_bench_case cases[] = {
    {.workload = "merge",
     .subject = "50,000 objects",
     .peer = "reading the three texts",
     .unit = "ms",
     .goal = 6,
     .begin = begin,
     .end = end,
     .run_subject = run_merge,
     .run_peer = run_reading},
    {.workload = "merge",
     .subject = "50,000 objects",
     .peer = "10 x 5,000 objects",
     .unit = "ms",
     .goal = 1.2,
     .begin = begin,
     .end = end,
     .run_subject = run_merge,
     .run_peer = run_small_merges},
    {.workload = "merge_deep",
     .subject = "20,000 numbers in 400 arrays",
     .peer = "in one array",
     .unit = "ms",
     .goal = 3,
     .begin = begin_deep,
     .end = end,
     .run_subject = run_merge,
     .run_peer = run_shallow_merge},
};

const ct_bench_group ct_bench_merge = {
    .name = "merge", .cases = cases, .num_cases = CT_COUNT_OF(cases)};
