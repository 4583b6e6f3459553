import type { CimObject } from '@drawbridge/binding/build.ts';
import { profileById } from '@drawbridge/profiles/registry.ts';
import { documentType } from '@drawbridge/validation/validate.ts';
import type { OutboundDocument } from '../../authorities/contract.ts';
import type { Db } from '../../platform/db/database.ts';
import type { InvoiceRow } from '../invoices/store.ts';
import type { Course } from './course.ts';
import { type KeptContent, readContents } from './store.ts';

/** A course with its frozen bytes, addressed. */
export interface Sendable {
  readonly course: Course;
  readonly document: OutboundDocument;
  readonly content: KeptContent;
}

/** Reads the frozen bytes of the courses, and addresses them. */
export function addressed(
  db: Db,
  tenantId: string,
  courses: readonly Course[],
): Promise<Sendable[]> {
  return db.tenant(tenantId, async (tx) => {
    const ids = courses.map((each) => each.invoice.id);
    const contents = await readContents(tx, tenantId, ids);
    const byId = new Map(contents.map((each) => [each.invoice_id, each]));
    return courses.map((course) => {
      const content = byId.get(course.invoice.id)!;
      return { course, content, document: address(course.invoice, content) };
    });
  });
}

function address(invoice: InvoiceRow, { cim, document, clearance }: KeptContent): OutboundDocument {
  const profile = profileById(invoice.profile)!;
  const { table } = profile.bindings[documentType(profile, cim)];
  const seller = cim.seller as CimObject;
  const buyer = cim.buyer as CimObject;
  return {
    invoiceId: invoice.id,
    submissionKey: invoice.submission_key,
    profile: invoice.profile,
    xml: (profile.route === 'exchange' ? document : clearance)!,
    number: text(cim.number),
    issueDate: text(cim.issue_date),
    sender: {
      scheme: text(seller.endpoint_scheme),
      id: text(seller.endpoint),
      ...(seller.tin === undefined ? {} : { tin: text(seller.tin) }),
    },
    receiver: { scheme: text(buyer.endpoint_scheme), id: text(buyer.endpoint) },
    documentTypeId: `${table.namespace}::${table.root}##${text(cim.specification_id)}::2.1`,
    processId: text(cim.business_process),
    countryC1: text((seller.address as CimObject | undefined)?.country),
  };
}

function text(value: unknown): string {
  return value === undefined || value === null ? '' : String(value);
}
