// use_poll.ts: asks an engine again and again, while the page can be seen and the engine is connected.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Connection } from "../connection";

export interface Polled<T> {
    /** The last answer; null before the first. It stays while the engine is gone. */
    value: T | null;
    /** Why the last question failed; empty: it did not. */
    error: string;
    /** Asks now, out of turn. */
    refresh: () => void;
}

/** Asks each `milliseconds`, and at once when one of `inputs` changes. A slow answer delays the next question, so
 * at most one is on its way. Null for `ask` asks nothing. */
export function usePoll<T>(
    connection: Connection,
    milliseconds: number,
    ask: (() => Promise<T>) | null,
    inputs: readonly unknown[] = [],
): Polled<T> {
    const [state, setState] = useState<{ value: T | null; error: string }>({ value: null, error: "" });
    const latest = useRef(ask);
    latest.current = ask;
    const refresh = useRef(() => {});
    useEffect(() => {
        let isOver = false;
        let isAsking = false;
        let timer: ReturnType<typeof setTimeout> | undefined;
        const turn = async (): Promise<void> => {
            clearTimeout(timer);
            if (isOver || isAsking) return;
            if (document.hidden || connection.state.get() !== "open" || !latest.current) return;
            isAsking = true;
            try {
                const value = await latest.current();
                if (!isOver) setState({ value, error: "" });
            } catch (error) {
                if (!isOver && connection.state.get() === "open")
                    setState((old) => ({ ...old, error: (error as Error).message }));
            }
            isAsking = false;
            if (!isOver) timer = setTimeout(turn, milliseconds);
        };
        refresh.current = () => void turn();
        const wake = (): void => void turn();
        document.addEventListener("visibilitychange", wake);
        const unwatch = connection.state.watch(wake);
        void turn();
        return () => {
            isOver = true;
            clearTimeout(timer);
            document.removeEventListener("visibilitychange", wake);
            unwatch();
        };
    }, [connection, milliseconds, ask === null, ...inputs]);
    return { ...state, refresh: () => refresh.current() };
}
