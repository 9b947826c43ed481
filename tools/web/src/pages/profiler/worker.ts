// worker.ts: reads a file of the profiler beside the page, so that the page stays alive meanwhile.
//
// The page posts the size of the file, then its parts in turn, then null.
import { RecordingReader } from "./file";
import { statisticsOf } from "./statistics";
import { type Posted, pack } from "./transfer";

const scope = self as unknown as {
    onmessage: (event: MessageEvent<number | Uint8Array | null>) => void;
    postMessage: (posted: Posted, buffers: ArrayBuffer[]) => void;
};
let reader = new RecordingReader(0);

scope.onmessage = ({ data }) => {
    try {
        if (typeof data === "number") reader = new RecordingReader(data);
        else if (data) reader.add(data);
        else post(reader);
    } catch (error) {
        scope.postMessage({ error: (error as Error).message }, []);
    }
};

function post(finished: RecordingReader): void {
    const recording = finished.end();
    const { posted, buffers } = pack(recording, statisticsOf(recording, recording.begin, recording.end));
    scope.postMessage(posted, buffers);
}
