// transfer.ts: moves a recording from the worker to the page without copying its arrays.
import type { Column } from "./columns";
import { Column as ColumnClass } from "./columns";
import { type Counter, type Lane, Recording, type Track } from "./recording";
import { type Statistics, keepStatistics } from "./statistics";

type Numbers = Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

/** What a worker posts: a recording without its methods, with the statistics of all of it; or an error. */
export interface Posted {
    recording?: Pick<Recording, "names" | "tracks" | "counters" | "frames" | "droppedFrames" | "droppedScopes">;
    statistics?: Statistics[];
    error?: string;
}

/** What to post, and the buffers that go along. The recording is useless afterwards. */
export function pack(recording: Recording, statistics: Statistics[]): { posted: Posted; buffers: ArrayBuffer[] } {
    const { names, tracks, counters, frames, droppedFrames, droppedScopes } = recording;
    const buffers = columnsOf(tracks, counters, frames).map((column) => column.data.buffer);
    const plain = { names, tracks, counters, frames, droppedFrames, droppedScopes };
    return { posted: { recording: plain, statistics }, buffers };
}

/** Makes a recording again, which has its statistics at hand. */
export function unpack(posted: NonNullable<Posted["recording"]>, statistics: Statistics[]): Recording {
    const recording = new Recording();
    for (const name of posted.names.slice(1)) recording.nameNumber(name);
    recording.tracks = posted.tracks.map((track) => ({ ...track, lanes: track.lanes.map(revive) }));
    recording.counters = posted.counters.map(revive);
    recording.frames = revive(posted.frames);
    recording.droppedFrames = posted.droppedFrames;
    recording.droppedScopes = posted.droppedScopes;
    keepStatistics(recording, statistics);
    return recording;
}

/** Posted columns have lost their methods: makes columns of them. */
function revive<T extends object>(object: T): T {
    const entries = Object.entries(object).map(([key, value]) => {
        const column = value as { data?: Numbers; length?: number };
        return [key, column.data ? new ColumnClass(column.data, column.length) : value];
    });
    return Object.fromEntries(entries) as T;
}

function columnsOf(tracks: Track[], counters: Counter[], frames: Recording["frames"]): Column<Numbers>[] {
    const ofLane = (lane: Lane): Column<Numbers>[] => [lane.begin, lane.end, lane.name];
    return [
        ...tracks.flatMap((track) => track.lanes.flatMap(ofLane)),
        ...counters.flatMap((counter) => [counter.time, counter.value]),
        frames.number,
        frames.begin,
        frames.end,
    ];
}
