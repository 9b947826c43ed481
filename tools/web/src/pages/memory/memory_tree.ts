// memory_tree.ts: which allocators a tree shows, and how they differ from those of another moment.
import type { MemoryRow } from "../../protocol";

export interface TreeRow extends MemoryRow {
    /** The last part of the path. */
    name: string;
    hasChildren: boolean;
    /** Live bytes more than at the moment that it is compared with; 0 without one. */
    difference: number;
}

/** Whether the call stacks of an allocator are kept; undefined: an older engine does not say. */
export function isTraced(row: MemoryRow | undefined): boolean | undefined {
    return row?.traced;
}

/** The paths of the allocators that are traced, without those below another one that is. */
export function tracedPaths(rows: readonly MemoryRow[]): string[] {
    const paths = rows.filter((row) => isTraced(row)).map((row) => row.path);
    return paths.filter((path) => !paths.some((other) => path.startsWith(`${other}/`)));
}

/** The rows that no folded allocator hides. Those of `before` that are gone come at the end, with no bytes. */
export function treeRows(
    rows: readonly MemoryRow[],
    folded: ReadonlySet<string>,
    before: ReadonlyMap<string, number> | null,
): TreeRow[] {
    const shown: TreeRow[] = [];
    let hiddenBelow = Infinity;
    rows.forEach((row, i) => {
        if (row.depth > hiddenBelow) return;
        const hasChildren = (rows[i + 1]?.depth ?? 0) > row.depth;
        hiddenBelow = hasChildren && folded.has(row.path) ? row.depth : Infinity;
        shown.push({
            ...row,
            name: row.depth === 0 ? row.path : row.path.replace(/^.*\//, ""),
            hasChildren,
            difference: before ? row.live_bytes - (before.get(row.path) ?? 0) : 0,
        });
    });
    return before ? [...shown, ...goneRows(rows, before)] : shown;
}

function goneRows(rows: readonly MemoryRow[], before: ReadonlyMap<string, number>): TreeRow[] {
    const paths = new Set(rows.map((row) => row.path));
    return [...before]
        .filter(([path, bytes]) => bytes > 0 && !paths.has(path))
        .map(([path, bytes]) => ({
            path,
            name: `${path} (gone)`,
            depth: 0,
            live_bytes: 0,
            peak_bytes: 0,
            live_blocks: 0,
            traced: false,
            hasChildren: false,
            difference: -bytes,
        }));
}
