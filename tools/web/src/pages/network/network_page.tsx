// network_page.tsx: what goes over the network of one engine, and of all over the same time.
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { type Engine, engines } from "../../engines";
import { plural } from "../../format";
import { Value, useValue } from "../../value";
import { usePoll } from "../../widgets/use_poll";
import { EventList } from "./event_list";
import { KINDS, filteredEvents } from "./event_text";
import { Lanes } from "./lanes";
import { NetworkState } from "./network_state";
import { NetworkStore } from "./network_store";

const POLL_MS = 250;

/** The filter stays from tab to tab. Packets repeat what their objects say. */
const filterText = new Value("");
const hidden = new Value<ReadonlySet<string>>(new Set(["packet"]));

export function NetworkPage({ engine }: { engine: Engine }): JSX.Element {
    const all = useValue(engines);
    const text = useValue(filterText);
    const hiddenKinds = useValue(hidden);
    const [stoppedAt, setStoppedAt] = useState<number | null>(null);
    const [seconds, setSeconds] = useState(10);
    const store = engine.keep(NetworkStore);
    const revision = useValue(store.revision);
    const found = useMemo(
        () => filteredEvents(store.events, { text, hiddenKinds }),
        [store, revision, text, hiddenKinds],
    );
    return (
        <section class="page" aria-label="Network">
            <div class="toolbar" role="toolbar" aria-label="Network">
                <button
                    aria-pressed={stoppedAt === null}
                    onClick={() => setStoppedAt(stoppedAt === null ? performance.now() / 1000 : null)}
                >
                    {stoppedAt === null ? "❚❚ Pause" : "● Go on"}
                </button>
                <input
                    type="search"
                    class="search wide"
                    placeholder="Object, field, message, peer, in or out"
                    aria-label="Filter events"
                    value={text}
                    onInput={(event) => filterText.set(event.currentTarget.value)}
                />
                <KindToggles />
                <label class="check">
                    Last
                    <select value={seconds} onChange={(event) => setSeconds(Number(event.currentTarget.value))}>
                        {[1, 3, 10, 30, 120].map((length) => (
                            <option key={length} value={length}>{`${length} s`}</option>
                        ))}
                    </select>
                </label>
                <span class="spring" />
                <span class="dim">{`${found.length} of ${plural(store.events.length, "event")}`}</span>
                <button onClick={() => all.forEach((other) => other.keep(NetworkStore).clear())}>Clear</button>
            </div>
            {all.map((other) => (
                <Asking key={other.address} engine={other} isOn={stoppedAt === null} />
            ))}
            <Lanes engines={all} hiddenKinds={hiddenKinds} seconds={seconds} end={stoppedAt} />
            <div class="columns">
                <EventList store={store} found={found} />
                <NetworkState engine={engine} isOn={stoppedAt === null} onFilter={(words) => filterText.set(words)} />
            </div>
        </section>
    );
}

/** Asks an engine for its events; its lane says what is wrong. */
function Asking({ engine, isOn }: { engine: Engine; isOn: boolean }): null {
    const store = engine.keep(NetworkStore);
    const { error } = usePoll(engine.connection, POLL_MS, isOn ? () => store.ask() : null, [store]);
    store.problem = error;
    return null;
}

function KindToggles(): JSX.Element {
    const hiddenKinds = useValue(hidden);
    const toggle = (kind: string): void => {
        const changed = new Set(hiddenKinds);
        if (!changed.delete(kind)) changed.add(kind);
        hidden.set(changed);
    };
    return (
        <div class="group" role="group" aria-label="Kinds of events">
            {KINDS.map(({ kind, colour }) => (
                <button
                    key={kind}
                    class="toggle"
                    aria-pressed={!hiddenKinds.has(kind)}
                    onClick={() => toggle(kind)}
                >
                    <span class="lamp" style={{ background: colour }} />
                    {kind}
                </button>
            ))}
        </div>
    );
}
