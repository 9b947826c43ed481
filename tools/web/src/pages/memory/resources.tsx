// resources.tsx: the resources that an engine has loaded, with their sizes and who refers to them.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Engine } from "../../engines";
import { bytes, plural } from "../../format";
import type { ResourceRow } from "../../protocol";
import { type Column, Table } from "../../widgets/table";
import { usePoll } from "../../widgets/use_poll";

const COLUMNS: Column<ResourceRow>[] = [
    { title: "type", value: (row) => row.type },
    { title: "name", value: (row) => row.name },
    { title: "size", value: (row) => row.bytes, show: (row) => bytes(row.bytes) },
    { title: "users", value: (row) => row.users },
];

const keyOf = (row: { type: string; name: string }): string => `${row.type} ${row.name}`;

export function Resources({ engine, choices }: { engine: Engine; choices: JSX.Element }): JSX.Element {
    const [text, setText] = useState("");
    const [chosen, setChosen] = useState<ResourceRow | null>(null);
    const { value, error } = usePoll(engine.connection, 2000, () => engine.connection.ask("resource_list", {}));
    const letters = text.trim().toLowerCase();
    const rows = (value?.resources ?? []).filter((row) => keyOf(row).toLowerCase().includes(letters));
    const total = rows.reduce((sum, row) => sum + row.bytes, 0);
    return (
        <>
            <div class="toolbar" role="toolbar" aria-label="Resources">
                {choices}
                <input
                    type="search"
                    class="search"
                    placeholder="Filter by type or name"
                    aria-label="Filter by type or name"
                    value={text}
                    onInput={(event) => setText(event.currentTarget.value)}
                />
                <span class="spring" />
                <span class="dim">{`${plural(rows.length, "resource")}, ${bytes(total)}`}</span>
            </div>
            {error && <p class="failed">{error}</p>}
            <div class="columns">
                <Table
                    label="Resources"
                    columns={COLUMNS}
                    rows={rows}
                    keyOf={keyOf}
                    sortBy="size"
                    isFalling
                    isChosen={(row) => chosen !== null && keyOf(row) === keyOf(chosen)}
                    onChoose={setChosen}
                />
                {chosen && <Users key={keyOf(chosen)} engine={engine} resource={chosen} />}
            </div>
        </>
    );
}

function Users({ engine, resource }: { engine: Engine; resource: ResourceRow }): JSX.Element {
    const { value, error } = usePoll(engine.connection, 2000, () =>
        engine.connection.ask("resource_users", { resource_type: resource.type, name: resource.name }),
    );
    return (
        <aside class="side" aria-label="Users">
            <h2>{`${resource.name} (${resource.type})`}</h2>
            {error && <p class="failed">{error}</p>}
            <p class="dim">{value ? `Used by ${plural(value.users.length, "resource")}.` : "Asking."}</p>
            <ul class="plain">
                {value?.users.map((user) => (
                    <li key={keyOf(user)}>
                        <span class="dim">{user.type}</span> {user.name}
                    </li>
                ))}
            </ul>
        </aside>
    );
}
