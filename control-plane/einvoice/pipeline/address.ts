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
  /** Which authority or network it goes to. */
  readonly authority: string;
  /** When it may last have gone there; null: certainly never. */
  readonly sentAt: Date | null;
  /** That authority's name for it; null: not known. */
  readonly reference: string | null;
}

export const network = 'peppol';

/** Reads the frozen bytes of the courses, and addresses them to the authority that judges them. */
export function addressed(
  db: Db,
  tenantId: string,
  courses: readonly Course[],
): Promise<Sendable[]> {
  return withContents(db, tenantId, courses, ({ invoice }, { document, clearance }) => {
    const { route } = profileById(invoice.profile)!;
    const { sent_at: sentAt, authority_reference: reference } = invoice;
    return route === 'exchange'
      ? { authority: network, xml: document!, sentAt, reference }
      : { authority: route.authority, xml: clearance!, sentAt, reference };
  });
}

/** Reads cleared documents with their identifiers, and addresses them to their buyers. */
export function addressedToBuyers(
  db: Db,
  tenantId: string,
  courses: readonly Course[],
): Promise<Sendable[]> {
  return withContents(db, tenantId, courses, ({ invoice }, { final }) => {
    const { sent_at: sentAt = null } = invoice.forwarding ?? {};
    return {
      ...{ authority: network, xml: final!, reference: null },
      sentAt: sentAt === null ? null : new Date(sentAt),
    };
  });
}

type Leg = Pick<Sendable, 'authority' | 'sentAt' | 'reference'> & { readonly xml: string };

function withContents(
  db: Db,
  tenantId: string,
  courses: readonly Course[],
  legOf: (course: Course, content: KeptContent) => Leg,
): Promise<Sendable[]> {
  return db.tenant(tenantId, async (tx) => {
    const ids = courses.map((each) => each.invoice.id);
    const contents = await readContents(tx, tenantId, ids);
    const byId = new Map(contents.map((each) => [each.invoice_id, each]));
    return courses.map((course) => {
      const content = byId.get(course.invoice.id)!;
      const { xml, ...leg } = legOf(course, content);
      return { course, content, document: address(course.invoice, content.cim, xml), ...leg };
    });
  });
}

function address(invoice: InvoiceRow, cim: CimObject, xml: string): OutboundDocument {
  const profile = profileById(invoice.profile)!;
  const { table } = profile.bindings[documentType(profile, cim)];
  const seller = cim.seller as CimObject;
  const buyer = cim.buyer as CimObject;
  return {
    invoiceId: invoice.id,
    submissionKey: invoice.submission_key,
    profile: invoice.profile,
    xml,
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
