// chrome_trace.ts: a recording in Chrome's trace event format, which ui.perfetto.dev opens. The same shape as
// the files that the engine writes (docs/formats/profiler.md).
import type { Recording } from "./recording";

const FRAMES_TRACK = 1_000_000;

/** The parts of the file's text, in their order. */
export function chromeTrace(recording: Recording): string[] {
    const parts: string[] = ['{"traceEvents":[\n'];
    let events: string[] = [];
    const add = (event: string): void => {
        events.push(event);
        if (events.length === 10_000) flush();
    };
    const flush = (): void => {
        if (events.length === 0) return;
        parts.push((parts.length > 1 ? ",\n" : "") + events.join(",\n"));
        events = [];
    };
    const names = recording.names.map((name) => JSON.stringify(name));
    let numExtras = 0;
    addTrackName(add, FRAMES_TRACK, "frames");
    recording.tracks.forEach((track, i) => {
        const tid = track.isExtra ? FRAMES_TRACK + ++numExtras : i + 1;
        addTrackName(add, tid, track.name);
        for (const { begin, end, name } of track.lanes) {
            for (let k = 0; k < begin.length; ++k)
                add(span(tid, names[name.data[k]!]!, begin.data[k]!, end.data[k]!));
        }
    });
    const { number, begin, end } = recording.frames;
    for (let k = 0; k < number.length; ++k)
        add(span(FRAMES_TRACK, `"frame"`, begin.data[k]!, end.data[k]!, `,"args":{"number":${number.data[k]}}`));
    for (const counter of recording.counters) {
        const name = JSON.stringify(counter.name);
        for (let k = 0; k < counter.time.length; ++k) {
            const value = counter.value.data[k]!;
            if (!Number.isFinite(value)) continue;
            add(
                `{"ph":"C","pid":1,"tid":0,"ts":${microseconds(counter.time.data[k]!)},"name":${name},` +
                    `"args":{"value":${value}}}`,
            );
        }
    }
    flush();
    parts.push(
        `\n],"otherData":{"frames":${number.length},"dropped_frames":${recording.droppedFrames},` +
            `"dropped_scopes":${recording.droppedScopes}}}\n`,
    );
    return parts;
}

function addTrackName(add: (event: string) => void, tid: number, name: string): void {
    add(`{"ph":"M","pid":1,"tid":${tid},"name":"thread_name","args":{"name":${JSON.stringify(name)}}}`);
}

function span(tid: number, name: string, begin: number, end: number, more = ""): string {
    const time = `"ts":${microseconds(begin)},"dur":${microseconds(end - begin)}`;
    return `{"ph":"X","pid":1,"tid":${tid},${time},"name":${name}${more}}`;
}

function microseconds(nanoseconds: number): string {
    return (nanoseconds / 1000).toFixed(3);
}
