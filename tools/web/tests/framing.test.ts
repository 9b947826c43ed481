import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeFrame, decodeRecords, encodeRecord } from "../src/framing";

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

test("records of a file come back as they were", () => {
    const one = encodeRecord({ type: "a", text: "ä" }, new Uint8Array([1, 2, 3]));
    const two = encodeRecord({ type: "b" }, new Uint8Array([]));
    const file = new Uint8Array(one.length + two.length);
    file.set(one);
    file.set(two, one.length);
    const [first, second] = [...decodeRecords(file)];
    assert.deepEqual(first!.message, { type: "a", text: "ä", binary_size: 3 });
    assert.deepEqual([...first!.binary], [1, 2, 3]);
    assert.deepEqual(second!.message, { type: "b", binary_size: 0 });
});

test("a damaged file is an error that names the place", () => {
    const record = encodeRecord({ type: "a" }, new Uint8Array(5));
    for (let length = 1; length < record.length; ++length)
        assert.throws(() => [...decodeRecords(record.subarray(0, length))], /the file ends inside of .* at byte 0/);
    const other = record.slice();
    other[0] = 9;
    assert.throws(() => [...decodeRecords(other)], /found a message of kind 150994945 at byte 0; expected 0 or 1/);
    const text = encodeRecord({ type: "a" }, new Uint8Array(0));
    text[8] = 0x5b; // "[" in place of "{"
    assert.throws(() => [...decodeRecords(text)], /the message at byte 0 is no JSON object with a type/);
});
