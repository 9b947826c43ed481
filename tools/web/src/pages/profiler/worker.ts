// worker.ts: reads a file of the profiler beside the page, so that the page stays alive meanwhile.
import { readRecording } from "./file";
import { type Posted, pack } from "./transfer";

const scope = self as unknown as {
    onmessage: (event: MessageEvent<ArrayBuffer>) => void;
    postMessage: (posted: Posted, buffers: ArrayBuffer[]) => void;
};

scope.onmessage = (event) => {
    try {
        const { posted, buffers } = pack(readRecording(new Uint8Array(event.data)));
        scope.postMessage(posted, buffers);
    } catch (error) {
        scope.postMessage({ error: (error as Error).message }, []);
    }
};
