// This product's own emitter wrote these bytes, so a pattern finds in them what a parser would.

/** The e-invoice type code (`01` … `14`); `01` when none is written. */
export function typeCodeOf(xml: string): string {
  return /<cbc:InvoiceTypeCode\b[^>]*>\s*(\d{2})\s*</.exec(xml)?.[1] ?? '01';
}

/** The instant of issue written in the document, which is part of the authority's duplicate key. */
export function issuedAtOf(xml: string): Date | undefined {
  const date = /<cbc:IssueDate>\s*([\d-]{10})\s*</.exec(xml)?.[1];
  const time = /<cbc:IssueTime>\s*(\d\d:\d\d:\d\d)(?:\.\d+)?Z?\s*</.exec(xml)?.[1];
  const parsed = Date.parse(`${date}T${time}Z`);
  return Number.isNaN(parsed) ? undefined : new Date(parsed);
}
