import { setHidden } from "./fake_browser";
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConnectionState, Listener } from "../src/connection";
import type { Engine } from "../src/engines";
import { Recorder } from "../src/pages/profiler/recorder";
import { RecordingReader } from "../src/pages/profiler/file";
import { Value } from "../src/value";
import { ENTER, LEAVE, frameMessage } from "./profile";

const MS = 1e6;

/** An engine whose frames last a millisecond. */
class FakeEngine {
    readonly state = new Value<ConnectionState>("open");
    readonly asked: string[] = [];
    private listener: Listener = () => {};

    listen(_type: string, listener: Listener): () => void {
        this.listener = listener;
        return () => {};
    }

    async ask(_type: string, { arguments: [what] }: { arguments: string[] }): Promise<object> {
        this.asked.push(what!);
        return {};
    }

    /** Sends frame `frame` of a stream. */
    send(frame: number, name: string): void {
        const begin = frame * MS;
        const { message, binary } = frameMessage({
            frame: 100 + frame,
            begin,
            end: begin + MS,
            firstString: frame === 0 ? 0 : 1,
            strings: frame === 0 ? [name] : [],
            threads: [{ id: 1, name: "update", events: [[ENTER, 0, begin], [LEAVE, 1, begin + MS / 2]] }],
        });
        this.listener(message, binary);
    }
}

function record(): { engine: FakeEngine; recorder: Recorder } {
    const engine = new FakeEngine();
    const recorder = new Recorder({ connection: engine } as unknown as Engine);
    recorder.start();
    engine.send(0, "one");
    engine.send(1, "one");
    return { engine, recorder };
}

test("a recording is kept when the connection ends", () => {
    const { engine, recorder } = record();
    engine.state.set("connecting");
    engine.state.set("open");
    engine.send(0, "of another process");
    assert.equal(recorder.isRecording.get(), false);
    assert.equal(recorder.recording.frames.begin.length, 2);
    assert(recorder.problem.get().includes("connection"));
    assert.deepEqual(engine.asked.filter((what) => what === "subscribe").length, 1);

    recorder.start();
    engine.send(0, "next");
    assert.equal(recorder.problem.get(), "");
    assert.equal(recorder.recording.frames.begin.length, 1);
    assert.deepEqual(recorder.recording.names, ["?", "next"]);
});

test("a connection that is not there yet is no end", () => {
    const engine = new FakeEngine();
    const recorder = new Recorder({ connection: engine } as unknown as Engine);
    engine.state.set("connecting");
    recorder.start();
    assert.deepEqual(engine.asked, []);
    engine.state.set("open");
    assert.deepEqual(engine.asked, ["subscribe"]);
    assert(recorder.isRecording.get());
});

test("a page that is hidden asks for no frames, and goes on with the recording when it is seen", () => {
    const { engine, recorder } = record();
    setHidden(true);
    engine.send(2, "one"); // was on its way
    assert.deepEqual(engine.asked, ["subscribe", "unsubscribe"]);
    setHidden(false);
    assert.deepEqual(engine.asked, ["subscribe", "unsubscribe", "subscribe"]);
    engine.send(3, "one"); // was on its way, too
    engine.send(0, "two");
    engine.send(1, "two");
    const check = ({ recording }: { recording: Recorder["recording"] }): void => {
        const { begin, end } = recording.frames;
        assert.equal(begin.length, 4);
        assert(begin.data[2]! >= end.data[1]!, "the second stream comes after the first");
        const lane = recording.tracks[0]!.lanes[0]!;
        assert.deepEqual([...lane.name.values()].map((name) => recording.names[name]!), ["one", "one", "two", "two"]);
        assert.deepEqual([...lane.begin.values()], [...begin.values()]);
    };
    recorder.stop();
    check(recorder);

    // The file has it as well.
    const reader = new RecordingReader(recorder.numBytes);
    for (const record of recorder.records) reader.add(record);
    check({ recording: reader.end() });
    setHidden(true);
    setHidden(false);
    assert.deepEqual(engine.asked.slice(3), ["unsubscribe"]);
});
