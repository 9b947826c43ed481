// recording.ts: frames of the profiler, as arrays. No part of it knows the page or the connection.
//
// A track is a thread, or a timeline of its own such as `gpu`. A lane is what a track has at one depth of
// nesting: its spans follow each other without overlap, so `begin` and `end` are both sorted. Times are
// nanoseconds since the first frame.
import { type Column, doubles, integers } from "./columns";

export interface Lane {
    begin: Column<Float64Array<ArrayBuffer>>;
    end: Column<Float64Array<ArrayBuffer>>;
    /** Numbers of names in `Recording.names`. */
    name: Column<Uint32Array<ArrayBuffer>>;
}

export interface Track {
    name: string;
    /** A timeline of its own; false: a thread. */
    isExtra: boolean;
    lanes: Lane[];
}

export interface Counter {
    name: string;
    time: Column<Float64Array<ArrayBuffer>>;
    value: Column<Float64Array<ArrayBuffer>>;
}

export interface Frames {
    number: Column<Float64Array<ArrayBuffer>>;
    begin: Column<Float64Array<ArrayBuffer>>;
    end: Column<Float64Array<ArrayBuffer>>;
}

export class Recording {
    /** Names by their numbers; 0 is a name that the stream did not have. */
    names: string[] = ["?"];
    tracks: Track[] = [];
    counters: Counter[] = [];
    frames: Frames = { number: doubles(), begin: doubles(), end: doubles() };
    droppedFrames = 0;
    droppedScopes = 0;
    private readonly numbers = new Map<string, number>();
    private readonly trackNumbers = new Map<string, number>();
    private readonly counterNumbers = new Map<string, number>();

    /** The recording's length in nanoseconds. */
    get end(): number {
        const { end } = this.frames;
        return end.length === 0 ? 0 : end.data[end.length - 1]!;
    }

    get begin(): number {
        return this.frames.begin.length === 0 ? 0 : this.frames.begin.data[0]!;
    }

    get numSpans(): number {
        let count = 0;
        for (const track of this.tracks) for (const lane of track.lanes) count += lane.begin.length;
        return count;
    }

    nameNumber(name: string): number {
        let number = this.numbers.get(name);
        if (number === undefined) {
            number = this.names.push(name) - 1;
            this.numbers.set(name, number);
        }
        return number;
    }

    /** The track of a thread (`key` is its number) or of ranges (`key` is its name). Made when new. */
    track(key: string, name: string, isExtra: boolean): Track {
        const found = this.trackNumbers.get(key);
        if (found !== undefined) return this.tracks[found]!;
        const track: Track = { name, isExtra, lanes: [] };
        this.trackNumbers.set(key, this.tracks.push(track) - 1);
        return track;
    }

    counter(name: string): Counter {
        const found = this.counterNumbers.get(name);
        if (found !== undefined) return this.counters[found]!;
        const counter: Counter = { name, time: doubles(), value: doubles() };
        this.counterNumbers.set(name, this.counters.push(counter) - 1);
        return counter;
    }

    /** Makes room for `factor` times as much as there is: growing step by step takes longer. */
    reserve(factor: number): void {
        const { frames, tracks, counters } = this;
        const lanes = tracks.flatMap((track) => track.lanes);
        for (const columns of [frames, ...lanes, ...counters.map(({ time, value }) => ({ time, value }))])
            for (const column of Object.values(columns) as Frames["begin"][])
                column.reserve(Math.ceil(column.length * factor));
    }

    addFrame(number: number, begin: number, end: number): void {
        this.frames.number.push(number);
        this.frames.begin.push(begin);
        this.frames.end.push(end);
    }
}

/** Adds a span to a track at a depth from 0. A span that begins before the end of the one before it on its
 * lane is moved down to the next free lane. */
export function addSpan(track: Track, depth: number, name: number, begin: number, end: number): void {
    let at = depth;
    for (;;) {
        const lane = laneOf(track, at);
        const count = lane.end.length;
        if (count === 0 || lane.end.data[count - 1]! <= begin) {
            // Not `push`, which is slow since it meets two kinds of arrays.
            if (count === lane.end.data.length) growLane(lane);
            lane.begin.data[count] = begin;
            lane.end.data[count] = end;
            lane.name.data[count] = name;
            lane.begin.length = lane.end.length = lane.name.length = count + 1;
            return;
        }
        ++at;
    }
}

function growLane({ begin, end, name }: Lane): void {
    for (const column of [begin, end, name]) column.reserve(2 * column.length);
}

function laneOf(track: Track, depth: number): Lane {
    while (track.lanes.length <= depth)
        track.lanes.push({ begin: doubles(), end: doubles(), name: integers() });
    return track.lanes[depth]!;
}
