// viewport.tsx: the game's picture, or what a camera of its own sees, as a stream of changed tiles.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Engine } from "../engines";
import { useValue } from "../value";
import { isPageVisible } from "./page_visible";
import { ViewportInput } from "./viewport_input";
import { type FrameMessage, drawTiles } from "./viewport_tiles";

/** Where a camera of the viewport's own is; without it the viewport shows the game's picture. */
export interface ViewportCamera {
    world: number;
    /** Metres. */
    position: number[];
    /** A quaternion x, y, z, w. */
    rotation: number[];
}

interface Properties {
    engine: Engine;
    /** The most pixels that are sent. */
    width?: number;
    height?: number;
    camera?: ViewportCamera;
    /** Keys and the mouse go to the game; then a click picks only with Ctrl. */
    sendsInput?: boolean;
    /** Somebody clicked. Parts of the stream's picture, from 0 at the left and top to 1. */
    onPick?: (x: number, y: number, stream: number) => void;
}

export function Viewport(p: Properties): JSX.Element {
    const { engine } = p;
    const canvas = useRef<HTMLCanvasElement>(null);
    const state = useValue(engine.connection.state);
    const isVisible = useValue(isPageVisible);
    const [problem, setProblem] = useState("");
    const number = useRef(0);
    const input = useMemo(
        () => new ViewportInput(engine.connection, () => engine.info.get() ?? { width: 640, height: 360 }),
        [engine],
    );
    useEffect(() => {
        if (state !== "open" || !isVisible) return;
        setProblem("");
        const stream = openStream(engine, p, canvas);
        stream.opened.then(
            (opened) => (number.current = opened),
            (error: Error) => setProblem(error.message),
        );
        return () => stream.close();
    }, [engine, state, isVisible, p.width, p.height, p.camera?.world]);

    useEffect(() => () => input.release(), [input]); // keys that are held when the viewport goes

    const sends = p.sendsInput ?? false;
    const onPointerDown = (event: PointerEvent): void => {
        canvas.current!.focus();
        if (!sends || event.ctrlKey) {
            const { clientWidth, clientHeight } = canvas.current!;
            p.onPick?.(event.offsetX / clientWidth, event.offsetY / clientHeight, number.current);
        } else {
            canvas.current!.setPointerCapture(event.pointerId);
            input.mouse(event, true);
        }
    };
    // Tab leaves the viewport. What the browser does with Ctrl and a key, such as loading the page again, it still does.
    const onKeyDown = (event: KeyboardEvent): void => {
        if (sends && event.code !== "Tab" && input.keyDown(event) && !event.ctrlKey) event.preventDefault();
    };
    const onKeyUp = (event: KeyboardEvent): void => {
        if (input.keyUp(event) && !event.ctrlKey) event.preventDefault();
    };
    return (
        <div class="viewport">
            <canvas
                ref={canvas}
                style={{ width: `min(${p.width ?? 640}px, 75vh)` }}
                tabIndex={0}
                role="img"
                aria-label="Viewport. A click chooses what is there"
                onPointerDown={onPointerDown}
                onPointerUp={(event) => input.mouse(event, false)}
                onPointerMove={(event) => sends && input.move(event)}
                onWheel={(event) => sends && input.wheel(event)}
                onKeyDown={onKeyDown}
                onKeyUp={onKeyUp}
                onBlur={() => input.release()}
                onContextMenu={(event) => event.preventDefault()}
            />
            {problem && <p class="failed">{problem}</p>}
        </div>
    );
}

/** Opens a stream and draws its frames until it is closed. */
function openStream(
    { connection }: Engine,
    { width = 640, height = 360, camera }: Properties,
    canvas: { current: HTMLCanvasElement | null },
): { opened: Promise<number>; close: () => void } {
    let stream = 0;
    let isClosed = false;
    let last: Promise<void> = Promise.resolve();
    const unlisten = connection.listen("frame", (message, binary) => {
        const frame = message as unknown as FrameMessage;
        if (frame.stream !== stream || !binary) return;
        // One frame after the other: pictures take different times to decode.
        last = last
            .then(async () => {
                if (canvas.current) await drawTiles(canvas.current, frame, binary);
            })
            .catch(() => {})
            .then(() => void connection.send({ type: "frame_shown", stream, number: frame.number }));
    });
    const opened = connection.ask("frame_open", { width, height, ...camera }).then((answer) => {
        stream = answer.stream;
        if (isClosed) connection.send({ type: "frame_close", stream });
        return stream;
    });
    const close = (): void => {
        isClosed = true;
        unlisten();
        if (stream) connection.send({ type: "frame_close", stream });
    };
    return { opened, close };
}
