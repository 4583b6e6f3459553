import type { RetentionApi } from '../../platform/retention/routes.ts';
import { retention } from './schema.ts';

/** How long a tenant's messages and contacts are kept. */
export const retentionApi: RetentionApi = {
  path: '/retention/',
  things: 'messages and contacts',
  description:
    'It holds for the environment of the address, and for what is there already: the next sweep ' +
    'deletes what has outlived its time, and nothing brings it back. With a message go its files and who ' +
    'clicked or replied; with a contact its conversation, notes and place in segments. The last message of ' +
    'a conversation stays with it. Never deleted: what is of a conversation that is not closed or of ' +
    'a broadcast that is not over, opt-outs, consents, counts, and entries of the wallet.',
  kinds: { message_days: 'message', contact_days: 'contact' },
  schema: retention,
};
