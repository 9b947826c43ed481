// framing.ts: messages of the console protocol as frames of WebSockets and as bytes of a file.
//
// A text frame is a JSON. A binary frame is the length of a JSON (uint32, big-endian), the JSON, and binary
// data. In a file, as on the raw port, a message is its kind (uint32, big-endian: 1), the length of the JSON,
// the JSON, and `binary_size` bytes.
import type { Message } from "./message";

const decoder = new TextDecoder();
const encoder = new TextEncoder();

export interface Frame {
    message: Message;
    /** The binary data; undefined in a text frame. A view into the frame's buffer. */
    binary?: Uint8Array;
}

/** Reads what a WebSocket got. Returns null for what is no message. */
export function decodeFrame(data: string | ArrayBuffer): Frame | null {
    try {
        if (typeof data === "string") return asFrame(JSON.parse(data));
        if (data.byteLength < 4) return null;
        const length = new DataView(data).getUint32(0);
        if (length > data.byteLength - 4) return null;
        const json = decoder.decode(new Uint8Array(data, 4, length));
        return asFrame(JSON.parse(json), new Uint8Array(data, 4 + length));
    } catch {
        return null;
    }
}

function asFrame(message: unknown, binary?: Uint8Array): Frame | null {
    if (typeof message !== "object" || message === null) return null;
    if (typeof (message as Message).type !== "string") return null;
    return { message: message as Message, ...(binary && { binary }) };
}

/** Makes the bytes that a file has for a message with binary. */
export function encodeRecord(message: Message, binary: Uint8Array): Uint8Array {
    const json = encoder.encode(JSON.stringify({ ...message, binary_size: binary.length }));
    const record = new Uint8Array(8 + json.length + binary.length);
    const view = new DataView(record.buffer);
    view.setUint32(0, 1);
    view.setUint32(4, json.length);
    record.set(json, 8);
    record.set(binary, 8 + json.length);
    return record;
}

/** Reads the messages of a file one by one. Throws an error that names the place of what is no message. */
export function* decodeRecords(file: Uint8Array): Generator<{ message: Message; binary: Uint8Array }> {
    const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
    for (let at = 0; at < file.length; ) {
        const where = `at byte ${at}`;
        if (file.length - at < 8) throw new Error(`the file ends inside of a message ${where}`);
        const kind = view.getUint32(at);
        const length = view.getUint32(at + 4);
        if (kind > 1) throw new Error(`found a message of kind ${kind} ${where}; expected 0 or 1`);
        if (length > file.length - at - 8) throw new Error(`the file ends inside of the message ${where}`);
        const frame = parse(decoder.decode(file.subarray(at + 8, at + 8 + length)), where);
        const size = kind === 1 ? Number(frame.binary_size ?? 0) : 0;
        const begin = at + 8 + length;
        if (!(size >= 0 && size <= file.length - begin))
            throw new Error(`the file ends inside of the binary of the message ${where}`);
        yield { message: frame, binary: file.subarray(begin, begin + size) };
        at = begin + size;
    }
}

function parse(json: string, where: string): Message {
    let frame: Frame | null = null;
    try {
        frame = asFrame(JSON.parse(json));
    } catch {
        // handled below
    }
    if (!frame) throw new Error(`the message ${where} is no JSON object with a type`);
    return frame.message;
}
