// stream_times.ts: moves a frame of the profiler's stream in time, to have two streams in one recording.
import type { Message } from "../../message";
import { EVENT_BYTES, VALUE } from "./decode";

/** The message and a copy of its events, all `by` nanoseconds later. */
export function moveFrame(message: Message, binary: Uint8Array, by: number): { message: Message; binary: Uint8Array } {
    const moved = binary.slice();
    const view = new DataView(moved.buffer);
    for (let at = 0; at + EVENT_BYTES <= moved.length; at += EVENT_BYTES) {
        if (view.getUint32(at + 12, true) === VALUE) continue; // has a number in place of a time
        view.setBigInt64(at, view.getBigInt64(at, true) + BigInt(by), true);
    }
    const { begin, end } = message;
    return { message: { ...message, begin: Number(begin) + by, end: Number(end) + by }, binary: moved };
}
