// timeline.tsx: the threads of a recording over time, to zoom and to pan.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { shownTheme } from "../../shell/theme";
import { useValue } from "../../value";
import type { Recording } from "./recording";
import { describeSpan, draw } from "./timeline_draw";
import {
    AXIS_HEIGHT,
    type PlacedTrack,
    type SpanPlace,
    placeTracks,
    spanAt,
    totalHeight,
    trackAt,
} from "./timeline_layout";
import { type View, pan, zoom } from "./view";

interface Properties {
    recording: Recording;
    /** Counts up when the recording grows. */
    revision: number;
    view: View;
    searched: string;
    onView: (view: View) => void;
    selected: SpanPlace | null;
    onSelect: (place: SpanPlace | null) => void;
}

export function Timeline(p: Properties): JSX.Element {
    const canvas = useRef<HTMLCanvasElement>(null);
    const [size, setSize] = useState({ width: 800, height: 300 });
    const [scroll, setScroll] = useState(0);
    const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
    const [hint, setHint] = useState<{ text: string; x: number; y: number } | null>(null);
    const theme = useValue(shownTheme);
    const placed = placeTracks(p.recording, folded);
    const whole = { begin: p.recording.begin, end: p.recording.end };
    const lowest = Math.max(0, totalHeight(placed) - (size.height - AXIS_HEIGHT));
    const shownScroll = Math.min(scroll, lowest);

    useEffect(() => {
        const observer = new ResizeObserver(([entry]) => {
            const { width, height } = entry!.contentRect;
            setSize({ width: Math.max(1, Math.floor(width)), height: Math.max(1, Math.floor(height)) });
        });
        observer.observe(canvas.current!.parentElement!);
        return () => observer.disconnect();
    }, []);
    useEffect(() => {
        if (!canvas.current) return; // the page has just gone
        const context = fit(canvas.current, size);
        draw(context, { ...p, ...size, placed, scroll: shownScroll, isDark: theme === "dark" });
    }, [p.recording, p.revision, p.view.begin, p.view.end, p.searched, p.selected, size, folded, shownScroll, theme]);

    const find = (event: MouseEvent): ReturnType<typeof findAt> =>
        findAt(placed, p.view, size.width, event.offsetX, event.offsetY - AXIS_HEIGHT + shownScroll);
    const onPointerMove = (event: PointerEvent): void => {
        if (event.buttons & 1) {
            p.onView(pan(p.view, whole, -event.movementX / size.width));
            setScroll(Math.min(Math.max(shownScroll - event.movementY, 0), lowest));
            setHint(null);
            return;
        }
        const { span } = event.offsetY < AXIS_HEIGHT ? { span: null } : find(event);
        setHint(span && { text: describeSpan(span, p.recording), x: event.offsetX, y: event.offsetY });
    };
    const press = useRef({ x: 0, y: 0 });
    const onPointerDown = (event: PointerEvent): void => {
        press.current = { x: event.clientX, y: event.clientY };
        canvas.current!.setPointerCapture(event.pointerId);
    };
    const onClick = (event: MouseEvent): void => {
        if (Math.hypot(event.clientX - press.current.x, event.clientY - press.current.y) > 4) return;
        const { header, span } = find(event);
        if (header) setFolded(toggled(folded, header.track.name));
        else p.onSelect(span);
    };
    const onWheel = (event: WheelEvent): void => {
        event.preventDefault();
        if (event.shiftKey) setScroll(Math.min(Math.max(shownScroll + event.deltaY, 0), lowest));
        else if (Math.abs(event.deltaX) > Math.abs(event.deltaY))
            p.onView(pan(p.view, whole, event.deltaX / size.width));
        else p.onView(zoom(p.view, whole, 1.0015 ** event.deltaY, event.offsetX / size.width));
    };
    const onKeyDown = (event: KeyboardEvent): void => {
        const key = event.key.toLowerCase();
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (key === "arrowleft" || key === "a") p.onView(pan(p.view, whole, -0.2));
        else if (key === "arrowright" || key === "d") p.onView(pan(p.view, whole, 0.2));
        else if (key === "+" || key === "w") p.onView(zoom(p.view, whole, 0.7, 0.5));
        else if (key === "-" || key === "s") p.onView(zoom(p.view, whole, 1 / 0.7, 0.5));
        else if (key === "arrowdown") setScroll(Math.min(shownScroll + 40, lowest));
        else if (key === "arrowup") setScroll(Math.max(shownScroll - 40, 0));
        else if (key === "home") p.onView(whole);
        else if (key === "f" && p.selected) p.onView(around(p.selected, whole));
        else return;
        event.preventDefault();
    };
    return (
        <div class="timeline">
            <canvas
                ref={canvas}
                tabIndex={0}
                role="img"
                aria-label="Timeline. Left and right move, plus and minus zoom, Home shows all, F fits the selected scope"
                onPointerDown={onPointerDown}
                onPointerMove={onPointerMove}
                onPointerLeave={() => setHint(null)}
                onClick={onClick}
                onDblClick={(event) => {
                    const { span } = find(event);
                    if (span) p.onView(around(span, whole));
                }}
                onWheel={onWheel}
                onKeyDown={onKeyDown}
            />
            {hint && (
                <div class="hint" style={{ left: `${Math.min(hint.x + 12, size.width - 260)}px`, top: `${hint.y + 14}px` }}>
                    {hint.text}
                </div>
            )}
        </div>
    );
}

/** Gives the canvas the pixels of the screen; the context takes pixels of the page. */
function fit(canvas: HTMLCanvasElement, { width, height }: { width: number; height: number }): CanvasRenderingContext2D {
    const ratio = window.devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
        canvas.style.width = `${width}px`;
        canvas.style.height = `${height}px`;
    }
    const context = canvas.getContext("2d", { alpha: false })!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    return context;
}

function findAt(
    placed: readonly PlacedTrack[],
    view: View,
    width: number,
    x: number,
    y: number,
): { header: PlacedTrack | null; span: SpanPlace | null } {
    const found = trackAt(placed, y);
    if (!found) return { header: null, span: null };
    const { place, depth } = found;
    if (depth < 0) return { header: place, span: null };
    const perPixel = (view.end - view.begin) / width;
    const index = spanAt(place.track.lanes[depth]!, view.begin + x * perPixel, perPixel);
    return { header: null, span: index < 0 ? null : { track: place.track, depth, index } };
}

/** A view with a span in its middle. */
function around({ track, depth, index }: SpanPlace, whole: View): View {
    const lane = track.lanes[depth]!;
    const begin = lane.begin.data[index]!;
    const end = lane.end.data[index]!;
    const margin = (end - begin) * 0.2;
    return zoom({ begin: begin - margin, end: end + margin }, whole, 1, 0.5);
}

function toggled(set: ReadonlySet<string>, item: string): Set<string> {
    const changed = new Set(set);
    if (!changed.delete(item)) changed.add(item);
    return changed;
}
