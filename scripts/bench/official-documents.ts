import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FastSchema } from '@drawbridge/binding/schema/fast-schema.ts';
import { parse } from '@drawbridge/binding/xml/parse.ts';
import type { Profile } from '@drawbridge/profiles/contract.ts';
import { testFilesOf } from '../conformance/cases.ts';

/** An example that each authority publishes: pretty-printed, with lines that are repeated here. */
const examples: Readonly<Record<string, string>> = {
  'BIS-3.0': 'examples__peppol/base-example.xml',
  'PINT-AE': 'examples__billing/Standard tax invoice.xml',
  'PINT-MY': 'examples__billing/Invoice-Sample-SA_1.3.0.xml',
};

const invoiceLines = /[ \t]*<cac:InvoiceLine\b[\s\S]*?<\/cac:InvoiceLine>\s*/g;

/**
 * The authority's example with its lines repeated until there are `count`; undefined without the
 * artefacts. The totals are not changed, so a few rules on them are broken.
 */
export function officialInvoice(
  authority: string,
  profile: string,
  count: number,
): string | undefined {
  const file = join(authority, profile, 'tests', examples[profile]!);
  if (!existsSync(file)) return undefined;
  const xml = readFileSync(file, 'utf8');
  const lines = [...xml.matchAll(invoiceLines)];
  const last = lines.at(-1)!;
  const repeated = Array.from({ length: count }, (_, index) => lines[index % lines.length]![0]);
  return `${xml.slice(0, lines[0]!.index)}${repeated.join('')}${xml.slice(last.index + last[0].length)}`;
}

/**
 * How many of the authority's schema-valid test files there are, and how many take the fast way
 * through the schema.
 */
export function fastDocuments(
  authority: string,
  { id, bindings }: Profile,
): { readonly valid: number; readonly fast: number } | undefined {
  const folder = join(authority, id);
  if (!existsSync(folder)) return undefined;
  const known = Object.values(bindings);
  const schemas = new Map(known.map((binding) => [binding, new FastSchema(binding)]));
  let valid = 0;
  let fast = 0;
  for (const { xml, schemaValid } of testFilesOf(folder)) {
    if (!schemaValid) continue;
    valid += 1;
    const outcome = parse(known, xml);
    if (outcome.kind === 'refused') continue;
    const { binding, root, isPlain } = outcome;
    if (isPlain && schemas.get(binding)!.accepts(root)) fast += 1;
  }
  return { valid, fast };
}
