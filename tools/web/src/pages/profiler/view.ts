// view.ts: the part of a recording that is in view, and how it moves. Times are nanoseconds.

export interface View {
    begin: number;
    end: number;
}

export const SHORTEST_VIEW = 1000; // a microsecond

/** Keeps a view inside of [`begin`, `end`] of a recording, and not shorter than a microsecond. */
export function clamp(view: View, whole: View): View {
    const longest = Math.max(whole.end - whole.begin, SHORTEST_VIEW);
    const length = Math.min(Math.max(view.end - view.begin, SHORTEST_VIEW), longest);
    const begin = Math.min(Math.max(view.begin, whole.begin), whole.begin + longest - length);
    return { begin, end: begin + length };
}

/** Makes the view `factor` times as long; what is at `fixed` (0 at the left to 1) stays. */
export function zoom(view: View, whole: View, factor: number, fixed: number): View {
    const length = (view.end - view.begin) * factor;
    const bounded = Math.min(Math.max(length, SHORTEST_VIEW), Math.max(whole.end - whole.begin, SHORTEST_VIEW));
    const time = view.begin + (view.end - view.begin) * fixed;
    return clamp({ begin: time - bounded * fixed, end: time + bounded * (1 - fixed) }, whole);
}

/** Moves the view by a part of its length. */
export function pan(view: View, whole: View, part: number): View {
    const by = (view.end - view.begin) * part;
    return clamp({ begin: view.begin + by, end: view.end + by }, whole);
}

/** A time for people, with three digits: "16.7 ms". */
export function duration(nanoseconds: number): string {
    const size = Math.abs(nanoseconds);
    if (size < 1000) return `${Math.round(nanoseconds)} ns`;
    if (size < 1e6) return `${(nanoseconds / 1000).toPrecision(3)} µs`;
    if (size < 999.5e6) return `${(nanoseconds / 1e6).toPrecision(3)} ms`;
    return `${(nanoseconds / 1e9).toFixed(size < 10e9 ? 2 : 1)} s`;
}

/** A round step of the axis: at most `most` of them are in `length`. */
export function axisStep(length: number, most: number): number {
    const rough = length / Math.max(1, most);
    const power = 10 ** Math.ceil(Math.log10(rough));
    if (power / 5 >= rough) return power / 5;
    return power / 2 >= rough ? power / 2 : power;
}
