// Messages whose rows are not in protocol.ts yet.
import type {} from "./protocol";

declare module "./protocol" {
    interface EngineEntry {
        port: number;
        process: number;
        project?: string;
    }
    interface Messages {
        engine_list: { message: { type: "engine_list" }; answer: { engines: EngineEntry[] } };
    }
}
