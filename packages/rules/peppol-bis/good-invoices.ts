import type { CimObject } from '@drawbridge/binding/json/build.ts';
import type { Node } from '@drawbridge/cim/node.ts';
import {
  type Changes,
  creditNoteDocument,
  document,
  goodInvoice,
  members,
} from '../en16931/good-invoice.ts';

/** Good documents for tests, with some for each country that has its own rules. */

interface Local {
  readonly country: string;
  readonly seller: CimObject;
  readonly buyer?: CimObject;
  readonly changes?: Changes;
}

const vat = (id: string): CimObject => ({ tax_registrations: [{ id, scheme: 'VAT' }] });

/** The good invoice between two companies of a country, with identifiers that satisfy its rules. */
function local({ country, seller, buyer, changes = {} }: Local): Changes {
  const at = (name: 'seller' | 'buyer', own: CimObject): CimObject => {
    const party = goodInvoice[name] as CimObject;
    return { ...party, address: { ...(party.address as CimObject), country }, ...own };
  };
  return { seller: at('seller', seller), buyer: at('buyer', buyer ?? seller), ...changes };
}

const means = members('payment_means')[0]!;

/** Payment means with one kind of instructions only. */
function payment(
  code: string,
  name: 'account' | 'card' | 'mandate',
  more: CimObject = {},
): CimObject {
  const { card: _, account: __, mandate: ___, ...others } = means;
  return { ...others, code, [name]: { ...(means[name] as CimObject), ...more } };
}

const norway = local({
  country: 'NO',
  seller: {
    tax_registrations: [
      { id: 'NO974760673MVA', scheme: 'VAT' },
      { id: 'Foretaksregisteret', scheme: 'TAX' },
    ],
  },
});

const danish: CimObject = {
  ...vat('DK10150817'),
  registration_id: '10150817',
  registration_scheme: '0184',
};

const danishPayment = (code: string, remittance: string, account: CimObject): Changes =>
  local({
    country: 'DK',
    seller: danish,
    changes: { payment_means: [{ ...payment(code, 'account', account), remittance }] },
  });

const italy = local({
  country: 'IT',
  seller: {
    tax_registrations: [
      { id: 'IT12345678901', scheme: 'VAT' },
      { id: 'ABCDEF12345678', scheme: 'TAX' },
    ],
  },
});

const swedish: CimObject = {
  tax_registrations: [
    { id: 'SE556036079301', scheme: 'VAT' },
    { id: 'Godkänd för F-skatt', scheme: 'TAX' },
  ],
  registration_id: '5560360793',
  registration_scheme: '0007',
};

const swedishPayment = (branch: string): Changes =>
  local({
    country: 'SE',
    seller: swedish,
    buyer: vat('SE556036079301'),
    changes: { payment_means: [payment('30', 'account', { id: '1234567', branch })] },
  });

const greek: CimObject = {
  ...vat('EL090000045'),
  endpoint: '090000045',
  endpoint_scheme: '9933',
};

const greece = local({
  country: 'GR',
  seller: greek,
  changes: {
    number: '090000045|02/03/2026|0|1.1|A|7',
    documents: [
      { id: '400001', description: '##M.AR.K##' },
      { id: 'Web', description: '##INVOICE|URL##', url: 'https://example.com/1' },
    ],
  },
});

const icelandic: CimObject = { ...vat('IS12345'), registration_scheme: '0196' };

const iceland = local({
  country: 'IS',
  seller: icelandic,
  changes: {
    documents: [{ id: '2026-04-02', description: 'EINDAGI' }],
    payment_means: [payment('42', 'account', { id: '051526123456' })],
  },
});

const dutch: CimObject = {
  ...vat('NL123456789B01'),
  registration_id: '12345678',
  registration_scheme: '0106',
};

const representative = goodInvoice.tax_representative as CimObject;

const netherlands = local({
  country: 'NL',
  seller: dutch,
  changes: {
    tax_representative: {
      ...representative,
      address: { ...(representative.address as CimObject), country: 'NL' },
    },
  },
});

const germany = (payment_means: CimObject, changes: Changes = {}): Changes =>
  local({
    country: 'DE',
    seller: {
      ...vat('DE123456789'),
      identifiers: [{ id: 'DE98ZZZ09999999999', scheme: 'SEPA' }],
    },
    buyer: vat('DE987654321'),
    changes: {
      payment_means: [payment_means],
      payment_terms: [{ note: '#SKONTO#TAGE=14#PROZENT=2.25#\n' }],
      ...changes,
    },
  });

const selfBilled: Changes = {
  specification_id:
    'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:selfbilling:3.0',
  business_process: 'urn:fdc:peppol.eu:2017:poacc:selfbilling:01:1.0',
};

/** Good documents by name; each call makes a new one. */
export const goodInvoices: Readonly<Record<string, () => Node>> = {
  invoice: () => document(),
  'credit note': () => creditNoteDocument(),
  'Norwegian invoice': () => document(norway),
  'Danish invoice': () => document(danishPayment('50', '01#', { id: '12345678' })),
  'Danish FIK invoice': () =>
    document(danishPayment('93', '71#1234567890123456', { id: '12345678' })),
  'Danish credit note': () => creditNoteDocument(local({ country: 'DK', seller: danish })),
  'Italian invoice': () => document(italy),
  'Swedish Plusgiro invoice': () => document(swedishPayment('SE:PLUSGIRO')),
  'Swedish Bankgiro invoice': () => document(swedishPayment('SE:BANKGIRO')),
  'Greek invoice': () => document(greece),
  'Icelandic invoice': () => document(iceland),
  'Dutch invoice': () => document(netherlands),
  'Dutch credit note': () => creditNoteDocument(netherlands),
  'German credit transfer': () =>
    document(germany(payment('58', 'account', { id: 'DE75512108001245126199' }))),
  'German card payment': () => document(germany(payment('48', 'card'))),
  'German direct debit': () =>
    document(germany(payment('59', 'mandate', { account: 'DE75512108001245126199' }))),
};

/** As `goodInvoices`, for self-billing. */
export const goodSelfBilling: Readonly<Record<string, () => Node>> = {
  invoice: () => document({ ...selfBilled, type_code: '389' }),
  'credit note': () => creditNoteDocument({ ...selfBilled, type_code: '261' }),
};
