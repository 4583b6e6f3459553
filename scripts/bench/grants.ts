import pg from 'pg';

/** Milliseconds between two reads; shorter than a window is kept. */
const lookMs = 150;
/** As in the migration that counts grants, for a limit as high as that of a broadcast. */
const slotMs = 4;

/** Reads what the database grants to broadcasts, by the database's clock. */
export class GrantWatch {
  readonly #client: pg.Client;
  readonly #counts = new Map<number, number>();
  readonly #timer: NodeJS.Timeout;

  private constructor(client: pg.Client) {
    this.#client = client;
    this.#timer = setInterval(() => void this.#look(), lookMs);
  }

  static async start(url: string): Promise<GrantWatch> {
    const client = new pg.Client(url);
    await client.connect();
    return new GrantWatch(client);
  }

  async #look(): Promise<void> {
    const { rows } = await this.#client.query<{ slot_end: string; count: number }>(
      `select slot_end, count from rate_window, unnest(slot_ends, counts) as s (slot_end, count)
       where key like 'broadcast %'`,
    );
    for (const { slot_end, count } of rows) this.#counts.set(Number(slot_end), count);
  }

  /**
   * The most that was granted in any second. Throws when it did not read often enough to see all
   * grants of `sent` messages.
   */
  async mostInSecond(sent: number): Promise<number> {
    clearInterval(this.#timer);
    await this.#look();
    await this.#client.end();
    const slots = [...this.#counts].toSorted(([a], [b]) => a - b);
    const seen = slots.reduce((sum, [, count]) => sum + count, 0);
    if (seen < sent) throw new Error(`${sent - seen} of ${sent} grants were not seen`);
    let most = 0;
    let inWindow = 0;
    let first = 0;
    for (const [end, count] of slots) {
      inWindow += count;
      // A slot that is only partly within the second counts completely.
      while (end - slotMs - slots[first]![0] >= 1_000) inWindow -= slots[first++]![1];
      most = Math.max(most, inWindow);
    }
    return most;
  }
}
