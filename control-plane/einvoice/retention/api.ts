import type { RetentionApi } from '../../platform/retention/routes.ts';
import { retention } from './schema.ts';

/** How long a tenant's settled invoices are kept. */
export const retentionApi: RetentionApi = {
  path: '/v1/retention',
  things: 'settled invoices',
  description:
    'It holds for the environment of the address, and for invoices that are there already: the next ' +
    'sweep deletes those whose time is over, with their documents, timeline, webhook deliveries ' +
    'and idempotency keys, and nothing brings them back. An invoice that is on its way, may still be cancelled, ' +
    'or has a webhook that is still to be sent is never deleted. The audit log stays.',
  kinds: { invoice_days: 'invoice' },
  schema: retention,
};
