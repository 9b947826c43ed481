// engine_picker.tsx: the engines of the page, which of them it shows, and whether it is connected.
import type { JSX } from "preact";
import { type Engine, currentEngine, engines, findOthers, nameOf, remove } from "../engines";
import { useValue } from "../value";

const STATES = { open: "connected", connecting: "connecting…", closed: "closed" };

export function EnginePicker(): JSX.Element {
    const list = useValue(engines);
    const current = useValue(currentEngine);
    return (
        <div class="engines">
            <div role="radiogroup" aria-label="Engines" class="group">
                {list.map((engine) => (
                    <EngineButton key={engine.address} engine={engine} isCurrent={engine === current} />
                ))}
            </div>
            <button
                class="quiet"
                title="Look for other engines"
                aria-label="Look for other engines"
                onClick={() => current && void findOthers(current)}
            >
                ⟳
            </button>
        </div>
    );
}

function EngineButton({ engine, isCurrent }: { engine: Engine; isCurrent: boolean }): JSX.Element {
    const state = useValue(engine.connection.state);
    useValue(engine.info);
    const isOnly = useValue(engines).length === 1;
    return (
        <span class="engine">
            <button
                role="radio"
                aria-checked={isCurrent}
                class="toggle"
                title={`${engine.address}: ${STATES[state]}`}
                onClick={() => currentEngine.set(engine)}
            >
                <span class={`lamp ${state}`} />
                {nameOf(engine)}
                <span class="state">{state === "open" ? "" : ` ${STATES[state]}`}</span>
            </button>
            {!isOnly && state !== "open" && (
                <button class="quiet" aria-label={`Forget ${nameOf(engine)}`} onClick={() => remove(engine)}>
                    ×
                </button>
            )}
        </span>
    );
}
