// resources.tsx: the resources that an engine has loaded, with their sizes and what refers to them.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Engine } from "../../engines";
import { bytes, plural } from "../../format";
import type { ResourceListAnswer, ResourceRow } from "../../protocol";
import { type Column, Table } from "../../widgets/table";
import { usePoll } from "../../widgets/use_poll";

/** Resources come and go with levels: there is no need to look often. */
const POLL_MS = 2000;
const MOST = 10_000;

const COLUMNS: Column<ResourceRow>[] = [
    { title: "type", value: (row) => row.resource_type },
    { title: "name", value: (row) => row.name },
    { title: "data", value: (row) => row.bytes, show: (row) => bytes(row.bytes) },
    { title: "streams", value: (row) => row.stream_bytes, show: (row) => (row.stream_bytes ? bytes(row.stream_bytes) : "") },
    { title: "holders", value: (row) => row.holders },
    { title: "state", value: (row) => (row.made ? "made by the program" : row.state) },
];

const keyOf = (row: ResourceRow): string => `${row.resource_type} ${row.name}`;

export function Resources({ engine, choices }: { engine: Engine; choices: JSX.Element }): JSX.Element {
    const [text, setText] = useState("");
    const [type, setType] = useState("");
    const [chosen, setChosen] = useState<ResourceRow | null>(null);
    const wanted = { count: MOST, ...(type && { resource_type: type }), ...(text.trim() && { filter: text.trim() }) };
    const { value, error } = usePoll(
        engine.connection,
        POLL_MS,
        () => engine.connection.ask("resource_list", wanted),
        [type, text],
    );
    return (
        <>
            <div class="toolbar" role="toolbar" aria-label="Resources">
                {choices}
                <input
                    type="search"
                    class="search"
                    placeholder="Filter by name"
                    aria-label="Filter by name"
                    value={text}
                    onInput={(event) => setText(event.currentTarget.value)}
                />
                <TypeChoice answer={value} chosen={type} onChoose={setType} />
                <span class="spring" />
                {value && <span class="dim">{sumOf(value)}</span>}
            </div>
            {error && <p class="failed">{error}</p>}
            <div class="columns">
                <Table
                    label="Resources"
                    columns={COLUMNS}
                    rows={value?.resources ?? []}
                    keyOf={keyOf}
                    sortBy="data"
                    isFalling
                    isChosen={(row) => chosen !== null && keyOf(row) === keyOf(chosen)}
                    onChoose={setChosen}
                />
                {chosen && <Users key={keyOf(chosen)} engine={engine} resource={chosen} onChoose={setChosen} />}
            </div>
        </>
    );
}

function sumOf({ types, total }: ResourceListAnswer): string {
    return `${plural(total, "resource")}, ${bytes(types.reduce((sum, type) => sum + type.bytes, 0))}`;
}

interface TypeProperties {
    answer: ResourceListAnswer | null;
    chosen: string;
    onChoose: (type: string) => void;
}

function TypeChoice({ answer, chosen, onChoose }: TypeProperties): JSX.Element {
    // With a type chosen, the sums are those of that type only: it stays in the list.
    const types = answer?.types ?? [];
    const isMissing = chosen !== "" && !types.some(({ resource_type }) => resource_type === chosen);
    return (
        <select aria-label="Type" value={chosen} onChange={(event) => onChoose(event.currentTarget.value)}>
            <option value="">all types</option>
            {isMissing && <option value={chosen}>{chosen}</option>}
            {types.map((type) => (
                <option key={type.resource_type} value={type.resource_type}>
                    {`${type.resource_type}: ${type.count}, ${bytes(type.bytes)}`}
                </option>
            ))}
        </select>
    );
}

interface UsersProperties {
    engine: Engine;
    resource: ResourceRow;
    onChoose: (resource: ResourceRow) => void;
}

function Users({ engine, resource, onChoose }: UsersProperties): JSX.Element {
    const { resource_type, name } = resource;
    const { value, error } = usePoll(engine.connection, POLL_MS, () =>
        engine.connection.ask("resource_users", { resource_type, name }),
    );
    return (
        <aside class="side" aria-label="Users">
            <h2>{name}</h2>
            <p class="dim">{resource_type}</p>
            {error && <p class="failed">{error}</p>}
            {value && (
                <>
                    <List title="Used by" rows={value.users} count={value.num_users} onChoose={onChoose} />
                    <List title="Uses" rows={value.uses} count={value.num_uses} onChoose={onChoose} />
                    <List title="In the packages" rows={value.packages} count={value.num_packages} onChoose={onChoose} />
                </>
            )}
        </aside>
    );
}

interface ListProperties {
    title: string;
    rows: ResourceRow[];
    count: number;
    onChoose: (resource: ResourceRow) => void;
}

function List({ title, rows, count, onChoose }: ListProperties): JSX.Element {
    return (
        <>
            <h2>{`${title} (${count})`}</h2>
            <ul class="plain">
                {rows.map((row) => (
                    <li key={keyOf(row)}>
                        <button class="quiet" onClick={() => onChoose(row)}>
                            <span class="dim">{row.resource_type}</span> {row.name}
                        </button>
                    </li>
                ))}
                {rows.length < count && <li class="dim">{`${count - rows.length} more`}</li>}
            </ul>
        </>
    );
}
