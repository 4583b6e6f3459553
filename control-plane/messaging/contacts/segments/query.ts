/** The conditions of a segment that is a query: a small closed grammar, stored as JSON. */
import { z } from 'zod';
import { day, zonedInstant } from '../../../platform/http/time-input.ts';
import { channel, segmentId } from '../schema.ts';

const attribute = z.string().trim().min(1).max(64).describe('Name of an attribute.');
const value = z.union([z.string().max(1_000), z.number(), z.boolean()]);
const bound = z
  .union([z.number(), day()])
  .describe('A number, or a date as 2026-01-31; attributes that are neither do not fit.');
const instant = zonedInstant();
const bounds = {
  above: bound.optional(),
  at_least: bound.optional(),
  below: bound.optional(),
  at_most: bound.optional(),
};

const condition = z.union([
  z.strictObject({
    attribute,
    is: z
      .union([value, z.array(value).min(1).max(50)])
      .describe('One of these values; a number also fits a text that says it.'),
  }),
  z.strictObject({ attribute, exists: z.boolean() }),
  z
    .strictObject({ attribute, ...bounds })
    .refine((given) => Object.keys(bounds).some((name) => name in given), 'compares with nothing'),
  z.strictObject({ text: z.string().trim().min(1).max(200).describe('As `text` of the list.') }),
  z.strictObject({ created_since: instant }),
  z.strictObject({ created_before: instant }),
  z.strictObject({ reachable: channel.describe('Has an address on the channel.') }),
  z.strictObject({ segment_id: segmentId.describe('Is in this list; not in another query.') }),
]);

const conditionsMax = 20;
const conditions = z.array(condition).min(1).max(conditionsMax).optional();

export const segmentQuery = z
  .strictObject({
    all: conditions.describe('All of these conditions hold.'),
    any: conditions.describe('At least one of these conditions holds.'),
    none: conditions.describe('None of these conditions holds.'),
  })
  .refine(({ all, any, none }) => all ?? any ?? none, 'asks nothing')
  .meta({ id: 'SegmentQuery' });
export type SegmentQuery = z.output<typeof segmentQuery>;

/** The ids of the lists that a query refers to. */
export function listsOf({ all = [], any = [], none = [] }: SegmentQuery): string[] {
  const ids = [...all, ...any, ...none].flatMap((each) =>
    'segment_id' in each ? [each.segment_id] : [],
  );
  return [...new Set(ids)];
}
