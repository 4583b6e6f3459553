import { expect, test } from 'vitest';
import { mappingLimits, mappingSchema } from './mapping.ts';
import { isList, targetFault } from './targets.ts';

test.each([
  ['number', undefined],
  ['lines[].qty', undefined],
  ['seller', /group of fields/],
  ['lines[].tax', /group of fields/],
  ['seler.nam', /Did you mean "seller.name"\?/],
  ['lines[].quantities', /^"lines\[\].quantities" is not a field of the invoice model\.$/],
  ['', /not a field/],
])('%s: %s', (path, fault) => {
  if (fault === undefined) expect(targetFault(path)).toBeUndefined();
  else expect(targetFault(path)).toMatch(fault);
});

test('lists are those of the model', () => {
  const paths = ['lines[]', 'notes[]', 'lines[].tax', 'seller', 'constructor[]'];
  expect(paths.filter(isList)).toEqual(['lines[]', 'notes[]']);
});

const faultsOf = (mapping: unknown) => mappingSchema.safeParse(mapping).error?.issues ?? [];

test('a mapping of more lists than there may be is told so once', () => {
  const { listsMax } = mappingLimits;
  const names = Array.from({ length: listsMax + 1 }, (_, at) => [`x${at}[]`, { section: 'a' }]);
  expect(faultsOf({ fields: [], lists: Object.fromEntries(names) })).toMatchObject([
    { path: ['lists'], message: `A mapping has at most ${listsMax} lists.` },
  ]);
});

test('hundreds of wrong names are all told, and take no time to speak of', () => {
  const fields = Array.from({ length: mappingLimits.fieldsMax }, (_, at) => ({
    target: `${'x'.repeat(at % 2 === 0 ? 97 : 8)}${at}`,
    value: '1',
    status: 'approved',
  }));
  const begun = performance.now();
  expect(faultsOf({ fields })).toHaveLength(fields.length);
  // 50 ms where the machine does nothing else; 4 s when each is compared with each to its end.
  expect(performance.now() - begun).toBeLessThan(1_500);
});
