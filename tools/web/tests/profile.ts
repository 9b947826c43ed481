// profile.ts: makes messages of the profiler's stream, for tests.
import type { Message } from "../src/message";

/** [kind, string or count, time or value] */
export type Event = [number, number, number];

export const ENTER = 1;
export const LEAVE = 2;
export const COUNTER = 3;
export const VALUE = 4;
export const RANGE = 5;
export const END = 6;

export function bytesOf(events: Event[]): Uint8Array {
    const bytes = new Uint8Array(events.length * 16);
    const view = new DataView(bytes.buffer);
    events.forEach(([kind, argument, time], i) => {
        if (kind === VALUE) view.setFloat64(i * 16, time, true);
        else view.setBigInt64(i * 16, BigInt(time), true);
        view.setUint32(i * 16 + 8, argument, true);
        view.setUint32(i * 16 + 12, kind, true);
    });
    return bytes;
}

export interface FrameDescription {
    frame: number;
    begin: number;
    end: number;
    strings?: string[];
    firstString?: number;
    threads: { id: number; name: string; events: Event[] }[];
}

export function frameMessage(f: FrameDescription): { message: Message; binary: Uint8Array } {
    const binary = bytesOf(f.threads.flatMap((thread) => thread.events));
    const message = {
        type: "profiler",
        frame: f.frame,
        begin: f.begin,
        end: f.end,
        dropped_frames: 0,
        dropped_scopes: 0,
        first_string: f.firstString ?? 1,
        strings: f.strings ?? [],
        threads: f.threads.map(({ id, name, events }) => ({ id, name, events: events.length })),
        binary_size: binary.length,
    };
    return { message, binary };
}
