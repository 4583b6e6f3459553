import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readErpFolder, type SampleErp } from './erp-folder.ts';
import { businessSystems } from './layouts/business-systems.ts';
import { enterpriseSystems } from './layouts/enterprise-systems.ts';
import { erpOf } from './layouts/layout.ts';
import { knownSystems, layouts } from './layouts/layouts.ts';
import { publishedSystems } from './layouts/published-systems.ts';
import { tally } from './score.ts';
import { scoreErp } from './score-erp.ts';
import { withShuffledColumns } from './shuffled-columns.ts';

const samples = join(import.meta.dirname, '../../../../shared/erp');

async function expectTargets(
  erp: SampleErp,
  rightOfHeldMin: number,
  sectionsLeft: readonly string[] = [],
) {
  const { sections, profiles } = await scoreErp(erp);
  const wrong = sections.filter(({ isRight }) => !isRight).map(({ section }) => section);
  expect(wrong).toEqual(sectionsLeft);
  for (const { profile, verdicts } of profiles) {
    const { rightOfHeld, wrongInBulk } = tally(verdicts);
    const wrong = verdicts.filter(({ kind }) => kind === 'wrong' || kind === 'missing');
    expect(rightOfHeld, `${profile} ${JSON.stringify(wrong)}`).toBeGreaterThanOrEqual(
      rightOfHeldMin,
    );
    expect(wrongInBulk, `${profile} ${JSON.stringify(wrong)}`).toBe(0);
  }
}

describe('sections are found, fields are right, and none is wrong that bulk approval takes', () => {
  // Types or states of documents are numbers and letters there that nothing explains.
  const unexplained: Readonly<Record<string, readonly string[]>> = {
    'implied-decimals': ['header'],
    // A table made for reports has what its lines keep by key.
    'order-meta': ['lines'],
    // Names and address stand in a row of their own, the tax number in that of the customer.
    'journal-entries': ['customer'],
    // Which of the documents of an order is its invoice is said by a number that points nowhere.
    'documents-of-orders': ['header', 'lines', 'customer'],
  };
  // What these lack: a gross total beside the net one without tax, lines without quantity, the seller's accounts,
  // which of two addresses is which, values by key, addresses and taxes that link tables lead to, what a code of tax
  // of the lines means.
  const less: Readonly<Record<string, number>> = {
    'numeric-kinds': 0.85,
    'shared-lines': 0.87,
    'amounts-only': 0.76,
    'named-taxes': 0.82,
    'order-meta': 0.54,
    'credit-accounts': 0.5,
    'journal-entries': 0.78,
  };
  test.each(
    [...layouts, ...knownSystems, ...publishedSystems, ...businessSystems].map(
      (layout) => [layout.name, layout] as const,
    ),
  )('%s', async (name, layout) => {
    await expectTargets(erpOf(layout), less[name] ?? 0.92, unexplained[name]);
  });

  for (const name of ['frontaccounting', 'northwind', 'chinook']) {
    test(`the sample ${name}`, async (ctx) => {
      if (!existsSync(samples)) ctx.skip(`there is no ${samples}`);
      await expectTargets(readErpFolder(samples).find((erp) => erp.name === name)!, 0.95);
    });
  }
});

describe('in which order columns stand decides nothing', () => {
  const all = [
    ...layouts,
    ...knownSystems,
    ...publishedSystems,
    ...businessSystems,
    ...enterpriseSystems,
  ];
  const seeds = [1, 2];

  // Tables with many columns that say nearly the same: amounts twice, keys of documents of several kinds, discounts.
  test.each([
    'local-and-foreign',
    'address-rows',
    'preference-kinds',
    'spanish',
    'padded-codes',
    'names-as-keys',
    'quantities-to-process',
  ])('%s', async (name) => {
    const erp = erpOf(all.find((layout) => layout.name === name)!);
    for (const seed of seeds) await expectTargets(withShuffledColumns(erp, seed), 0.8);
  });
});
