import { listInvoices, type RemoteInvoice } from '../../invoices/remote-invoices.ts';
import { failed, type Outcome } from '../../outcome.ts';
import type { CommandContext } from '../command.ts';
import { askControlPlane, type KeyOptions } from '../remote.ts';

interface Options extends KeyOptions {
  readonly connector?: string;
  readonly status?: string;
  readonly waitsFor?: string;
  readonly number?: string;
  readonly limit: string;
}

const limitMax = 200;

export async function list(context: CommandContext, options: Options): Promise<Outcome> {
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > limitMax) {
    return failed('usage', `--limit is a whole number from 1 to ${limitMax}.`);
  }
  return askControlPlane(context, options, async ({ call, connectorOf }) => {
    const { connector, status, waitsFor, number } = options;
    const filters: Record<string, string> = { limit: String(limit) };
    if (status !== undefined) filters.status = status;
    if (waitsFor !== undefined) filters.waits_for = waitsFor;
    if (number !== undefined) filters.number = number;
    if (connector !== undefined) {
      const found = await connectorOf(connector);
      if (found.kind === 'failed') return found;
      if (found.id === undefined) {
        const cause = `The control plane reads nothing through "${connector}" of this agent.`;
        return failed('connector_unknown', cause);
      }
      filters.connector_id = found.id;
    }
    const asked = await listInvoices(call, filters);
    if (asked.kind === 'failed') return asked;
    const { invoices, hasMore } = asked.value;
    const title = hasMore ? `The newest ${limit}; there are more.` : undefined;
    return {
      kind: 'done',
      data: { invoices, has_more: hasMore },
      shown: {
        head: ['number', 'buyer', 'total', 'state', 'what it waits for', 'id'],
        rows: invoiceRows(invoices),
        none: 'There is no such invoice.',
        ...(title && { title }),
      },
    } satisfies Outcome;
  });
}

/** The newest first: of the same document a newer one has taken the place of an older one. */
export function invoiceRows(invoices: readonly RemoteInvoice[]): string[][] {
  const seen = new Set<string>();
  return invoices.map((invoice) => {
    const document = [invoice.connector_id, invoice.profile, invoice.source_ref].join(' ');
    const isReplaced = seen.has(document);
    seen.add(document);
    return rowOf(invoice, isReplaced);
  });
}

function rowOf(invoice: RemoteInvoice, isReplaced: boolean): string[] {
  const { id, status, number, source_ref, buyer = '', gross, currency } = invoice;
  const total = gross === undefined ? '' : `${gross} ${currency ?? ''}`.trim();
  return [number ?? source_ref, buyer, total, status, isReplaced ? '' : waitOf(invoice), id];
}

/** What has to happen before an invoice goes on, in a few words. */
function waitOf({ hold, errors }: RemoteInvoice): string {
  if (hold?.waits_for !== undefined) return hold.waits_for;
  const [first] = errors;
  const isOver = first === undefined || overRules.test(first.rule);
  return isOver ? '' : `a correction: ${first.rule}`;
}

/** It was withdrawn, or a newer submission has taken its place: nothing is to be corrected. */
const overRules = /-(WITHDRAWN|SOURCE-CHANGED)$/;
