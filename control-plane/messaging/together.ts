/**
 * Looks things up that are asked for a thousand times a second: whoever asks while one look is
 * under way shares the next. So nobody is given what was true before he asked.
 */
export class Together<Value> {
  readonly #turns = new Map<string, Turn<Value>>();

  get(key: string, look: () => Promise<Value>): Promise<Value> {
    const turn = this.#turns.get(key);
    if (turn === undefined) return this.#start(key, look);
    turn.next ??= turn.running.then(
      () => this.#start(key, look),
      () => this.#start(key, look),
    );
    return turn.next;
  }

  #start(key: string, look: () => Promise<Value>): Promise<Value> {
    const running = look();
    const turn: Turn<Value> = { running, next: undefined };
    this.#turns.set(key, turn);
    const end = () => {
      if (turn.next === undefined) this.#turns.delete(key);
    };
    running.then(end, end);
    return running;
  }
}

interface Turn<Value> {
  readonly running: Promise<Value>;
  next: Promise<Value> | undefined;
}
