// open_file.ts: opens a file of the profiler in a worker.
import type { Recording } from "./recording";
import { type Posted, unpack } from "./transfer";

/** Rejects with an error that says what is wrong with the file. */
export async function openFile(file: Blob): Promise<Recording> {
    const bytes = await file.arrayBuffer();
    const worker = new Worker("profiler_worker.js", { type: "module" });
    try {
        const posted = await new Promise<Posted>((resolve, reject) => {
            worker.onmessage = (event: MessageEvent<Posted>) => resolve(event.data);
            worker.onerror = (event) => reject(new Error(event.message || "the worker did not start"));
            worker.postMessage(bytes, [bytes]);
        });
        if (!posted.recording) throw new Error(posted.error);
        return unpack(posted.recording);
    } finally {
        worker.terminate();
    }
}

/** Gives bytes to the browser as a file. */
export function saveFile(name: string, parts: BlobPart[], type = "application/octet-stream"): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(parts, { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
