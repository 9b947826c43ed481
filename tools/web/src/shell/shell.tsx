// shell.tsx: what is around every page: tabs, engines, the palette, notices.
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { type Engine, currentEngine } from "../engines";
import { settings } from "../settings";
import { useValue } from "../value";
import { describeMismatch, hashOf } from "../version";
import { actionOf } from "./actions";
import { EnginePicker } from "./engine_picker";
import { Notice } from "./notice";
import { currentPage, pages, show } from "./pages";
import { Palette, isPaletteOpen } from "./palette";
import { nextTheme } from "./theme";

export function Shell(): JSX.Element {
    const engine = useValue(currentEngine);
    const page = useValue(currentPage);
    useEffect(() => {
        window.addEventListener("keydown", onKeyDown, true);
        return () => window.removeEventListener("keydown", onKeyDown, true);
    }, []);
    return (
        <>
            <header class="top">
                <Tabs />
                <span class="spring" />
                <EnginePicker />
                <ThemeButton />
                <button class="quiet" title="All actions (Ctrl+K)" onClick={() => isPaletteOpen.set(true)}>
                    Ctrl+K
                </button>
            </header>
            {engine && <Refusal engine={engine} />}
            {engine && <Mismatch engine={engine} />}
            <main id="page">{engine && <page.Content key={engine.address} engine={engine} />}</main>
            <Notice />
            <Palette />
        </>
    );
}

function onKeyDown(event: KeyboardEvent): void {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        isPaletteOpen.set(!isPaletteOpen.get());
    } else {
        const action = actionOf(event);
        if (!action) return;
        action.run();
    }
    event.preventDefault();
    event.stopPropagation();
}

function Tabs(): JSX.Element {
    const current = useValue(currentPage);
    const onKeyDown = (event: KeyboardEvent): void => {
        const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
        if (step === 0) return;
        const next = (pages.indexOf(current) + step + pages.length) % pages.length;
        show(pages[next]!);
        (event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
    };
    return (
        <nav role="tablist" aria-label="Pages" onKeyDown={onKeyDown}>
            {pages.map((page, i) => (
                <button
                    key={page.name}
                    role="tab"
                    id={`tab-${page.name}`}
                    aria-selected={page === current}
                    aria-controls="page"
                    tabIndex={page === current ? 0 : -1}
                    title={`${page.title} (Ctrl+${i + 1})`}
                    onClick={() => show(page)}
                >
                    {page.title}
                </button>
            ))}
        </nav>
    );
}

function ThemeButton(): JSX.Element {
    const theme = useValue(settings.theme);
    return (
        <button class="quiet" title={`Theme: ${theme}`} aria-label={`Theme: ${theme}`} onClick={nextTheme}>
            {{ system: "◐", dark: "●", light: "○" }[theme]}
        </button>
    );
}

function Refusal({ engine }: { engine: Engine }): JSX.Element | null {
    const reason = useValue(engine.connection.refusal);
    return reason ? (
        <p class="mismatch" role="alert">
            {`${engine.address} refuses this page: ${reason}`}
        </p>
    ) : null;
}

function Mismatch({ engine }: { engine: Engine }): JSX.Element | null {
    const text = describeMismatch(hashOf(useValue(engine.info)));
    return text ? (
        <p class="mismatch" role="alert">
            {text}
        </p>
    ) : null;
}
