// framing.ts: messages of the console protocol as frames of WebSockets and as bytes of a file.
//
// A text frame is a JSON. A binary frame is the length of a JSON (uint32, big-endian), the JSON, and binary
// data. In a file, as on the raw port, a message is its kind (uint32, big-endian: 1), the length of the JSON,
// the JSON, and `binary_size` bytes.
import type { Message } from "./message";

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Messages of a file are read out of so many bytes, or more where one is longer. */
const READ_BYTES = 1024 * 1024;

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
export function encodeRecord(message: Message, binary: Uint8Array): Uint8Array<ArrayBuffer> {
    const json = encoder.encode(JSON.stringify({ ...message, binary_size: binary.length }));
    const record = new Uint8Array(8 + json.length + binary.length);
    const view = new DataView(record.buffer);
    view.setUint32(0, 1);
    view.setUint32(4, json.length);
    record.set(json, 8);
    record.set(binary, 8 + json.length);
    return record;
}

export interface FileRecord {
    message: Message;
    /** A view, valid until the next message is read. */
    binary: Uint8Array;
    /** The byte of the file behind it. */
    end: number;
}

/** Reads the messages of a file that comes in parts. Throws an error that names the place of what is no message. */
export class RecordReader {
    private bytes = new Uint8Array(READ_BYTES);
    private filled = 0;
    /** Of the first of `bytes` in the file. */
    private place = 0;

    /** Calls `take` for each message in turn. */
    constructor(
        private readonly fileSize: number,
        private readonly take: (record: FileRecord) => void,
    ) {}

    add(part: Uint8Array): void {
        for (let from = 0; from < part.length; ) {
            const fitting = part.subarray(from, from + this.bytes.length - this.filled);
            this.bytes.set(fitting, this.filled);
            this.filled += fitting.length;
            from += fitting.length;
            if (this.filled < this.bytes.length) continue;
            this.takeAll();
            if (this.filled === this.bytes.length) this.bytes = longer(this.bytes);
        }
    }

    /** The file has ended. */
    end(): void {
        this.takeAll();
        if (this.filled > 0) throw new Error(`the file ends inside of the message at byte ${this.place}`);
    }

    private takeAll(): void {
        const { bytes, filled, place } = this;
        const view = new DataView(bytes.buffer, 0, filled);
        let at = 0;
        for (let record; (record = recordAt(view, at, place + at, this.fileSize)); at = record.end - place)
            this.take(record);
        bytes.copyWithin(0, at, filled);
        this.filled = filled - at;
        this.place = place + at;
    }
}

function longer(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    const made = new Uint8Array(2 * bytes.length);
    made.set(bytes);
    return made;
}

/** The message at `at` of a view, which is byte `place` of the file. Null: the view ends before it does. */
function recordAt(view: DataView<ArrayBuffer>, at: number, place: number, fileSize: number): FileRecord | null {
    if (view.byteLength - at < 8) return null;
    const kind = view.getUint32(at);
    const length = view.getUint32(at + 4);
    const left = fileSize - place - 8 - length;
    if (kind > 1) throw new Error(`found a message of kind ${kind} at byte ${place}; expected 0 or 1`);
    if (left < 0) throw new Error(`the file ends inside of the message at byte ${place}`);
    const begin = at + 8 + length;
    if (begin > view.byteLength) return null;
    const message = parse(decoder.decode(new Uint8Array(view.buffer, at + 8, length)), `at byte ${place}`);
    const size = kind === 1 ? Number(message.binary_size ?? 0) : 0;
    if (!(Number.isInteger(size) && size >= 0 && size <= left))
        throw new Error(`the file ends inside of the binary of the message at byte ${place}`);
    if (begin + size > view.byteLength) return null;
    return { message, binary: new Uint8Array(view.buffer, begin, size), end: place + 8 + length + size };
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
