import assert from "node:assert/strict";
import { test } from "node:test";
import { RecordReader, decodeFrame, encodeRecord } from "../src/framing";

const binaryFrame = (json: string, data: number[]): ArrayBuffer => {
    const text = new TextEncoder().encode(json);
    const bytes = new Uint8Array(4 + text.length + data.length);
    new DataView(bytes.buffer).setUint32(0, text.length);
    bytes.set(text, 4);
    bytes.set(data, 4 + text.length);
    return bytes.buffer;
};

test("reads a text frame", () => {
    assert.deepEqual(decodeFrame('{"type": "pong", "id": 3}'), { message: { type: "pong", id: 3 } });
});

test("reads a binary frame", () => {
    const frame = decodeFrame(binaryFrame('{"type": "picture"}', [7, 8, 9]));
    assert.deepEqual(frame?.message, { type: "picture" });
    assert.deepEqual([...frame!.binary!], [7, 8, 9]);
});

test("returns null for what is no message", () => {
    for (const text of ["", "{", "7", "null", "[]", '{"id": 3}', '{"type": 3}'])
        assert.equal(decodeFrame(text), null, text);
    assert.equal(decodeFrame(new ArrayBuffer(3)), null);
    const tooLong = binaryFrame('{"type": "x"}', []);
    new DataView(tooLong).setUint32(0, 1000);
    assert.equal(decodeFrame(tooLong), null);
});

/** The messages of a file that comes in parts of so many bytes. */
function recordsOf(file: Uint8Array, step = file.length): { message: object; binary: number[] }[] {
    const found: { message: object; binary: number[] }[] = [];
    const reader = new RecordReader(file.length, ({ message, binary }) =>
        found.push({ message, binary: [...binary] }),
    );
    for (let at = 0; at < file.length; at += step) reader.add(file.subarray(at, at + step));
    reader.end();
    return found;
}

test("records of a file come back as they were", () => {
    const one = encodeRecord({ type: "a", text: "ä" }, new Uint8Array([1, 2, 3]));
    const two = encodeRecord({ type: "b" }, new Uint8Array([]));
    const file = new Uint8Array([...one, ...two]);
    for (const step of [1, 7, file.length])
        assert.deepEqual(recordsOf(file, step), [
            { message: { type: "a", text: "ä", binary_size: 3 }, binary: [1, 2, 3] },
            { message: { type: "b", binary_size: 0 }, binary: [] },
        ]);
});

test("messages longer than the memory that reads them come back", () => {
    // Some messages are longer than what is read at once.
    const sizes = [10, 3_000_000, 500_000, 2_500_001, 700_000, 1_048_576];
    const records = sizes.map((size, i) => encodeRecord({ type: "a", i }, new Uint8Array(size).fill(i + 1)));
    const found: unknown[] = [];
    let end = 0;
    const fileSize = records.reduce((sum, record) => sum + record.length, 0);
    const reader = new RecordReader(fileSize, (record) => {
        const { binary } = record;
        found.push([record.message.i, binary.length, binary.every((byte) => byte === binary[0]), binary[0]]);
        end = record.end;
    });
    for (const record of records) reader.add(record);
    reader.end();
    assert.deepEqual(found, sizes.map((size, i) => [i, size, true, i + 1]));
    assert.equal(end, fileSize);
});

test("a damaged file is an error that names the place", () => {
    const good = encodeRecord({ type: "b" }, new Uint8Array(3));
    const record = encodeRecord({ type: "a" }, new Uint8Array(5));
    const place = new RegExp(`the file ends inside of .* at byte ${good.length}$`);
    for (let length = 1; length < record.length; ++length)
        assert.throws(() => recordsOf(new Uint8Array([...good, ...record.slice(0, length)])), place);
    const other = record.slice();
    other[0] = 9;
    assert.throws(() => recordsOf(other), /found a message of kind 150994945 at byte 0; expected 0 or 1/);
    const text = encodeRecord({ type: "a" }, new Uint8Array(0));
    text[8] = 0x5b; // "[" in place of "{"
    assert.throws(() => recordsOf(text), /the message at byte 0 is no JSON object with a type/);
    for (const size of ["-1", "1e99", '"x"', "0.5"]) {
        const json = new TextEncoder().encode(`{"type": "a", "binary_size": ${size}}`);
        const head = new Uint8Array([0, 0, 0, 1, 0, 0, 0, json.length]);
        assert.throws(() => recordsOf(new Uint8Array([...head, ...json])), /the file ends inside of the binary of the message at byte 0/);
    }
});
