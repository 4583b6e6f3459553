import { invoiceOf } from './sample-invoices.ts';

/** A request that is meant to hold the process. */
export interface Attack {
  readonly name: string;
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  /** Sent one after another. */
  readonly bodies: readonly Buffer[];
}

/** Lines of a document that is large and good. */
const manyLines = 20_000;

/** What a day of attacks on the service was made of. */
export function attacks(connectorId: string, refs: readonly string[]): readonly Attack[] {
  const validate = { method: 'POST', path: '/v1/validate' } as const;
  const mapping = `/v1/connectors/${connectorId}/mapping?profile=PINT-AE`;
  const invoice = { profile: 'BIS-3.0', invoice: invoiceOf('BIS-3.0', manyLines) };
  const fields = Array.from({ length: 40_000 }, () => ({}));
  const wrong = Array.from({ length: 500 }, (_, at) => {
    const target = `${'x'.repeat(at % 2 === 0 ? 97 : 8)}${at}`;
    return { target, value: '1', status: 'approved' };
  });
  const texts: readonly (readonly [Omit<Attack, 'bodies'>, string])[] = [
    [
      { name: 'empty lists, 18 MB', ...validate },
      `{"profile":"BIS-3.0","invoice":{"lines":[${'[],'.repeat(6_000_000)}[]]}}`,
    ],
    [{ name: `${manyLines} lines`, ...validate }, JSON.stringify(invoice)],
    [{ name: 'broken at its end, 19 MB', ...validate }, `{"xml":"${'x'.repeat(19_000_000)}"]`],
    [{ name: 'escapes without an end, 19 MB', ...validate }, `{"xml":"${'\\n'.repeat(9_500_000)}`],
    [{ name: 'one text, 19 MB', ...validate }, `{"profile":"BIS-3.0","xml":"${'x'.repeat(19e6)}"}`],
    [
      { name: 'a mapping of nothing', method: 'PUT', path: mapping },
      JSON.stringify({ mapping: { fields } }),
    ],
    [
      { name: 'a mapping of wrong names', method: 'PUT', path: mapping },
      JSON.stringify({ mapping: { fields: wrong } }),
    ],
  ];
  const submissions = refs.map((ref) =>
    Buffer.from(JSON.stringify({ connector_id: connectorId, source_ref: ref })),
  );
  return [
    // First, as the work on them goes on while all else is sent.
    { name: 'large documents pulled', method: 'POST', path: '/v1/invoices', bodies: submissions },
    ...texts.map(([attack, text]) => ({ ...attack, bodies: [Buffer.from(text)] })),
  ];
}
