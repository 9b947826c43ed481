// frame_graph.tsx: how long each frame took, and a counter. Drag over a part to see it in the timeline.
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { shortNumber } from "../../format";
import { Chart } from "../../widgets/chart";
import type { Recording } from "./recording";
import type { View } from "./view";

interface Properties {
    recording: Recording;
    revision: number;
    /** The name of the counter that is shown; empty: the times of frames. */
    counter: string;
    view: View;
    onView: (view: View) => void;
}

export function FrameGraph({ recording, revision, counter, view, onView }: Properties): JSX.Element {
    const { x, y } = useMemo(
        () => (counter ? counterData(recording, counter) : frameData(recording)),
        [recording, revision, counter],
    );
    const isFrames = counter === "";
    return (
        <div class="frame-graph">
            <Chart
                label={isFrames ? "Frame times" : counter}
                x={x}
                y={[y]}
                series={[{ label: isFrames ? "frame times" : counter, fill: true }]}
                fromZero
                height={110}
                formatX={(seconds) => `${trim(seconds)} s`}
                formatY={isFrames ? (ms) => `${trim(ms)} ms` : shortNumber}
                range={{ begin: view.begin / 1e9, end: view.end / 1e9 }}
                onSelect={(begin, end) => onView({ begin: begin * 1e9, end: end * 1e9 })}
            />
        </div>
    );
}

/** Chooses what the graph shows. */
export function GraphChoice(p: { recording: Recording; counter: string; onChoose: (name: string) => void }): JSX.Element {
    return (
        <select
            aria-label="What the graph shows"
            value={p.counter}
            onChange={(event) => p.onChoose(event.currentTarget.value)}
        >
            <option value="">frame times</option>
            {p.recording.counters.map(({ name }) => (
                <option key={name} value={name}>
                    {name}
                </option>
            ))}
        </select>
    );
}

const trim = (value: number): string => String(Number(value.toPrecision(4)));

function frameData({ frames }: Recording): { x: Float64Array; y: Float64Array } {
    const begin = frames.begin.values();
    const end = frames.end.values();
    return { x: begin.map((time) => time / 1e9), y: end.map((time, i) => (time - begin[i]!) / 1e6) };
}

function counterData(recording: Recording, name: string): { x: Float64Array; y: Float64Array } {
    const counter = recording.counters.find((other) => other.name === name);
    if (!counter) return { x: new Float64Array(), y: new Float64Array() };
    return { x: counter.time.values().map((time) => time / 1e9), y: counter.value.values().slice() };
}
