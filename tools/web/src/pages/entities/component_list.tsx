// component_list.tsx: the components of an entity, live; fields that can be set can be edited.
import type { JSX } from "preact";
import type { Engine } from "../../engines";
import type { EntityComponent, EntityComponentsAnswer, EntityField } from "../../protocol";
import { say } from "../../shell/notice";
import { usePoll } from "../../widgets/use_poll";
import { FieldEditor } from "./field_editor";
import { labelOf } from "./outline";

/** Values are asked for four times a second, while the page is shown. */
const POLL_MS = 250;

interface Properties {
    engine: Engine;
    entity: number;
    onChoose: (entity: number) => void;
}

export function ComponentList({ engine, entity, onChoose }: Properties): JSX.Element {
    const { value, error, refresh } = usePoll(engine.connection, POLL_MS, () =>
        engine.connection.ask("entity_components", { entity }),
    );
    const set = async (component: EntityComponent, field: EntityField, changed: unknown): Promise<void> => {
        try {
            await engine.connection.ask("entity_set", {
                entity,
                component: component.type,
                place: component.place,
                field: field.name,
                value: changed,
            });
        } catch (failure) {
            say(`${component.type}.${field.name}: ${(failure as Error).message}`);
        }
        refresh();
    };
    if (!value) return error ? <p class="failed">{error}</p> : <p class="dim">Asking.</p>;
    return (
        <>
            <Head answer={value} onChoose={onChoose} />
            {error && <p class="failed">{error}</p>}
            {value.components.map((component) => (
                <details key={`${component.type} ${component.place}`} class="component" open>
                    <summary>
                        {component.type}
                        <span class="dim">{component.script ?? component.id ?? ""}</span>
                    </summary>
                    <div class="fields">
                        {component.fields.map((field) => (
                            <FieldEditor
                                key={field.name}
                                field={field}
                                onSet={(changed) => void set(component, field, changed)}
                                onChoose={onChoose}
                            />
                        ))}
                    </div>
                </details>
            ))}
        </>
    );
}

function Head({ answer, onChoose }: { answer: EntityComponentsAnswer; onChoose: (entity: number) => void }): JSX.Element {
    const link = (title: string, entity: number | undefined): JSX.Element | null =>
        entity === undefined ? null : (
            <button class="quiet" onClick={() => onChoose(entity)}>
                {`${title} #${entity}`}
            </button>
        );
    return (
        <header class="entity-head">
            <h2>{labelOf(answer)}</h2>
            <span class="dim">{`#${answer.entity}`}</span>
            {answer.resource && <span class="dim">{answer.resource}</span>}
            {link("unit", answer.unit)}
            {link("parent", answer.parent)}
        </header>
    );
}
