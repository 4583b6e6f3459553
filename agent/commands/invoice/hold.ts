import { letGo, type StepResult, withdrawInvoice } from '../../invoices/remote-invoices.ts';
import type { Outcome } from '../../outcome.ts';
import type { CommandContext } from '../command.ts';
import { askControlPlane, type KeyOptions } from '../remote.ts';
import { invoiceText } from './show.ts';

const words: Readonly<Record<StepResult['outcome'], string>> = {
  sent: 'goes to the authority now',
  waits_for_approval: 'waits for a second person',
  refused: 'refused',
};

/** The action of `release` or `approve`; it fails as a whole when one of the invoices is refused. */
export function letGoBy(step: 'release' | 'approve') {
  return async (
    context: CommandContext,
    options: KeyOptions,
    ...ids: string[]
  ): Promise<Outcome> => {
    return askControlPlane(context, options, async ({ call }) => {
      const asked = await letGo(call, step, ids);
      if (asked.kind === 'failed') return asked;
      const results = asked.value;
      const isRefused = results.some(({ outcome }) => outcome === 'refused');
      return {
        kind: 'done',
        data: { results },
        shown: {
          head: ['id', 'outcome', 'why'],
          rows: results.map(({ id, outcome, detail = '' }) => [id, words[outcome], detail]),
        },
        ...(isRefused && { exit: 'validation' }),
      };
    });
  };
}

export async function withdraw(
  context: CommandContext,
  options: KeyOptions & { readonly reason?: string },
  id: string,
): Promise<Outcome> {
  return askControlPlane(context, options, async ({ call }) => {
    const asked = await withdrawInvoice(call, id, options.reason);
    if (asked.kind === 'failed') return asked;
    return { kind: 'done', data: asked.value, shown: invoiceText(asked.value) };
  });
}
