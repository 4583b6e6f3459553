import type { CimObject } from '@drawbridge/binding/json/build.ts';
import { profileById } from '@drawbridge/profiles/registry.ts';
import { documentType } from '@drawbridge/validation/validate.ts';
import type { OutboundDocument } from '../../../authorities/contract.ts';
import { portions } from '../../../platform/concurrency/portions.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { InvoiceRow } from '../../invoices/store.ts';
import { type FrozenStage, readContents, readSizes } from '../store.ts';
import type { WorkItem } from '../work-item.ts';

/** A work item with the document to send for it, and where it goes. */
export interface OutboundItem {
  readonly item: WorkItem;
  readonly document: OutboundDocument;
  /** Which authority or network it goes to. */
  readonly authority: string;
  /** When it was perhaps sent there last; null when certainly never. */
  readonly sentAt: Date | null;
  /** That authority's reference; null when unknown. */
  readonly reference: string | null;
}

export const peppolNetwork = 'peppol';

/** Bytes of documents that are read together; a single one may have more. */
const bytesAtOnce = 8_000_000;

/** The items in portions that may be held in memory together. */
export async function portionsOf<Item extends WorkItem>(
  db: Db,
  tenantId: string,
  items: readonly Item[],
  bytesMax: number = bytesAtOnce,
): Promise<readonly (readonly Item[])[]> {
  const ids = items.map((each) => each.invoice.id);
  const rows = await db.tenant(tenantId, (tx) => readSizes(tx, tenantId, ids));
  const sizes = new Map(rows.map(({ invoice_id, bytes }) => [invoice_id, bytes]));
  return [...portions(items, ({ invoice }) => sizes.get(invoice.id) ?? 0, bytesMax)];
}

/** Reads the frozen bytes of the items, and addresses them to the authority that judges them. */
export function addressToAuthorities(
  db: Db,
  tenantId: string,
  items: readonly WorkItem[],
): Promise<OutboundItem[]> {
  return addressEach(db, tenantId, items, ({ invoice }) => {
    const { route } = profileById(invoice.profile)!;
    const { sent_at: sentAt, authority_reference: reference } = invoice;
    return route === 'exchange'
      ? { authority: peppolNetwork, stage: 'document', sentAt, reference }
      : { authority: route.authority, stage: 'clearance', sentAt, reference };
  });
}

/** Reads cleared documents with their identifiers, and addresses them to their buyers. */
export function addressToBuyers(
  db: Db,
  tenantId: string,
  items: readonly WorkItem[],
): Promise<OutboundItem[]> {
  return addressEach(db, tenantId, items, ({ invoice }) => {
    const { sent_at: sentAt = null } = invoice.forwarding ?? {};
    return {
      authority: peppolNetwork,
      stage: 'final',
      reference: null,
      sentAt: sentAt === null ? null : new Date(sentAt),
    };
  });
}

type Addressing = Pick<OutboundItem, 'authority' | 'sentAt' | 'reference'> & {
  readonly stage: FrozenStage;
};

function addressEach(
  db: Db,
  tenantId: string,
  items: readonly WorkItem[],
  legOf: (item: WorkItem) => Addressing,
): Promise<OutboundItem[]> {
  const legs = items.map((item) => ({ item, ...legOf(item) }));
  const stages = new Map(legs.map(({ item, stage }) => [item.invoice.id, stage]));
  return db.tenant(tenantId, async (tx) => {
    const contents = await readContents(tx, tenantId, stages);
    const byId = new Map(contents.map((each) => [each.invoice_id, each]));
    return legs.map(({ item, stage: _, ...leg }) => {
      const { head, xml } = byId.get(item.invoice.id)!;
      return { item, document: address(item.invoice, head, xml), ...leg };
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
