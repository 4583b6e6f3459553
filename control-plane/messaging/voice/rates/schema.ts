import { z } from 'zod';
import { utcInstant } from '../../../platform/http/time-input.ts';
import { idPattern } from '../../../platform/ids.ts';

export const rateId = z.string().regex(idPattern('rat'), 'must be the id of a rate');

export const prefix = z
  .string()
  .regex(
    /^\+([1-9]\d{0,14})?$/,
    'must be + and the beginning of a number; + alone is every number',
  );
const currency = z.string().regex(/^[A-Z]{3}$/, 'must be three capital letters');
const amount = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,6})?$/, 'must be a decimal with at most six places');
const increment = z
  .string()
  .regex(/^[1-9]\d{0,3}\/[1-9]\d{0,3}$/, 'must be as 60/60, 6/6 or 1/1')
  .refine((text) => text.split('/').every((part) => Number(part) <= 3_600), 'at most 3600');

const instant = utcInstant('must be an instant in UTC, as 2026-01-31T00:00:00Z');

export const rateRequest = z
  .strictObject({
    prefix,
    currency,
    per_minute: amount,
    connection_fee: amount.default('0'),
    increment: increment
      .default('60/60')
      .describe('Seconds billed at least, and the steps in which it goes on'),
    valid_from: instant.optional().describe('Default: now'),
    valid_until: instant.nullable().default(null),
  })
  .meta({ id: 'RateCardRequest' });

export const rateView = z
  .strictObject({
    id: z.string(),
    prefix,
    currency,
    per_minute: z.string(),
    connection_fee: z.string(),
    increment: z.string(),
    valid_from: z.iso.datetime(),
    valid_until: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'RateCard' });

const problem = z.strictObject({ field: z.string(), problem: z.string() });

export const importPreview = z
  .strictObject({
    columns: z.array(z.string()).describe('As the first line names them.'),
    rows: z
      .array(
        z.strictObject({
          line: z.int().describe('On which it ends, from 1.'),
          cells: z.array(z.string()),
          problems: z.array(problem),
        }),
      )
      .describe('The first 20, and the first 100 that have problems.'),
    counts: z.strictObject({
      rows: z.int(),
      created: z.int().describe('Rates that would be added.'),
      unchanged: z.int().describe('The same rates are there.'),
      problems: z.int().describe('With one of these nothing is imported.'),
    }),
    problems: z
      .array(problem.extend({ rows: z.int(), first_line: z.int() }))
      .describe('What is wrong, and in how many rows; the most frequent first.'),
  })
  .meta({ id: 'RateCardImportPreview' });

export const importView = z
  .strictObject({
    rows: z.int(),
    created: z.int(),
    unchanged: z.int().describe('The same rates were there'),
  })
  .meta({ id: 'RateCardImport' });
