// memory_chart.tsx: the bytes of all allocators, or of the chosen one, over time.
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { bytes } from "../../format";
import { Chart } from "../../widgets/chart";
import { type Sample, totalOf } from "./memory_history";

export function MemoryChart({ samples, chosen }: { samples: Sample[]; chosen: string }): JSX.Element {
    const data = useMemo(() => {
        const last = samples.at(-1)?.time ?? 0;
        return {
            x: samples.map((sample) => sample.time - last),
            y: samples.map((sample) => (chosen ? (sample.bytes.get(chosen) ?? null) : totalOf(sample))),
        };
    }, [samples, chosen]);
    return (
        <div class="memory-chart">
            <span class="dim">{chosen || "all allocators"}</span>
            <Chart
                label="Live bytes over time"
                x={data.x}
                y={[data.y]}
                series={[{ label: chosen || "all allocators", fill: true }]}
                height={120}
                isBinary
                formatX={(seconds) => `${Number(seconds.toPrecision(3))} s`}
                formatY={bytes}
            />
        </div>
    );
}
