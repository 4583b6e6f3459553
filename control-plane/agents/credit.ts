import { limits } from '@drawbridge/link/limits.ts';

/** Documents and bytes of their compressed content. */
export interface Amount {
  readonly documents: number;
  readonly bytes: number;
}

/** What one agent may have sent and this node has not yet stored. */
export const windowOfSession: Amount = { documents: 4_000, bytes: 2 * limits.batchBytesMax };

/**
 * The memory that batches of all agents of this node may take until they are stored. When it is used up
 * an agent gets new credit only after others' batches are stored, in the order in which they asked.
 *
 *   const credit = new NodeCredit(64 * 1_048_576);
 */
export class NodeCredit {
  readonly #bytesMax: number;
  #bytes = 0;
  readonly #waiting = new Set<() => void>();

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** A batch has come. */
  received(bytes: number): void {
    this.#bytes += bytes;
  }

  /** A batch is stored, or its session has ended. */
  released(bytes: number): void {
    this.#bytes -= bytes;
    for (const grant of this.#waiting) {
      if (this.#isSpent) return;
      this.#waiting.delete(grant);
      grant();
    }
  }

  /** Calls `grant` now, or when there is room again. */
  request(grant: () => void): void {
    if (this.#isSpent) this.#waiting.add(grant);
    else grant();
  }

  cancel(grant: () => void): void {
    this.#waiting.delete(grant);
  }

  get #isSpent(): boolean {
    return this.#bytes >= this.#bytesMax;
  }
}

/** The credit of one session: what came may not be more than was granted. */
export class SessionCredit {
  readonly #node: NodeCredit;
  readonly #send: (granted: Amount) => void;
  #granted: Amount = { documents: 0, bytes: 0 };
  #received: Amount = { documents: 0, bytes: 0 };
  #stored: Amount = { documents: 0, bytes: 0 };
  readonly #grant = () => {
    this.#granted = sum(this.#stored, windowOfSession);
    this.#send(this.#granted);
  };

  constructor(node: NodeCredit, send: (granted: Amount) => void) {
    this.#node = node;
    this.#send = send;
  }

  /** Grants the first window. */
  begin(): void {
    this.#node.request(this.#grant);
  }

  /** False when the agent sent more than it may. */
  receive(amount: Amount): boolean {
    this.#received = sum(this.#received, amount);
    this.#node.received(amount.bytes);
    return (
      this.#received.documents <= this.#granted.documents &&
      this.#received.bytes <= this.#granted.bytes
    );
  }

  /** Grants as much anew. */
  stored(amount: Amount): void {
    this.#stored = sum(this.#stored, amount);
    this.#node.released(amount.bytes);
    this.#node.request(this.#grant);
  }

  /** The session has ended; what was not stored comes again in the next. */
  end(): void {
    this.#node.cancel(this.#grant);
    this.#node.released(this.#received.bytes - this.#stored.bytes);
    this.#stored = this.#received;
  }
}

function sum(one: Amount, other: Amount): Amount {
  return { documents: one.documents + other.documents, bytes: one.bytes + other.bytes };
}
