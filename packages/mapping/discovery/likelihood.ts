import { subjectOf } from './references.ts';

const weights: Readonly<Record<string, number>> = {
  invoice: 8,
  buyer: 5,
  item: 5,
  line: 4,
  tax: 4,
  order: 3,
  currency: 3,
  country: 3,
  address: 3,
  unit: 3,
  contact: 2,
  payment: 1,
  terms: 2,
  state: 1,
  delivery: 1,
};
const others = ['log', 'recurring', 'quote', 'created', 'deleted'];

/** How much a table's name looks like it belongs to invoices; higher is likelier. */
export function tableLikelihood(name: string): number {
  const words = subjectOf(name);
  let score = 0;
  for (const word of words) score += weights[word] ?? 0;
  // Short codes: OINV, INV1, IVDTL.
  if (score === 0 && /^[a-z]{0,3}(inv|iv)\d*[a-z]{0,3}$/i.test(name.replace(/^.*\./, '')))
    score = 7;
  return others.some((word) => words.has(word)) || words.has('supplier') ? score / 4 - 1 : score;
}
