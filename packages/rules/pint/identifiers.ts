import type { Node } from '@drawbridge/cim/node.ts';
import {
  isAbn,
  isBelgianNumber,
  isCodiceFiscale,
  isDanishNumber,
  isGln,
  isIpaCode,
  isNorwegianNumber,
  isPartitaIva,
  isSwedishNumber,
} from '../check-digits.ts';
import { anywhere, rule } from '../language/rule-kinds.ts';
import { normalizeSpace, textNodeOf } from '../language/xpath.ts';
import type { Context } from '../rule.ts';

const identifiers = anywhere('cbc:EndpointID', 'cac:PartyIdentification/cbc:ID', 'cbc:CompanyID');

/** Identifiers of parties whose scheme prescribes a form. */
export const identifierContexts: readonly Context[] = [
  scheme(['0088'], 'ibr-068', 'a GLN: digits only, the last one a GS1 check digit', isGln),
  scheme(['0007'], 'ibr-127', 'a Swedish organisation number: ten digits', isSwedishNumber),
  scheme(
    ['0192'],
    'ibr-069',
    'a Norwegian organisation number: nine digits, the last one a check digit',
    isNorwegianNumber,
  ),
  {
    each: identifiers,
    code: { of: schemeOf, is: ['0184'] },
    rules: [
      rule(
        'ibr-070',
        ['IBT-034', 'IBT-049', 'IBT-030', 'IBT-047'],
        'With scheme 0184 the identifier is a Danish CVR number: DK and eight digits.',
        (node) => isDanishNumber(textNodeOf([node])),
      ),
    ],
  },
  scheme(
    ['0208'],
    'ibr-113',
    'a Belgian enterprise number: ten digits, the last two of them check digits',
    isBelgianNumber,
  ),
  scheme(['0201'], 'ibr-114', 'an Italian office code: six letters or digits', isIpaCode),
  scheme(
    ['0210', '9907'],
    'ibr-115',
    'an Italian tax code: eleven digits, or the sixteen characters of a person',
    isCodiceFiscale,
  ),
  scheme(
    ['0211', '9906'],
    'ibr-116',
    'an Italian VAT number: IT and eleven digits, the last one a check digit',
    isPartitaIva,
  ),
  scheme(
    ['0151'],
    'ibr-120',
    'an Australian Business Number: eleven digits that check modulo 89',
    isAbn,
  ),
];

function scheme(
  schemes: readonly string[],
  id: string,
  what: string,
  isRight: (text: string) => boolean,
): Context {
  const named = schemes.join(' or ');
  return {
    each: identifiers,
    code: { of: schemeOf, is: schemes },
    rules: [
      rule(
        id,
        ['IBT-034', 'IBT-049', 'IBT-029', 'IBT-046', 'IBT-060', 'IBT-030', 'IBT-047', 'IBT-061'],
        `With scheme ${named} the identifier is ${what}.`,
        (node) => isRight(normalizeSpace(node.text)),
      ),
    ],
  };
}

function schemeOf({ attributes }: Node): string | undefined {
  return attributes?.schemeID;
}
