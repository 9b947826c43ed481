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

/** Where the files are that links name: what `engine_info` says. */
export interface Folders {
    /** The project's. */
    folder?: string;
    /** That of `core`, which every project has without having its files. Older engines do not say. */
    core_folder?: string;
}

/** The whole path of a link's file; undefined: the engine does not say where it is. */
export function pathOf(file: string, { folder, core_folder: core }: Folders): string | undefined {
    if (file.startsWith("/")) return file;
    const below = (root: string | undefined, path: string): string | undefined =>
        root && `${root.replace(/\/$/, "")}/${path}`;
    return file.startsWith("core/") ? below(core, file.slice("core/".length)) : below(folder, file);
}

/** The address that opens a place in VS Code; undefined: the engine does not say where the file is. */
export function editorAddress(link: Link, folders: Folders): string | undefined {
    const path = pathOf(link.file, folders);
    return path && `vscode://file${encodeURI(path)}:${link.line}`;
}

/** Opens a place as the settings say. Returns what was done, for people. */
export function follow(link: Link, folders: Folders): string {
    const place = `${link.file}:${link.line}`;
    const address = settings.editor.get() === "vscode" ? editorAddress(link, folders) : undefined;
    if (address) {
        window.location.href = address;
        return `opening ${place}`;
    }
    void navigator.clipboard?.writeText(place);
    return `copied ${place}`;
}
