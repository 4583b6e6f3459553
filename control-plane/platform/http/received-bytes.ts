/**
 * What has arrived of a body, in one piece. Where its length was announced it is put together as it
 * arrives: 20 MB put together at the end would hold the thread for 50 ms.
 */
export class ReceivedBytes {
  readonly #whole: Uint8Array<ArrayBuffer> | undefined;
  readonly #chunks: Uint8Array[] = [];
  #size = 0;

  /** `length`: as announced; undefined: nobody said. */
  constructor(length: number | undefined) {
    // Not filled with zeros, which holds the thread for 40 ms: only what has arrived is ever read.
    this.#whole = length === undefined ? undefined : Buffer.allocUnsafeSlow(length);
  }

  get size(): number {
    return this.#size;
  }

  /** No more than was announced: HTTP does not let a body be longer than that. */
  add(chunk: Uint8Array): void {
    if (this.#whole === undefined) this.#chunks.push(chunk);
    else this.#whole.set(chunk, this.#size);
    this.#size += chunk.length;
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return this.#whole?.subarray(0, this.#size) ?? Buffer.concat(this.#chunks);
  }
}
