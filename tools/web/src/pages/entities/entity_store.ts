// entity_store.ts: the worlds and units of an engine, kept up to date by what the engine says has changed.
import type { Engine } from "../../engines";
import type { EntityRow, WorldRow } from "../../protocol";
import { Value } from "../../value";
import type { WorldContent } from "./outline";

export class EntityStore {
    readonly worlds = new Value<WorldContent[]>([]);
    /** The entity whose components are shown; 0: no entity. */
    readonly chosen = new Value(0);
    private signature = "";
    private readonly units = new Map<number, WorldUnits>();

    constructor(private readonly engine: Engine) {
        engine.connection.state.watch((state) => {
            if (state !== "open") return;
            this.forget();
            this.chosen.set(0); // numbers of another run mean nothing
        });
    }

    /** Asks for the worlds, and for what has changed in each. */
    async refresh(): Promise<void> {
        const { worlds } = await this.engine.connection.ask("world_list", {});
        const changed = await Promise.all(worlds.map((world) => this.unitsOf(world).refresh(this.engine)));
        const signature = JSON.stringify(worlds.map(({ world, units, levels }) => [world, units, levels]));
        if (signature === this.signature && !changed.includes(true)) return;
        for (const world of this.units.keys()) if (!worlds.some((row) => row.world === world)) this.units.delete(world);
        this.signature = signature;
        this.worlds.set(worlds.map((world) => ({ world, entities: this.unitsOf(world).list })));
    }

    /** Makes the next refresh ask for everything. */
    forget(): void {
        this.signature = "";
        for (const units of this.units.values()) units.forget();
    }

    private unitsOf({ world }: WorldRow): WorldUnits {
        const units = this.units.get(world) ?? new WorldUnits(world);
        this.units.set(world, units);
        return units;
    }
}

/** The units of one world. */
export class WorldUnits {
    /** By number, ascending. A new array after each change. */
    list: readonly EntityRow[] = [];
    private version = 0;
    private isChanged = false;
    private readonly rows = new Map<number, EntityRow>();

    constructor(private readonly world: number) {}

    /** Makes the next refresh ask for everything. */
    forget(): void {
        this.version = 0;
    }

    /** Takes what has changed. Returns whether something has. */
    async refresh({ connection }: Engine): Promise<boolean> {
        let more = true;
        while (more) {
            const answer = await connection.ask("entity_changes", { world: this.world, since: this.version }, 30);
            if (answer.whole) this.rows.clear();
            for (const row of answer.entities) this.rows.set(row.entity, row);
            for (const entity of answer.gone) this.rows.delete(entity);
            this.isChanged ||= answer.whole || answer.entities.length > 0 || answer.gone.length > 0;
            this.version = answer.version;
            more = answer.more;
        }
        if (!this.isChanged) return false;
        this.list = [...this.rows.values()].sort((a, b) => a.entity - b.entity);
        this.isChanged = false;
        return true;
    }
}
