// event_list.tsx: the events of one engine as a list.
import type { JSX } from "preact";
import type { NetworkEvent } from "../../protocol";
import { VirtualList } from "../../widgets/virtual_list";
import { colourOf, peerName, subjectOf } from "./event_text";
import type { NetworkStore } from "./network_store";

export function EventList({ store, found }: { store: NetworkStore; found: number[] }): JSX.Element {
    return (
        <div class="events">
            <VirtualList
                label="Events"
                count={found.length}
                rowHeight={20}
                followsEnd
                version={found}
                render={(row) => {
                    const event = store.events[found[row]!];
                    return event ? <Row event={event} /> : null;
                }}
            />
            {found.length === 0 && (
                <p class="empty">
                    {store.events.length === 0
                        ? "Nothing has gone over the network since this page was opened."
                        : "The filter hides all events."}
                </p>
            )}
        </div>
    );
}

function Row({ event }: { event: NetworkEvent }): JSX.Element {
    const subject = subjectOf(event);
    return (
        <>
            <span class="dim event-time">{event.seconds.toFixed(3)}</span>
            <span class="event-way" title={event.sent ? "sent" : "received"}>
                {event.sent ? "→" : "←"}
            </span>
            <span class="dim">{peerName(event.peer)}</span>
            <span class="event-kind">
                <span style={{ color: colourOf(event.kind) }}>■</span> {event.kind}
            </span>
            <span class="event-subject" title={subject}>
                {subject}
            </span>
            <span class="dim event-bits">{`${event.bits} bits`}</span>
        </>
    );
}
