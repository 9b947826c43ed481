// memory_history.ts: what the allocators of an engine held, at many moments.
import type { Engine } from "../../engines";
import type { MemoryRow } from "../../protocol";
import { Value } from "../../value";

/** The allocators at one moment. */
export interface Sample {
    /** Of the page's clock, in seconds. */
    time: number;
    rows: MemoryRow[];
    /** Live bytes by path. */
    bytes: Map<string, number>;
    /** Of the process; 0: not known. */
    residentBytes: number;
}

/** A sample that somebody kept, to compare others with. */
export interface Moment {
    name: string;
    sample: Sample;
}

/** Ten minutes at a sample a second. */
const MAX_SAMPLES = 600;

export class MemoryHistory {
    readonly samples = new Value<Sample[]>([]);
    readonly moments = new Value<Moment[]>([]);

    constructor(private readonly engine: Engine) {
        // An engine that has started again has other allocators.
        engine.connection.state.watch((state) => state === "open" && this.samples.set([]));
    }

    get latest(): Sample | undefined {
        return this.samples.get().at(-1);
    }

    async ask(): Promise<Sample> {
        const answer = await this.engine.connection.ask("memory_tree", {});
        const sample = {
            time: performance.now() / 1000,
            rows: answer.allocators,
            bytes: new Map(answer.allocators.map((row) => [row.path, row.live_bytes])),
            residentBytes: answer.resident_bytes ?? 0,
        };
        this.samples.set([...this.samples.get(), sample].slice(-MAX_SAMPLES));
        return sample;
    }

    /** Keeps the latest sample as a moment. */
    keepMoment(): void {
        const { latest } = this;
        if (!latest) return;
        const number = this.moments.get().length + 1;
        const clock = new Date().toTimeString().slice(0, 8);
        this.moments.set([...this.moments.get(), { name: `${number}: ${clock}`, sample: latest }]);
    }
}

/** The bytes of all roots together, without what is inside of them twice. */
export function totalOf(sample: Sample): number {
    return sample.rows.reduce((sum, row) => sum + (row.depth === 0 ? row.live_bytes : 0), 0);
}
