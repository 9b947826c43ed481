// decode.ts: turns messages of the profiler's stream (docs/formats/profiler.md) into a recording.
import type { Message } from "../../message";
import { type Column, doubles } from "./columns";
import { type Counter, type Recording, type Track, addSpan } from "./recording";

export const EVENT_BYTES = 16;
const ENTER = 1;
const LEAVE = 2;
const COUNTER = 3;
export const VALUE = 4;
const RANGE = 5;
const END = 6;

/** The scopes of a thread that have begun; they may last over many frames. */
interface Open {
    track: Track;
    names: number[];
    begins: Column<Float64Array<ArrayBuffer>>;
}

interface Range {
    track: Track;
    name: number;
    begin: number;
    end: number;
}

export class StreamDecoder {
    /** Name numbers of the recording by string numbers of the stream. */
    private strings: number[] = [];
    private counters: (Counter | undefined)[] = [];
    private open = new Map<number, Open>();
    private lastFrame = -1;
    private words = makeWords(64 * 1024);

    constructor(readonly recording: Recording) {}

    /** Adds the frame of a message. Throws an error for a message that is not of the format. */
    add(message: Message, binary: Uint8Array): void {
        const threads = message.threads as { id: number; name: string; events: number }[];
        const strings = message.strings as string[];
        if (!Array.isArray(threads) || !Array.isArray(strings) || typeof message.frame !== "number")
            throw new Error("a frame of the profiler has no frame, threads or strings");
        const total = threads.reduce((sum, thread) => sum + thread.events, 0);
        if (total * EVENT_BYTES !== binary.length)
            throw new Error(`frame ${message.frame} has ${binary.length} bytes for ${total} events`);
        const first = Number(message.first_string);
        strings.forEach((text, i) => {
            this.strings[first + i] = this.recording.nameNumber(text);
            this.counters[first + i] = undefined; // another stream may have used the number
        });
        if (this.lastFrame >= 0 && message.frame !== this.lastFrame + 1) this.closeAll();
        this.lastFrame = message.frame;
        this.recording.addFrame(message.frame, Number(message.begin), Number(message.end));
        this.recording.droppedFrames = Number(message.dropped_frames ?? 0);
        this.recording.droppedScopes = Number(message.dropped_scopes ?? 0);

        const words = this.wordsOf(binary);
        let at = 0;
        for (const thread of threads) {
            this.addThread(thread.id, thread.name, words, at, at + thread.events);
            at += thread.events;
        }
    }

    /** Ends all scopes that are open: after a gap their ends may be missing. */
    closeAll(): void {
        const end = this.recording.end;
        for (const { track, names, begins } of this.open.values()) {
            for (let depth = names.length - 1; depth >= 0; --depth) {
                const begin = begins.data[depth]!;
                addSpan(track, depth, names[depth]!, begin, Math.max(end, begin));
            }
        }
        this.open.clear();
    }

    private addThread(id: number, name: string, words: Words, first: number, end: number): void {
        let open = this.open.get(id);
        if (!open) {
            const track = this.recording.track(`thread ${id}`, name, false);
            this.open.set(id, (open = { track, names: [], begins: doubles() }));
        }
        const { names, begins, track } = open;
        const { numbers, values } = words;
        const ranges: Range[] = [];
        for (let i = first; i < end; ++i) {
            const at = i * 4;
            const argument = numbers[at + 2]!;
            const kind = numbers[at + 3]!;
            const time = numbers[at]! + (numbers[at + 1]! | 0) * 4294967296;
            if (kind === ENTER) {
                names.push(this.strings[argument] ?? 0);
                begins.push(time);
            } else if (kind === LEAVE) {
                for (let n = Math.min(argument, names.length); n > 0; --n) {
                    const name = names.pop()!;
                    begins.length = names.length;
                    addSpan(track, names.length, name, begins.data[names.length]!, time);
                }
            } else if (kind === COUNTER && numbers[at + 7] === VALUE) {
                this.addValue(argument, time, values[(at + 4) / 2]!);
                ++i;
            } else if (kind === RANGE && numbers[at + 7] === END) {
                const rangeEnd = numbers[at + 4]! + (numbers[at + 5]! | 0) * 4294967296;
                ranges.push(this.range(argument, numbers[at + 6]!, time, rangeEnd));
                ++i;
            }
        }
        addRanges(ranges);
    }

    private addValue(string: number, time: number, value: number): void {
        let counter = this.counters[string];
        if (!counter) {
            counter = this.recording.counter(this.recording.names[this.strings[string] ?? 0] ?? "");
            if (this.strings[string] !== undefined) this.counters[string] = counter;
        }
        counter.time.push(time);
        counter.value.push(value);
    }

    /** Copies the bytes to where they are aligned, for a little-endian machine, which all browsers run on. The views
     * stay the same over many frames: making them for each frame leaves much to be collected. */
    private wordsOf(binary: Uint8Array): Words {
        if (this.words.bytes.length < binary.length) this.words = makeWords(2 * binary.length);
        this.words.bytes.set(binary);
        return this.words;
    }

    private range(name: number, track: number, begin: number, end: number): Range {
        const trackName = this.recording.names[this.strings[track] ?? 0] ?? "";
        return {
            track: this.recording.track(`track ${trackName}`, trackName, true),
            name: this.strings[name] ?? 0,
            begin,
            end,
        };
    }
}

/** The bytes of a frame, and the same as numbers. */
interface Words {
    bytes: Uint8Array;
    numbers: Uint32Array;
    values: Float64Array;
}

function makeWords(length: number): Words {
    const buffer = new ArrayBuffer(Math.ceil(length / 8) * 8);
    return { bytes: new Uint8Array(buffer), numbers: new Uint32Array(buffer), values: new Float64Array(buffer) };
}

/** Nests ranges by their times: one that is inside of another is one lane below. */
function addRanges(ranges: Range[]): void {
    ranges.sort((a, b) => a.begin - b.begin || b.end - a.end);
    const ends = new Map<Track, number[]>();
    for (const range of ranges) {
        let stack = ends.get(range.track);
        if (!stack) ends.set(range.track, (stack = []));
        while (stack.length > 0 && stack[stack.length - 1]! <= range.begin) stack.pop();
        addSpan(range.track, stack.length, range.name, range.begin, range.end);
        stack.push(range.end);
    }
}
