// connection.ts: a connection to the console of one engine, over a WebSocket.
//
// It connects by itself, and again when the engine has ended and started. Requests have ids; an answer goes
// to its request, everything else to the listeners of its type.
import { decodeFrame } from "./framing";
import type { Message } from "./message";
import type { Messages } from "./protocol";
import { Value } from "./value";

export type ConnectionState = "connecting" | "open" | "closed";
export type Listener = (message: Message, binary?: Uint8Array) => void;

/** What an engine answered in place of a result, or that no answer came. */
export class RequestError extends Error {
    constructor(
        message: string,
        /** The whole answer; undefined when none came. */
        readonly answer?: Message,
    ) {
        super(message);
    }
}

interface Waiting {
    resolve: (answer: { message: Message; binary?: Uint8Array }) => void;
    reject: (error: RequestError) => void;
    timer: ReturnType<typeof setTimeout>;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2000;
/** A WebSocket closes with this where the engine does not take the page: a wrong token, a foreign page. */
const REFUSED = 1008;

export class Connection {
    readonly state = new Value<ConnectionState>("connecting");
    /** How often in a row it got no message from the engine. */
    readonly numFailures = new Value(0);
    /** Why the engine does not talk to this page; empty: it does. */
    readonly refusal = new Value("");
    private socket: WebSocket | null = null;
    private pause = FIRST_PAUSE_MS;
    private timer: ReturnType<typeof setTimeout> | undefined;
    private lastId = 0;
    private readonly waiting = new Map<number, Waiting>();
    private readonly listeners = new Map<string, Set<Listener>>();
    /** Whether a message has come since the connection began. */
    private hasAnswer = false;

    /** `token` is for engines of other machines: the first message of each connection shows it. */
    constructor(
        readonly url: string,
        private readonly token?: string,
    ) {
        this.connect();
    }

    /** Sends a message that needs no answer. Returns false, and drops it, while not connected. */
    send(message: Message): boolean {
        if (this.socket?.readyState !== WebSocket.OPEN) return false;
        this.socket.send(JSON.stringify(message));
        return true;
    }

    /** Sends a message of the engine's and waits for its answer. Rejects with a RequestError: an answer with
     * an `error`, an end of the connection, or no answer in time. */
    async ask<Type extends keyof Messages>(
        type: Type,
        members: Omit<Messages[Type]["message"], "type" | "id">,
        seconds = 10,
    ): Promise<Messages[Type]["answer"]> {
        const answer = await this.request({ type, ...members } as Message, seconds);
        return answer.message as unknown as Messages[Type]["answer"];
    }

    /** Like `ask`, for any message; also gives the answer's binary data. */
    request(message: Message, seconds = 10): Promise<{ message: Message; binary?: Uint8Array }> {
        return new Promise((resolve, reject) => {
            const id = ++this.lastId;
            if (!this.send({ ...message, id })) {
                reject(new RequestError("not connected"));
                return;
            }
            const timer = setTimeout(() => {
                this.waiting.delete(id);
                reject(new RequestError(`the engine did not answer "${message.type}" in ${seconds} s`));
            }, seconds * 1000);
            this.waiting.set(id, { resolve, reject, timer });
        });
    }

    /** Calls `listener` with each message of a type that is no answer. Returns a function that ends this. */
    listen(type: string, listener: Listener): () => void {
        const listeners = this.listeners.get(type) ?? new Set();
        this.listeners.set(type, listeners.add(listener));
        return () => listeners.delete(listener);
    }

    /** Ends the connection for good. */
    close(): void {
        clearTimeout(this.timer);
        const socket = this.socket;
        this.socket = null;
        socket?.close();
        this.failWaiting();
        this.state.set("closed");
    }

    private connect(): void {
        this.state.set("connecting");
        this.hasAnswer = false;
        const socket = new WebSocket(this.url);
        socket.binaryType = "arraybuffer";
        this.socket = socket;
        socket.onopen = () => {
            if (this.token) this.send({ type: "authorize", token: this.token });
            this.state.set("open");
        };
        socket.onmessage = (event) => {
            if (!this.hasAnswer) this.welcome();
            this.receive(event.data);
        };
        socket.onclose = (event) => {
            if (this.socket !== socket) return;
            this.socket = null;
            this.failWaiting();
            if (event.code === REFUSED) this.refusal.set(event.reason || "without a reason");
            if (!this.hasAnswer) this.numFailures.set(this.numFailures.get() + 1);
            this.state.set("connecting");
            this.timer = setTimeout(() => this.connect(), this.pause);
            this.pause = Math.min(this.pause * 2, LONGEST_PAUSE_MS);
        };
    }

    /** The engine talks to the page: an open connection alone does not mean that, since a wrong token comes later. */
    private welcome(): void {
        this.hasAnswer = true;
        this.pause = FIRST_PAUSE_MS;
        this.numFailures.set(0);
        this.refusal.set("");
    }

    private receive(data: string | ArrayBuffer): void {
        const frame = decodeFrame(data);
        if (!frame) return;
        const { message, binary } = frame;
        const waiting = typeof message.id === "number" ? this.waiting.get(message.id) : undefined;
        if (waiting) {
            this.waiting.delete(message.id as number);
            clearTimeout(waiting.timer);
            const error = errorOf(message);
            if (error) waiting.reject(new RequestError(error, message));
            else waiting.resolve({ message, ...(binary && { binary }) });
            return;
        }
        for (const listener of [...(this.listeners.get(message.type) ?? [])]) listener(message, binary);
    }

    private failWaiting(): void {
        for (const { reject, timer } of this.waiting.values()) {
            clearTimeout(timer);
            reject(new RequestError("the connection ended"));
        }
        this.waiting.clear();
    }
}

/** The error in an answer, or undefined. */
function errorOf(answer: Message): string | undefined {
    if (answer.type === "error") return String(answer.message ?? "unknown error");
    return typeof answer.error === "string" ? answer.error : undefined;
}
