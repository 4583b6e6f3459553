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
  readonly qty?: number | string;
  readonly unit?: string;
  readonly unit_price?: string;
  readonly net?: string;
  readonly tax?: { readonly category?: string; readonly rate?: number | string };
}

/** The lines of an address, as an envelope has them. */
export function addressLines({ address = {} }: Party): readonly string[] {
  const { line1, line2, line3, post_code, city, subdivision, country } = address;
  const place = [post_code, city].filter(Boolean).join(' ');
  return [line1, line2, line3, place, subdivision, country].filter(
    (line) => line !== undefined && line !== '',
  ) as string[];
}
