// commands.ts: the commands of an engine, asked for when it connects.
import type { Engine } from "../../engines";
import type { ConsoleCommand } from "../../protocol";
import { Value } from "../../value";

export class Commands {
    readonly list = new Value<ConsoleCommand[]>([]);
    names: ReadonlySet<string> = new Set(["help", "memory", "profiler", "pause", "resume", "step"]);

    constructor(engine: Engine) {
        const ask = async (): Promise<void> => {
            try {
                const { commands } = await engine.connection.ask("commands", {});
                this.names = new Set(commands.map((command) => command.name));
                this.list.set(commands);
            } catch {
                // an older engine: the names above
            }
        };
        engine.connection.state.watch((state) => state === "open" && void ask());
        if (engine.connection.state.get() === "open") void ask();
    }
}
