// system_table.tsx: one table of figures.
import type { JSX } from "preact";
import type { StatisticsTable } from "../../protocol";
import { type Column, Table } from "../../widgets/table";
import { cellText, filteredRows, isBytes } from "./cells";

interface Properties {
    table: StatisticsTable;
    filter: string;
    isOpen: boolean;
    onToggle: (isOpen: boolean) => void;
}

type Row = { index: number; cells: unknown[] };

export function SystemTable({ table, filter, isOpen, onToggle }: Properties): JSX.Element {
    const rows = filteredRows(table.rows, filter).map((cells, index) => ({ index, cells }));
    const columns = table.columns.map(
        (title, i): Column<Row> => ({
            title,
            value: ({ cells }) => (typeof cells[i] === "number" ? cells[i] : cellText(cells[i])),
            show: ({ cells }) => cellText(cells[i], isBytes(title, cells)),
        }),
    );
    return (
        <details
            class="system"
            open={isOpen}
            onToggle={(event) => event.currentTarget.open !== isOpen && onToggle(event.currentTarget.open)}
        >
            <summary>
                {table.name.replace(/_/g, " ")}
                <span class="dim">{table.summary}</span>
            </summary>
            {isOpen && rows.length === 0 && <p class="dim">No rows.</p>}
            {isOpen && rows.length > 0 && (
                <Table label={table.name} columns={columns} rows={rows} keyOf={({ index }) => index} />
            )}
        </details>
    );
}
