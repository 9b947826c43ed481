// memory_page.tsx: the allocators of an engine as a tree and over time, what allocated, and resources.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Engine } from "../../engines";
import { bytes } from "../../format";
import { useValue } from "../../value";
import { usePoll } from "../../widgets/use_poll";
import { AllocatorTree } from "./allocator_tree";
import { CallStacks } from "./call_stacks";
import { MemoryChart } from "./memory_chart";
import { isTraced, tracedPaths } from "./memory_tree";
import { MemoryHistory, type Moment, totalOf } from "./memory_history";
import { Resources } from "./resources";

export function MemoryPage({ engine }: { engine: Engine }): JSX.Element {
    const [part, setPart] = useState<"allocators" | "resources">("allocators");
    const choice = (name: "allocators" | "resources", title: string): JSX.Element => (
        <button class="toggle" aria-pressed={part === name} onClick={() => setPart(name)}>
            {title}
        </button>
    );
    const choices = (
        <div class="group" role="group" aria-label="What the page shows">
            {choice("allocators", "Allocators")}
            {choice("resources", "Resources")}
        </div>
    );
    return (
        <section class="page" aria-label="Memory">
            {part === "allocators" ? (
                <Allocators engine={engine} choices={choices} />
            ) : (
                <Resources engine={engine} choices={choices} />
            )}
        </section>
    );
}

function Allocators({ engine, choices }: { engine: Engine; choices: JSX.Element }): JSX.Element {
    const history = engine.keep(MemoryHistory);
    const samples = useValue(history.samples);
    const moments = useValue(history.moments);
    const [chosen, setChosen] = useState("");
    const [from, setFrom] = useState("");
    const [to, setTo] = useState("");
    const { error, refresh } = usePoll(engine.connection, 1000, () => history.ask(), [history]);

    const named = (name: string): Moment | undefined => moments.find((moment) => moment.name === name);
    const before = named(from)?.sample ?? null;
    const shown = named(to)?.sample ?? samples.at(-1);
    const rowsNow = samples.at(-1)?.rows ?? [];
    return (
        <>
            <div class="toolbar" role="toolbar" aria-label="Memory">
                {choices}
                <button
                    onClick={() => {
                        history.keepMoment();
                        if (!from) setFrom(history.moments.get().at(-1)?.name ?? "");
                    }}
                >
                    Keep this moment
                </button>
                <MomentChoice label="Difference to" empty="nothing" moments={moments} chosen={from} onChoose={setFrom} />
                <MomentChoice label="Show" empty="now" moments={moments} chosen={to} onChoose={setTo} />
                <span class="spring" />
                {shown && (
                    <span class="dim">
                        {`${bytes(totalOf(shown))} allocated`}
                        {shown.residentBytes > 0 && `, ${bytes(shown.residentBytes)} resident`}
                    </span>
                )}
            </div>
            {error && <p class="failed">{error}</p>}
            <MemoryChart samples={samples} chosen={chosen} />
            <div class="columns">
                {shown && (
                    <AllocatorTree
                        rows={shown.rows}
                        before={before?.bytes ?? null}
                        total={totalOf(shown)}
                        chosen={chosen}
                        onChoose={setChosen}
                    />
                )}
                <CallStacks
                    key={chosen}
                    engine={engine}
                    allocator={chosen}
                    traced={isTraced(rowsNow.find((row) => row.path === chosen))}
                    allTraced={tracedPaths(rowsNow)}
                    onTrace={refresh}
                />
            </div>
        </>
    );
}

interface MomentChoiceProperties {
    label: string;
    /** What the choice of no moment is called. */
    empty: string;
    moments: Moment[];
    chosen: string;
    onChoose: (name: string) => void;
}

function MomentChoice({ label, empty, moments, chosen, onChoose }: MomentChoiceProperties): JSX.Element {
    return (
        <label class="check">
            {label}
            <select
                value={chosen}
                disabled={moments.length === 0}
                onChange={(event) => onChoose(event.currentTarget.value)}
            >
                <option value="">{empty}</option>
                {moments.map(({ name }) => (
                    <option key={name} value={name}>
                        {name}
                    </option>
                ))}
            </select>
        </label>
    );
}
