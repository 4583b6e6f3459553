/** Invoices as the control plane tells of them. */
import { z } from 'zod';
import { type Asked, readAs } from '../control-plane/answers.ts';
import type { ApiCall } from '../control-plane/client.ts';

const text = z.string().max(20_000);

const failure = z.object({
  rule: text,
  message: text,
  severity: z.enum(['fatal', 'warning']),
  source: z.object({ origin: text, column: text, key: text, value: text.nullable() }).optional(),
  explanation: z.object({ fix: text }).optional(),
});

const invoice = z.object({
  id: text,
  status: text,
  profile: text,
  connector_id: text.optional(),
  source_ref: text,
  number: text.optional(),
  buyer: text.optional(),
  currency: text.optional(),
  gross: text.optional(),
  errors: z.array(failure),
  warnings: z.array(failure),
  waiting: z.object({ reason: text, since: text }).optional(),
  hold: z
    .object({
      waits_for: z.enum(['release', 'approval']).optional(),
      reason: text.optional(),
      since: text,
    })
    .optional(),
  uin: text.optional(),
  created_at: text,
});

export type Failure = z.infer<typeof failure>;
export type RemoteInvoice = z.infer<typeof invoice>;

const page = z.object({ results: z.array(invoice), next: text.nullable() });

/** The newest invoices that the filters let through, and whether there are more. */
export async function listInvoices(
  call: ApiCall,
  filters: Readonly<Record<string, string>>,
): Promise<Asked<{ readonly invoices: readonly RemoteInvoice[]; readonly hasMore: boolean }>> {
  const asked = readAs(page, await call('GET', `/v1/invoices?${new URLSearchParams(filters)}`));
  if (asked.kind === 'failed') return asked;
  const { results, next } = asked.value;
  return { kind: 'answer', value: { invoices: results, hasMore: next !== null } };
}

/** Newest invoices that are looked through for those that a mapping refused. */
const lookedMax = 200;

/**
 * Of the newest invoices of a connector those whose document its mapping did not fit and that nobody has
 * submitted since, the newest first. None where the control plane does not tell.
 */
export async function refusedByMapping(
  call: ApiCall,
  connectorId: string,
): Promise<readonly RemoteInvoice[]> {
  const asked = await listInvoices(call, { connector_id: connectorId, limit: String(lookedMax) });
  if (asked.kind === 'failed') return [];
  const latest = new Map<string, RemoteInvoice>();
  for (const each of asked.value.invoices) {
    const document = `${each.profile} ${each.source_ref}`;
    if (!latest.has(document)) latest.set(document, each);
  }
  const isRefused = ({ errors }: RemoteInvoice) => errors.some(({ rule }) => ofMapping.test(rule));
  return [...latest.values()].filter(isRefused);
}

const ofMapping = /-MAP-/;

export async function readInvoice(call: ApiCall, id: string): Promise<Asked<RemoteInvoice>> {
  return readAs(invoice, await call('GET', `/v1/invoices/${encodeURIComponent(id)}`));
}

const stepResults = z.object({
  results: z.array(
    z.object({
      id: text,
      outcome: z.enum(['sent', 'waits_for_approval', 'refused']),
      code: text.optional(),
      detail: text.optional(),
    }),
  ),
});

export type StepResult = z.infer<typeof stepResults>['results'][number];

/** Lets held invoices go on, each by itself. */
export async function letGo(
  call: ApiCall,
  step: 'release' | 'approve',
  ids: readonly string[],
): Promise<Asked<readonly StepResult[]>> {
  const asked = readAs(stepResults, await call('POST', `/v1/invoices/${step}`, { invoices: ids }));
  return asked.kind === 'failed' ? asked : { kind: 'answer', value: asked.value.results };
}

/** Takes a held invoice back, which is then never sent. */
export async function withdrawInvoice(
  call: ApiCall,
  id: string,
  reason: string | undefined,
): Promise<Asked<RemoteInvoice>> {
  const path = `/v1/invoices/${encodeURIComponent(id)}/withdraw`;
  return readAs(invoice, await call('POST', path, reason === undefined ? {} : { reason }));
}
