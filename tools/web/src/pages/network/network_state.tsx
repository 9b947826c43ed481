// network_state.tsx: the connections of an engine, its session, and the objects with the values of their fields.
import type { JSX } from "preact";
import type { Engine } from "../../engines";
import { bytes, plural } from "../../format";
import type { NetworkObject, NetworkPeer, NetworkSession, NetworkStateAnswer } from "../../protocol";
import { type Column, Table } from "../../widgets/table";
import { usePoll } from "../../widgets/use_poll";
import { valueText } from "../entities/field_value";
import { objectName, peerName } from "./event_text";

const POLL_MS = 500;

const PEERS: Column<NetworkPeer>[] = [
    { title: "peer", value: (peer) => peer.peer, show: (peer) => peerName(peer.peer) },
    { title: "address", value: (peer) => peer.address },
    { title: "round trip", value: (peer) => peer.round_trip, show: (peer) => `${(peer.round_trip * 1000).toFixed(0)} ms` },
    { title: "loss in", value: (peer) => peer.loss_in, show: (peer) => `${(peer.loss_in * 100).toFixed(1)} %` },
    { title: "loss out", value: (peer) => peer.loss_out, show: (peer) => `${(peer.loss_out * 100).toFixed(1)} %` },
    { title: "in", value: (peer) => peer.bytes_in, show: (peer) => bytes(peer.bytes_in) },
    { title: "out", value: (peer) => peer.bytes_out, show: (peer) => bytes(peer.bytes_out) },
    { title: "waiting", value: (peer) => peer.waiting_bytes, show: (peer) => bytes(peer.waiting_bytes) },
];

interface Properties {
    engine: Engine;
    isOn: boolean;
    /** Sets the filter of the events. */
    onFilter: (words: string) => void;
}

export function NetworkState({ engine, isOn, onFilter }: Properties): JSX.Element {
    const ask = (): Promise<NetworkStateAnswer> => engine.connection.ask("network_state", {});
    const { value: answer, error } = usePoll(engine.connection, POLL_MS, isOn ? ask : null);
    return (
        <aside class="side wide" aria-label="State of the network">
            {error && <p class="empty">{error}</p>}
            {answer && (
                <>
                    <h2>{`This peer: ${peerName(answer.self)} at ${answer.address}`}</h2>
                    <Session session={answer.session} />
                    <h2>{plural(answer.peers.length, "connection")}</h2>
                    {answer.peers.length > 0 && (
                        <Table
                            label="Connections"
                            columns={PEERS}
                            rows={answer.peers}
                            keyOf={({ peer }) => peer}
                            onChoose={({ peer }) => onFilter(peer)}
                        />
                    )}
                    <h2>{plural(answer.total, "object")}</h2>
                    <Objects objects={answer.objects} onFilter={onFilter} />
                    {answer.next !== undefined && <p class="dim">The first of them are shown.</p>}
                </>
            )}
        </aside>
    );
}

function Session({ session }: { session: NetworkSession | undefined }): JSX.Element {
    if (!session) return <p class="dim">There is no session.</p>;
    return (
        <p>
            {`Session: ${session.state}${session.is_host ? ", host" : ""}, ${plural(session.peers.length, "peer")}; sent ` +
                `${bytes(session.reliable_bytes)} reliable, ${bytes(session.state_bytes)} of fields in ` +
                `${plural(session.state_packets, "packet")}; ${session.lost_entries} of ${session.entries} objects in ` +
                `packets lost`}
        </p>
    );
}

function Objects({ objects, onFilter }: { objects: NetworkObject[]; onFilter: (words: string) => void }): JSX.Element {
    return (
        <div class="objects">
            {objects.map(({ object, name, owner, fields }) => (
                <details key={object}>
                    <summary>
                        {`${name} ${objectName(object)}`}
                        <span class="dim">{`of ${peerName(owner)}`}</span>
                        <button
                            class="quiet"
                            title="Show only its events"
                            onClick={(event) => {
                                event.preventDefault(); // the object stays folded
                                onFilter(`${name} ${objectName(object)}`);
                            }}
                        >
                            events
                        </button>
                    </summary>
                    {fields.map((field) => (
                        <div key={field.name} class="object-field">
                            <button class="quiet" onClick={() => onFilter(`${name} ${objectName(object)} ${field.name}`)}>
                                {field.name}
                            </button>
                            <span>{valueText(field.value)}</span>
                        </div>
                    ))}
                </details>
            ))}
        </div>
    );
}
