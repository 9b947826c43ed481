// entities_page.tsx: what is in the worlds of an engine, and the values of its components.
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Engine } from "../../engines";
import { plural } from "../../format";
import { say } from "../../shell/notice";
import { useValue } from "../../value";
import { usePoll } from "../../widgets/use_poll";
import { Viewport } from "../../widgets/viewport";
import { ComponentList } from "./component_list";
import { EntityStore } from "./entity_store";
import { OutlineList } from "./outline_list";
import { outlineRows } from "./outline";

export function EntitiesPage({ engine }: { engine: Engine }): JSX.Element {
    const store = engine.keep(EntityStore);
    const worlds = useValue(store.worlds);
    const chosen = useValue(store.chosen);
    const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
    const [filter, setFilter] = useState("");
    const [hasViewport, setViewport] = useState(false);
    const [playsGame, setPlaysGame] = useState(false);
    const { error, refresh } = usePoll(engine.connection, 1000, () => store.refresh().then(() => true), [store]);
    const rows = useMemo(() => outlineRows(worlds, folded, filter), [worlds, folded, filter]);
    useEffect(() => {
        if (worlds.length > 0) performance.mark("outline shown");
    }, [worlds]);

    useEffect(() => {
        if (chosen === 0) return;
        outline(engine, chosen);
        return () => outline(engine, 0);
    }, [engine, chosen]);

    const fold = (key: string): void => {
        const changed = new Set(folded);
        if (!changed.delete(key)) changed.add(key);
        setFolded(changed);
    };
    const pick = async (x: number, y: number, stream: number): Promise<void> => {
        try {
            const [hit] = (await engine.connection.ask("entity_pick", { x, y, stream })).hits;
            if (hit) store.chosen.set(hit.unit ?? hit.entity);
            else say("Nothing is there.");
        } catch (failure) {
            say((failure as Error).message);
        }
    };
    const count = worlds.reduce((sum, { entities }) => sum + entities.length, 0);
    return (
        <section class="page" aria-label="Entities">
            <div class="toolbar" role="toolbar" aria-label="Entities">
                <input
                    type="search"
                    class="search"
                    placeholder="Filter by name or resource"
                    aria-label="Filter by name or resource"
                    value={filter}
                    onInput={(event) => setFilter(event.currentTarget.value)}
                />
                <button
                    onClick={() => {
                        store.forget();
                        refresh();
                    }}
                >
                    Refresh
                </button>
                <button aria-pressed={hasViewport} onClick={() => setViewport(!hasViewport)}>
                    Viewport
                </button>
                {hasViewport && (
                    <label class="check" title="Ctrl and a click then choose what is there">
                        <input type="checkbox" checked={playsGame} onChange={() => setPlaysGame(!playsGame)} />
                        keys and mouse go to the game
                    </label>
                )}
                <span class="spring" />
                <span class="dim">{plural(count, "unit")}</span>
            </div>
            {error && <p class="failed">{error}</p>}
            {hasViewport && (
                <Viewport
                    engine={engine}
                    sendsInput={playsGame}
                    onPick={(x, y, stream) => void pick(x, y, stream)}
                />
            )}
            <div class="columns">
                <OutlineList rows={rows} folded={folded} chosen={chosen} onFold={fold} onChoose={(e) => store.chosen.set(e)} />
                <aside class="side wide" aria-label="Components">
                    {chosen === 0 ? (
                        <p class="dim">Choose a unit to see its components.</p>
                    ) : (
                        <ComponentList key={chosen} engine={engine} entity={chosen} onChoose={(e) => store.chosen.set(e)} />
                    )}
                </aside>
            </div>
        </section>
    );
}

/** Outlines an entity in the game's picture; 0: no entity. */
function outline({ connection }: Engine, entity: number): void {
    connection.send({ type: "entity_select", entities: entity ? [entity] : [] });
}
