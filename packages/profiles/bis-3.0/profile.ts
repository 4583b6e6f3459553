import { codeLists } from '@drawbridge/rules/code-lists.ts';
import en16931Texts from '@drawbridge/rules/en16931/explanations.en.json' with { type: 'json' };
import { en16931 } from '@drawbridge/rules/en16931/rule-set.ts';
import peppolBisTexts from '@drawbridge/rules/peppol-bis/explanations.en.json' with {
  type: 'json',
};
import { peppolBis, peppolBisSelfBilling } from '@drawbridge/rules/peppol-bis/rule-set.ts';
import type { Profile } from '../contract.ts';
import { vatCategories } from '../tax-categories.ts';
import { bindings } from '../ubl.ts';

import written from './code-lists.json' with { type: 'json' };
import { company } from './company.ts';
import { complete } from './complete.ts';
import { fields, filled } from './fields.ts';

/** Peppol BIS Billing 3.0.21 on EN 16931 (CEN rules 1.3.16). */
export const profile: Profile = {
  id: 'BIS-3.0',
  title: 'Peppol BIS Billing 3.0',
  bindings,
  releases: [
    {
      version: '3.0.21',
      from: '2024-01-01',
      billing: [en16931, peppolBis],
      selfBilling: [en16931, peppolBisSelfBilling],
    },
  ],
  codeLists: codeLists(written),
  creditNoteTypeCodes: ['381', '396', '81', '83', '532', '261'],
  company,
  taxCategories: vatCategories,
  complete,
  fields,
  filled,
  explanations: { en: [peppolBisTexts, en16931Texts] },
  route: 'exchange',
};
