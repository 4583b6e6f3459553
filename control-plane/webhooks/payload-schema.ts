/** The payloads of webhooks as the OpenAPI files describe them; each service has a table of its own. */
import { z } from 'zod';
import type { WebhookRow } from '../platform/http/openapi.ts';

/** An event as its table has it. */
export interface PayloadEntry {
  readonly summary: string;
  /** What `data` holds; without it there is none. */
  readonly data?: z.ZodType;
  /** Members beside `data`. */
  readonly more?: Readonly<Record<string, z.ZodType>>;
  /** An example of what the event is about. */
  readonly id: string;
  readonly example?: unknown;
  readonly exampleMore?: Readonly<Record<string, unknown>>;
}

const instant = z.iso.datetime();
const signature = z.string().regex(/^sha256=[0-9a-f]{64}$/);
const happenedAt = '2026-03-02T08:15:30.000Z';
const sentAt = '2026-03-02T08:15:30.412Z';

/** The rows of a table by event. */
export function payloadRows(entries: Readonly<Record<string, PayloadEntry>>): WebhookRow[] {
  return Object.entries(entries).map(([event, entry]) => {
    const { summary, data, more = {}, id, example, exampleMore = {} } = entry;
    const schema = z
      .strictObject({
        event: z.literal(event),
        id: z.string().describe('Of what it happened to.'),
        ...more,
        timestamp: instant.describe('When it happened.'),
        ...(data === undefined ? {} : { data }),
        ts: instant.describe('When this attempt was signed.'),
        signature: signature.describe(
          'HMAC-SHA256 by the secret of the endpoint: see docs/webhooks.md.',
        ),
      })
      .meta({ id: schemaName(event) });
    const shown = {
      event,
      id,
      ...exampleMore,
      timestamp: happenedAt,
      ...(data === undefined ? {} : { data: example }),
      ts: sentAt,
      signature: `sha256=${'5f3c9ad1'.repeat(8)}`,
    };
    return { event, summary, schema, example: shown };
  });
}

/** `message.category_changed` → `MessageCategoryChangedEvent`. */
function schemaName(event: string): string {
  const words = event.split(/[._]/).map((word) => word[0]!.toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
}

/** Events that both services send. */
export const commonPayloads = {
  'endpoint.disabled': {
    summary: 'Another endpoint of yours was disabled',
    id: 'whe_01k3w9v2x4m6n8p0q2r4s6t8v0',
    data: z.strictObject({ reason: z.string(), url: z.string() }),
    example: { reason: 'no answer with 2xx for five days', url: 'https://erp.example.com/hooks' },
  },
  'work.stalled': {
    summary: 'The service has stopped trying to do something that is no invoice’s',
    id: 'brc_01k3w9v2x4m6n8p0q2r4s6t8v0',
    data: z.strictObject({ reason: z.string(), queue: z.string() }),
    example: {
      reason: 'The service could not do this and has stopped trying; its operator was told.',
      queue: 'broadcast',
    },
  },
  'webhook.test': {
    summary: 'You asked for a test',
    id: 'whe_01k3w9v2x4m6n8p0q2r4s6t8v0',
  },
} satisfies Record<string, PayloadEntry>;
