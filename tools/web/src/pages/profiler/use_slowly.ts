// use_slowly.ts: a value for what is dear to draw.
import { useEffect, useRef, useState } from "preact/hooks";

/** Gives `latest`, but a new one at most every `milliseconds`, or at once when it is of another thing, `of`. */
export function useSlowly<T>(latest: T, milliseconds: number, of: unknown): T {
    const [shown, setShown] = useState({ value: latest, of });
    const newest = useRef(shown);
    const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
    newest.current = { value: latest, of };
    useEffect(() => {
        if (timer.current !== undefined) return;
        if (of === shown.of && JSON.stringify(latest) === JSON.stringify(shown.value)) return;
        timer.current = setTimeout(() => {
            timer.current = undefined;
            setShown(newest.current);
        }, milliseconds);
    });
    useEffect(() => () => clearTimeout(timer.current), []);
    return shown.of === of ? shown.value : latest;
}
