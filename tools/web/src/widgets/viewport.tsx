// viewport.tsx: what a camera of the engine sees, as a stream of changed tiles.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Connection } from "../connection";
import { type FrameMessage, drawTiles } from "./viewport_tiles";

interface Properties {
    connection: Connection;
    /** The stream; several viewports have several. */
    stream?: number;
    /** Somebody clicked while holding Ctrl. Parts of the picture, from 0 at the left and top to 1. */
    onPick?: (x: number, y: number) => void;
}

export function Viewport({ connection, stream = 0, onPick }: Properties): JSX.Element {
    const canvas = useRef<HTMLCanvasElement>(null);
    const [size, setSize] = useState({ width: 640, height: 360 });
    useEffect(() => {
        let last: Promise<void> = Promise.resolve();
        return connection.listen("frame", (message, binary) => {
            const frame = message as unknown as FrameMessage;
            if (frame.stream !== stream || !binary) return;
            setSize((old) =>
                old.width === frame.width && old.height === frame.height
                    ? old
                    : { width: frame.width, height: frame.height },
            );
            // One frame after the other: pictures take different times to decode.
            last = last.then(() => (canvas.current ? drawTiles(canvas.current, frame, binary) : undefined)).catch(() => {});
        });
    }, [connection, stream]);
    const onClick = (event: MouseEvent): void => {
        const { clientWidth, clientHeight } = canvas.current!;
        if (event.ctrlKey) onPick?.(event.offsetX / clientWidth, event.offsetY / clientHeight);
    };
    return (
        <div class="viewport">
            <canvas
                ref={canvas}
                width={size.width}
                height={size.height}
                tabIndex={0}
                role="img"
                aria-label="Viewport. Ctrl and a click choose what is there"
                onClick={onClick}
            />
        </div>
    );
}
