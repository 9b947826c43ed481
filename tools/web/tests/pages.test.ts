import assert from "node:assert/strict";
import { test } from "node:test";
import { bytes, shortNumber, signed } from "../src/format";
import { numberText, readNumber, readValue, screenColour, valueText } from "../src/pages/entities/field_value";
import { WorldUnits } from "../src/pages/entities/entity_store";
import { outlineRows } from "../src/pages/entities/outline";
import { isTraced, tracedPaths, treeRows } from "../src/pages/memory/memory_tree";
import { stackTitles } from "../src/pages/memory/stack_title";
import { filteredEvents, objectName, subjectOf } from "../src/pages/network/event_text";
import { cellText, filteredRows, isBytes } from "../src/pages/systems/cells";
import { matches } from "../src/shell/match";
import { describeMismatch } from "../src/version";
import { buttonName, keyName } from "../src/widgets/input_names";
import { tileRanges } from "../src/widgets/viewport_tiles";

const allocator = (path: string, depth: number, live_bytes: number) => ({
    path,
    depth,
    live_bytes,
    peak_bytes: live_bytes,
    live_blocks: 1,
    traced: false,
});

test("the memory tree folds, and compares with another moment", () => {
    const rows = [allocator("a", 0, 100), allocator("a/b", 1, 60), allocator("a/b/c", 2, 10), allocator("d", 0, 5)];
    assert.deepEqual(treeRows(rows, new Set(), null).map((r) => r.name), ["a", "b", "c", "d"]);
    assert.deepEqual(treeRows(rows, new Set(["a/b"]), null).map((r) => r.name), ["a", "b", "d"]);
    assert.deepEqual(treeRows(rows, new Set(["a"]), null).map((r) => r.name), ["a", "d"]);
    const before = new Map([
        ["a", 40],
        ["gone", 7],
    ]);
    assert.deepEqual(
        treeRows(rows, new Set(), before).map((r) => [r.name, r.difference]),
        [
            ["a", 60],
            ["b", 60],
            ["c", 10],
            ["d", 5],
            ["gone (gone)", -7],
        ],
    );
});

test("traced allocators are named once", () => {
    const traced = (path: string, depth: number, traced: boolean) => ({ ...allocator(path, depth, 1), traced });
    const rows = [traced("a", 0, false), traced("a/b", 1, true), traced("a/b/c", 2, true), traced("a/bc", 1, true)];
    assert.deepEqual(tracedPaths(rows), ["a/b", "a/bc"]);
    assert.equal(isTraced(undefined), undefined);
    assert.equal(isTraced(rows[1]), true);
});

const world = {
    world: { world: 3, units: 3, seconds: 1, levels: [{ level: 1, name: "levels/hall", units: 1, spawned: true }] },
    entities: [
        { entity: 5, name: "door", resource: "units/door", level: 1 },
        { entity: 6, resource: "units/crate" },
        { entity: 7 },
    ],
};

test("units of a world follow what the engine says has changed", async () => {
    const answers = [
        { version: 2, whole: true, more: true, entities: [{ entity: 7 }, { entity: 5 }], gone: [] },
        { version: 3, whole: false, more: false, entities: [{ entity: 6, name: "six" }], gone: [7] },
        { version: 3, whole: false, more: false, entities: [], gone: [] },
        { version: 4, whole: false, more: false, entities: [{ entity: 6, name: "seven" }], gone: [] },
        { version: 9, whole: true, more: false, entities: [{ entity: 1 }], gone: [] },
    ];
    const asked: unknown[] = [];
    const engine = {
        connection: {
            ask: (_: string, members: { since: number }) => {
                asked.push(members.since);
                return Promise.resolve(answers[asked.length - 1]);
            },
        },
    } as unknown as Parameters<WorldUnits["refresh"]>[0];
    const units = new WorldUnits(1);
    const shown = () => units.list.map((row) => row.name ?? row.entity);
    assert.equal(await units.refresh(engine), true);
    assert.deepEqual(shown(), [5, "six"]);
    const before = units.list;
    assert.equal(await units.refresh(engine), false);
    assert.equal(units.list, before);
    assert.equal(await units.refresh(engine), true);
    assert.deepEqual(shown(), [5, "seven"]);
    units.forget();
    assert.equal(await units.refresh(engine), true);
    assert.deepEqual(shown(), [1]);
    assert.deepEqual(asked, [0, 2, 3, 3, 0]);
});

test("the outline has worlds, levels, and units that scripts spawned", () => {
    const labels = (folded: string[], filter = ""): string[] =>
        outlineRows([world], new Set(folded), filter).map((row) => `${row.depth} ${row.label}`);
    assert.deepEqual(labels([]), [
        "0 World 3",
        "1 levels/hall",
        "2 door",
        "1 spawned by scripts",
        "2 crate",
        "2 entity 7",
    ]);
    assert.deepEqual(labels(["world 3 level 1"]), ["0 World 3", "1 levels/hall", "1 spawned by scripts", "2 crate", "2 entity 7"]);
    assert.deepEqual(labels(["world 3"]), ["0 World 3"]);
    assert.deepEqual(labels(["world 3"], "CRATE"), ["0 World 3", "1 spawned by scripts", "2 crate"]);
});

test("values of fields are text and back", () => {
    assert.equal(numberText(0.1 + 0.2), "0.3");
    assert.equal(numberText(null), "");
    assert.deepEqual(["1.5", "1,5", " 7 ", "", "x", "1e999"].map(readNumber), [1.5, 1.5, 7, undefined, undefined, undefined]);
    assert.equal(valueText(["a", 1.25, null]), "a, 1.25, ");
    assert.equal(valueText({ a: 1 }), '{"a":1}');
    assert.deepEqual(readValue("names", "a, b,"), ["a", "b"]);
    assert.deepEqual(readValue("numbers", "1, 2"), [1, 2]);
    assert.equal(readValue("name", " "), null);
    assert.equal(readValue("text", " "), " ");
    assert.equal(screenColour([1, 0, 0.2158605, 1]), "#ff0080");
    assert.equal(screenColour(null), "#000000");
});

test("numbers are short", () => {
    assert.deepEqual([0, 1023, 1536, 104857600].map(bytes), ["0 B", "1023 B", "1.50 KiB", "100 MiB"]);
    assert.equal(signed(2048, bytes), "+2.00 KiB");
    assert.equal(signed(-2048, bytes), "-2.00 KiB");
    assert.deepEqual([12.3456789, 123456, 1.5e7].map(shortNumber), ["12.346", "123k", "15.0M"]);
});

test("letters in order match a name", () => {
    assert(matches("shprof", "Show Profiler"));
    assert(matches("", "anything"));
    assert(!matches("forp", "Show Profiler"));
});

test("another version is a text that says what to do, the same or an unknown one is none", () => {
    assert.equal(describeMismatch("a", "a"), null);
    assert.equal(describeMismatch(undefined, "a"), null);
    assert(describeMismatch("b", "a")!.includes("./run --build-only"));
});

test("keys have the engine's names", () => {
    assert.deepEqual(
        ["KeyW", "Digit3", "Numpad7", "F11", "ArrowUp", "ShiftLeft", "BrowserBack"].map(keyName),
        ["w", "3", "numpad 7", "f11", "up", "left shift", undefined],
    );
    assert.deepEqual([0, 1, 2, 3].map(buttonName), ["left", "middle", "right", "extra_1"]);
});

test("tiles whose sizes do not fit the data are left out", () => {
    const tile = (size: number) => ({ x: 0, y: 0, width: 1, height: 1, bytes: size });
    assert.deepEqual(tileRanges([tile(3), tile(4)], 7), [
        { begin: 0, end: 3 },
        { begin: 3, end: 7 },
    ]);
    assert.equal(tileRanges([tile(3)], 4), null);
});

test("events of the network are filtered by object, field, peer and direction", () => {
    const event = (more: object) => ({
        number: 1,
        seconds: 1,
        kind: "fields" as const,
        peer: "5cab61d76d83c3ab",
        sent: true,
        bits: 35,
        ...more,
    });
    const position = { name: "position", bits: 28 };
    const events = [
        event({ object: 2 * 2 ** 20 + 17, name: "player", fields: [position, { name: "health", bits: 7 }] }),
        event({ object: 2 * 2 ** 20 + 1, name: "player", fields: [position], sent: false }),
        event({ kind: "message", name: "say", dropped: true }),
    ];
    assert.equal(objectName(2097169), "2.17");
    assert.equal(subjectOf(events[0]!), "player 2.17: position (28), health (7)");
    assert.equal(subjectOf(events[2]!), "say (dropped)");
    const found = (text: string, ...hidden: string[]): number[] =>
        filteredEvents(events, { text, hiddenKinds: new Set(hidden) });
    assert.deepEqual(found("position"), [0, 1]);
    assert.deepEqual(found("player 2.17"), [0]);
    assert.deepEqual(found("5CAB61 in"), [1]);
    assert.deepEqual(found("", "fields"), [2]);
    // 2.1 is not 2.17, and "in" is a direction even where it is in a name.
    assert.deepEqual(found("player 2.1"), [1]);
    assert.deepEqual(found("2.1 posi"), [1]);
    assert.deepEqual(found("ealth"), []);
    assert.deepEqual(found("say ("), [2]);
    events.push(event({ kind: "message", name: "spin_in", fields: [] }));
    assert.deepEqual(found("in"), [1]);
    assert.deepEqual(found("out spin"), [3]);
});

test("a call stack is named by the first frame that is its own", () => {
    const frames = (...own: string[]) => ({
        frames: ["ct_alloc (../../src/foundation/memory/allocator.h:45)", "ct_lua_allocate (../../src/lua/m.c:1)", ...own],
    });
    assert.deepEqual(
        stackTitles([frames("newtab in /bin/game+0x1", "lj_x in /bin/game+0x2"), frames("x", "ct_grow (../../src/a.c:7)")]),
        ["newtab in game+0x1", "ct_grow (src/a.c:7)"],
    );
    assert.deepEqual(stackTitles([frames()]), ["ct_lua_allocate (src/lua/m.c:1)"]);
    assert.deepEqual(stackTitles([{ frames: [] }]), [""]);
});

test("cells of figures are text", () => {
    assert.deepEqual([1.23456789, true, null, "x", [1]].map((value) => cellText(value)), ["1.2346", "yes", "", "x", "[1]"]);
    assert(isBytes("stream_bytes", [1]) && isBytes("value", ["memory", 5, "bytes"]) && !isBytes("value", [5]));
    assert.equal(cellText(2048, true), "2.00 KiB");
    assert.deepEqual(filteredRows([["a", 1], ["b", 2]], "B"), [["b", 2]]);
});
