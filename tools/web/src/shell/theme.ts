// theme.ts: dark and light, as the system has it or as somebody chose.
import { type Theme, settings } from "../settings";
import { Value } from "../value";

const query = window.matchMedia("(prefers-color-scheme: light)");

/** What is shown; canvases, which have no style sheet, watch it. */
export const shownTheme = new Value<"dark" | "light">("dark");

/** Sets the theme of the document now, and whenever the setting or the system changes. */
export function applyTheme(): void {
    const apply = (): void => {
        const theme = settings.theme.get();
        const shown = theme !== "system" ? theme : query.matches ? "light" : "dark";
        document.documentElement.dataset.theme = shown;
        shownTheme.set(shown);
    };
    settings.theme.watch(apply);
    query.addEventListener("change", apply);
    apply();
}

export function nextTheme(): void {
    const order: Theme[] = ["system", "dark", "light"];
    settings.theme.set(order[(order.indexOf(settings.theme.get()) + 1) % order.length]!);
}
