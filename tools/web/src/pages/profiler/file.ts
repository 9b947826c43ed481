// file.ts: recordings as files: the messages of the stream one behind the other, as the raw port sends them.
import { type FileRecord, RecordReader } from "../../framing";
import { StreamDecoder } from "./decode";
import { Recording } from "./recording";

/** So much of a file shows how large its recording will be. */
const SAMPLE_BYTES = 4 * 1024 * 1024;

/** Reads a file that comes in parts. Throws an error that says what is wrong with it. */
export class RecordingReader {
    private readonly recording = new Recording();
    private readonly decoder = new StreamDecoder(this.recording);
    private readonly records: RecordReader;
    private hasRoom = false;

    constructor(private readonly fileSize: number) {
        this.records = new RecordReader(fileSize, (record) => this.take(record));
    }

    add(part: Uint8Array): void {
        this.records.add(part);
    }

    /** The file has ended. Returns what it has. */
    end(): Recording {
        this.records.end();
        this.decoder.closeAll();
        if (this.recording.frames.begin.length === 0) throw new Error("the file has no frames of the profiler");
        return this.recording;
    }

    private take({ message, binary, end }: FileRecord): void {
        if (message.type === "profiler") this.decoder.add(message, binary);
        if (this.hasRoom || end < SAMPLE_BYTES) return;
        this.recording.reserve((1.05 * this.fileSize) / end);
        this.hasRoom = true;
    }
}
