/**
 * Callers that ask the same at the same time share one look-up. An error goes to all who share it,
 * and is not kept.
 *
 * ```ts
 * const providers = new SingleFlight<Provider>();
 * const provider = await providers.fresh(id, () => load(id));
 * ```
 */
export class SingleFlight<Value> {
  readonly #running = new Map<string, LookUp<Value>>();

  /** Shares the look-up of the key that is under way, else starts one. */
  join(key: string, look: () => Promise<Value>): Promise<Value> {
    return this.#running.get(key)?.result ?? this.#start(key, look);
  }

  /**
   * As `join`, but callers that come while a look-up is under way share the next one, so nobody
   * gets a value that is older than their question.
   */
  fresh(key: string, look: () => Promise<Value>): Promise<Value> {
    const running = this.#running.get(key);
    if (running === undefined) return this.#start(key, look);
    const again = () => this.#start(key, look);
    running.next ??= running.result.then(again, again);
    return running.next;
  }

  #start(key: string, look: () => Promise<Value>): Promise<Value> {
    const running: LookUp<Value> = { result: look(), next: undefined };
    this.#running.set(key, running);
    const end = () => {
      if (this.#running.get(key) === running && running.next === undefined) {
        this.#running.delete(key);
      }
    };
    running.result.then(end, end);
    return running.result;
  }
}

interface LookUp<Value> {
  readonly result: Promise<Value>;
  next: Promise<Value> | undefined;
}
