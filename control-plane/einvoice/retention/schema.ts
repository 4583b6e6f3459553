import { z } from 'zod';

/** A settled invoice is kept for thirty days at least, and a hundred years at most. */
const lifeDays = { min: 30, max: 36_500 } as const;

export const retention = z
  .strictObject({
    invoice_days: z
      .int()
      .min(lifeDays.min)
      .max(lifeDays.max)
      .nullable()
      .describe(
        'Days after its last change when a settled invoice is deleted; null: never. The law asks ' +
          'that most invoices be kept for years: ask whoever keeps your books before you set it.',
      ),
  })
  .meta({ id: 'Retention' });
