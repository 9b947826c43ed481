// format.ts: numbers for people.

/** "1.5 MiB". */
export function bytes(count: number): string {
    const sign = count < 0 ? "-" : "";
    let size = Math.abs(count);
    for (const unit of ["B", "KiB", "MiB", "GiB"]) {
        if (size < 1024 || unit === "GiB")
            return `${sign}${unit === "B" ? size : size.toFixed(size < 10 ? 2 : size < 100 ? 1 : 0)} ${unit}`;
        size /= 1024;
    }
    return "";
}

/** At most five digits: "12.346", "1.2M". */
export function shortNumber(value: number): string {
    const size = Math.abs(value);
    if (size >= 1e9) return `${(value / 1e9).toPrecision(3)}G`;
    if (size >= 1e6) return `${(value / 1e6).toPrecision(3)}M`;
    if (size >= 1e5) return `${(value / 1e3).toPrecision(3)}k`;
    return String(Number(value.toPrecision(5)));
}

/** With a sign, for differences: "+1.5 MiB". */
export function signed(count: number, format: (count: number) => string): string {
    return count > 0 ? `+${format(count)}` : format(count);
}

/** "1 line", "2 lines". */
export function plural(count: number, one: string, many = `${one}s`): string {
    return `${count} ${count === 1 ? one : many}`;
}
