import { z } from 'zod';
import { lifeDays } from '../../platform/retention/life-days.ts';

export const retention = z
  .strictObject({
    message_days: lifeDays.describe(
      'Days after its last change when a message is deleted, with its files; null: never. Those of ' +
        'conversations that are not closed and of broadcasts that are not over stay.',
    ),
    contact_days: lifeDays.describe(
      'Days after anything last happened with a contact when it is deleted, with its conversation; ' +
        'null: never. A contact whose messages are kept stays, and opt-outs and consents outlive it.',
    ),
  })
  .meta({ id: 'Retention' });
