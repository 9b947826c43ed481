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
function searchedText(event: NetworkEvent): string {
    return `${event.kind} ${event.peer} ${subjectOf(event)}`.toLowerCase();
}

/** Whether an event fits a word of a filter: a direction, an object as "2.17", or the beginning of any of its words. */
function testOf(word: string): (event: NetworkEvent, searched: () => string) => boolean {
    if (word === "in" || word === "out") return (event) => event.sent === (word === "out");
    if (/^\d+\.\d+$/.test(word))
        return (event) => event.object !== undefined && objectName(event.object) === word;
    const beginning = new RegExp(`(?<![a-z0-9_])${word.replace(/[^a-z0-9_]/g, "\\$&")}`);
    return (_, searched) => beginning.test(searched());
}

export interface EventFilter {
    /** Words that an event must all fit; see `testOf`. */
    text: string;
    hiddenKinds: ReadonlySet<string>;
}

/** The indices of the events that a filter lets through. */
export function filteredEvents(events: readonly NetworkEvent[], { text, hiddenKinds }: EventFilter): number[] {
    const tests = text.toLowerCase().split(/\s+/).filter(Boolean).map(testOf);
    const found: number[] = [];
    events.forEach((event, i) => {
        if (hiddenKinds.has(event.kind)) return;
        let made: string | undefined;
        const searched = (): string => (made ??= searchedText(event));
        if (tests.every((test) => test(event, searched))) found.push(i);
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
