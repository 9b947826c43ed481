// statistics.ts: how often and how long each scope ran, by its name.
import { lowerBound } from "./columns";
import type { Lane, Recording, Track } from "./recording";

/** Times are nanoseconds. */
export interface Statistics {
    track: string;
    name: string;
    count: number;
    total: number;
    /** Without the scopes inside of it. */
    self: number;
    min: number;
    median: number;
    max: number;
}

/** The statistics of the spans that begin from `begin` up to `end`, a row for each name of each track. */
export function statisticsOf(recording: Recording, begin: number, end: number): Statistics[] {
    const rows: Statistics[] = [];
    for (const track of recording.tracks) rows.push(...ofTrack(recording, track, begin, end));
    return rows.sort((a, b) => b.self - a.self);
}

interface Sum {
    name: number;
    durations: number[];
    total: number;
    self: number;
}

function ofTrack(recording: Recording, track: Track, begin: number, end: number): Statistics[] {
    const sums = new Map<number, Sum>();
    track.lanes.forEach((lane, depth) => addLane(sums, lane, track.lanes[depth + 1], begin, end));
    return [...sums.values()].map(({ name, durations, total, self }) => ({
        track: track.name,
        name: recording.names[name]!,
        count: durations.length,
        total,
        self,
        ...extremes(durations),
    }));
}

function addLane(sums: Map<number, Sum>, lane: Lane, below: Lane | undefined, begin: number, end: number): void {
    const first = lowerBound(lane.begin.data, lane.begin.length, begin);
    const last = lowerBound(lane.begin.data, lane.begin.length, end, first);
    let child = below ? lowerBound(below.begin.data, below.begin.length, begin) : 0;
    for (let i = first; i < last; ++i) {
        const from = lane.begin.data[i]!;
        const to = lane.end.data[i]!;
        let inside = 0;
        if (below) {
            while (child < below.begin.length && below.begin.data[child]! < from) ++child;
            for (; child < below.begin.length && below.end.data[child]! <= to; ++child)
                inside += below.end.data[child]! - below.begin.data[child]!;
        }
        const name = lane.name.data[i]!;
        let sum = sums.get(name);
        if (!sum) sums.set(name, (sum = { name, durations: [], total: 0, self: 0 }));
        sum.durations.push(to - from);
        sum.total += to - from;
        sum.self += to - from - inside;
    }
}

function extremes(durations: number[]): { min: number; median: number; max: number } {
    const sorted = Float64Array.from(durations);
    const median = nthSmallest(sorted, (sorted.length - 1) >> 1);
    let min = Infinity;
    let max = -Infinity;
    for (const duration of durations) {
        if (duration < min) min = duration;
        if (duration > max) max = duration;
    }
    return { min, median, max };
}

/** The value that has index `n` after sorting, by quickselect (Hoare 1961). Changes the order of `values`. */
export function nthSmallest(values: Float64Array, n: number): number {
    let low = 0;
    let high = values.length - 1;
    while (low < high) {
        const pivot = values[(low + high) >> 1]!;
        let i = low;
        let j = high;
        while (i <= j) {
            while (values[i]! < pivot) ++i;
            while (values[j]! > pivot) --j;
            if (i <= j) {
                const value = values[i]!;
                values[i++] = values[j]!;
                values[j--] = value;
            }
        }
        if (n <= j) high = j;
        else if (n >= i) low = i;
        else break;
    }
    return values[n] ?? 0;
}
