// file.ts: recordings as files: the messages of the stream one behind the other, as the raw port sends them.
import { decodeRecords } from "../../framing";
import { StreamDecoder } from "./decode";
import { Recording } from "./recording";

/** So much of a file shows how large its recording will be. */
const SAMPLE_BYTES = 4 * 1024 * 1024;

/** Reads a whole file. Throws an error that says what is wrong with it. */
export function readRecording(file: Uint8Array): Recording {
    const recording = new Recording();
    const decoder = new StreamDecoder(recording);
    let hasRoom = false;
    for (const { message, binary } of decodeRecords(file)) {
        if (message.type === "profiler") decoder.add(message, binary);
        const read = binary.byteOffset - file.byteOffset;
        if (hasRoom || read < SAMPLE_BYTES) continue;
        recording.reserve((1.05 * file.length) / read);
        hasRoom = true;
    }
    decoder.closeAll();
    if (recording.frames.begin.length === 0) throw new Error("the file has no frames of the profiler");
    return recording;
}
