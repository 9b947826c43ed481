import assert from "node:assert/strict";
import { test } from "node:test";
import { History } from "../src/pages/console/history";
import { editorAddress, partsOf } from "../src/pages/console/links";
import type { LogEntry } from "../src/pages/console/log_store";
import { LogView, emptyFilter, matcherOf } from "../src/pages/console/log_view";
import { rowOfKey } from "../src/widgets/row_keys";
import { commonPrefix, indexOfByte, requestOf, wordsOf } from "../src/pages/console/request";

const entry = (text: string, level: LogEntry["level"] = "info", system = "lua"): LogEntry => ({
    level,
    system,
    lines: text.split("\n"),
    searched: `${system}\n${text}`.toLowerCase(),
});

test("filters by words, words that must not be there, levels and systems", () => {
    const entries = [entry("Loaded the door"), entry("door stuck", "warning", "physics"), entry("wall", "error")];
    const found = (filter: Partial<typeof emptyFilter>): string[] =>
        entries.filter(matcherOf({ ...emptyFilter, ...filter })).map((e) => e.lines[0]!);
    assert.deepEqual(found({ text: "DOOR" }), ["Loaded the door", "door stuck"]);
    assert.deepEqual(found({ text: "door -stuck" }), ["Loaded the door"]);
    assert.deepEqual(found({ text: "physics" }), ["door stuck"]);
    assert.deepEqual(found({ text: "-" }).length, 3);
    assert.deepEqual(found({ hiddenLevels: new Set(["info"] as const) }), ["door stuck", "wall"]);
    assert.deepEqual(found({ hiddenSystems: new Set(["lua"]) }), ["door stuck"]);
});

test("a view folds lines after the first until the entry is opened", () => {
    const entries = [entry("one\ntwo\nthree"), entry("four")];
    const view = new LogView();
    view.update(entries);
    assert.equal(view.numRows, 2);
    view.toggle(entries[0]!);
    view.update(entries);
    assert.equal(view.numRows, 4);
    assert.deepEqual(view.at(2), { entry: 0, line: 2 });
    assert.deepEqual(view.at(3), { entry: 1, line: 0 });
    view.toggle(entries[0]!);
    view.update(entries);
    assert.equal(view.numRows, 2);
});

test("a view takes entries that come later, and grows", () => {
    const entries: LogEntry[] = [];
    const view = new LogView();
    view.setFilter({ ...emptyFilter, text: "7" });
    for (let i = 0; i < 5000; ++i) {
        entries.push(entry(String(i)));
        if (i % 100 === 0) view.update(entries);
    }
    view.update(entries);
    assert.equal(view.numRows, entries.filter((e) => e.lines[0]!.includes("7")).length);
    assert.equal(entries[view.at(view.numRows - 1).entry]!.lines[0], "4997");
});

test("finds places of files in a text", () => {
    assert.deepEqual(partsOf("no place: 12:30"), ["no place: 12:30"]);
    assert.deepEqual(partsOf("at scripts/main.lua:12: boom"), [
        "at ",
        { text: "scripts/main.lua:12", file: "scripts/main.lua", line: 12 },
        ": boom",
    ]);
    assert.deepEqual(partsOf("127.0.0.1:64000"), ["127.0.0.1:64000"]);
    assert.deepEqual(partsOf(""), [""]);
});

test("an editor's address is below the project's folder, or below that of core", () => {
    const folders = { folder: "/home/me/game/", core_folder: "/opt/cuttle/core" };
    const address = (file: string, known: object): string | undefined => editorAddress({ file, line: 3 }, known);
    assert.equal(address("scripts/a b.lua", folders), "vscode://file/home/me/game/scripts/a%20b.lua:3");
    assert.equal(address("core/lua/class.lua", folders), "vscode://file/opt/cuttle/core/lua/class.lua:3");
    assert.equal(address("corexx/x.lua", folders), "vscode://file/home/me/game/corexx/x.lua:3");
    assert.equal(address("/elsewhere/x.lua", {}), "vscode://file/elsewhere/x.lua:3");
    assert.equal(address("core/lua/class.lua", { folder: "/home/me/game" }), undefined);
    assert.equal(address("scripts/main.lua", {}), undefined);
});

test("keys choose rows", () => {
    const row = (key: string, from: number): number | undefined => rowOfKey(key, from, 100, 20);
    assert.deepEqual([row("ArrowDown", 4), row("ArrowUp", 4), row("ArrowUp", 0), row("ArrowDown", 99)], [5, 3, 0, 99]);
    assert.deepEqual([row("PageDown", 4), row("PageUp", 4), row("Home", 9), row("End", 9)], [23, 0, 0, 99]);
    assert.deepEqual([row("ArrowUp", -1), row("Enter", 4), rowOfKey("End", -1, 0, 20)], [99, undefined, undefined]);
});

test("a line is a command when its first word is one", () => {
    const commands = new Set(["memory"]);
    assert.deepEqual(requestOf('memory trace "script/lua a" on', commands), {
        type: "command",
        command: "memory",
        arguments: ["trace", "script/lua a", "on"],
    });
    assert.deepEqual(requestOf("memory.x = 3", commands), { type: "script", script: "memory.x = 3" });
    assert.deepEqual(wordsOf("a 'b c' \"\" d"), ["a", "b c", "", "d"]);
});

test("bytes of UTF-8 become indices", () => {
    assert.equal(indexOfByte("aäb", 0), 0);
    assert.equal(indexOfByte("aäb", 3), 2);
    assert.equal(indexOfByte("a\u{1F600}b", 5), 3);
    assert.equal(indexOfByte("ab", 9), 2);
    assert.equal(commonPrefix(["camera", "cancel", "can"]), "ca");
    assert.equal(commonPrefix([]), "");
});

test("the history goes back, forth, and to what was being written", () => {
    let lines: string[] = [];
    const history = new History({ get: () => lines, set: (changed) => (lines = changed) });
    for (const line of ["one", "two", "one"]) history.add(line);
    assert.deepEqual(lines, ["two", "one"]);
    assert.equal(history.newer(), null);
    assert.equal(history.older("dra"), "one");
    assert.equal(history.older("one"), "two");
    assert.equal(history.older("two"), null);
    assert.equal(history.newer(), "one");
    assert.equal(history.newer(), "dra");
    for (let i = 0; i < 500; ++i) history.add(`line ${i}`);
    assert.equal(lines.length, 200);
});
