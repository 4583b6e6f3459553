interface Row<T> {
  readonly due: number;
  readonly serial: number;
  readonly item: T;
}

/** Items that become due: the earliest first; of those due together, the first that was added. */
export class DueQueue<T> {
  readonly #heap: Row<T>[] = [];
  #serial = 0;

  get size(): number {
    return this.#heap.length;
  }

  /** When the next item is due; undefined when there is none. */
  get nextDue(): number | undefined {
    return this.#heap[0]?.due;
  }

  get next(): T | undefined {
    return this.#heap[0]?.item;
  }

  push(item: T, due: number): void {
    this.#serial += 1;
    const heap = this.#heap;
    heap.push({ due, serial: this.#serial, item });
    let at = heap.length - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(heap[at]!, heap[parent]!)) return;
      [heap[at], heap[parent]] = [heap[parent]!, heap[at]!];
      at = parent;
    }
  }

  pop(): T | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined) return undefined;
    if (heap.length > 0) this.#sink(last);
    return first.item;
  }

  #sink(row: Row<T>): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
      if (!isBefore(heap[child]!, row)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = row;
  }
}

function isBefore(a: Row<unknown>, b: Row<unknown>): boolean {
  return a.due < b.due || (a.due === b.due && a.serial < b.serial);
}
