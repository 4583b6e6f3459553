import { type Failure, type RemoteInvoice, readInvoice } from '../../invoices/remote-invoices.ts';
import type { Outcome } from '../../outcome.ts';
import { wrapText } from '../../text-wrapping.ts';
import type { CommandContext } from '../command.ts';
import { askControlPlane, type KeyOptions } from '../remote.ts';

export async function show(
  context: CommandContext,
  options: KeyOptions,
  id: string,
): Promise<Outcome> {
  return askControlPlane(context, options, async ({ call }) => {
    const asked = await readInvoice(call, id);
    if (asked.kind === 'failed') return asked;
    return { kind: 'done', data: asked.value, shown: invoiceText(asked.value) };
  });
}

const width = 96;

/** One invoice, with each failure: the rule, the words, the place in the ERP and what to do. */
export function invoiceText(invoice: RemoteInvoice): string {
  const { id, status, profile, number, source_ref, buyer, gross, currency, hold, uin } = invoice;
  const facts = [
    `${number ?? source_ref}  ${status}  ${profile}`,
    buyer === undefined ? '' : `to ${buyer}`,
    gross === undefined ? '' : `total ${gross} ${currency ?? ''}`.trimEnd(),
    uin === undefined ? '' : `identifier of the authority ${uin}`,
    id,
  ].filter((fact) => fact !== '');
  const waits = [
    invoice.waiting === undefined
      ? ''
      : `Waits since ${invoice.waiting.since}: ${invoice.waiting.reason}`,
    hold?.waits_for === undefined
      ? ''
      : `Waits for ${hold.waits_for} since ${hold.since}. ${hold.reason ?? ''}`.trimEnd(),
  ].filter((line) => line !== '');
  const failures = [...invoice.errors, ...invoice.warnings].map(failureText);
  return [facts.join('\n'), ...waits.map((line) => wrapText(line, width)), ...failures].join(
    '\n\n',
  );
}

function failureText({ rule, message, severity, source, explanation }: Failure): string {
  const lines = [`${rule}  ${severity}`, wrapText(message, width)];
  if (source !== undefined) {
    const { origin, column, key, value } = source;
    lines.push(`  ERP  ${origin}.${column} of ${key}: ${value === null ? 'empty' : `"${value}"`}`);
  }
  if (explanation !== undefined) {
    lines.push(`  Fix  ${wrapText(explanation.fix, width - 7).replaceAll('\n', '\n       ')}`);
  }
  return lines.join('\n');
}
