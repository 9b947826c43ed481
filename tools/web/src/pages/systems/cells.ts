// cells.ts: values of the tables of figures as text.
import { bytes, shortNumber } from "../../format";

/** A value as people read it. */
export function cellText(value: unknown, inBytes = false): string {
    if (value === null || value === undefined) return "";
    if (typeof value === "number") return inBytes ? bytes(Math.round(value)) : shortNumber(value);
    if (typeof value === "boolean") return value ? "yes" : "no";
    if (value === "bytes") return ""; // a unit: the value beside it is written with its own
    return typeof value === "string" ? value : JSON.stringify(value);
}

/** Whether the numbers of a column are bytes: it says so, or the row has "bytes" as its unit. */
export function isBytes(title: string, cells: readonly unknown[]): boolean {
    return /\bbytes\b/.test(title.replace(/_/g, " ")) || cells.includes("bytes");
}

/** The rows that have all words of a filter. */
export function filteredRows(rows: readonly unknown[][], filter: string): unknown[][] {
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
    return rows.filter((row) => {
        const text = row.map((value) => cellText(value)).join(" ").toLowerCase();
        return words.every((word) => text.includes(word));
    });
}
