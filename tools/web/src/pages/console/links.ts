// links.ts: places in files that a text names, and what a click on one does.
import { settings } from "../../settings";

export interface Link {
    file: string;
    line: number;
}

/** "scripts/main.lua:12", with a column or not. A drive letter or a number is no file. */
const PLACE = /([A-Za-z0-9_.\-/]*[A-Za-z_][A-Za-z0-9_\-/]*\.[A-Za-z_]+):(\d+)/g;

/** Cuts a text into parts: plain text, and places of files. */
export function partsOf(text: string): (string | (Link & { text: string }))[] {
    const parts: (string | (Link & { text: string }))[] = [];
    let end = 0;
    for (const found of text.matchAll(PLACE)) {
        if (found.index > end) parts.push(text.slice(end, found.index));
        parts.push({ text: found[0], file: found[1]!, line: Number(found[2]) });
        end = found.index + found[0].length;
    }
    if (end < text.length || parts.length === 0) parts.push(text.slice(end));
    return parts;
}

/** The address that opens a place in VS Code. `root` is the project's folder. */
export function editorAddress(link: Link, root: string): string {
    const path = link.file.startsWith("/") ? link.file : `${root.replace(/\/$/, "")}/${link.file}`;
    return `vscode://file${encodeURI(path)}:${link.line}`;
}

/** Opens a place as the settings say. Returns what was done, for people. */
export function follow(link: Link, root: string | undefined): string {
    const place = `${link.file}:${link.line}`;
    if (settings.editor.get() === "vscode" && (root || link.file.startsWith("/"))) {
        window.location.href = editorAddress(link, root ?? "");
        return `opening ${place}`;
    }
    void navigator.clipboard?.writeText(place);
    return `copied ${place}`;
}
