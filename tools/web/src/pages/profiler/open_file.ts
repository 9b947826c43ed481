// open_file.ts: opens a file of the profiler in a worker.
import type { Recording } from "./recording";
import { type Posted, unpack } from "./transfer";

/** Rejects with an error that says what is wrong with the file. */
export async function openFile(file: Blob): Promise<Recording> {
    const worker = new Worker("profiler_worker.js", { type: "module" });
    try {
        const answer = new Promise<Posted>((resolve, reject) => {
            worker.onmessage = (event: MessageEvent<Posted>) => resolve(event.data);
            worker.onerror = (event) => reject(new Error(event.message || "the worker did not start"));
        });
        const [{ recording, statistics, error }] = await Promise.all([answer, post(file, worker)]);
        if (!recording) throw new Error(error);
        return unpack(recording, statistics ?? []);
    } finally {
        worker.terminate();
    }
}

async function post(file: Blob, worker: Worker): Promise<void> {
    worker.postMessage(file.size);
    // Chromium gives parts of some 1.3 MB, in two thirds of the time that slices of 16 MB took.
    const reader = file.stream().getReader();
    for (let part; !(part = await reader.read()).done; ) worker.postMessage(part.value, [part.value.buffer]);
    worker.postMessage(null);
}

/** Gives bytes to the browser as a file. */
export function saveFile(name: string, parts: BlobPart[], type = "application/octet-stream"): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(parts, { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
