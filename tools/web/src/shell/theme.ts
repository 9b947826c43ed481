// theme.ts: dark and light, as the system has it or as somebody chose.
import { type Theme, settings } from "../settings";

const query = window.matchMedia("(prefers-color-scheme: light)");

/** Sets the theme of the document now, and whenever the setting or the system changes. */
export function applyTheme(): void {
    const apply = (): void => {
        document.documentElement.dataset.theme = currentTheme();
    };
    settings.theme.watch(apply);
    query.addEventListener("change", apply);
    apply();
}

export function currentTheme(): "dark" | "light" {
    const theme = settings.theme.get();
    if (theme !== "system") return theme;
    return query.matches ? "light" : "dark";
}

export function nextTheme(): void {
    const order: Theme[] = ["system", "dark", "light"];
    settings.theme.set(order[(order.indexOf(settings.theme.get()) + 1) % order.length]!);
}
