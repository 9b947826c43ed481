// columns.ts: arrays of numbers that grow. All of a recording is made of these.

type Numbers = Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

export class Column<T extends Numbers> {
    length = 0;

    /** Takes an array over; `length` of its elements are used. */
    constructor(
        public data: T,
        length = 0,
    ) {
        this.length = length;
    }

    push(value: number): void {
        if (this.length === this.data.length) this.reserve(Math.max(16, this.data.length * 2));
        this.data[this.length++] = value;
    }

    /** The elements that are used. A view, until the next `push`. */
    values(): T {
        return this.data.subarray(0, this.length) as T;
    }

    /** Makes room for `length` elements at once. */
    reserve(length: number): void {
        if (length <= this.data.length) return;
        const Kind = this.data.constructor as new (length: number) => T;
        const longer = new Kind(length);
        longer.set(this.data);
        this.data = longer;
    }
}

export const doubles = (): Column<Float64Array<ArrayBuffer>> => new Column(new Float64Array(16));
export const integers = (): Column<Uint32Array<ArrayBuffer>> => new Column(new Uint32Array(16));

/** The first index of a sorted array, below `length`, whose value is at least `value`; else `length`. */
export function lowerBound(sorted: ArrayLike<number>, length: number, value: number, first = 0): number {
    let low = first;
    let high = length;
    while (low < high) {
        const middle = (low + high) >>> 1;
        if (sorted[middle]! < value) low = middle + 1;
        else high = middle;
    }
    return low;
}
