// systems_page.tsx: figures of the engine's systems as tables, live.
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import type { Engine } from "../../engines";
import type { StatisticsTable } from "../../protocol";
import { Setting } from "../../settings";
import { useValue } from "../../value";
import { usePoll } from "../../widgets/use_poll";
import { SystemTable } from "./system_table";

const POLL_MS = 500;

/** Tables that are folded: nothing is asked for them. */
const folded = new Setting<string[]>("folded tables", []);

export function SystemsPage({ engine }: { engine: Engine }): JSX.Element {
    const hidden = useValue(folded);
    const [filter, setFilter] = useState("");
    // All tables that the engine has, as they were last seen.
    const known = useRef<StatisticsTable[]>([]);
    const ask = async (): Promise<StatisticsTable[]> => {
        const names = known.current.map(({ name }) => name);
        const wanted = names.filter((name) => !hidden.includes(name));
        if (names.length > 0 && wanted.length === 0) return known.current;
        const { tables } = await engine.connection.ask("statistics", names.length > 0 ? { names: wanted } : {});
        known.current =
            names.length > 0
                ? known.current.map((old) => tables.find(({ name }) => name === old.name) ?? old)
                : tables;
        return known.current;
    };
    const { value, error } = usePoll(engine.connection, POLL_MS, ask, [hidden.join()]);
    const fold = (name: string, isOpen: boolean): void => {
        const others = hidden.filter((other) => other !== name);
        folded.set(isOpen ? others : [...others, name]);
    };
    return (
        <section class="page" aria-label="Systems">
            <div class="toolbar" role="toolbar" aria-label="Systems">
                <input
                    type="search"
                    class="search"
                    placeholder="Filter rows"
                    aria-label="Filter rows"
                    value={filter}
                    onInput={(event) => setFilter(event.currentTarget.value)}
                />
                <span class="dim">Folded tables are not asked for.</span>
            </div>
            {error && <p class="failed">{error}</p>}
            <div class="systems-box">
                <div class="systems">
                    {value?.map((table) => (
                        <SystemTable
                            key={table.name}
                            table={table}
                            filter={filter}
                            isOpen={!hidden.includes(table.name)}
                            onToggle={(isOpen) => fold(table.name, isOpen)}
                        />
                    ))}
                </div>
            </div>
        </section>
    );
}
