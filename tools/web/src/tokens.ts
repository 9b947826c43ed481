// tokens.ts: which engine an address of the page means, and the token for it.
//
// A token is kept, until the tab is closed, for the one address that a link gave it for. So a link to another
// engine never brings a token there: another user of this machine may listen on any port of it.

const PREFIX = "cuttle.token ";

/** The part of `Storage` that is used. */
export interface TokenStore {
    getItem(name: string): string | null;
    setItem(name: string, value: string): void;
}

export interface Target {
    /** "127.0.0.1:64000" */
    address: string;
    /** For this engine only. */
    token?: string;
    /** The address of the page without the token. */
    shown: string;
}

/** Reads `?engine=HOST:PORT&token=…` of the page's address, and keeps the token for that engine. Without `engine`
 * it is the one that serves the page. */
export function targetOf(href: string, store: TokenStore): Target {
    const page = new URL(href);
    const address = page.searchParams.get("engine") ?? page.host;
    const given = page.searchParams.get("token");
    if (given !== null) {
        store.setItem(PREFIX + address, given);
        page.searchParams.delete("token");
    }
    const token = given ?? store.getItem(PREFIX + address);
    return { address, shown: page.href, ...(token !== null && { token }) };
}
