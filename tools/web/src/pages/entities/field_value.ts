// field_value.ts: values of fields as text for people, and back.

/** A number with at most six digits, as an editor shows it. */
export function numberText(value: unknown): string {
    return typeof value === "number" ? String(Number(value.toPrecision(6))) : "";
}

/** Reads a number. Undefined: the text is not a number. */
export function readNumber(text: string): number | undefined {
    const value = Number(text.trim().replace(",", "."));
    return text.trim() === "" || !Number.isFinite(value) ? undefined : value;
}

/** The names of the parts of an array, by the kind of the field. */
export function partNames(kind: string): string[] {
    if (kind === "color") return ["r", "g", "b", "a"];
    return ["x", "y", "z", "w"];
}

/** Any other value in one line. */
export function valueText(value: unknown): string {
    if (value === null || value === undefined) return "";
    if (typeof value === "string") return value;
    if (typeof value === "number") return numberText(value);
    if (Array.isArray(value)) return value.map(valueText).join(", ");
    return JSON.stringify(value);
}

/** Reads what somebody wrote for a field whose value is text, a list of texts, or a list of numbers. */
export function readValue(kind: string, text: string): unknown {
    const parts = text.split(",").map((part) => part.trim());
    if (kind === "names" || kind === "references") return parts.filter((part) => part !== "");
    if (kind === "numbers") return parts.map((part) => readNumber(part) ?? part);
    if ((kind === "name" || kind === "reference") && text.trim() === "") return null;
    return text;
}

/** A linear colour as "#rrggbb" of the screen. */
export function screenColour(value: unknown): string {
    const parts = Array.isArray(value) ? value : [];
    const code = (linear: unknown): string => {
        const light = Math.min(Math.max(Number(linear ?? 0), 0), 1);
        const screen = light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055;
        return Math.round(screen * 255)
            .toString(16)
            .padStart(2, "0");
    };
    return `#${code(parts[0])}${code(parts[1])}${code(parts[2])}`;
}
