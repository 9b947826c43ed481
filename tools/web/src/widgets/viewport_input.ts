// viewport_input.ts: gives the game the keys and the mouse of a viewport.
import type { Connection } from "../connection";
import type { InputEvent } from "../protocol";
import { buttonName, keyName } from "./input_names";

/** Collects events and sends them once a frame of the page. */
export class ViewportInput {
    private events: InputEvent[] = [];
    private readonly held = new Set<string>();

    constructor(
        private readonly connection: Pick<Connection, "send">,
        /** The size of the game's picture, in whose pixels the cursor is. */
        private readonly size: () => { width: number; height: number },
    ) {}

    /** A key went down. Returns whether the game has such a key. */
    keyDown(event: KeyboardEvent): boolean {
        const name = keyName(event.code);
        if (!name) return false;
        if (event.repeat) return true;
        this.button("keyboard", name, true);
        if (event.key.length === 1 && !event.ctrlKey && !event.metaKey)
            this.add({ device: "keyboard", kind: "text", text: event.key });
        return true;
    }

    /** A key went up, whatever else is held: the game must hear of it if it heard of the key. Returns whether it did. */
    keyUp(event: KeyboardEvent): boolean {
        const name = keyName(event.code);
        if (!name || !this.held.has(`keyboard\n${name}`)) return false;
        this.button("keyboard", name, false);
        return true;
    }

    mouse(event: PointerEvent, isDown: boolean): void {
        const name = buttonName(event.button);
        if (!name || (!isDown && !this.held.has(`mouse\n${name}`))) return;
        this.move(event);
        this.button("mouse", name, isDown);
    }

    move(event: MouseEvent): void {
        const { clientWidth, clientHeight } = event.currentTarget as HTMLElement;
        const { width, height } = this.size();
        const cursor = [(event.offsetX / clientWidth) * width, (event.offsetY / clientHeight) * height, 0];
        this.add({ device: "mouse", kind: "axis", name: "cursor", value: cursor });
        this.add({ device: "mouse", kind: "axis", name: "mouse", value: [event.movementX, event.movementY, 0] });
    }

    wheel(event: WheelEvent): void {
        this.add({ device: "mouse", kind: "axis", name: "wheel", value: [0, -Math.sign(event.deltaY), 0] });
    }

    /** Lets go of everything: the viewport has lost the focus. */
    release(): void {
        for (const held of [...this.held]) {
            const [device, name] = held.split("\n");
            this.button(device!, name!, false);
        }
    }

    private button(device: string, name: string, isDown: boolean): void {
        if (isDown) this.held.add(`${device}\n${name}`);
        else this.held.delete(`${device}\n${name}`);
        this.add({ device, kind: isDown ? "pressed" : "released", name });
    }

    private add(event: InputEvent): void {
        this.events.push(event);
        if (this.events.length === 1) requestAnimationFrame(() => this.flush());
    }

    private flush(): void {
        this.connection.send({ type: "input", events: this.events });
        this.events = [];
    }
}
