#include "cli/nodes/nodes_run.h"

#include <stdio.h>
#include <string.h>

#include "cli/nodes/nodes_steps.h"
#include "foundation/os/file.h"

enum { TAIL_LINES = 20 };
static const uint64_t poll_ns = 10000000;
static const uint64_t end_limit_ns = 10000000000;   // for nodes to quit after the last step
static const uint64_t failed_limit_ns = 2000000000; // after a failure

// A `repeat` that has begun.
typedef struct loop {
    uint32_t step;
    uint32_t num_left; // rounds, with the one under way
} loop;

// --- Details of a failure ------------------------------------------------------------------------

// Copies the crash report that a log names to the run's folder, as NODE.crash.txt.
static void add_crash_report(ct_nodes_state *s, const ct_nodes_engine *e) {
    char report[CT_PATH_BYTES], path[CT_PATH_BYTES], name[CT_NODES_ID_BYTES + 16];
    ct_string_builder *const out = &s->outcome->details;
    uint64_t bytes = 0;
    if (!ct_nodes_find_crash_report(s->desc->allocator, e->process.log, report))
        return;
    snprintf(name, sizeof(name), "%s.crash.txt", e->node->id);
    char *const text = ct_file_read(s->desc->allocator, report, &bytes, NULL);
    const bool is_copied = text && ct_path_try_join(path, s->desc->values.folder, name) &&
                           ct_file_write(path, text, bytes, false, NULL);
    ct_string_builder_addf(out, "%s crashed; its report is in %s\n", e->node->id,
                           is_copied ? path : report);
    ct_free(s->desc->allocator, text);
}

static void add_details(ct_nodes_state *s, uint32_t node) {
    const ct_nodes_engine *const e = &s->engines[node];
    ct_string_builder *const out = &s->outcome->details;
    if (ct_os_file_info(e->process.log).size_bytes == 0) // also when it was never started
        return;
    ct_string_builder_addf(out, "The last lines of %s:\n", e->process.log);
    ct_nodes_add_log_tail(out, e->process.log, TAIL_LINES);
    add_crash_report(s, e);
}

// The details of the node that failed, or of all those that the step waits for.
static void add_all_details(ct_nodes_state *s) {
    for (uint32_t i = 0; i < s->plan->nodes.count; ++i) {
        const bool is_lost = s->engines[i].state == CT_NODES_ENGINE_STATE_LOST;
        if (is_lost || strcmp(s->plan->nodes.items[i].id, s->outcome->node) == 0)
            add_details(s, i);
    }
}

// --- Steps ---------------------------------------------------------------------------------------

// Nodes go on without the file server, but with data that no save changes any more.
static ct_nodes_progress check_server(ct_nodes_state *s) {
    ct_nodes_process *const server = s->desc->server;
    ct_string_builder *const out = &s->outcome->details;
    char how[64];
    if (!server || !ct_nodes_process_has_ended(server, 0))
        return CT_NODES_PROGRESS_BUSY;
    ct_nodes_process_describe_end(server, how, sizeof(how));
    ct_string_builder_addf(out, "The last lines of %s:\n", server->log);
    ct_nodes_add_log_tail(out, server->log, TAIL_LINES);
    return ct_nodes_fail(s, CT_NODES_MAX_NODES, "the file server %s", how);
}

static ct_nodes_progress check_engines(ct_nodes_state *s) {
    if (check_server(s) == CT_NODES_PROGRESS_FAILED)
        return CT_NODES_PROGRESS_FAILED;
    for (uint32_t i = 0; i < s->plan->nodes.count; ++i) {
        if (s->engines[i].state == CT_NODES_ENGINE_STATE_LOST)
            return ct_nodes_fail(s, i, "%s", s->engines[i].lost);
    }
    return CT_NODES_PROGRESS_BUSY;
}

static ct_nodes_progress interrupt(ct_nodes_state *s) {
    ct_nodes_fail(s, CT_NODES_MAX_NODES, "interrupted");
    s->outcome->result = CT_NODES_RESULT_INTERRUPTED;
    return CT_NODES_PROGRESS_FAILED;
}

// Runs the step, which has begun, to its end.
static ct_nodes_progress finish_step(ct_nodes_state *s, ct_nodes_progress progress,
                                     uint64_t run_end_ns) {
    while (progress == CT_NODES_PROGRESS_BUSY) {
        ct_nodes_engines_poll(s->engines, s->plan->nodes.count, poll_ns);
        progress = check_engines(s);
        if (progress == CT_NODES_PROGRESS_BUSY)
            progress = ct_nodes_step_update(s);
        if (progress != CT_NODES_PROGRESS_BUSY)
            return progress;
        const uint64_t now_ns = ct_os_time_ns();
        const double seconds = (double)(now_ns - s->step_start_ns) * 1e-9;
        if (s->desc->is_interrupted())
            return interrupt(s);
        if (s->step->kind != CT_NODES_STEP_KIND_SLEEP && seconds >= s->step->seconds)
            return ct_nodes_step_time_out(s);
        if (now_ns >= run_end_ns)
            return ct_nodes_fail(s, CT_NODES_MAX_NODES, "the run has taken more than %g s",
                                 s->plan->run_timeout);
    }
    return progress;
}

// Starts the nodes of the plan, as a step before its steps would.
static ct_nodes_progress start_all(ct_nodes_state *s, uint64_t run_end_ns) {
    ct_nodes_step start = {
        .kind = CT_NODES_STEP_KIND_START, .message = "", .seconds = s->plan->start_timeout};
    for (uint32_t i = 0; i < s->plan->nodes.count; ++i) {
        if (s->plan->nodes.items[i].autostart)
            start.on |= UINT64_C(1) << i;
    }
    s->step = &start;
    const ct_nodes_progress progress = finish_step(s, ct_nodes_step_begin(s), run_end_ns);
    s->step = NULL;
    return progress;
}

// Returns the step after the last one of a loop: its first one again, or what follows it.
static uint32_t next_round(const ct_nodes_plan *plan, loop *loops, uint32_t *num_loops,
                           uint32_t next) {
    while (*num_loops > 0 && plan->steps.items[loops[*num_loops - 1].step].end == next) {
        loop *const inner = &loops[*num_loops - 1];
        if (--inner->num_left > 0)
            return inner->step + 1;
        --*num_loops;
    }
    return next;
}

static ct_nodes_progress run_steps(ct_nodes_state *s, uint64_t run_end_ns) {
    const ct_nodes_plan *const plan = s->plan;
    loop loops[CT_NODES_MAX_DEPTH + 1];
    uint32_t num_loops = 0, next = 0;
    while (next < plan->steps.count) {
        s->step = &plan->steps.items[next];
        if (s->step->kind == CT_NODES_STEP_KIND_REPEAT) {
            loops[num_loops++] = (loop){.step = next, .num_left = s->step->times};
            ++next;
            continue;
        }
        if (finish_step(s, ct_nodes_step_begin(s), run_end_ns) == CT_NODES_PROGRESS_FAILED)
            return CT_NODES_PROGRESS_FAILED;
        next = next_round(plan, loops, &num_loops, next + 1);
    }
    s->step = NULL;
    return CT_NODES_PROGRESS_DONE;
}

// --- The end -------------------------------------------------------------------------------------

// Ends all nodes. When all went well, a node that does not end well is a failure.
static void end_all(ct_nodes_state *s) {
    const bool is_good = s->outcome->result == CT_NODES_RESULT_PASSED;
    const uint32_t count = s->plan->nodes.count;
    uint64_t ending = 0;
    bool runs = true;
    for (uint32_t i = 0; i < count; ++i) {
        if (s->engines[i].state == CT_NODES_ENGINE_STATE_READY)
            ending |= UINT64_C(1) << i;
        if (s->engines[i].state != CT_NODES_ENGINE_STATE_LOST)
            ct_nodes_engine_quit(&s->engines[i], is_good ? end_limit_ns : failed_limit_ns);
    }
    while (runs) {
        runs = false;
        for (uint32_t i = 0; i < count; ++i)
            runs |= s->engines[i].state == CT_NODES_ENGINE_STATE_ENDING;
        if (runs)
            ct_nodes_engines_poll(s->engines, count, poll_ns);
        for (uint32_t i = 0; runs && s->desc->is_interrupted() && i < count; ++i)
            ct_nodes_engine_kill(&s->engines[i]);
    }
    for (uint32_t i = 0; is_good && i < count; ++i) {
        if ((ending >> i & 1) && ct_nodes_check_end(s, i) == CT_NODES_PROGRESS_FAILED) {
            add_details(s, i);
            return;
        }
    }
}

void ct_nodes_run(const ct_nodes_run_desc *desc, ct_nodes_outcome *outcome) {
    const ct_nodes_plan *const plan = desc->values.plan;
    const uint64_t start_ns = ct_os_time_ns();
    const uint64_t end_ns = start_ns + (uint64_t)(plan->run_timeout * 1e9);
    ct_nodes_state s = {.desc = desc, .plan = plan, .outcome = outcome};
    memset(outcome, 0, sizeof(*outcome));
    outcome->step = outcome->node = "";
    ct_string_builder_init(&outcome->message, desc->allocator);
    ct_string_builder_init(&outcome->details, desc->allocator);
    s.engines = CT_NEW_ARRAY(desc->allocator, ct_nodes_engine, plan->nodes.count);
    for (uint32_t i = 0; i < plan->nodes.count; ++i) {
        ct_nodes_engine_init(&s.engines[i], desc->allocator, &plan->nodes.items[i], plan->token);
        ct_string_builder_init(&s.values[i], desc->allocator);
    }
    if (start_all(&s, end_ns) == CT_NODES_PROGRESS_DONE)
        run_steps(&s, end_ns);
    end_all(&s);
    if (outcome->result == CT_NODES_RESULT_FAILED && outcome->details.length == 0)
        add_all_details(&s);
    outcome->seconds = (double)(ct_os_time_ns() - start_ns) * 1e-9;
    for (uint32_t i = 0; i < plan->nodes.count; ++i) {
        ct_nodes_engine_free(&s.engines[i]);
        ct_string_builder_free(&s.values[i]);
    }
    ct_free_sized(desc->allocator, s.engines, sizeof(ct_nodes_engine) * plan->nodes.count);
}

void ct_nodes_outcome_free(ct_nodes_outcome *outcome) {
    ct_string_builder_free(&outcome->message);
    ct_string_builder_free(&outcome->details);
}
