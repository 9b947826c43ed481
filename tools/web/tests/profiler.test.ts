import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeRecord } from "../src/framing";
import { chromeTrace } from "../src/pages/profiler/chrome_trace";
import { StreamDecoder } from "../src/pages/profiler/decode";
import { RecordingReader } from "../src/pages/profiler/file";
import { Recording, addSpan } from "../src/pages/profiler/recording";
import { nthSmallest, statisticsOf } from "../src/pages/profiler/statistics";
import { spanAt, visitSpans } from "../src/pages/profiler/timeline_layout";
import { pack, unpack } from "../src/pages/profiler/transfer";
import { axisStep, clamp, duration, pan, zoom } from "../src/pages/profiler/view";
import { COUNTER, END, ENTER, type FrameDescription, LEAVE, RANGE, VALUE, frameMessage } from "./profile";

const first: FrameDescription = {
    frame: 7,
    begin: 0,
    end: 1000,
    strings: ["frame", "update", "draws", "gpu", "gpu frame", "pass"],
    threads: [
        {
            id: 1,
            name: "update",
            events: [
                [ENTER, 1, 0],
                [ENTER, 2, 100],
                [COUNTER, 3, 150],
                [VALUE, 0, 12.5],
                [LEAVE, 1, 400],
                [ENTER, 2, 500],
            ],
        },
        {
            id: 2,
            name: "render",
            events: [
                [LEAVE, 3, 10],
                [RANGE, 6, -300],
                [END, 4, -200],
                [RANGE, 5, -400],
                [END, 4, -100],
            ],
        },
    ],
};
const second: FrameDescription = {
    frame: 8,
    begin: 1000,
    end: 2000,
    strings: [],
    firstString: 7,
    threads: [{ id: 1, name: "update", events: [[LEAVE, 2, 1200]] }],
};

function decoded(...frames: FrameDescription[]): Recording {
    const recording = new Recording();
    const decoder = new StreamDecoder(recording);
    for (const frame of frames) {
        const { message, binary } = frameMessage(frame);
        decoder.add(message, binary);
    }
    decoder.closeAll();
    return recording;
}

function spansOf(recording: Recording, track: string): [number, string, number, number][] {
    const { lanes } = recording.tracks.find(({ name }) => name === track)!;
    return lanes.flatMap((lane, depth) =>
        [...lane.name.values()].map(
            (name, i): [number, string, number, number] => [
                depth,
                recording.names[name]!,
                lane.begin.data[i]!,
                lane.end.data[i]!,
            ],
        ),
    );
}

test("scopes go on over frames, and ends without a beginning are ignored", () => {
    const recording = decoded(first, second);
    assert.deepEqual(spansOf(recording, "update"), [
        [0, "frame", 0, 1200],
        [1, "update", 100, 400],
        [1, "update", 500, 1200],
    ]);
    assert.deepEqual(spansOf(recording, "gpu"), [
        [0, "gpu frame", -400, -100],
        [1, "pass", -300, -200],
    ]);
    const draws = recording.counter("draws");
    assert.deepEqual([[...draws.time.values()], [...draws.value.values()]], [[150], [12.5]]);
    assert.equal(recording.end, 2000);
});

test("after a gap between frames, open scopes end", () => {
    const recording = decoded(first, { ...second, frame: 10, begin: 3000, end: 4000 });
    assert.deepEqual(spansOf(recording, "update"), [
        [0, "frame", 0, 1000],
        [1, "update", 100, 400],
        [1, "update", 500, 1000],
    ]);
});

test("messages that are wrong are errors", () => {
    const { message, binary } = frameMessage(first);
    const add = (m: object, b = binary) => () => new StreamDecoder(new Recording()).add({ type: "profiler", ...m }, b);
    assert.throws(add({}), /has no frame, threads or strings/);
    assert.throws(add(message, binary.subarray(16)), /frame 7 has 160 bytes for 11 events/);
});

test("spans that overlap go to a lower lane", () => {
    const recording = new Recording();
    const track = recording.track("a", "a", false);
    addSpan(track, 0, 0, 0, 10);
    addSpan(track, 0, 0, 5, 20);
    addSpan(track, 0, 0, 10, 20);
    assert.deepEqual(track.lanes.map((lane) => lane.begin.length), [2, 1]);
});

test("statistics have total, self, min, median and max", () => {
    const rows = statisticsOf(decoded(first, second), 0, 2000);
    const row = (name: string) => rows.find((r) => r.name === name && r.track === "update")!;
    assert.deepEqual(
        { ...row("update") },
        { track: "update", name: "update", count: 2, total: 1000, self: 1000, min: 300, median: 300, max: 700 },
    );
    assert.equal(row("frame").total, 1200);
    assert.equal(row("frame").self, 200);
    assert.equal(statisticsOf(decoded(first, second), 450, 2000).find((r) => r.name === "update")!.count, 1);
});

test("the median is that of sorting", () => {
    let seed = 1;
    const random = (): number => (seed = (seed * 48271) % 2147483647);
    for (let length = 1; length < 60; ++length) {
        const values = Float64Array.from({ length }, () => random() % 10);
        const sorted = values.slice().sort();
        const n = (length - 1) >> 1;
        assert.equal(nthSmallest(values, n), sorted[n]);
    }
});

test("a file and the worker's post give the same recording", () => {
    const records = [first, second].map((frame) => {
        const { message, binary } = frameMessage(frame);
        return encodeRecord(message, binary);
    });
    const reader = new RecordingReader(records.reduce((sum, record) => sum + record.length, 0));
    for (const record of records) reader.add(record);
    const read = reader.end();
    const recording = decoded(first, second);
    const all = statisticsOf(read, read.begin, read.end);
    assert.deepEqual(all, statisticsOf(recording, recording.begin, recording.end));
    const { posted, buffers } = pack(read, all);
    const arrived = structuredClone(posted, { transfer: buffers });
    const moved = unpack(arrived.recording!, arrived.statistics!);
    assert.deepEqual(spansOf(moved, "update"), spansOf(recording, "update"));
    assert.deepEqual(chromeTrace(moved), chromeTrace(recording));
    // The page takes the worker's statistics of the whole, and makes those of a part.
    assert(statisticsOf(moved, moved.begin, moved.end) === arrived.statistics);
    assert.deepEqual(statisticsOf(moved, 450, moved.end), statisticsOf(recording, 450, recording.end));
    assert.throws(() => new RecordingReader(0).end(), /has no frames/);
});

test("room that is made for more changes nothing of what is there", () => {
    const recording = decoded(first, second);
    const before = chromeTrace(recording);
    recording.reserve(10);
    assert(recording.frames.begin.data.length >= 20);
    assert.deepEqual(chromeTrace(recording), before);
    recording.reserve(0.1);
    recording.addFrame(3, 4, 5);
    assert.deepEqual([...recording.frames.number.values()].slice(-1), [3]);
    assert.equal(recording.frames.begin.length, 3);
});

test("the trace for Perfetto is JSON with all spans", () => {
    const trace = JSON.parse(chromeTrace(decoded(first, second)).join("")) as {
        traceEvents: { ph: string; name: string; ts: number; dur: number }[];
    };
    const spans = trace.traceEvents.filter(({ ph }) => ph === "X");
    assert.equal(spans.length, 7);
    assert.deepEqual(
        spans.filter(({ name }) => name === "update").map(({ ts, dur }) => [ts, dur]),
        [
            [0.1, 0.3],
            [0.5, 0.7],
        ],
    );
    assert.equal(trace.traceEvents.filter(({ ph }) => ph === "C").length, 1);
});

test("a zoomed out lane visits at most a span a pixel, a zoomed in one all in view", () => {
    const recording = new Recording();
    const track = recording.track("a", "a", false);
    for (let i = 0; i < 100_000; ++i) addSpan(track, 0, 0, i * 10, i * 10 + 5);
    const visited = (begin: number, end: number): number[] => {
        const found: number[] = [];
        visitSpans(track.lanes[0]!, { begin, end }, 500, (index) => found.push(index));
        return found;
    };
    assert(visited(0, 1e6).length <= 501);
    assert.deepEqual(visited(1002, 1031), [100, 101, 102, 103]);
    assert.equal(spanAt(track.lanes[0]!, 1007, 1), -1);
    assert.equal(spanAt(track.lanes[0]!, 1007, 2), 100);
    assert.equal(spanAt(track.lanes[0]!, 1013, 1), 101);
});

test("views stay inside of the recording", () => {
    const whole = { begin: 0, end: 1e6 };
    assert.deepEqual(clamp({ begin: -5e5, end: 5e5 }, whole), { begin: 0, end: 1e6 });
    assert.deepEqual(pan({ begin: 0, end: 1e5 }, whole, -1), { begin: 0, end: 1e5 });
    assert.deepEqual(pan({ begin: 0, end: 1e5 }, whole, 0.5), { begin: 5e4, end: 1.5e5 });
    assert.deepEqual(zoom({ begin: 0, end: 1e6 }, whole, 0.5, 1), { begin: 5e5, end: 1e6 });
    assert.deepEqual(zoom({ begin: 0, end: 1e6 }, whole, 2, 0.5), whole);
    const deepest = zoom({ begin: 100, end: 1100 }, whole, 1e-9, 0);
    assert.equal(deepest.end - deepest.begin, 1000);
});

test("times and axis steps are short", () => {
    assert.deepEqual(
        [12, 1234, 16_666_667, 999_900_000, 2.5e9].map(duration),
        ["12 ns", "1.23 µs", "16.7 ms", "1.00 s", "2.50 s"],
    );
    assert.deepEqual([axisStep(1000, 10), axisStep(1000, 3), axisStep(45, 10)], [100, 500, 5]);
});
