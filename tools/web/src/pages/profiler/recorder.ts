// recorder.ts: records the frames that an engine sends, and keeps the last recording of the engine.
import type { Engine } from "../../engines";
import { encodeRecord } from "../../framing";
import type { Message } from "../../message";
import { Revision, Value } from "../../value";
import { StreamDecoder } from "./decode";
import { Recording } from "./recording";

/** A recording of this many bytes of messages ends. */
const MAX_BYTES = 512 * 1024 * 1024;

export class Recorder {
    readonly isRecording = new Value(false);
    /** What went wrong; empty: nothing. */
    readonly problem = new Value("");
    /** Changes, at most once a frame of the page, while frames arrive. */
    readonly revision = new Revision();
    recording = new Recording();
    /** The messages, for a file. Empty for a recording that was opened from a file. */
    records: Uint8Array[] = [];
    private numBytes = 0;
    private decoder = new StreamDecoder(this.recording);

    constructor(private readonly engine: Engine) {
        const { connection } = engine;
        connection.listen("profiler", (message, binary) => this.receive(message, binary));
        connection.state.watch((state) => state === "open" && this.isRecording.get() && void this.subscribe());
    }

    /** Starts a new recording. The one before is gone. */
    start(): void {
        this.isRecording.set(true);
        void this.subscribe();
    }

    /** Ends the recording and keeps it. */
    stop(): void {
        if (!this.isRecording.get()) return;
        this.isRecording.set(false);
        this.decoder.closeAll();
        this.revision.touch();
        this.ask("unsubscribe").catch(() => {}); // an end of the connection ends it, too
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
        this.problem.set("");
        this.revision.touch();
    }

    private async subscribe(): Promise<void> {
        // A stream has times and names of its own: so each begins a recording.
        this.take(new Recording());
        try {
            await this.ask("subscribe");
        } catch (error) {
            if (this.engine.connection.state.get() === "open") this.problem.set((error as Error).message);
        }
    }

    private ask(what: string): Promise<unknown> {
        return this.engine.connection.ask("command", { command: "profiler", arguments: [what] });
    }

    private receive(message: Message, binary: Uint8Array | undefined): void {
        if (!this.isRecording.get() || !binary) return;
        try {
            this.decoder.add(message, binary);
        } catch (error) {
            this.problem.set((error as Error).message);
            return;
        }
        const record = encodeRecord(message, binary);
        this.records.push(record);
        this.numBytes += record.length;
        this.revision.touch();
        if (this.numBytes > MAX_BYTES) {
            this.stop();
            this.problem.set("The recording is full (512 MiB). Save it, or record again.");
        }
    }
}
