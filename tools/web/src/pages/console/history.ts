// history.ts: lines that were sent, newest last, kept by the browser.
import { Setting } from "../../settings";

const MAX_LINES = 200;
const kept = new Setting<string[]>("history", []);

export class History {
    /** 0 is the line that is being written; n is the nth last that was sent. */
    private place = 0;
    private draft = "";

    constructor(private readonly store: { get(): string[]; set(lines: string[]): void } = kept) {}

    add(line: string): void {
        const others = this.store.get().filter((other) => other !== line);
        this.store.set([...others, line].slice(-MAX_LINES));
        this.place = 0;
    }

    /** Takes the line that was added last away again. */
    dropLast(): void {
        this.store.set(this.store.get().slice(0, -1));
    }

    /** The line before; null at the oldest. `text` is what is in the prompt. */
    older(text: string): string | null {
        const lines = this.store.get();
        if (this.place === lines.length) return null;
        if (this.place === 0) this.draft = text;
        return lines[lines.length - ++this.place]!;
    }

    /** The line after, in the end what was written; null there. */
    newer(): string | null {
        if (this.place === 0) return null;
        const lines = this.store.get();
        return --this.place === 0 ? this.draft : lines[lines.length - this.place]!;
    }
}
