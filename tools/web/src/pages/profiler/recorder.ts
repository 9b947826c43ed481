// recorder.ts: records the frames that an engine sends, and keeps the last recording of the engine.
import type { Engine } from "../../engines";
import { encodeRecord } from "../../framing";
import type { Message } from "../../message";
import { Revision, Value } from "../../value";
import { isPageVisible } from "../../widgets/page_visible";
import { StreamDecoder } from "./decode";
import { Recording } from "./recording";
import { moveFrame } from "./stream_times";

/** A recording of this many bytes of messages ends. */
export const MAX_BYTES = 512 * 1024 * 1024;

export class Recorder {
    readonly isRecording = new Value(false);
    /** What went wrong, or why a recording ended; empty: nothing. */
    readonly problem = new Value("");
    /** Changes, at most once a frame of the page, while frames arrive. */
    readonly revision = new Revision();
    recording = new Recording();
    /** The messages, for a file. Empty for a recording that was opened from a file. */
    records: Uint8Array<ArrayBuffer>[] = [];
    /** Of the messages. */
    numBytes = 0;
    private decoder = new StreamDecoder(this.recording);
    /** When the stream before this one ended, in milliseconds of the page; null: this is the recording's first. */
    private gapBegin: number | null = null;
    /** Whether the first frame of the stream, which begins at 0, has come. */
    private hasStream = false;
    /** What to add to the stream's times. */
    private offset = 0;

    constructor(private readonly engine: Pick<Engine, "connection">) {
        const { connection } = engine;
        connection.listen("profiler", (message, binary) => this.receive(message, binary));
        connection.state.watch((state) => (state === "open" ? this.resume() : this.endWithConnection()));
        // An engine sends nothing to a page that cannot be seen; the recording goes on when it can.
        isPageVisible.watch((isVisible) => (isVisible ? this.resume() : this.rest()));
    }

    /** Starts a new recording. The one before is gone. */
    start(): void {
        this.take(new Recording());
        this.isRecording.set(true);
        this.resume();
    }

    /** Ends the recording and keeps it. */
    stop(): void {
        this.rest();
        this.isRecording.set(false);
    }

    /** Shows a recording of a file in place of its own. */
    show(recording: Recording): void {
        this.stop();
        this.take(recording);
    }

    private take(recording: Recording): void {
        this.recording = recording;
        this.decoder = new StreamDecoder(recording);
        this.records = [];
        this.numBytes = 0;
        this.gapBegin = null;
        this.problem.set("");
        this.revision.touch();
    }

    /** Asks for the frames, if somebody waits for them. */
    private resume(): void {
        const { connection } = this.engine;
        if (!this.isRecording.get() || !isPageVisible.get() || connection.state.get() !== "open") return;
        this.hasStream = false; // frames of the stream before it may still be on their way
        this.ask("subscribe").catch((error: Error) => {
            if (connection.state.get() === "open") this.problem.set(error.message);
        });
    }

    /** Wants no frames for now. A stream has times and names of its own: what comes later is another one. */
    private rest(): void {
        if (!this.isRecording.get()) return;
        this.decoder.closeAll();
        this.revision.touch();
        if (this.recording.frames.begin.length > 0) this.gapBegin ??= performance.now();
        this.ask("unsubscribe").catch(() => {}); // an end of the connection ends it, too
    }

    /** Another process may come, whose frames do not belong here. */
    private endWithConnection(): void {
        if (!this.isRecording.get() || this.recording.frames.begin.length === 0) return;
        this.stop();
        this.problem.set("The connection to the engine ended, and the recording with it. Save it, or record again.");
    }

    private ask(what: string): Promise<unknown> {
        return this.engine.connection.ask("command", { command: "profiler", arguments: [what] });
    }

    private receive(message: Message, binary: Uint8Array | undefined): void {
        if (!this.isRecording.get() || !isPageVisible.get() || !binary) return;
        if (message.begin === 0) this.beginStream(message);
        if (!this.hasStream) return;
        let record: Uint8Array<ArrayBuffer>;
        try {
            const frame = this.offset === 0 ? { message, binary } : moveFrame(message, binary, this.offset);
            this.decoder.add(frame.message, frame.binary);
            record = encodeRecord(frame.message, frame.binary);
        } catch (error) {
            this.problem.set((error as Error).message);
            return;
        }
        this.records.push(record);
        this.numBytes += record.length;
        this.revision.touch();
        if (this.numBytes > MAX_BYTES) {
            this.stop();
            this.problem.set("The recording is full (512 MiB). Save it, or record again.");
        }
    }

    /** Places a stream behind those before it, by the time that went by. */
    private beginStream(message: Message): void {
        this.hasStream = true;
        this.offset = 0;
        if (this.gapBegin === null) return;
        const gap = Math.max((performance.now() - this.gapBegin) * 1e6 - Number(message.end), 0);
        this.offset = Math.round(this.recording.end + gap);
        this.gapBegin = null;
    }
}
