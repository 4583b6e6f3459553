/**
 * What the page reads of the canonical model. Each member may be absent, and each value is what an ERP
 * said: a text for people, never a number to reckon with.
 */
export interface InvoiceDocument {
  readonly number?: string;
  readonly issue_date?: string;
  readonly due_date?: string;
  readonly type_code?: string;
  readonly currency?: string;
  readonly purchase_order?: string;
  readonly buyer_reference?: string;
  readonly notes?: readonly string[];
  readonly seller?: Party;
  readonly buyer?: Party;
  readonly lines?: readonly DocumentLine[];
  readonly totals?: {
    readonly lines?: string;
    readonly net?: string;
    readonly tax?: string;
    readonly gross?: string;
    readonly prepaid?: string;
    readonly rounding?: string;
    readonly due?: string;
  };
}

export interface Party {
  readonly name?: string;
  readonly trading_name?: string;
  readonly endpoint?: string;
  readonly registration_id?: string;
  readonly tax_registrations?: readonly { readonly id?: string; readonly scheme?: string }[];
  readonly address?: {
    readonly line1?: string;
    readonly line2?: string;
    readonly line3?: string;
    readonly post_code?: string;
    readonly city?: string;
    readonly subdivision?: string;
    readonly country?: string;
  };
}

export interface DocumentLine {
  readonly id?: string;
  readonly name?: string;
  readonly description?: string;
  readonly qty?: string;
  readonly unit?: string;
  readonly unit_price?: string;
  readonly net?: string;
  readonly tax?: { readonly category?: string; readonly rate?: string };
}

/** The lines of an address, as an envelope has them. */
export function addressLines({ address = {} }: Party): readonly string[] {
  const { line1, line2, line3, post_code, city, subdivision, country } = address;
  const place = [post_code, city].filter(Boolean).join(' ');
  return [line1, line2, line3, place, subdivision, country].filter(
    (line) => line !== undefined && line !== '',
  ) as string[];
}

/** Codes of credit notes in UNTDID 1001, as far as EN 16931 takes them. */
const creditNoteTypes: ReadonlySet<string> = new Set(['81', '83', '261', '381', '396', '532']);

/** Whether a document takes back what another one asks for. */
export const isCreditNote = (document: InvoiceDocument | undefined) =>
  creditNoteTypes.has(document?.type_code ?? '');

type Model = Readonly<Record<string, unknown>>;

/**
 * What the page shows of the canonical model. Suppliers and ERPs write what they like into it: what is no text
 * where the page shows one is left out.
 */
export function documentOf(model: unknown): InvoiceDocument {
  const document = groupOf(model);
  const totals = groupOf(document.totals);
  const [taxTotal] = groupsOf(document.tax_totals);
  return {
    ...textsOf(document, [
      'number',
      'issue_date',
      'due_date',
      'type_code',
      'currency',
      'purchase_order',
      'buyer_reference',
    ]),
    notes: listOf(document.notes).flatMap((note) => textOf(note) ?? []),
    ...(document.seller === undefined ? {} : { seller: partyOf(document.seller) }),
    ...(document.buyer === undefined ? {} : { buyer: partyOf(document.buyer) }),
    lines: groupsOf(document.lines).map(lineOf),
    totals: {
      ...textsOf(taxTotal === undefined ? {} : { tax: taxTotal.amount }, ['tax']),
      ...textsOf(totals, ['lines', 'net', 'tax', 'gross', 'prepaid', 'rounding', 'due']),
    },
  };
}

function partyOf(model: unknown): Party {
  const party = groupOf(model);
  return {
    ...textsOf(party, ['name', 'trading_name', 'endpoint', 'registration_id']),
    tax_registrations: groupsOf(party.tax_registrations).map((each) =>
      textsOf(each, ['id', 'scheme']),
    ),
    address: textsOf(groupOf(party.address), [
      'line1',
      'line2',
      'line3',
      'post_code',
      'city',
      'subdivision',
      'country',
    ]),
  };
}

function lineOf(line: Model): DocumentLine {
  return {
    ...textsOf(line, ['id', 'name', 'description', 'qty', 'unit', 'unit_price', 'net']),
    tax: textsOf(groupOf(line.tax), ['category', 'rate']),
  };
}

function textsOf<const Name extends string>(
  group: Model,
  names: readonly Name[],
): { readonly [Key in Name]?: string } {
  const texts = names.flatMap((name) => {
    const text = textOf(group[name]);
    return text === undefined ? [] : [[name, text] as const];
  });
  return Object.fromEntries(texts) as { readonly [Key in Name]?: string };
}

/** The text of a value, or of one with attributes; undefined when it is neither text nor number. */
function textOf(value: unknown): string | undefined {
  const plain = typeof value === 'object' && value !== null ? groupOf(value).value : value;
  return typeof plain === 'string' || typeof plain === 'number' ? String(plain) : undefined;
}

function groupOf(value: unknown): Model {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Model)
    : {};
}

const listOf = (value: unknown): readonly unknown[] => {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
};

const groupsOf = (value: unknown): readonly Model[] => listOf(value).map(groupOf);
