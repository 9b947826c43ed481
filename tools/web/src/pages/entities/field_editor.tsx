// field_editor.tsx: a field of a component, with an editor for its kind.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { EntityField } from "../../protocol";
import { numberText, partNames, readNumber, readValue, screenColour, valueText } from "./field_value";

interface Properties {
    field: EntityField;
    onSet: (value: unknown) => void;
    /** Shows another entity. */
    onChoose: (entity: number) => void;
}

export function FieldEditor(p: Properties): JSX.Element {
    return (
        <label class="field">
            <span class="field-name" title={p.field.name}>
                {p.field.name}
            </span>
            <span class="field-value">{p.field.can_set ? <Editor {...p} /> : <Shown {...p} />}</span>
            <span class="field-unit dim">{p.field.unit ?? ""}</span>
        </label>
    );
}

function Shown({ field, onChoose }: Properties): JSX.Element {
    if (field.kind === "boolean") return <input type="checkbox" disabled checked={field.value === true} />;
    if (field.kind === "entity" && typeof field.value === "number" && field.value > 0)
        return (
            <button class="quiet" onClick={() => onChoose(field.value as number)}>
                {`#${field.value}`}
            </button>
        );
    const text = valueText(field.value);
    return (
        <span class="shown" title={text}>
            {text || "–"}
        </span>
    );
}

function Editor(p: Properties): JSX.Element {
    const { field, onSet } = p;
    switch (field.kind) {
        case "boolean":
            return (
                <input
                    type="checkbox"
                    checked={field.value === true}
                    onChange={(event) => onSet(event.currentTarget.checked)}
                />
            );
        case "enum":
            return (
                <select value={String(field.value)} onChange={(event) => onSet(event.currentTarget.value)}>
                    {field.choices?.map((choice) => (
                        <option key={choice} value={choice}>
                            {choice}
                        </option>
                    ))}
                </select>
            );
        case "number":
        case "integer":
            return <NumberBox value={field.value} field={field} onSet={onSet} />;
        case "vector2":
        case "vector3":
        case "vector4":
        case "quaternion":
        case "color":
            return <Vector field={field} onSet={onSet} />;
        default:
            return (
                <TextBox
                    text={valueText(field.value)}
                    label={field.name}
                    onSet={(text) => onSet(readValue(field.kind, text))}
                />
            );
    }
}

function Vector({ field, onSet }: { field: EntityField; onSet: (value: unknown) => void }): JSX.Element {
    const values = Array.isArray(field.value) ? (field.value as unknown[]) : [];
    const names = partNames(field.kind);
    return (
        <span class="vector">
            {values.map((value, i) => (
                <NumberBox
                    key={i}
                    value={value}
                    field={field}
                    part={names[i] ?? String(i)}
                    onSet={(changed) => onSet(values.map((old, k) => (k === i ? changed : old)))}
                />
            ))}
            {field.kind === "color" && <span class="swatch" style={{ background: screenColour(values) }} />}
        </span>
    );
}

interface NumberProperties {
    value: unknown;
    field: EntityField;
    /** Of a vector. */
    part?: string;
    onSet: (value: number) => void;
}

function NumberBox({ value, field, part, onSet }: NumberProperties): JSX.Element {
    return (
        <TextBox
            class={`number-box part-${part ?? "only"}`}
            text={numberText(value)}
            label={part ? `${field.name} ${part}` : field.name}
            title={field.least === undefined ? "" : `${field.least} to ${field.most}`}
            isRight={(text) => readNumber(text) !== undefined}
            onStep={(text, steps) => {
                const number = readNumber(text);
                if (number === undefined) return;
                const step = field.kind === "integer" ? 1 : Math.max(Math.abs(number) / 100, 0.01);
                onSet(number + steps * step);
            }}
            onSet={(text) => {
                const number = readNumber(text);
                if (number !== undefined) onSet(number);
            }}
        />
    );
}

interface TextProperties {
    text: string;
    label: string;
    title?: string;
    class?: string;
    /** Whether a text may be set. */
    isRight?: (text: string) => boolean;
    /** The arrow keys: by 1, with Shift by 10. */
    onStep?: (text: string, steps: number) => void;
    onSet: (text: string) => void;
}

/** A box that shows the newest value, but what is typed while it has the focus. Enter or leaving it sets. */
function TextBox(p: TextProperties): JSX.Element {
    const [draft, setDraft] = useState<string | null>(null);
    const shown = draft ?? p.text;
    const isWrong = draft !== null && p.isRight?.(draft) === false;
    const commit = (): void => {
        if (draft !== null && draft !== p.text && !isWrong) p.onSet(draft);
        setDraft(null);
    };
    const onKeyDown = (event: KeyboardEvent): void => {
        const direction = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
        if (event.key === "Enter") commit();
        else if (event.key === "Escape") setDraft(null);
        else if (direction !== 0 && p.onStep) {
            setDraft(null);
            p.onStep(shown, direction * (event.shiftKey ? 10 : 1));
        } else return;
        event.preventDefault();
    };
    return (
        <input
            type="text"
            class={`${p.class ?? ""} ${isWrong ? "wrong" : ""}`}
            aria-label={p.label}
            aria-invalid={isWrong}
            title={p.title}
            spellcheck={false}
            value={shown}
            onInput={(event) => setDraft(event.currentTarget.value)}
            onBlur={commit}
            onKeyDown={onKeyDown}
        />
    );
}
