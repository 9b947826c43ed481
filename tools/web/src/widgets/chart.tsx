// chart.tsx: lines over time, by uPlot.
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { shownTheme } from "../shell/theme";
import { useValue } from "../value";

export interface Series {
    label: string;
    /** A colour of CSS; by default one of the chart's own. */
    colour?: string;
    fill?: boolean;
}

interface Properties {
    /** Seconds, or what `formatX` writes. Sorted. */
    x: ArrayLike<number>;
    /** A list of values for each series; null where a series has no value. */
    y: ArrayLike<number | null>[];
    series: Series[];
    height: number;
    label: string;
    formatX?: (x: number) => string;
    formatY?: (y: number) => string;
    /** Somebody dragged over a part of the x axis. */
    onSelect?: (begin: number, end: number) => void;
    /** The ticks of the y axis are at powers of 2, as bytes have them. */
    isBinary?: boolean;
    /** The y axis begins at 0. */
    fromZero?: boolean;
    /** The values to show as marked. */
    range?: { begin: number; end: number };
}

const POWERS_OF_2 = Array.from({ length: 50 }, (_, i) => 2 ** i);
const COLOURS = ["#5cb3ff", "#f2c055", "#5ccf8a", "#ff7b72", "#b7a5f5", "#4dd0d6", "#f49ac1", "#a3b565"];

export function Chart(p: Properties): JSX.Element {
    const box = useRef<HTMLDivElement>(null);
    const plot = useRef<uPlot | null>(null);
    const latest = useRef(p);
    latest.current = p;
    const theme = useValue(shownTheme);
    const names = p.series.map((series) => series.label).join("\n");
    useEffect(() => {
        const element = box.current!;
        const made = new uPlot(optionsOf(latest, element.clientWidth), dataOf(latest.current), element);
        plot.current = made;
        const observer = new ResizeObserver(() =>
            made.setSize({ width: element.clientWidth, height: latest.current.height }),
        );
        observer.observe(element);
        return () => {
            observer.disconnect();
            made.destroy();
        };
    }, [names, theme, p.height]);
    useEffect(() => {
        plot.current?.setData(dataOf(p));
    }, [p.x, p.y]);
    useEffect(() => plot.current?.redraw(false), [p.range?.begin, p.range?.end]);
    return <div ref={box} class="chart" role="img" aria-label={p.label} />;
}

function dataOf(p: Properties): uPlot.AlignedData {
    // uPlot cannot make an axis of no values at all.
    if (p.x.length === 0) return [[0], ...p.y.map(() => [null])] as unknown as uPlot.AlignedData;
    return [p.x, ...p.y] as unknown as uPlot.AlignedData;
}

function optionsOf(latest: { current: Properties }, width: number): uPlot.Options {
    const p = latest.current;
    const isDark = shownTheme.get() === "dark";
    const stroke = isDark ? "#97a1ad" : "#5a6672";
    const grid = { stroke: isDark ? "#262c35" : "#dde3e9", width: 1 };
    const formatX = p.formatX ?? ((x) => `${x} s`);
    const formatY = p.formatY ?? String;
    const axis = { stroke, grid, ticks: grid, font: "11px system-ui" };
    return {
        width,
        height: p.height,
        cursor: { drag: { x: p.onSelect !== undefined, y: false, setScale: false } },
        select: { show: p.onSelect !== undefined, left: 0, top: 0, width: 0, height: 0 },
        legend: { show: p.series.length > 1 },
        padding: [10, 20, 0, 0],
        scales: {
            x: { time: false },
            y: p.fromZero ? { range: (_, __, most) => [0, most > 0 ? most * 1.1 : 1] } : {},
        },
        series: [
            { label: "time", value: (_, x) => (x === null ? "" : formatX(x)) },
            ...p.series.map((series, i) => {
                const colour = series.colour ?? COLOURS[i % COLOURS.length]!;
                return {
                    label: series.label,
                    stroke: colour,
                    width: 1.25,
                    points: { show: false },
                    ...(series.fill && { fill: `${colour}40` }),
                    value: (_: uPlot, y: number | null) => (y === null ? "" : formatY(y)),
                };
            }),
        ],
        axes: [
            { ...axis, size: 26, space: 80, values: (_, ticks) => ticks.map(formatX) },
            {
                ...axis,
                size: 62,
                values: (_, ticks) => ticks.map(formatY),
                ...(p.isBinary && { incrs: POWERS_OF_2 }),
            },
        ],
        hooks: {
            setSelect: [
                (u) => {
                    const { left, width: wide } = u.select;
                    if (wide < 2) return;
                    latest.current.onSelect?.(u.posToVal(left, "x"), u.posToVal(left + wide, "x"));
                    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
                },
            ],
            drawClear: [(u) => drawRange(u, latest.current.range, isDark)],
        },
    };
}

/** Marks a part of the x axis behind the lines. */
function drawRange(u: uPlot, range: Properties["range"], isDark: boolean): void {
    if (!range) return;
    const left = Math.max(u.valToPos(range.begin, "x", true), u.bbox.left);
    const right = Math.min(u.valToPos(range.end, "x", true), u.bbox.left + u.bbox.width);
    if (!(right >= left)) return;
    u.ctx.fillStyle = isDark ? "#5cb3ff30" : "#0a66c225";
    u.ctx.fillRect(left, u.bbox.top, Math.max(right - left, 2), u.bbox.height);
}
