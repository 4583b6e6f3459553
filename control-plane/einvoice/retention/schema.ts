import { z } from 'zod';
import { lifeDays } from '../../platform/retention/life-days.ts';

export const retention = z
  .strictObject({
    invoice_days: lifeDays.describe(
      'Days after its last change when a settled invoice is deleted; null: never. The law asks ' +
        'that most invoices be kept for years: ask whoever keeps your books before you set it.',
    ),
  })
  .meta({ id: 'Retention' });
