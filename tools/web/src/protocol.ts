// Made by `cuttle protocol --typescript`; do not edit. The types of the console's messages.

/** Equal to `protocol` of an engine with these messages. */
export const protocolHash = "";

/** runs Lua */
export interface ScriptMessage {
    type: "script";
    id?: string | number;
    /** an expression or statements */
    script: string;
}
export interface ScriptAnswer {
    type: "result";
    id?: string | number;
    result?: string;
    error?: string;
    traceback?: string;
    unfinished?: boolean;
}

export interface CompleteMessage {
    type: "complete";
    id?: string | number;
    text: string;
}
export interface CompleteAnswer {
    type: "completions";
    id?: string | number;
    start: number;
    names: string[];
}

export interface CommandMessage {
    type: "command";
    id?: string | number;
    command: string;
    arguments?: (string | number)[];
    exit_code?: number;
}
export interface CommandAnswer {
    type: "result";
    id?: string | number;
    result?: string;
    error?: string;
    file_type?: string;
    binary_size?: number;
}

/** What the engine sends unasked. */
export type EngineEvent =
    | { // a line of the log
    type: "message";
    level: "debug" | "info" | "warning" | "error";
    system: string;
    message: string;
    script?: string;
    line?: number;
    traceback?: string;
}
;

/** Each message with its answer. */
export interface Messages {
    script: { message: ScriptMessage; answer: ScriptAnswer };
    complete: { message: CompleteMessage; answer: CompleteAnswer };
    command: { message: CommandMessage; answer: CommandAnswer };
}

// GUESSES until the engine's rows land
export interface EngineInfoMessage { type: "engine_info"; id?: string | number }
export interface EngineInfoAnswer {
    type: "result";
    id?: string | number;
    protocol?: string;
    project?: string;
    version?: string;
    pid?: number;
}
export interface EngineEntry { port: number; pid: number; project: string }
export interface EngineListMessage { type: "engine_list"; id?: string | number }
export interface EngineListAnswer { type: "result"; engines: EngineEntry[] }
export interface LogHistoryMessage { type: "log_history"; id?: string | number }
export interface LogHistoryAnswer { type: "result"; messages: EngineEvent[] }
export interface CommandsMessage { type: "commands"; id?: string | number }
export interface CommandsAnswer { type: "result"; commands: { name: string; arguments: string; summary: string }[] }
export interface Messages {
    engine_info: { message: EngineInfoMessage; answer: EngineInfoAnswer };
    engine_list: { message: EngineListMessage; answer: EngineListAnswer };
    log_history: { message: LogHistoryMessage; answer: LogHistoryAnswer };
    commands: { message: CommandsMessage; answer: CommandsAnswer };
}
export interface CommandEntry { name: string; arguments: string; summary: string }
