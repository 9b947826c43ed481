// use_slowly.ts: a value for what is dear to draw.
import { useEffect, useRef, useState } from "preact/hooks";

/** Gives `latest`, but a new one at most every `milliseconds`. */
export function useSlowly<T>(latest: T, milliseconds: number): T {
    const [shown, setShown] = useState(latest);
    const newest = useRef(latest);
    const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
    newest.current = latest;
    useEffect(() => {
        if (timer.current !== undefined || JSON.stringify(latest) === JSON.stringify(shown)) return;
        timer.current = setTimeout(() => {
            timer.current = undefined;
            setShown(newest.current);
        }, milliseconds);
    });
    useEffect(() => () => clearTimeout(timer.current), []);
    return shown;
}
