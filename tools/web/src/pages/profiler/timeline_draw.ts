// timeline_draw.ts: draws the timeline's picture on a canvas.
import type { Recording } from "./recording";
import {
    AXIS_HEIGHT,
    HEADER_HEIGHT,
    LANE_HEIGHT,
    type PlacedTrack,
    type SpanPlace,
    visitSpans,
} from "./timeline_layout";
import { type View, axisStep, duration } from "./view";

export interface Picture {
    recording: Recording;
    placed: readonly PlacedTrack[];
    view: View;
    /** Pixels of the page; the canvas may have more. */
    width: number;
    height: number;
    scroll: number;
    isDark: boolean;
    selected: SpanPlace | null;
    /** Names that have these letters are bright, others faded. */
    searched: string;
}

interface Colours {
    back: string;
    text: string;
    dim: string;
    line: string;
    header: string;
}

const DARK: Colours = { back: "#14171c", text: "#dfe4ea", dim: "#97a1ad", line: "#262c35", header: "#1b1f26" };
const LIGHT: Colours = { back: "#f4f6f8", text: "#1c232b", dim: "#5a6672", line: "#dde3e9", header: "#ffffff" };

export function draw(context: CanvasRenderingContext2D, p: Picture): void {
    const colours = p.isDark ? DARK : LIGHT;
    context.fillStyle = colours.back;
    context.fillRect(0, 0, p.width, p.height);
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    drawFrames(context, p, colours);
    context.save();
    context.beginPath();
    context.rect(0, AXIS_HEIGHT, p.width, p.height - AXIS_HEIGHT);
    context.clip();
    for (const place of p.placed) drawTrack(context, p, place, colours);
    context.restore();
    drawAxis(context, p, colours);
}

/** The beginnings of frames as faint lines, when they are wide enough apart. */
function drawFrames(context: CanvasRenderingContext2D, p: Picture, colours: Colours): void {
    const { begin } = p.recording.frames;
    const scale = p.width / (p.view.end - p.view.begin);
    const average = (p.recording.end - p.recording.begin) / Math.max(1, begin.length);
    if (average * scale < 8) return;
    context.fillStyle = colours.line;
    for (let i = 0; i < begin.length; ++i) {
        const x = (begin.data[i]! - p.view.begin) * scale;
        if (x >= 0 && x <= p.width) context.fillRect(Math.round(x), AXIS_HEIGHT, 1, p.height);
    }
}

function drawAxis(context: CanvasRenderingContext2D, p: Picture, colours: Colours): void {
    context.fillStyle = colours.header;
    context.fillRect(0, 0, p.width, AXIS_HEIGHT);
    const length = p.view.end - p.view.begin;
    const step = axisStep(length, p.width / 110);
    context.textAlign = "left";
    for (let time = Math.ceil(p.view.begin / step) * step; time < p.view.end; time += step) {
        const x = ((time - p.view.begin) / length) * p.width;
        context.fillStyle = colours.dim;
        context.fillRect(Math.round(x), AXIS_HEIGHT - 6, 1, 6);
        context.fillText(axisLabel(time, step), x + 4, AXIS_HEIGHT / 2);
    }
}

/** A place on the axis, with as many digits as its steps need. */
function axisLabel(time: number, step: number): string {
    const [unit, name] = step >= 1e8 ? [1e9, "s"] : step >= 1e5 ? [1e6, "ms"] : [1e3, "µs"];
    const digits = Math.max(0, Math.ceil(-Math.log10(step / (unit as number)) - 1e-9));
    return `${(time / (unit as number)).toFixed(digits)} ${name}`;
}

function drawTrack(context: CanvasRenderingContext2D, p: Picture, place: PlacedTrack, colours: Colours): void {
    const top = place.top - p.scroll + AXIS_HEIGHT;
    if (top > p.height || top + place.height < AXIS_HEIGHT) return;
    context.fillStyle = colours.header;
    context.globalAlpha = 0.75;
    context.fillRect(0, top, p.width, HEADER_HEIGHT - 2);
    context.globalAlpha = 1;
    context.fillStyle = colours.text;
    context.textAlign = "left";
    context.fillText(`${place.isFolded ? "▸" : "▾"} ${place.track.name}`, 6, top + HEADER_HEIGHT / 2 - 1);
    if (place.isFolded) return;
    for (let depth = 0; depth < place.track.lanes.length; ++depth) {
        const y = top + HEADER_HEIGHT + depth * LANE_HEIGHT;
        if (y + LANE_HEIGHT < AXIS_HEIGHT || y > p.height) continue;
        drawLane(context, p, place, depth, y);
    }
}

function drawLane(context: CanvasRenderingContext2D, p: Picture, place: PlacedTrack, depth: number, y: number): void {
    const lane = place.track.lanes[depth]!;
    const scale = p.width / (p.view.end - p.view.begin);
    const isSelected = p.selected?.track === place.track && p.selected.depth === depth;
    visitSpans(lane, p.view, p.width, (index) => {
        const left = Math.max((lane.begin.data[index]! - p.view.begin) * scale, -1);
        const right = Math.min((lane.end.data[index]! - p.view.begin) * scale, p.width + 1);
        const width = Math.max(right - left - 0.5, 1);
        const name = p.recording.names[lane.name.data[index]!]!;
        const isFaded = p.searched !== "" && !name.toLowerCase().includes(p.searched);
        context.globalAlpha = isFaded ? 0.25 : 1;
        context.fillStyle = colourOf(name, p.isDark);
        context.fillRect(left, y, width, LANE_HEIGHT - 1);
        if (width > 24) drawLabel(context, name, left, width, y, p.isDark);
        if (isSelected && p.selected!.index === index) {
            context.strokeStyle = p.isDark ? "#fff" : "#000";
            context.lineWidth = 2;
            context.strokeRect(left + 1, y + 1, Math.max(width - 2, 1), LANE_HEIGHT - 3);
        }
    });
    context.globalAlpha = 1;
}

function drawLabel(
    context: CanvasRenderingContext2D,
    name: string,
    left: number,
    width: number,
    y: number,
    isDark: boolean,
): void {
    const from = Math.max(left, 0) + 4;
    const most = Math.floor((left + width - from) / 6);
    if (most < 2) return;
    context.fillStyle = isDark ? "#0d1014" : "#10151a";
    context.textAlign = "left";
    context.fillText(name.length > most ? `${name.slice(0, most - 1)}…` : name, from, y + LANE_HEIGHT / 2);
}

const colours = new Map<string, string>();

/** Always the same colour for a name. */
function colourOf(name: string, isDark: boolean): string {
    const key = `${isDark}${name}`;
    let colour = colours.get(key);
    if (!colour) {
        let hash = 2166136261; // FNV-1a
        for (let i = 0; i < name.length; ++i) hash = Math.imul(hash ^ name.charCodeAt(i), 16777619) >>> 0;
        colour = `hsl(${hash % 360} ${isDark ? 45 : 60}% ${isDark ? 62 : 74}%)`;
        colours.set(key, colour);
    }
    return colour;
}

/** What the pointer's hint says about a span. */
export function describeSpan({ track, depth, index }: SpanPlace, recording: Recording): string {
    const lane = track.lanes[depth]!;
    const name = recording.names[lane.name.data[index]!]!;
    const begin = lane.begin.data[index]!;
    return `${name}: ${duration(lane.end.data[index]! - begin)}, at ${duration(begin)} on ${track.name}`;
}
