// Messages whose rows are not in protocol.ts yet.
import type {} from "./protocol";

declare module "./protocol" {
    interface EngineEntry {
        port: number;
        process: number;
        project?: string;
    }
    interface ResourceRow {
        type: string;
        name: string;
        bytes: number;
        users: number;
    }
    interface Messages {
        engine_list: { message: { type: "engine_list" }; answer: { engines: EngineEntry[] } };
        resource_list: { message: { type: "resource_list" }; answer: { resources: ResourceRow[] } };
        resource_users: {
            message: { type: "resource_users"; resource_type: string; name: string };
            answer: { users: { type: string; name: string }[] };
        };
    }
}
