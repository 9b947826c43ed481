// message.ts: what all messages of the console protocol have in common.

export interface Message {
    type: string;
    id?: string | number;
    [member: string]: unknown;
}
