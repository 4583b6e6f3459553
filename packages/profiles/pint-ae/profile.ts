import { codeLists } from '@drawbridge/rules/code-lists.ts';
import pintTexts from '@drawbridge/rules/pint/explanations.en.json' with { type: 'json' };
import { pint } from '@drawbridge/rules/pint/rule-set.ts';
import type { Profile } from '../contract.ts';
import { vatCategories } from '../tax-categories.ts';
import { bindings } from '../ubl.ts';
import written from './code-lists.json' with { type: 'json' };
import { company } from './company.ts';
import { complete } from './complete.ts';
import ownTexts from './explanations.en.json' with { type: 'json' };
import { fields, filled } from './fields.ts';
import { pintAe, pintAeSelfBilling } from './rules.ts';

/** The United Arab Emirates on Peppol: PINT-AE 1.0.4 of 2026-05-25. */
export const profile: Profile = {
  id: 'PINT-AE',
  title: 'United Arab Emirates (Peppol PINT)',
  bindings,
  releases: [
    {
      version: '1.0.4',
      from: '2024-01-01',
      billing: [pint, pintAe],
      selfBilling: [pint, pintAeSelfBilling],
    },
  ],
  codeLists: codeLists(written),
  creditNoteTypeCodes: ['381', '81', '261'],
  company,
  taxCategories: vatCategories,
  complete,
  fields,
  filled,
  explanations: { en: [ownTexts, pintTexts] },
  route: 'exchange',
};
