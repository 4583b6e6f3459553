import type { Node } from '@drawbridge/cim/node.ts';
import { elementText } from '../language/element.ts';
import { anywhere, inList, rule } from '../language/rule-kinds.ts';
import { attributeReads, hasAttribute, says } from '../language/statement.ts';
import { isDate, lengthOf, normalizeSpace, textNodeOf } from '../language/xpath.ts';
import type { Context, Rule } from '../rule.ts';
import { amountElements, dateElements } from '../ubl-elements.ts';
import { isGerman } from './countries.ts';
import { processOf } from './document.ts';
import type { Variant } from './variant.ts';

/** Exemption reasons that belong to one VAT category: number of the rule, reason, category. */
const exemptions = [
  ['P0104', 'G', 'G'],
  ['P0105', 'O', 'O'],
  ['P0106', 'IC', 'K'],
  ['P0107', 'AE', 'AE'],
  ['P0108', 'D', 'E'],
  ['P0109', 'F', 'E'],
  ['P0110', 'I', 'E'],
  ['P0111', 'J', 'E'],
] as const;

/** Code lists that Peppol restricts, and the form of dates. */
export function restrictionContexts(variant: Variant): readonly Context[] {
  return [
    listContext('cbc:EmbeddedDocumentBinaryObject', 'mimeCode', [
      rule(
        'PEPPOL-EN16931-CL001',
        ['IBT-125-1'],
        'An attached document is a PDF, PNG, JPEG, CSV, XLSX or ODS file.',
        (node, scope) => scope.lists['mime-types']!.has(node.attributes?.mimeCode ?? ''),
      ),
    ]),
    ...(['false', 'true'] as const).map(reasonContext),
    {
      each: anywhere('cac:InvoicePeriod/cbc:DescriptionCode'),
      rules: [
        rule(
          'PEPPOL-EN16931-CL006',
          ['IBT-008'],
          'The tax point date code is 3, 35 or 432.',
          (node, scope) => inList(scope, 'period-codes', textNodeOf([node])),
        ),
      ],
    },
    {
      each: anywhere(...amountElements),
      rules: [
        rule(
          'PEPPOL-EN16931-CL007',
          ['IBT-005'],
          'The currency of an amount is not in ISO 4217.',
          attributeReads('currencyID', (currency, { lists }) =>
            lists['peppol-currencies']!.has(currency ?? ''),
          ),
        ),
      ],
    },
    ...typeCodeContexts(variant),
    {
      each: anywhere(...dateElements),
      rules: [
        rule(
          'PEPPOL-EN16931-F001',
          ['IBT-002', 'IBT-009', 'IBT-072', 'IBT-073', 'IBT-074'],
          'A date is written YYYY-MM-DD.',
          (node) => lengthOf(textNodeOf([node])) === 10 && isDate(node.text),
        ),
      ],
    },
    listContext('cbc:EndpointID', 'schemeID', [
      rule(
        'PEPPOL-EN16931-CL008',
        ['IBT-034-1', 'IBT-049-1'],
        'The scheme of an electronic address is not in the list of Peppol.',
        (node, scope) =>
          scope.lists['peppol-endpoint-schemes']!.has(node.attributes?.schemeID ?? ''),
      ),
    ]),
    ...exemptions.map(exemptionContext),
  ];
}

function listContext(element: string, attribute: string, rules: readonly Rule[]): Context {
  return { each: anywhere(element), match: hasAttribute(attribute), rules };
}

function reasonContext(indicator: 'false' | 'true'): Context {
  const [id, list, what] =
    indicator === 'false'
      ? (['CL002', 'allowance-reasons', 'an allowance is not in UNTDID 5189 as used here'] as const)
      : (['CL003', 'charge-reasons', 'a charge is not in UNTDID 7161'] as const);
  return {
    each: anywhere('cac:AllowanceCharge/cbc:AllowanceChargeReasonCode'),
    match: says('../cbc:ChargeIndicator', indicator),
    rules: [
      rule(
        `PEPPOL-EN16931-${id}`,
        ['IBT-098', 'IBT-140'],
        `The reason of ${what}.`,
        (node, scope) => inList(scope, list, textNodeOf([node])),
      ),
    ],
  };
}

function typeCodeContexts(variant: Variant): Context[] {
  const restricted = (id: string, list: string): Rule =>
    rule(`PEPPOL-EN16931-${id}`, ['IBT-003'], variant.typeCodesMessage, (node, scope) => {
      const process = processOf(variant, scope.root);
      const isRestricted = process !== undefined && variant.restricted.includes(process);
      return !isRestricted || inList(scope, list, textNodeOf([node]));
    });
  const germanOnly = rule(
    'PEPPOL-EN16931-P0112',
    ['IBT-003'],
    'Type codes 326 and 384 are for invoices within Germany only.',
    (node, scope) => !['326', '384'].includes(normalizeSpace(node.text)) || isGerman(scope),
  );
  return [
    {
      each: anywhere('cbc:InvoiceTypeCode'),
      rules: [
        restricted('P0100', 'peppol-invoice-types'),
        ...(variant.national ? [germanOnly] : []),
      ],
    },
    {
      each: anywhere('cbc:CreditNoteTypeCode'),
      rules: [restricted('P0101', 'peppol-credit-note-types')],
    },
  ];
}

function exemptionOf(category: Node): string {
  return elementText(category, 'cbc:TaxExemptionReasonCode').toUpperCase();
}

function exemptionContext([id, reason, category]: (typeof exemptions)[number]): Context {
  return {
    each: anywhere('cac:TaxCategory'),
    code: { of: exemptionOf, is: [`VATEX-EU-${reason}`] },
    rules: [
      rule(
        `PEPPOL-EN16931-${id}`,
        ['IBT-118', 'IBT-121'],
        `Exemption reason VATEX-EU-${reason} goes with category ${category}.`,
        (node) => normalizeSpace(elementText(node, 'cbc:ID')) === category,
      ),
    ],
  };
}
