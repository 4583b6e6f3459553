import { existsSync } from 'node:fs';
import { type Bench, type Figure, figuresOf } from './figure.ts';
import { readErpFolder, type SampleErp } from './mapping/erp-folder.ts';
import { businessSystems } from './mapping/layouts/business-systems.ts';
import { companySystems } from './mapping/layouts/company-systems.ts';
import { countrySystems } from './mapping/layouts/country-systems.ts';
import { enterpriseSystems } from './mapping/layouts/enterprise-systems.ts';
import { erpOf } from './mapping/layouts/layout.ts';
import { knownSystems, layouts } from './mapping/layouts/layouts.ts';
import { orderSystems } from './mapping/layouts/order-systems.ts';
import { publishedSystems } from './mapping/layouts/published-systems.ts';
import { tradeSystems } from './mapping/layouts/trade-systems.ts';
import { unseenSystems } from './mapping/layouts/unseen-systems.ts';
import { bulkConfidence, tally, type Verdict } from './mapping/score.ts';
import { type ErpScore, scoreErp } from './mapping/score-erp.ts';
import { withShuffledColumns } from './mapping/shuffled-columns.ts';

const figure = figuresOf('mapping');

/** What is proposed for sample ERPs, beside what a person found; presets play no part. */
export const mapping: Bench = {
  name: 'mapping',
  title: 'Mapping: what is proposed for sample ERPs',
  async run({ folder, shuffled }) {
    const figures: Figure[] = [];
    const verdicts: Verdict[] = [];
    for (const given of erpsOf(folder)) {
      const erp = shuffled === 0 ? given : withShuffledColumns(given, shuffled);
      const score = await scoreErp(erp);
      figures.push(...figuresFor(erp.name, score));
      verdicts.push(...score.profiles.flatMap((each) => each.verdicts));
    }
    printCalibration(verdicts);
    return figures;
  },
};

/** Those of the folder; the layouts of this project when none is named. */
function erpsOf(folder: string): readonly SampleErp[] {
  if (folder === '')
    return [
      ...layouts,
      ...knownSystems,
      ...unseenSystems,
      ...publishedSystems,
      ...businessSystems,
      ...companySystems,
      ...enterpriseSystems,
      ...tradeSystems,
      ...countrySystems,
      ...orderSystems,
    ].map(erpOf);
  if (existsSync(folder)) return readErpFolder(folder);
  console.error(`mapping: there is no folder ${folder}, so nothing is scored`);
  return [];
}

const atLeast = (value: number) => ({ is: 'at-least', value }) as const;

function figuresFor(erp: string, { sections, profiles }: ErpScore): readonly Figure[] {
  const found = sections.filter(({ isRight }) => isRight).length;
  console.error(`\n${erp}: ${found} of ${sections.length} sections right`);
  for (const { section, isRight, want, got } of sections) {
    console.error(`  ${section.padEnd(12)} ${isRight ? want : `WRONG: want ${want}; got ${got}`}`);
  }
  const figures: Figure[] = [];
  for (const { profile, verdicts } of profiles) {
    const counts = tally(verdicts);
    const name = `${erp} ${profile}`;
    figures.push(
      figure(name, found / sections.length, 'sections right', atLeast(0.8)),
      figure(name, counts.rightOfHeld, 'right of held', atLeast(0.9)),
      figure(name, counts.wrongInBulk, `wrong at ${bulkConfidence}`, { is: 'at-most', value: 1 }),
      figure(name, counts.constant, 'constants'),
    );
    printVerdicts(name, counts, verdicts);
  }
  return figures;
}

function printVerdicts(
  name: string,
  { right, wrong, missing, constant, rightOfHeld, wrongInBulk }: ReturnType<typeof tally>,
  verdicts: readonly Verdict[],
): void {
  console.error(
    `${name}: required in all documents: ${right} right, ${wrong} wrong, ${missing} missing, ` +
      `${constant} not in the ERP; ${Math.round(rightOfHeld * 100)} % of what it holds; ` +
      `${wrongInBulk} wrong at ${bulkConfidence} or more`,
  );
  for (const { kind, required, target, confidence, from, why } of verdicts) {
    if (kind === 'wrong') {
      const mark = (confidence ?? 0) >= bulkConfidence ? '!' : ' ';
      console.error(
        `  wrong ${mark} ${confidence ?? '–'} ${target} (${required}) ← ${from}: ${why}`,
      );
    } else if (kind === 'missing' && required === 'always') {
      console.error(`  missing ${target}: ${why}`);
    }
  }
}

const steps = [0.5, 0.6, 0.7, 0.8, 0.9, 1.01];

/** How many of the proposals were right, by how sure they were. */
function printCalibration(verdicts: readonly Verdict[]): void {
  console.error('\nProposals that are right, by confidence');
  for (const [index, from] of steps.slice(0, -1).entries()) {
    const to = steps[index + 1]!;
    const within = verdicts.filter(
      ({ kind, confidence }) =>
        confidence !== undefined && kind !== 'unscored' && confidence >= from && confidence < to,
    );
    const right = within.filter(({ kind }) => kind === 'right').length;
    const share = within.length === 0 ? '–' : `${Math.round((right / within.length) * 100)} %`;
    console.error(`  from ${from}: ${right} of ${within.length} (${share})`);
  }
}
