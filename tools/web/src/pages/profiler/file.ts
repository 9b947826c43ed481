// file.ts: recordings as files: the messages of the stream one behind the other, as the raw port sends them.
import { decodeRecords } from "../../framing";
import { StreamDecoder } from "./decode";
import { Recording } from "./recording";

/** Reads a whole file. Throws an error that says what is wrong with it. */
export function readRecording(file: Uint8Array): Recording {
    const recording = new Recording();
    const decoder = new StreamDecoder(recording);
    for (const { message, binary } of decodeRecords(file))
        if (message.type === "profiler") decoder.add(message, binary);
    decoder.closeAll();
    if (recording.frames.begin.length === 0) throw new Error("the file has no frames of the profiler");
    return recording;
}
