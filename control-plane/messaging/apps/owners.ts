import type { Db } from '../../platform/db/database.ts';
import type { Place } from '../contacts/store.ts';
import { findOwner } from './store.ts';

const keptMax = 10_000;

/** Whose an app is. It is asked for each webhook and never changes, so it is looked up once. */
export class AppOwners {
  readonly #db: Db;
  readonly #known = new Map<string, Promise<Place | undefined>>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** Undefined when there is no such app. One that was removed since may still be answered. */
  of(appId: string): Promise<Place | undefined> {
    const known = this.#known.get(appId);
    if (known !== undefined) return known;
    const looking = this.#look(appId);
    if (this.#known.size >= keptMax) this.#known.delete(this.#known.keys().next().value!);
    this.#known.set(appId, looking);
    const forget = () => this.#known.delete(appId);
    looking.then((place) => place ?? forget(), forget);
    return looking;
  }

  async #look(appId: string): Promise<Place | undefined> {
    const owner = await this.#db.system((tx) => findOwner(tx, appId));
    return owner && { tenantId: owner.tenant_id, environment: owner.environment };
  }
}
