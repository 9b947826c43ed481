// version.ts: whether the engine speaks the protocol that this page was built with.
import { protocolHash } from "./protocol";

/** The hash in an `engine_info`. */
export function hashOf(info: object | null): string | undefined {
    const hash = (info as { protocol?: unknown } | null)?.protocol;
    return typeof hash === "string" ? hash : undefined;
}

/** Returns what to say about an engine whose `engine_info` has this hash; null when it is the page's own. */
export function describeMismatch(engineHash: string | undefined, pageHash = protocolHash): string | null {
    if (!engineHash || !pageHash || engineHash === pageHash) return null;
    return (
        `This page was built for another version of the engine (protocol ${pageHash}, the engine has ` +
        `${engineHash}). Build the pages with ./run --build-only, and load this page again.`
    );
}
