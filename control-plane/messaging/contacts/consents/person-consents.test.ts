import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { type ServiceKit, startService } from '../../service.kit.ts';
import { recordPersonConsents } from './person-consents.ts';
import { latestConsents } from './store.ts';

let service: ServiceKit;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

test('of what a person said in one batch the last word is shown, and holds', async () => {
  const scope: TenantScope = { tenantId: service.tenantId, environment: 'sandbox' };
  const now = new Date();
  const context = { clock: () => now, random: randomBytes };
  const who = { contactId: null, channel: 'sms' } as const;
  const said = (['revoked', 'granted', 'revoked', 'granted'] as const).map((state) => {
    return { ...who, state, source: 'inbound', note: null, at: now };
  });
  for (let time = 0; time < 10; time += 1) {
    const address = `+97150111910${time}`;
    const shown = await service.app.platform.db.tenant(scope.tenantId, async (tx) => {
      const own = said.map((each) => ({ ...each, address }));
      await recordPersonConsents(tx, scope, context, own);
      return latestConsents(tx, scope, [{ channel: 'sms', address }]);
    });
    expect(shown).toMatchObject([{ state: 'granted' }]);
  }
});
