// outline.ts: worlds, their levels and their units as the rows of a list.
import type { EntityRow, LevelRow, WorldRow } from "../../protocol";

export interface OutlineRow {
    /** Unique in the outline, and the same in the next one. */
    key: string;
    depth: number;
    label: string;
    /** Beside the label, in a weaker colour. */
    detail: string;
    hasChildren: boolean;
    /** Of a unit or an entity inside of one. */
    entity?: number;
}

export interface WorldContent {
    world: WorldRow;
    entities: readonly EntityRow[];
}

/** Makes the rows. `folded` has the keys of rows whose children are hidden. With letters in `filter`, only
 * entities that have them in their label are there, and nothing is folded. */
export function outlineRows(worlds: readonly WorldContent[], folded: ReadonlySet<string>, filter: string): OutlineRow[] {
    const rows: OutlineRow[] = [];
    const letters = filter.trim().toLowerCase();
    for (const { world, entities } of worlds) {
        const wanted = letters ? entities.filter((entity) => searched(entity).includes(letters)) : entities;
        const key = `world ${world.world}`;
        rows.push({
            key,
            depth: 0,
            label: `World ${world.world}`,
            detail: `${world.units} units`,
            hasChildren: true,
        });
        if (letters || !folded.has(key)) addWorld(rows, world, wanted, letters ? new Set() : folded, letters !== "");
    }
    return rows;
}

function addWorld(
    rows: OutlineRow[],
    world: WorldRow,
    entities: readonly EntityRow[],
    folded: ReadonlySet<string>,
    isFiltered: boolean,
): void {
    const ofLevel = new Map<number, EntityRow[]>();
    for (const entity of entities) {
        const level = entity.level ?? 0;
        const others = ofLevel.get(level);
        if (others) others.push(entity);
        else ofLevel.set(level, [entity]);
    }
    const groups: [LevelRow | null, EntityRow[]][] = world.levels.map((level) => [level, ofLevel.get(level.level) ?? []]);
    groups.push([null, ofLevel.get(0) ?? []]);
    for (const [level, units] of groups) {
        if (units.length === 0 && (isFiltered || !level)) continue;
        const key = `world ${world.world} level ${level?.level ?? 0}`;
        rows.push({
            key,
            depth: 1,
            label: level ? level.name : "spawned by scripts",
            detail: `${units.length}${level && !level.spawned ? ", still spawning" : ""}`,
            hasChildren: units.length > 0,
        });
        if (!folded.has(key)) for (const unit of units) rows.push(entityRow(unit));
    }
}

function entityRow(entity: EntityRow): OutlineRow {
    return {
        key: `entity ${entity.entity}`,
        depth: entity.unit === undefined ? 2 : 3,
        label: labelOf(entity),
        detail: entity.name && entity.resource ? shortName(entity.resource) : `#${entity.entity}`,
        hasChildren: false,
        entity: entity.entity,
    };
}

/** What people call an entity: its name, or its resource. */
export function labelOf(entity: { entity: number; name?: string; resource?: string }): string {
    return entity.name ?? (entity.resource ? shortName(entity.resource) : `entity ${entity.entity}`);
}

const shortName = (resource: string): string => resource.replace(/^.*\//, "");

const searched = (entity: EntityRow): string =>
    `${entity.name ?? ""} ${entity.resource ?? ""} ${entity.entity}`.toLowerCase();
