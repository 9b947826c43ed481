// input_names.ts: what the engine calls the keys and buttons of a browser.

const KEYS: Record<string, string> = {
    Enter: "enter",
    Escape: "esc",
    Backspace: "backspace",
    Tab: "tab",
    Space: "space",
    Minus: "-",
    Equal: "=",
    BracketLeft: "[",
    BracketRight: "]",
    Backslash: "\\",
    Semicolon: ";",
    Quote: "'",
    Backquote: "`",
    Comma: ",",
    Period: ".",
    Slash: "/",
    CapsLock: "caps lock",
    PrintScreen: "print screen",
    ScrollLock: "scroll lock",
    Pause: "pause",
    Insert: "insert",
    Home: "home",
    PageUp: "page up",
    Delete: "delete",
    End: "end",
    PageDown: "page down",
    ArrowRight: "right",
    ArrowLeft: "left",
    ArrowDown: "down",
    ArrowUp: "up",
    NumLock: "num lock",
    NumpadDivide: "numpad /",
    NumpadMultiply: "numpad *",
    NumpadSubtract: "numpad -",
    NumpadAdd: "numpad +",
    NumpadEnter: "numpad enter",
    NumpadDecimal: "numpad .",
    NumpadEqual: "numpad =",
    IntlBackslash: "oem_102",
    ContextMenu: "menu",
    ControlLeft: "left ctrl",
    ShiftLeft: "left shift",
    AltLeft: "left alt",
    MetaLeft: "left win",
    ControlRight: "right ctrl",
    ShiftRight: "right shift",
    AltRight: "right alt",
    MetaRight: "right win",
};

/** The engine's name of a key, by `KeyboardEvent.code`; undefined: the engine has no name for it. */
export function keyName(code: string): string | undefined {
    const found = /^(?:Key([A-Z])|Digit(\d)|Numpad(\d)|(F\d+))$/.exec(code);
    if (!found) return KEYS[code];
    const [, letter, digit, numpad, function_] = found;
    if (letter) return letter.toLowerCase();
    if (numpad) return `numpad ${numpad}`;
    return digit ?? function_?.toLowerCase();
}

/** The engine's name of a mouse button, by `MouseEvent.button`. */
export function buttonName(button: number): string | undefined {
    return ["left", "middle", "right", "extra_1", "extra_2"][button];
}
