import type { Tx } from '../../platform/db/tx.ts';
import type { Role } from '../roles/messaging-roles.ts';

/** Someone whose role was changed, and who changed it. */
interface ChangedMember {
  readonly userId: string;
  /** In messaging; null: none any more. */
  readonly role: Role | null;
  readonly by: string;
}

/** What other parts do when members change. */
export interface MemberHooks {
  /** Runs in the transaction that changes or removes the member. */
  changed(tx: Tx, tenantId: string, changed: ChangedMember): Promise<void>;
}

/** The hooks of all modules; each adds its own when it opens. */
export class MemberHookList implements MemberHooks {
  readonly #all: MemberHooks[] = [];

  add(hooks: MemberHooks): void {
    this.#all.push(hooks);
  }

  async changed(tx: Tx, tenantId: string, changed: ChangedMember): Promise<void> {
    for (const hooks of this.#all) await hooks.changed(tx, tenantId, changed);
  }
}
