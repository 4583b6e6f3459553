import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { findOwner } from './store.ts';

const keptMax = 10_000;

/** Caches the scope of each app: every webhook asks for it, and it never changes. */
export class AppOwners {
  readonly #db: Db;
  readonly #known = new Map<string, Promise<TenantScope | undefined>>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** Undefined when there is no such app; a removed app may still be in the cache. */
  of(appId: string): Promise<TenantScope | undefined> {
    const known = this.#known.get(appId);
    if (known !== undefined) return known;
    const looking = this.#look(appId);
    if (this.#known.size >= keptMax) this.#known.delete(this.#known.keys().next().value!);
    this.#known.set(appId, looking);
    const forget = () => this.#known.delete(appId);
    looking.then((scope) => scope ?? forget(), forget);
    return looking;
  }

  async #look(appId: string): Promise<TenantScope | undefined> {
    const owner = await this.#db.system((tx) => findOwner(tx, appId));
    return owner && { tenantId: owner.tenant_id, environment: owner.environment };
  }
}
