// stack_title.ts: which frame of a call stack says best what it is.

/** A frame with its place in the source, but not in an allocator. */
const HAS_PLACE = /\((?!.*\bfoundation\/memory\/).*:\d+\)$/;

/** For each stack its innermost frame that the others do not have, one whose source is known where it has one. */
export function stackTitles(stacks: readonly { frames: readonly string[] }[]): string[] {
    const first = stacks[0]?.frames ?? [];
    let numShared = 0;
    if (stacks.length > 1)
        while (numShared < first.length && stacks.every(({ frames }) => frames[numShared] === first[numShared]))
            ++numShared;
    return stacks.map(({ frames }) => {
        const own = frames.slice(numShared);
        const title = own.find((frame) => HAS_PLACE.test(frame)) ?? own[0] ?? frames[0] ?? "";
        return title.replace("(../../", "(").replace(/ in \/.*\//, " in ");
    });
}
