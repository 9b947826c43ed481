// palette.tsx: the list of actions that Ctrl+K opens. Type some letters of one, and press Enter.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Value, useValue } from "../value";
import { type Action, actions, actionsOfAddress } from "./actions";
import { matches } from "./match";

export const isPaletteOpen = new Value(false);

export function Palette(): JSX.Element | null {
    return useValue(isPaletteOpen) ? <OpenPalette /> : null;
}

function OpenPalette(): JSX.Element {
    const [text, setText] = useState("");
    const [chosen, setChosen] = useState(0);
    const field = useRef<HTMLInputElement>(null);
    useEffect(() => {
        const before = document.activeElement as HTMLElement | null;
        field.current?.focus();
        return () => before?.focus();
    }, []);
    const found = [...actionsOfAddress(text), ...actions().filter((action) => matches(text, action.name))];
    const close = (): void => isPaletteOpen.set(false);
    const run = (action: Action | undefined): void => {
        close();
        action?.run();
    };
    const onKeyDown = (event: KeyboardEvent): void => {
        if (event.key === "ArrowDown") setChosen(Math.min(chosen + 1, found.length - 1));
        else if (event.key === "ArrowUp") setChosen(Math.max(chosen - 1, 0));
        else if (event.key === "Enter") run(found[chosen]);
        else if (event.key === "Escape" || event.key === "Tab") close();
        else return;
        event.preventDefault();
    };
    return (
        <div class="veil" onMouseDown={(event) => event.target === event.currentTarget && close()}>
            <div class="palette" role="dialog" aria-label="Actions">
                <input
                    ref={field}
                    type="text"
                    placeholder="What to do, or an engine as :64000"
                    aria-label="What to do"
                    value={text}
                    onInput={(event) => {
                        setText(event.currentTarget.value);
                        setChosen(0);
                    }}
                    onKeyDown={onKeyDown}
                />
                <ul role="listbox" aria-label="Actions">
                    {found.map((action, i) => (
                        <li
                            key={action.name}
                            role="option"
                            aria-selected={i === chosen}
                            onMouseMove={() => setChosen(i)}
                            onClick={() => run(action)}
                        >
                            <span>{action.name}</span>
                            {action.keys && <kbd>{action.keys}</kbd>}
                        </li>
                    ))}
                    {found.length === 0 && <li class="rest">Nothing has these letters in this order.</li>}
                </ul>
            </div>
        </div>
    );
}
