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

const kept = new WeakMap<Recording, Statistics[]>();

/** Keeps the statistics of all of a recording that grows no more, made elsewhere: `statisticsOf` returns them. */
export function keepStatistics(recording: Recording, rows: Statistics[]): void {
    kept.set(recording, rows);
}

/** The statistics of the spans that begin from `begin` up to `end`, a row for each name of each track. */
export function statisticsOf(recording: Recording, begin: number, end: number): Statistics[] {
    if (begin === recording.begin && end === recording.end && kept.has(recording)) return kept.get(recording)!;
    const rows: Statistics[] = [];
    for (const track of recording.tracks) rows.push(...ofTrack(recording, track, begin, end));
    return rows.sort((a, b) => b.self - a.self);
}

/** Figures by the number of a name. */
interface Sums {
    total: Float64Array;
    self: Float64Array;
    min: Float64Array;
    max: Float64Array;
    /** Where the next duration of a name goes in `durations`; those of a name follow each other. */
    next: Uint32Array;
    durations: Float64Array;
}

function ofTrack(recording: Recording, track: Track, begin: number, end: number): Statistics[] {
    const numNames = recording.names.length;
    const parts = track.lanes.map((lane) => partOf(lane, begin, end));
    const counts = new Uint32Array(numNames);
    track.lanes.forEach(({ name }, i) => {
        for (let k = parts[i]!.first; k < parts[i]!.last; ++k) counts[name.data[k]!]! += 1;
    });
    const sums = sumsFor(counts);
    track.lanes.forEach((lane, depth) => addLane(sums, lane, parts[depth]!, track.lanes[depth + 1], begin));
    const rows: Statistics[] = [];
    for (let i = 0; i < numNames; ++i) {
        const count = counts[i]!;
        if (count === 0) continue;
        const end = sums.next[i]!;
        rows.push({
            track: track.name,
            name: recording.names[i]!,
            count,
            total: sums.total[i]!,
            self: sums.self[i]!,
            min: sums.min[i]!,
            median: nthSmallest(sums.durations.subarray(end - count, end), (count - 1) >> 1),
            max: sums.max[i]!,
        });
    }
    return rows;
}

function sumsFor(counts: Uint32Array): Sums {
    const numNames = counts.length;
    const next = new Uint32Array(numNames);
    let total = 0;
    counts.forEach((count, i) => {
        next[i] = total;
        total += count;
    });
    return {
        total: new Float64Array(numNames),
        self: new Float64Array(numNames),
        min: new Float64Array(numNames).fill(Infinity),
        max: new Float64Array(numNames).fill(-Infinity),
        next,
        durations: new Float64Array(total),
    };
}

/** The spans of a lane, from `first` up to `last`. */
interface Part {
    first: number;
    last: number;
}

function partOf({ begin: begins }: Lane, begin: number, end: number): Part {
    const first = lowerBound(begins.data, begins.length, begin);
    return { first, last: lowerBound(begins.data, begins.length, end, first) };
}

function addLane(sums: Sums, lane: Lane, { first, last }: Part, below: Lane | undefined, begin: number): void {
    const { total, self, min, max, next, durations } = sums;
    const [begins, ends, names] = [lane.begin.data, lane.end.data, lane.name.data];
    const [belowBegins, belowEnds] = below ? [below.begin.data, below.end.data] : [begins, ends];
    const numBelow = below ? below.begin.length : 0;
    let child = lowerBound(belowBegins, numBelow, begin);
    for (let i = first; i < last; ++i) {
        const from = begins[i]!;
        const to = ends[i]!;
        let inside = 0;
        while (child < numBelow && belowBegins[child]! < from) ++child;
        for (; child < numBelow && belowEnds[child]! <= to; ++child) inside += belowEnds[child]! - belowBegins[child]!;
        const name = names[i]!;
        const duration = to - from;
        durations[next[name]!++] = duration;
        total[name]! += duration;
        self[name]! += duration - inside;
        if (duration < min[name]!) min[name] = duration;
        if (duration > max[name]!) max[name] = duration;
    }
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
