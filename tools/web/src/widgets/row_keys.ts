// row_keys.ts: which row of a list a key chooses.

/** The row that `key` moves to from row `from` (-1: no row), in a list of `count` rows of which `inView` are seen.
 * Without a chosen row, all keys but Home choose the last. Undefined: the key does not move. */
export function rowOfKey(key: string, from: number, count: number, inView: number): number | undefined {
    const page = Math.max(1, inView - 1);
    const steps: Record<string, number> = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page };
    if (count === 0) return undefined;
    if (key === "Home") return 0;
    if (key === "End") return count - 1;
    const step = steps[key];
    if (step === undefined) return undefined;
    return from < 0 ? count - 1 : Math.min(Math.max(from + step, 0), count - 1);
}
