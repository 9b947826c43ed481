import type { JSX } from "preact";
import type { Engine } from "../../engines";

export function NetworkPage({ engine }: { engine: Engine }): JSX.Element {
    return <section class="page">{engine.address}</section>;
}
