import { codeLists } from '@drawbridge/rules/code-lists.ts';
import pintTexts from '@drawbridge/rules/pint/explanations.en.json' with { type: 'json' };
import { pint } from '@drawbridge/rules/pint/rule-set.ts';
import type { Profile } from '../contract.ts';
import { bindings } from '../ubl.ts';
import { clearance } from './clearance.ts';
import written from './code-lists.json' with { type: 'json' };
import { company } from './company.ts';
import { complete, movedPaths } from './complete.ts';
import ownTexts from './explanations.en.json' with { type: 'json' };
import { fields, filled } from './fields.ts';
import { pintMy, pintMySelfBilling } from './rules.ts';
import { taxCategories } from './tax-categories.ts';

/** Malaysia: cleared by IRBM, PINT-MY 1.3.1 of 2026-06-08. */
export const profile: Profile = {
  id: 'PINT-MY',
  title: 'Malaysia (MyInvois clearance, Peppol PINT)',
  bindings,
  releases: [
    {
      version: '1.3.1',
      from: '2024-01-01',
      billing: [pint, pintMy],
      selfBilling: [pint, pintMySelfBilling],
    },
  ],
  codeLists: codeLists(written),
  creditNoteTypeCodes: ['81', '83', '381', '396', '532', '261'],
  company,
  taxCategories,
  complete,
  movedPaths,
  fields,
  filled,
  explanations: { en: [ownTexts, pintTexts] },
  route: clearance,
};
