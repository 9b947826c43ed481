// statistics_table.tsx: the scopes that are in view, by name.
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { type Column, Table } from "../../widgets/table";
import type { Recording } from "./recording";
import { type Statistics, statisticsOf } from "./statistics";
import { type View, duration } from "./view";

interface Properties {
    recording: Recording;
    revision: number;
    view: View;
    searched: string;
    onChoose: (name: string) => void;
}

type Times = "total" | "self" | "min" | "median" | "max";

const time = (title: Times): Column<Statistics> => ({
    title,
    value: (row) => row[title],
    show: (row) => duration(row[title]),
});

const COLUMNS: Column<Statistics>[] = [
    { title: "name", value: (row) => row.name },
    { title: "track", value: (row) => row.track },
    { title: "count", value: (row) => row.count },
    ...(["total", "self", "min", "median", "max"] as Times[]).map(time),
];

export function StatisticsTable(p: Properties): JSX.Element {
    const all = useMemo(
        () => statisticsOf(p.recording, p.view.begin, p.view.end),
        [p.recording, p.revision, p.view.begin, p.view.end],
    );
    const rows = p.searched ? all.filter(({ name }) => name.toLowerCase().includes(p.searched)) : all;
    return (
        <Table
            label="Statistics of the scopes in view"
            columns={COLUMNS}
            rows={rows}
            keyOf={(row) => `${row.track}\n${row.name}`}
            sortBy="self"
            isFalling
            onChoose={(row) => p.onChoose(row.name)}
        />
    );
}
