// timeline_layout.ts: where the timeline shows what. Pixels, from the top of all tracks.
import { lowerBound } from "./columns";
import type { Lane, Recording, Track } from "./recording";
import type { View } from "./view";

export const AXIS_HEIGHT = 22;
export const HEADER_HEIGHT = 20;
export const LANE_HEIGHT = 18;
const GAP = 6;

export interface PlacedTrack {
    track: Track;
    top: number;
    /** Of its header and its lanes. */
    height: number;
    isFolded: boolean;
}

/** The order of tracks: the update and render threads, the device, then the others by name. */
export function orderedTracks(recording: Recording): Track[] {
    const rank = (track: Track): number => {
        const known = ["update", "render"].indexOf(track.name);
        return known >= 0 ? known : track.isExtra ? 2 : 3;
    };
    return recording.tracks
        .filter((track) => track.lanes.length > 0)
        .sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
}

export function placeTracks(recording: Recording, folded: ReadonlySet<string>): PlacedTrack[] {
    let top = 0;
    return orderedTracks(recording).map((track) => {
        const isFolded = folded.has(track.name);
        const height = HEADER_HEIGHT + (isFolded ? 0 : track.lanes.length * LANE_HEIGHT) + GAP;
        const placed = { track, top, height, isFolded };
        top += height;
        return placed;
    });
}

export function totalHeight(placed: readonly PlacedTrack[]): number {
    const last = placed[placed.length - 1];
    return last ? last.top + last.height : 0;
}

/** A span: its index on a lane of a track. */
export interface SpanPlace {
    track: Track;
    depth: number;
    index: number;
}

/** What is at a height: a track's header (`depth` -1), or a lane of it. */
export function trackAt(placed: readonly PlacedTrack[], y: number): { place: PlacedTrack; depth: number } | null {
    for (const place of placed) {
        if (y < place.top || y >= place.top + place.height) continue;
        const depth = Math.floor((y - place.top - HEADER_HEIGHT) / LANE_HEIGHT);
        if (depth < 0) return { place, depth: -1 };
        return !place.isFolded && depth < place.track.lanes.length ? { place, depth } : null;
    }
    return null;
}

/** The span of a lane at a time, or the nearest one at most `slack` away. -1: no span. */
export function spanAt(lane: Lane, time: number, slack: number): number {
    const index = lowerBound(lane.end.data, lane.end.length, time - slack);
    return index < lane.begin.length && lane.begin.data[index]! <= time + slack ? index : -1;
}

/** Calls `draw` with spans of a lane that are in view: all of them, or the first of each pixel where many
 * share one. So the work is bounded by the width, not by the number of spans. */
export function visitSpans(lane: Lane, view: View, width: number, draw: (index: number) => void): void {
    const perPixel = (view.end - view.begin) / width;
    const count = lane.begin.length;
    let index = lowerBound(lane.end.data, count, view.begin);
    while (index < count && lane.begin.data[index]! < view.end) {
        draw(index);
        const next = Math.max(lane.end.data[index]!, lane.begin.data[index]! + perPixel);
        // The next one is often the neighbour; otherwise search.
        if (index + 1 < count && lane.end.data[index + 1]! >= next) ++index;
        else index = lowerBound(lane.end.data, count, next, index + 1);
    }
}
