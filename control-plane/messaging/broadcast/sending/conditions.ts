import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { OpenedApp } from '../../apps/app-opener.ts';
import { findApp } from '../../apps/store.ts';
import { hasWaiting } from '../../messages/sending/priority.ts';
import { findReview, type Review } from '../../templates/store.ts';
import type { BroadcastContext } from '../context.ts';
import { type BroadcastRow, findAgreedRate } from '../store.ts';
import { QuietHoursPostponer } from './quiet-hours-postponer.ts';

/** The app and the limits by which a broadcast is sent. */
export interface Conditions {
  /** Undefined: it was removed. */
  readonly opened: OpenedApp | undefined;
  /** How the template stands at the network; undefined: the network reviews none. */
  readonly review: Review | undefined;
  /** Messages a second that the tenant may send. */
  readonly tenantRate: number;
  /** Single messages wait for the app, and broadcasts leave them room. */
  readonly leavesRoom: boolean;
}

const refreshMs = 2_000;

/**
 * The conditions of one broadcast, looked up again every two seconds. Each time, due messages in
 * zones where quiet hours have begun are postponed.
 */
export class SendConditions {
  readonly #context: BroadcastContext;
  readonly #scope: TenantScope;
  readonly #appId: string;
  readonly #templateId: string;
  readonly #quietHours: QuietHoursPostponer;
  #known: Conditions | undefined;
  #refreshAt = 0;

  constructor(context: BroadcastContext, scope: TenantScope, broadcast: BroadcastRow) {
    this.#context = context;
    this.#scope = scope;
    this.#appId = broadcast.app_id;
    this.#templateId = broadcast.template_id;
    this.#quietHours = new QuietHoursPostponer(context, scope, broadcast);
  }

  /**
   * During the look-up the earlier conditions stay valid; the look-up is handed to `inBackground`.
   */
  async current(inBackground: (work: Promise<void>) => void): Promise<Conditions> {
    const nowMs = this.#context.clock().getTime();
    if (nowMs >= this.#refreshAt) {
      this.#refreshAt = nowMs + refreshMs;
      const refreshing = this.#refresh();
      if (this.#known === undefined) await refreshing;
      else inBackground(refreshing);
    }
    return this.#known!;
  }

  async #refresh(): Promise<void> {
    const { db, appOpener, limits, ratePerSecond } = this.#context;
    const scope = this.#scope;
    await this.#quietHours.postpone();
    const leavesRoom = await hasWaiting(limits, this.#appId);
    this.#known = await db.tenant(scope.tenantId, async (tx) => {
      const row = await findApp(tx, scope, this.#appId);
      const agreed = await findAgreedRate(tx, scope.tenantId);
      return {
        opened: row === undefined ? undefined : appOpener.open(scope, row),
        review: await findReview(tx, scope, this.#templateId),
        tenantRate: agreed ?? ratePerSecond,
        leavesRoom,
      };
    });
  }
}
