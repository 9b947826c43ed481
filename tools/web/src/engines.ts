// engines.ts: the engines that this page is connected to, and the one whose data the pages show.
//
// The first is the engine that serves the page. It lists the others of this user (`engine_list`).
import { Connection } from "./connection";
import type { EngineRow, EngineInfoAnswer } from "./protocol";
import { targetOf } from "./tokens";
import { Value } from "./value";
import { LogStore } from "./pages/console/log_store";

/** How long an engine may load a level before it answers. */
const INFO_SECONDS = 60;

/** An engine, with what the page keeps of it from tab to tab. */
export class Engine {
    readonly connection: Connection;
    /** What the engine says about itself; null before the first answer. It stays when the engine ends. */
    readonly info = new Value<EngineInfoAnswer | null>(null);
    readonly log: LogStore;
    /** Objects that pages keep for an engine, by their classes. */
    private readonly kept = new Map<unknown, unknown>();

    constructor(
        /** "127.0.0.1:64000" */
        readonly address: string,
        token?: string,
    ) {
        this.connection = new Connection(`ws://${address}/console`, token);
        this.log = new LogStore(this.connection);
        this.connection.state.watch((state) => state === "open" && this.log.catchUp(this.askInfo()));
    }

    /** The page's object of this class for this engine; made on the first call. */
    keep<T>(kind: new (engine: Engine) => T): T {
        let object = this.kept.get(kind) as T | undefined;
        if (!object) this.kept.set(kind, (object = new kind(this)));
        return object;
    }

    private async askInfo(): Promise<number> {
        try {
            this.info.set(await this.connection.ask("engine_info", {}, INFO_SECONDS));
        } catch {
            // an engine without the message, or the connection ended: the page shows the address
        }
        return this.info.get()?.process ?? 0;
    }
}

/** All engines, in the order in which they came. */
export const engines = new Value<Engine[]>([]);
/** The engine that the pages show; null only before `start`. */
export const currentEngine = new Value<Engine | null>(null);

/** Connects to the engine that serves the page, or to `?engine=HOST:PORT`. */
export function start(place: Location): void {
    const { address, token, shown } = targetOf(place.href, sessionStorage);
    if (shown !== place.href) history.replaceState(null, "", shown); // the token is not seen, nor copied along
    currentEngine.set(add(address, token));
    const home = currentEngine.get()!;
    home.connection.state.watch((state) => state === "open" && findOthers(home));
}

/** Asks an engine for the others of this user, and connects to those that are new. */
export async function findOthers(engine: Engine): Promise<void> {
    let found: EngineRow[];
    try {
        found = (await engine.connection.ask("engine_list", {})).engines;
    } catch {
        return;
    }
    const host = engine.address.replace(/:\d+$/, "");
    const known = new Set(engines.get().map(({ address }) => address));
    for (const { port } of found) {
        const address = `${host}:${port}`;
        if (!known.has(address)) forgetUnreached(add(address)); // one that was reached may come back
    }
}

/** An engine that the page has never reached is one of an older version, or about to end. */
const MOST_FAILURES = 3;

function forgetUnreached(engine: Engine): void {
    const { numFailures, state } = engine.connection;
    if (state.get() === "open" || engine.info.get() !== null) return; // it was reached
    const unwatch = numFailures.watch((count) => count >= MOST_FAILURES && remove(engine));
    state.watch((now) => now === "open" && unwatch());
}

/** Connects to an engine, if the page is not yet. */
export function add(address: string, token?: string): Engine {
    const known = engines.get().find((engine) => engine.address === address);
    if (known) return known;
    const engine = new Engine(address, token);
    engines.set([...engines.get(), engine]);
    return engine;
}

/** Forgets an engine that is not shown. */
export function remove(engine: Engine): void {
    engine.connection.close();
    engines.set(engines.get().filter((other) => other !== engine));
    if (currentEngine.get() === engine) currentEngine.set(engines.get()[0] ?? null);
}

/** What the page calls an engine: its project, and its port, which is unique. */
export function nameOf(engine: Engine): string {
    const project = engine.info.get()?.project;
    const port = engine.address.replace(/^.*:/, "");
    return project ? `${project} :${port}` : engine.address;
}
