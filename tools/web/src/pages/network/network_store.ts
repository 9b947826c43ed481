// network_store.ts: what the session of an engine sent and received, while somebody looks.
import type { Engine } from "../../engines";
import type { NetworkEvent } from "../../protocol";
import { Revision } from "../../value";

/** The most events that are kept; then the oldest tenth goes. */
const MAX_EVENTS = 50_000;
/** The most that an engine answers at once. */
const PAGE = 8192;

export class NetworkStore {
    events: NetworkEvent[] = [];
    /** Counts up when events that were there have gone. */
    generation = 0;
    /** Add to the time of an event to get the page's clock, in seconds. */
    clockOffset = Infinity;
    readonly revision = new Revision();
    /** Why the last question failed; empty: it did not. */
    problem = "";
    private next = 0;
    private process = 0;

    constructor(private readonly engine: Engine) {}

    /** Asks for the events since the last call. */
    async ask(): Promise<void> {
        const process = this.engine.info.get()?.process ?? 0;
        if (process !== this.process) this.reset();
        this.process = process;
        const range = this.next > 0 ? { first: this.next } : {};
        const { next, events } = await this.engine.connection.ask("network_events", { ...range, count: PAGE });
        this.next = next;
        const last = events.at(-1);
        if (!last) return;
        // The freshest event was sent just now: the least difference seen is the difference of the clocks.
        this.clockOffset = Math.min(this.clockOffset, performance.now() / 1000 - last.seconds);
        this.events.push(...events);
        if (this.events.length > MAX_EVENTS) {
            this.events = this.events.slice(MAX_EVENTS / 10);
            ++this.generation;
        }
        this.revision.touch();
    }

    clear(): void {
        this.events = [];
        ++this.generation;
        this.revision.touch();
    }

    private reset(): void {
        this.clear();
        this.next = 0;
        this.clockOffset = Infinity;
    }
}
