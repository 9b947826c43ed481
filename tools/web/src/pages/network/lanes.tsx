// lanes.tsx: the events of several engines over the same time, one lane an engine: received above, sent below.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type Engine, nameOf } from "../../engines";
import { shownTheme } from "../../shell/theme";
import { useValue } from "../../value";
import { colourOf } from "./event_text";
import { NetworkStore } from "./network_store";

const LANE_HEIGHT = 44;
const LABEL_WIDTH = 120;
/** What goes one way at one time is a column, as high as it has bits; this many have the full height. */
const FULL_BITS = 1000;
const FULL_HEIGHT = LANE_HEIGHT / 2 - 3;
const COLUMN_WIDTH = 2;

interface Properties {
    engines: Engine[];
    hiddenKinds: ReadonlySet<string>;
    /** How many of the last seconds are shown. */
    seconds: number;
    /** The time on the page's clock at the right end; null: now. */
    end: number | null;
}

export function Lanes({ engines, hiddenKinds, seconds, end }: Properties): JSX.Element {
    const canvas = useRef<HTMLCanvasElement>(null);
    const [width, setWidth] = useState(800);
    useValue(shownTheme);
    const height = engines.length * LANE_HEIGHT + 18;
    useEffect(() => {
        const box = canvas.current!.parentElement!;
        const observer = new ResizeObserver(() => setWidth(Math.max(200, box.clientWidth)));
        observer.observe(box);
        return () => observer.disconnect();
    }, []);
    useEffect(() => {
        let request = 0;
        const turn = (): void => {
            if (!canvas.current) return; // the page has just gone
            const last = end ?? performance.now() / 1000;
            draw(canvas.current, { engines, hiddenKinds, width, height, begin: last - seconds, end: last });
            if (end === null) request = requestAnimationFrame(turn);
        };
        turn();
        return () => cancelAnimationFrame(request);
    });
    return (
        <div class="lanes">
            <canvas
                ref={canvas}
                style={{ width: `${width}px`, height: `${height}px` }}
                role="img"
                aria-label="Events of each engine over time"
            />
        </div>
    );
}

interface Picture {
    engines: Engine[];
    hiddenKinds: ReadonlySet<string>;
    width: number;
    height: number;
    begin: number;
    end: number;
}

function draw(canvas: HTMLCanvasElement, p: Picture): void {
    const ratio = window.devicePixelRatio || 1;
    if (canvas.width !== p.width * ratio || canvas.height !== p.height * ratio) {
        canvas.width = p.width * ratio;
        canvas.height = p.height * ratio;
    }
    const context = canvas.getContext("2d", { alpha: false })!;
    const isDark = shownTheme.get() === "dark";
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = isDark ? "#14171c" : "#f4f6f8";
    context.fillRect(0, 0, p.width, p.height);
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    const text = isDark ? "#97a1ad" : "#5a6672";
    p.engines.forEach((engine, i) => {
        const middle = i * LANE_HEIGHT + LANE_HEIGHT / 2;
        context.fillStyle = isDark ? "#323a45" : "#ccd4dc";
        context.fillRect(LABEL_WIDTH, middle, p.width, 1);
        context.fillStyle = text;
        context.fillText(nameOf(engine), 8, middle, LABEL_WIDTH - 16);
        const store = engine.keep(NetworkStore);
        if (store.problem) context.fillText(store.problem, LABEL_WIDTH + 8, middle - 10);
        drawEvents(context, p, store, middle);
    });
    drawAxis(context, p, text);
}

function drawEvents(context: CanvasRenderingContext2D, p: Picture, store: NetworkStore, middle: number): void {
    const scale = (p.width - LABEL_WIDTH) / (p.end - p.begin);
    // Columns are parts of the time, not of the picture: they stay whole while they move.
    const left = Math.round(LABEL_WIDTH - p.begin * scale);
    let last = -1;
    let used = { sent: 0, received: 0 };
    for (let i = firstAfter(store, p.begin); i < store.events.length; ++i) {
        const event = store.events[i]!;
        if (p.hiddenKinds.has(event.kind)) continue;
        const column = Math.floor(((event.seconds + store.clockOffset) * scale) / COLUMN_WIDTH);
        const x = left + column * COLUMN_WIDTH;
        if (x > p.width) break;
        if (column !== last) used = { sent: 0, received: 0 };
        last = column;
        const way = event.sent ? "sent" : "received";
        const wanted = Math.max((event.bits / FULL_BITS) * FULL_HEIGHT, 1);
        const size = Math.min(wanted, FULL_HEIGHT - used[way]);
        context.fillStyle = colourOf(event.kind);
        context.fillRect(x, event.sent ? middle + 1 + used.sent : middle - used.received - size, COLUMN_WIDTH, size);
        used[way] += size;
    }
}

function firstAfter({ events, clockOffset }: NetworkStore, time: number): number {
    let low = 0;
    let high = events.length;
    while (low < high) {
        const center = (low + high) >> 1;
        if (events[center]!.seconds + clockOffset < time) low = center + 1;
        else high = center;
    }
    return low;
}

function drawAxis(context: CanvasRenderingContext2D, p: Picture, colour: string): void {
    context.fillStyle = colour;
    const seconds = p.end - p.begin;
    for (let ago = 0; ago <= seconds; ago += seconds / 10) {
        const x = p.width - (ago / seconds) * (p.width - LABEL_WIDTH);
        context.fillText(ago === 0 ? "" : `-${Number(ago.toPrecision(2))} s`, x, p.height - 9);
    }
}
