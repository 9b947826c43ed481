// console_page.tsx: the log of the current engine, and a prompt.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Engine, engines } from "../../engines";
import { settings } from "../../settings";
import { Value, useValue } from "../../value";
import { say } from "../../shell/notice";
import { follow } from "./links";
import { LogList } from "./log_list";
import type { Level } from "./log_store";
import { type LogFilter, LogView, emptyFilter } from "./log_view";
import { Prompt } from "./prompt";

const LEVELS: Level[] = ["error", "warning", "info", "debug"];

/** The filter stays from tab to tab, and for all engines. */
const filter = new Value<LogFilter>(emptyFilter);

export function ConsolePage({ engine }: { engine: Engine }): JSX.Element {
    const [toAll, setToAll] = useState(false);
    const numEngines = useValue(engines).length;
    return (
        <section class="page console-page" aria-label="Console">
            <FilterBar engine={engine} />
            <Log engine={engine} />
            <div class="prompt-bar">
                <Prompt engine={engine} toAll={toAll && numEngines > 1} />
                {numEngines > 1 && (
                    <label class="check">
                        <input type="checkbox" checked={toAll} onChange={() => setToAll(!toAll)} />
                        all engines
                    </label>
                )}
            </div>
        </section>
    );
}

function Log({ engine }: { engine: Engine }): JSX.Element {
    const store = engine.log;
    useValue(store.revision);
    const shown = useValue(filter);
    const [, redraw] = useState(0);
    const view = useMemo(() => new LogView(), [store]);
    const seen = useRef({ filter: emptyFilter, numGone: store.numGone, view });
    if (seen.current.filter !== shown || seen.current.view !== view) view.setFilter(shown);
    if (seen.current.numGone !== store.numGone) view.reset();
    seen.current = { filter: shown, numGone: store.numGone, view };
    view.update(store.entries);

    const onToggle = (entry: number): void => {
        view.toggle(store.entries[entry]!);
        redraw((n) => n + 1);
    };
    return (
        <>
            <LogList
                store={store}
                view={view}
                onToggle={onToggle}
                onFollow={(link) => say(follow(link, engine.info.get() ?? {}))}
            />
            {view.numRows === 0 && (
                <p class="empty">
                    {store.entries.length === 0
                        ? "The log is empty."
                        : `The filter hides all ${store.entries.length} messages.`}
                </p>
            )}
        </>
    );
}

function FilterBar({ engine }: { engine: Engine }): JSX.Element {
    useValue(engine.log.revision);
    const shown = useValue(filter);
    const editor = useValue(settings.editor);
    const search = useRef<HTMLInputElement>(null);
    useEffect(() => {
        const onKey = (event: KeyboardEvent): void => {
            if (event.ctrlKey && event.key === "f") {
                event.preventDefault();
                search.current?.select();
            }
        };
        window.addEventListener("keydown", onKey);
        return () => window.removeEventListener("keydown", onKey);
    }, []);
    const toggle = <T,>(set: ReadonlySet<T>, item: T): Set<T> => {
        const changed = new Set(set);
        if (!changed.delete(item)) changed.add(item);
        return changed;
    };
    return (
        <div class="toolbar" role="toolbar" aria-label="Filter">
            <input
                ref={search}
                type="search"
                class="search"
                aria-label="Filter by text"
                placeholder="Filter: words, -without"
                value={shown.text}
                onInput={(event) => filter.set({ ...shown, text: event.currentTarget.value })}
            />
            <div class="group" role="group" aria-label="Levels">
                {LEVELS.map((level) => (
                    <button
                        key={level}
                        class={`toggle ${level}`}
                        aria-pressed={!shown.hiddenLevels.has(level)}
                        onClick={() => filter.set({ ...shown, hiddenLevels: toggle(shown.hiddenLevels, level) })}
                    >
                        {level}
                    </button>
                ))}
            </div>
            <details class="menu">
                <summary>
                    Systems{shown.hiddenSystems.size > 0 ? ` (${shown.hiddenSystems.size} hidden)` : ""}
                </summary>
                <div class="menu-body">
                    {[...engine.log.systems].sort().map((system) => (
                        <label key={system} class="check">
                            <input
                                type="checkbox"
                                checked={!shown.hiddenSystems.has(system)}
                                onChange={() =>
                                    filter.set({ ...shown, hiddenSystems: toggle(shown.hiddenSystems, system) })
                                }
                            />
                            {system}
                        </label>
                    ))}
                </div>
            </details>
            <span class="spring" />
            <label class="check">
                Links
                <select
                    value={editor}
                    aria-label="What links do"
                    onChange={(event) => settings.editor.set(event.currentTarget.value as "vscode" | "copy")}
                >
                    <option value="vscode">open VS Code</option>
                    <option value="copy">copy the place</option>
                </select>
            </label>
            <button onClick={() => engine.log.clear()}>Clear</button>
        </div>
    );
}
