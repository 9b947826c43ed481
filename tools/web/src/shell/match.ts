// match.ts: whether letters that somebody types mean a name.

/** Whether all letters of `typed` are in `name`, in their order. Spaces and case do not count. */
export function matches(typed: string, name: string): boolean {
    const text = name.toLowerCase();
    let at = 0;
    for (const letter of typed.toLowerCase().replace(/\s+/g, "")) {
        const found = text.indexOf(letter, at);
        if (found < 0) return false;
        at = found + 1;
    }
    return true;
}
