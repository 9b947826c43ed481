// stack_title.ts: which frame of a call stack says best what it is.

/** Frames of the allocators themselves, which are in every call stack. */
const OF_ALLOCATORS = /\bfoundation\/memory\//;

/** For each stack its innermost frame that tells it from the others and is no allocator's. */
export function stackTitles(stacks: readonly { frames: readonly string[] }[]): string[] {
    const first = stacks[0]?.frames ?? [];
    let numShared = 0;
    if (stacks.length > 1)
        while (numShared < first.length && stacks.every(({ frames }) => frames[numShared] === first[numShared]))
            ++numShared;
    return stacks.map(({ frames }) => {
        const own = frames.slice(numShared);
        return (own.find((frame) => !OF_ALLOCATORS.test(frame)) ?? own[0] ?? frames[0] ?? "").replace("(../../", "(");
    });
}
