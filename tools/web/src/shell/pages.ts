// pages.ts: the pages, in the order of their tabs. Only the page that is shown exists, so only it asks.
import type { JSX } from "preact";
import type { Engine } from "../engines";
import { ConsolePage } from "../pages/console/console_page";
import { EntitiesPage } from "../pages/entities/entities_page";
import { MemoryPage } from "../pages/memory/memory_page";
import { NetworkPage } from "../pages/network/network_page";
import { ProfilerPage } from "../pages/profiler/profiler_page";
import { SystemsPage } from "../pages/systems/systems_page";
import { Value } from "../value";

export interface Page {
    /** In the address, behind the `#`. */
    name: string;
    title: string;
    Content: (p: { engine: Engine }) => JSX.Element;
}

export const pages: Page[] = [
    { name: "console", title: "Console", Content: ConsolePage },
    { name: "profiler", title: "Profiler", Content: ProfilerPage },
    { name: "memory", title: "Memory", Content: MemoryPage },
    { name: "entities", title: "Entities", Content: EntitiesPage },
    { name: "network", title: "Network", Content: NetworkPage },
    { name: "systems", title: "Systems", Content: SystemsPage },
];

const named = (): Page => pages.find((page) => `#${page.name}` === location.hash) ?? pages[0]!;

/** The page that is shown: the one that the address names. */
export const currentPage = new Value<Page>(named());
window.addEventListener("hashchange", () => currentPage.set(named()));

export function show(page: Page): void {
    history.replaceState(null, "", `#${page.name}`);
    currentPage.set(page);
}
