import type { z } from 'zod';
import { csvCell } from '../../platform/http/csv.ts';
import type { auditEvent } from './schema.ts';

const columns = [
  'id',
  'timestamp',
  'actor_kind',
  'actor_id',
  'service',
  'environment',
  'ip',
  'request_id',
  'action',
  'subject',
  'outcome',
  'before',
  'after',
] as const;

/** The first line of a CSV file of events. */
export const csvHead = `${columns.join(',')}\r\n`;

/** An event as a line of CSV (RFC 4180); before and after are JSON. */
export function csvLine(event: z.output<typeof auditEvent>): string {
  const { actor, before, after, ...plain } = event;
  const cells: Record<(typeof columns)[number], string | null> = {
    ...plain,
    actor_kind: actor.kind,
    actor_id: actor.id,
    before: before == null ? null : JSON.stringify(before),
    after: after == null ? null : JSON.stringify(after),
  };
  return `${columns.map((column) => csvCell(cells[column] ?? '')).join(',')}\r\n`;
}
