// profiler_page.tsx: records the frames of an engine, and shows where their time goes.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type Engine, nameOf } from "../../engines";
import { bytes } from "../../format";
import { say } from "../../shell/notice";
import { useValue } from "../../value";
import { chromeTrace } from "./chrome_trace";
import { FrameGraph, GraphChoice } from "./frame_graph";
import { openFile, saveFile } from "./open_file";
import { MAX_BYTES, Recorder } from "./recorder";
import type { Recording } from "./recording";
import { StatisticsTable } from "./statistics_table";
import { Timeline } from "./timeline";
import { describeSpan } from "./timeline_draw";
import type { SpanPlace } from "./timeline_layout";
import { useSlowly } from "./use_slowly";
import { type View, clamp, duration } from "./view";

/** While recording, the timeline shows the newest of this many nanoseconds. */
const FOLLOWED = 100e6;

export function ProfilerPage({ engine }: { engine: Engine }): JSX.Element {
    const recorder = engine.keep(Recorder);
    const isRecording = useValue(recorder.isRecording);
    const revision = useValue(recorder.revision);
    const problem = useValue(recorder.problem);
    const [chosenView, setView] = useState<View | null>(null);
    const [searched, setSearched] = useState("");
    const [selected, setSelected] = useState<SpanPlace | null>(null);
    const [counter, setCounter] = useState("");
    const { recording } = recorder;

    // A page that is not shown asks nothing: leaving it ends the recording.
    useEffect(() => {
        if (recording.frames.begin.length === 0) recorder.start();
        return () => recorder.stop();
    }, [recorder]);
    useEffect(() => {
        setView(null);
        setSelected(null);
    }, [recording]);

    const whole = { begin: recording.begin, end: recording.end };
    const newest = isRecording ? { begin: whole.end - FOLLOWED, end: whole.end } : whole;
    const view = clamp(chosenView ?? newest, whole);
    // Tables and graphs follow a growing recording four times a second.
    const slow = useSlowly({ view, revision }, isRecording ? 250 : 60, recording);
    const letters = searched.trim().toLowerCase();
    return (
        <section class="page" aria-label="Profiler">
            <Tools
                engine={engine}
                recorder={recorder}
                isFollowing={chosenView === null}
                onFollow={() => setView(null)}
                searched={searched}
                onSearch={setSearched}
                counter={counter}
                onCounter={setCounter}
            />
            {problem && <p class="failed">{problem}</p>}
            {recording.frames.begin.length === 0 ? (
                <p class="empty">{isRecording ? "Waiting for the first frame." : "No frame was recorded."}</p>
            ) : (
                <>
                    <FrameGraph
                        recording={recording}
                        revision={slow.revision}
                        counter={counter}
                        view={view}
                        onView={setView}
                    />
                    <Timeline
                        recording={recording}
                        revision={revision}
                        view={view}
                        searched={letters}
                        onView={setView}
                        selected={selected}
                        onSelect={setSelected}
                    />
                    <p class="status-line">
                        {`${recording.frames.begin.length} frames, ${duration(whole.end - whole.begin)}; in view ` +
                            `${duration(view.end - view.begin)}${lost(recording)}${room(recorder)}`}
                        {selected && ` · ${describeSpan(selected, recording)}`}
                    </p>
                    <div class="profiler-table">
                        <StatisticsTable
                            recording={recording}
                            revision={slow.revision}
                            view={slow.view}
                            searched={letters}
                            onChoose={setSearched}
                        />
                    </div>
                </>
            )}
        </section>
    );
}

/** Resolves when what has just changed can be seen: drawn in the frame after that with its elements. */
async function shown(): Promise<void> {
    for (let i = 0; i < 3; ++i) await new Promise(requestAnimationFrame);
}

function lost({ droppedFrames, droppedScopes }: Recording): string {
    const parts = [];
    if (droppedFrames > 0) parts.push(`${droppedFrames} frames`);
    if (droppedScopes > 0) parts.push(`${droppedScopes} scopes`);
    return parts.length > 0 ? `; lost: ${parts.join(" and ")}` : "";
}

/** How much of what a recording may have is there, and for how long the rest is enough. */
function room({ isRecording, numBytes, recording }: Recorder): string {
    if (!isRecording.get() || numBytes === 0) return "";
    const left = ((recording.end - recording.begin) / numBytes) * (MAX_BYTES - numBytes);
    return `; ${bytes(numBytes)} of ${bytes(MAX_BYTES)}, full in ${duration(Math.max(left, 0))}`;
}

interface ToolsProperties {
    engine: Engine;
    recorder: Recorder;
    isFollowing: boolean;
    onFollow: () => void;
    searched: string;
    onSearch: (text: string) => void;
    counter: string;
    onCounter: (name: string) => void;
}

function Tools(p: ToolsProperties): JSX.Element {
    const { engine, recorder, isFollowing, onFollow } = p;
    const isRecording = useValue(recorder.isRecording);
    const chooser = useRef<HTMLInputElement>(null);
    const isEmpty = recorder.recording.frames.begin.length === 0;
    const name = (): string =>
        `${nameOf(engine).replace(/\W+/g, "_")}_${new Date().toISOString().slice(0, 19).replace(/\W/g, "")}`;
    const open = async (file: File | undefined): Promise<void> => {
        if (!file) return;
        const begin = performance.now();
        recorder.stop(); // its frames would take the time of the file's
        try {
            recorder.show(await openFile(file));
            await shown();
            performance.measure("open profile", { start: begin });
            say(`opened ${file.name} in ${duration((performance.now() - begin) * 1e6)}`);
        } catch (error) {
            say(`${file.name}: ${(error as Error).message}`);
        }
    };
    return (
        <div class="toolbar" role="toolbar" aria-label="Profiler">
            <button
                aria-pressed={isRecording}
                title={isRecording ? "Keep what was recorded" : "Start a new recording"}
                onClick={() => (isRecording ? recorder.stop() : recorder.start())}
            >
                {isRecording ? "❚❚ Pause" : "● Record"}
            </button>
            {isRecording && (
                <button disabled={isFollowing} onClick={onFollow}>
                    Follow the newest
                </button>
            )}
            <input
                type="search"
                class="search"
                placeholder="Find scopes by name"
                aria-label="Find scopes by name"
                value={p.searched}
                onInput={(event) => p.onSearch(event.currentTarget.value)}
            />
            <GraphChoice recording={recorder.recording} counter={p.counter} onChoose={p.onCounter} />
            <span class="spring" />
            <input
                ref={chooser}
                type="file"
                hidden
                aria-label="File of the profiler"
                onChange={(event) => {
                    void open(event.currentTarget.files?.[0]);
                    event.currentTarget.value = "";
                }}
            />
            <button onClick={() => chooser.current?.click()}>Open…</button>
            <button
                disabled={recorder.records.length === 0}
                onClick={() => saveFile(`${name()}.cuttle_profile`, recorder.records)}
            >
                Save
            </button>
            <button
                disabled={isEmpty}
                title="In Chrome's trace format, for ui.perfetto.dev"
                onClick={() => saveFile(`${name()}.json`, chromeTrace(recorder.recording), "application/json")}
            >
                Export for Perfetto
            </button>
        </div>
    );
}
