import type { CompanyFacts } from '../company-facts.ts';

/** The European Economic Area. */
const area =
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(
    ' ',
  );

/** Companies of Europe. */
export const company: CompanyFacts = {
  countries: {
    ...Object.fromEntries(area.map((country) => [country, {}])),
    BE: { endpointScheme: '0208', isEndpointVat: true },
    NL: { endpointScheme: '0106' },
  },
  paths: (side) => ({ vat: `${side}.trn` }),
  asked: ['vat'],
};
