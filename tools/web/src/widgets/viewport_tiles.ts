// viewport_tiles.ts: draws the tiles of a frame of a viewport.

import type { EngineEvent, FrameTile } from "../protocol";

/** Its binary data has the tiles' pictures, one behind the other. */
export type FrameMessage = Extract<EngineEvent, { type: "frame" }>;

/** Where each tile's picture is in the binary data. Null when the sizes do not fit. */
export function tileRanges(tiles: FrameTile[], size: number): { begin: number; end: number }[] | null {
    let begin = 0;
    const ranges = tiles.map(({ bytes }) => ({ begin, end: (begin += bytes) }));
    return begin === size ? ranges : null;
}

/** Decodes all tiles, then draws them at once, so that no frame is seen in part. */
export async function drawTiles(canvas: HTMLCanvasElement, frame: FrameMessage, binary: Uint8Array): Promise<void> {
    const ranges = tileRanges(frame.tiles, binary.length);
    if (!ranges) return;
    const pictures = await Promise.all(
        ranges.map(({ begin, end }) => createImageBitmap(new Blob([binary.slice(begin, end)]))),
    );
    if (canvas.width !== frame.width || canvas.height !== frame.height) {
        canvas.width = frame.width; // this makes the canvas black; the engine sends all tiles of another size
        canvas.height = frame.height;
    }
    const context = canvas.getContext("2d", { alpha: false })!;
    frame.tiles.forEach(({ x, y, width, height }, i) => {
        context.drawImage(pictures[i]!, x, y, width, height);
        pictures[i]!.close();
    });
}
