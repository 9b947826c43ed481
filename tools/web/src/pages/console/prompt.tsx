// prompt.tsx: the line in which somebody writes Lua and commands.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { RequestError } from "../../connection";
import { type Engine, engines, nameOf } from "../../engines";
import { Commands } from "./commands";
import { History } from "./history";
import { note } from "./log_store";
import { commonPrefix, indexOfByte, requestOf } from "./request";

interface Offer {
    /** Where in the text the names begin. */
    start: number;
    names: string[];
    chosen: number;
}

export function Prompt({ engine, toAll }: { engine: Engine; toAll: boolean }): JSX.Element {
    const field = useRef<HTMLTextAreaElement>(null);
    const [history] = useState(() => new History());
    const [text, setText] = useState("");
    const [offer, setOffer] = useState<Offer | null>(null);
    useEffect(() => field.current?.focus(), []);
    engine.keep(Commands); // so that their names are there with the first line

    const write = (changed: string): void => {
        setText(changed);
        setOffer(null);
    };
    const take = ({ start, names, chosen }: Offer): void => {
        const cursor = field.current!.selectionStart;
        const name = names[chosen]!;
        write(text.slice(0, start) + name + text.slice(cursor));
        requestAnimationFrame(() => field.current?.setSelectionRange(start + name.length, start + name.length));
    };
    const complete = async (): Promise<void> => {
        const before = text.slice(0, field.current!.selectionStart);
        try {
            const { start, names } = await engine.connection.ask("complete", { text: before });
            const index = indexOfByte(before, start);
            const prefix = commonPrefix(names);
            if (names.length === 0) return;
            if (names.length === 1) take({ start: index, names, chosen: 0 });
            else if (prefix.length > before.length - index) take({ start: index, names: [prefix], chosen: 0 });
            else setOffer({ start: index, names, chosen: 0 });
        } catch {
            // no completion is no error
        }
    };
    const send = async (): Promise<void> => {
        if (!text.trim()) return;
        const targets = toAll ? engines.get() : [engine];
        history.add(text);
        write("");
        const outcomes = await Promise.all(targets.map((target) => run(target, text, targets.length > 1)));
        if (!outcomes.includes("unfinished")) return;
        // More lines complete it: it comes back, with what was typed meanwhile behind it.
        history.dropLast();
        write(`${text}\n${field.current?.value ?? ""}`);
    };
    const onKeyDown = (event: KeyboardEvent): void => {
        if (handleOffer(event, offer, setOffer, take)) return;
        const isOneLine = !text.includes("\n");
        if (event.key === "Enter" && !event.shiftKey) void send();
        else if (event.key === "Tab" && !event.shiftKey && text.trim()) void complete();
        else if (event.key === "ArrowUp" && isOneLine) replace(history.older(text));
        else if (event.key === "ArrowDown" && isOneLine) replace(history.newer());
        else return;
        event.preventDefault();
    };
    const replace = (line: string | null): void => {
        if (line !== null) write(line);
    };

    return (
        <div class="prompt">
            {offer && <OfferList offer={offer} take={take} />}
            <span class="sign">{toAll ? "all >" : ">"}</span>
            <textarea
                ref={field}
                class="prompt-field"
                aria-label="Lua or a command"
                placeholder="Lua or a command; Tab completes, ↑ brings back earlier lines"
                spellcheck={false}
                rows={Math.min(8, text.split("\n").length)}
                value={text}
                onInput={(event) => write(event.currentTarget.value)}
                onKeyDown={onKeyDown}
            />
        </div>
    );
}

/** Keys while names are offered. Returns whether the key was one. */
function handleOffer(
    event: KeyboardEvent,
    offer: Offer | null,
    setOffer: (offer: Offer | null) => void,
    take: (offer: Offer) => void,
): boolean {
    if (!offer) return false;
    const move = (by: number): void =>
        setOffer({ ...offer, chosen: (offer.chosen + by + offer.names.length) % offer.names.length });
    if (event.key === "ArrowDown" || (event.key === "Tab" && !event.shiftKey)) move(1);
    else if (event.key === "ArrowUp" || event.key === "Tab") move(-1);
    else if (event.key === "Enter") take(offer);
    else if (event.key === "Escape") setOffer(null);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
}

function OfferList({ offer, take }: { offer: Offer; take: (offer: Offer) => void }): JSX.Element {
    const first = Math.max(0, Math.min(offer.chosen - 5, offer.names.length - 12));
    return (
        <ul class="offer" role="listbox" aria-label="Completions">
            {offer.names.slice(first, first + 12).map((name, i) => (
                <li
                    key={name}
                    role="option"
                    aria-selected={first + i === offer.chosen}
                    onMouseDown={(event) => {
                        event.preventDefault(); // the field keeps the focus
                        take({ ...offer, chosen: first + i });
                    }}
                >
                    {name}
                </li>
            ))}
            {offer.names.length > 12 && <li class="rest">{`${offer.names.length} names`}</li>}
        </ul>
    );
}

/** Runs a line on an engine; its log gets the line and the result. */
async function run(engine: Engine, line: string, namesEngine: boolean): Promise<"done" | "unfinished"> {
    const log = engine.log;
    const prefix = namesEngine ? `${nameOf(engine)} ` : "";
    try {
        const { message } = await engine.connection.request(requestOf(line, engine.keep(Commands).names), 60);
        log.add(note(`> ${line}`, "info"));
        if (message.result) log.add(note(prefix + String(message.result), "info", "result"));
    } catch (error) {
        const answer = error instanceof RequestError ? error.answer : undefined;
        if (answer?.unfinished) return "unfinished";
        log.add(note(`> ${line}`, "info"));
        const traceback = answer?.traceback ? `\n${String(answer.traceback)}` : "";
        log.add(note(`${prefix}${(error as Error).message}${traceback}`, "error", "result"));
    }
    return "done";
}
