// event_text.ts: what went over the network, in words.
import type { NetworkEvent } from "../../protocol";

const SLOT = 2 ** 20;

/** "2.17": the 17th object that the peer in slot 2 has created. */
export function objectName(object: number): string {
    return `${Math.floor(object / SLOT)}.${object % SLOT}`;
}

/** The first digits of a peer, which are enough for people. */
export function peerName(peer: string): string {
    return peer.slice(0, 8);
}

/** What an event was about: its object or message, and the fields with their bits. */
export function subjectOf(event: NetworkEvent): string {
    const object = event.object === undefined ? "" : ` ${objectName(event.object)}`;
    const fields = event.fields?.map(({ name, bits }) => `${name} (${bits})`).join(", ");
    return `${event.name ?? ""}${object}${fields ? `: ${fields}` : ""}${event.dropped ? " (dropped)" : ""}`.trim();
}

/** What a filter searches. */
export function searchedText(event: NetworkEvent): string {
    return `${event.kind} ${event.peer} ${event.sent ? "out" : "in"} ${subjectOf(event)}`.toLowerCase();
}

export interface EventFilter {
    /** Words that must all be in an event. */
    text: string;
    hiddenKinds: ReadonlySet<string>;
}

/** The indices of the events that a filter lets through. */
export function filteredEvents(events: readonly NetworkEvent[], { text, hiddenKinds }: EventFilter): number[] {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const found: number[] = [];
    events.forEach((event, i) => {
        if (hiddenKinds.has(event.kind)) return;
        if (words.length > 0) {
            const searched = searchedText(event);
            if (!words.every((word) => searched.includes(word))) return;
        }
        found.push(i);
    });
    return found;
}

/** The kinds of events, each with its colour in lists and lanes. */
export const KINDS: { kind: NetworkEvent["kind"]; colour: string }[] = [
    { kind: "fields", colour: "#5cb3ff" },
    { kind: "packet", colour: "#7a8794" },
    { kind: "message", colour: "#5ccf8a" },
    { kind: "object", colour: "#b7a5f5" },
    { kind: "give", colour: "#4dd0d6" },
    { kind: "destroy", colour: "#f49ac1" },
    { kind: "control", colour: "#f2c055" },
    { kind: "lost", colour: "#ff7b72" },
];

export function colourOf(kind: string): string {
    return KINDS.find((entry) => entry.kind === kind)?.colour ?? "#7a8794";
}
