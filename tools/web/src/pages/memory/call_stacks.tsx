// call_stacks.tsx: which code holds the memory of an allocator.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Engine } from "../../engines";
import { bytes, plural } from "../../format";
import type { MemoryReportAnswer } from "../../protocol";
import { say } from "../../shell/notice";
import { stackTitles } from "./stack_title";

interface Properties {
    engine: Engine;
    /** A path; empty: none is chosen. */
    allocator: string;
    /** What the engine says of it; undefined: an older one, which does not say. */
    traced: boolean | undefined;
    /** The paths of all that are traced. */
    allTraced: string[];
    /** A trace has begun or ended. */
    onTrace: () => void;
}

/** An allocator is traced from a click on: only blocks that were allocated since then have a call stack. The engine
 * ends a trace when the page that began it is closed. */
export function CallStacks({ engine, allocator, traced, allTraced, onTrace }: Properties): JSX.Element {
    const [answered, setAnswered] = useState<boolean | null>(null);
    useEffect(() => setAnswered(null), [traced]);
    const isTraced = answered ?? traced ?? false;
    const [report, setReport] = useState<MemoryReportAnswer | null>(null);
    const ask = async (run: () => Promise<void>): Promise<void> => {
        try {
            await run();
        } catch (error) {
            say((error as Error).message);
        }
    };
    const trace = (on: boolean): Promise<void> =>
        ask(async () => {
            setAnswered((await engine.connection.ask("memory_trace", { name: allocator, on })).on);
            onTrace();
        });
    const read = (): Promise<void> =>
        ask(async () => setReport(await engine.connection.ask("memory_report", { name: allocator }, 60)));
    return (
        <aside class="side" aria-label="Call stacks">
            <h2>Call stacks{allocator && ` of ${allocator}`}</h2>
            {!allocator ? (
                <p class="dim">Choose an allocator to see what allocated its memory.</p>
            ) : (
                <>
                    <div class="group">
                        <button aria-pressed={isTraced} onClick={() => void trace(!isTraced)}>
                            {isTraced ? "Stop tracing" : "Trace"}
                        </button>
                        <button onClick={() => void read()}>Read the call stacks</button>
                    </div>
                    <p class="dim">
                        {report
                            ? `${plural(report.total, "call stack")}, ${bytes(report.bytes)} in ` +
                              plural(report.blocks, "block")
                            : "Tracing keeps the call stack of each block that is allocated from then on."}
                    </p>
                    {report && <Stacks report={report} />}
                </>
            )}
            {allTraced.length > 0 && (
                <p class="dim">{`Traced now, until you stop it or close the page: ${allTraced.join(", ")}`}</p>
            )}
        </aside>
    );
}

function Stacks({ report }: { report: MemoryReportAnswer }): JSX.Element {
    const titles = stackTitles(report.stacks);
    return (
        <div class="stacks">
            {report.stacks.map((stack, i) => (
                <details key={i} open={i === 0}>
                    <summary>
                        <span class="number">{bytes(stack.bytes)}</span>
                        <span class="dim">{plural(stack.blocks, "block")}</span>
                        <span class="frame" title={titles[i]}>
                            {titles[i]}
                        </span>
                    </summary>
                    <ol>
                        {stack.frames.map((frame, k) => (
                            <li key={k}>{frame}</li>
                        ))}
                    </ol>
                </details>
            ))}
        </div>
    );
}
