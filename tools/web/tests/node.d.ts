// The parts of Node that the tests use, so that @types/node is not needed.
declare module "node:test" {
    export function test(name: string, run: () => void | Promise<void>): void;
}
declare module "node:assert/strict" {
    interface Assert {
        (value: unknown, message?: string): asserts value;
        equal(actual: unknown, expected: unknown, message?: string): void;
        deepEqual(actual: unknown, expected: unknown, message?: string): void;
        throws(run: () => unknown, expected: RegExp): void;
        rejects(promise: Promise<unknown>, expected: RegExp): Promise<void>;
    }
    const assert: Assert;
    export default assert;
}
