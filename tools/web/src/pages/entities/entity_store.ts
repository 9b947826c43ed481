// entity_store.ts: the worlds and units of an engine, asked for when their number changes.
import type { Engine } from "../../engines";
import type { EntityRow, WorldRow } from "../../protocol";
import { Value } from "../../value";
import type { WorldContent } from "./outline";

/** The most that an engine lists at once. */
const PAGE = 10_000;

export class EntityStore {
    readonly worlds = new Value<WorldContent[]>([]);
    /** The entity whose components are shown; 0: no entity. */
    readonly chosen = new Value(0);
    private signature = "";

    constructor(private readonly engine: Engine) {
        engine.connection.state.watch((state) => {
            if (state !== "open") return;
            this.signature = "";
            this.chosen.set(0); // numbers of another run mean nothing
        });
    }

    /** Asks for the worlds, and for all their units when something came or went. */
    async refresh(): Promise<void> {
        const { worlds } = await this.engine.connection.ask("world_list", {});
        const signature = JSON.stringify(worlds.map(({ world, units, levels }) => [world, units, levels]));
        if (signature === this.signature) return;
        const contents = await Promise.all(
            worlds.map(async (world) => ({ world, entities: await this.entitiesOf(world) })),
        );
        this.signature = signature;
        this.worlds.set(contents);
    }

    /** Makes the next refresh ask for everything. */
    forget(): void {
        this.signature = "";
    }

    private async entitiesOf({ world }: WorldRow): Promise<EntityRow[]> {
        const all: EntityRow[] = [];
        let after: number | undefined = 0;
        while (after !== undefined) {
            const page: { entities: EntityRow[]; next?: number } = await this.engine.connection.ask(
                "entity_list",
                { world, after, count: PAGE },
                30,
            );
            all.push(...page.entities);
            after = page.next;
        }
        return all;
    }
}
