// table.tsx: a table that sorts by the column whose head is clicked.
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";

export interface Column<Row> {
    title: string;
    /** What the column sorts by. Numbers are on the right side. */
    value: (row: Row) => number | string;
    /** What a cell shows, if not the value. */
    show?: (row: Row) => ComponentChildren;
}

interface Properties<Row> {
    label: string;
    columns: Column<Row>[];
    rows: readonly Row[];
    keyOf: (row: Row) => string | number;
    /** The column to sort by at first, the largest or last first if `isFalling`. Without: as given. */
    sortBy?: string;
    isFalling?: boolean;
    isChosen?: (row: Row) => boolean;
    onChoose?: (row: Row) => void;
    /** Rows that are shown at most. */
    most?: number;
}

export function Table<Row>(p: Properties<Row>): JSX.Element {
    const [order, setOrder] = useState({ by: p.sortBy, isFalling: p.isFalling ?? false });
    const rows = sorted(p.rows, p.columns, order);
    const most = p.most ?? 500;
    const choose = (title: string): void => {
        const isNumber = p.rows.length > 0 && typeof valueOf(p.columns, title, p.rows[0]!) === "number";
        setOrder({ by: title, isFalling: order.by === title ? !order.isFalling : isNumber });
    };
    return (
        <div class="table-box">
            <table aria-label={p.label}>
                <thead>
                    <tr>
                        {p.columns.map(({ title }) => (
                            <th
                                key={title}
                                class={isNumeric(p, title) ? "number" : ""}
                                aria-sort={order.by !== title ? "none" : order.isFalling ? "descending" : "ascending"}
                            >
                                <button onClick={() => choose(title)}>
                                    {title}
                                    {order.by === title ? (order.isFalling ? " ↓" : " ↑") : ""}
                                </button>
                            </th>
                        ))}
                    </tr>
                </thead>
                <tbody>
                    {rows.slice(0, most).map((row) => (
                        <tr
                            key={p.keyOf(row)}
                            class={p.isChosen?.(row) ? "chosen" : ""}
                            {...(p.onChoose && {
                                tabIndex: 0,
                                onClick: () => p.onChoose!(row),
                                onKeyDown: (event: KeyboardEvent) => event.key === "Enter" && p.onChoose!(row),
                            })}
                        >
                            {p.columns.map((column) => (
                                <td key={column.title} class={typeof column.value(row) === "number" ? "number" : ""}>
                                    {column.show ? column.show(row) : column.value(row)}
                                </td>
                            ))}
                        </tr>
                    ))}
                </tbody>
            </table>
            {rows.length > most && <p class="empty">{`${rows.length - most} more rows are not shown.`}</p>}
        </div>
    );
}

function isNumeric<Row>(p: Properties<Row>, title: string): boolean {
    return p.rows.length > 0 && typeof valueOf(p.columns, title, p.rows[0]!) === "number";
}

function valueOf<Row>(columns: Column<Row>[], title: string, row: Row): number | string | undefined {
    return columns.find((column) => column.title === title)?.value(row);
}

function sorted<Row>(
    rows: readonly Row[],
    columns: Column<Row>[],
    order: { by: string | undefined; isFalling: boolean },
): readonly Row[] {
    const column = columns.find(({ title }) => title === order.by);
    if (!column) return rows;
    const sign = order.isFalling ? -1 : 1;
    return [...rows].sort((one, other) => {
        const a = column.value(one);
        const b = column.value(other);
        if (typeof a === "number" && typeof b === "number") return sign * (a - b);
        return sign * String(a).localeCompare(String(b));
    });
}
