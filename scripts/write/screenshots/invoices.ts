import { join } from 'node:path';
import { ApiError, type Client } from '@drawbridge/sdk/clients/einvoice.ts';
import Database from 'better-sqlite3';
import { createErp } from '../../demo/erp.ts';
import { agentSections, mappings } from '../../demo/mappings.ts';
import type { Shown } from './shown.ts';
import { waitUntil } from './wait-until.ts';

interface Options {
  readonly einvoicing: Client;
  /** Where connectors may read. */
  readonly folder: string;
  readonly now: Date;
}

const settled = ['delivered', 'cleared', 'acknowledged', 'rejected'];
/** A registration number that lacks two digits. */
const rejected = 'AE-2026-00421';

/** A morning's invoices of the sample ERP, and another ERP whose mapping is to be reviewed. */
export async function makeInvoices({
  einvoicing,
  folder,
  now,
}: Options): Promise<Pick<Shown, 'invoice' | 'connector'>> {
  const file = join(folder, 'erp.sqlite');
  const documents = createErp(file, now);
  const connect = (
    name: string,
    default_profile: 'PINT-AE' | 'BIS-3.0',
    settings: Record<string, unknown> = { file, sections: agentSections },
  ) =>
    einvoicing.createConnector({
      body: { pattern: 'database', kind: 'sqlite', name, default_profile, settings },
    });
  const ids = new Map<string, string>();
  for (const profile of ['PINT-AE', 'BIS-3.0'] as const) {
    const { name, fields } = mappings[profile];
    const { id } = await connect(name, profile);
    const approved = fields.map((each) => ({ ...each, status: 'approved' as const }));
    await einvoicing.replaceMapping({ id, body: { mapping: { profile, fields: approved } } });
    for (const { header } of documents.filter((each) => each.profile === profile)) {
      const source_ref = String(header.DOC_NO);
      ids.set(source_ref, await submit(einvoicing, { connector_id: id, source_ref }));
    }
  }
  for (const id of ids.values()) {
    await waitUntil(async () => settled.includes((await einvoicing.getInvoice({ id })).status));
  }
  // Only the documents of one company, as an ERP mostly has them.
  const own = join(folder, 'pilot.sqlite');
  createErp(own, now);
  keepCompany(own, 'AE01');
  const { corrected: _, ...sections } = agentSections;
  const pilot = await connect('Pilot ERP', 'PINT-AE', { file: own, sections });
  return { invoice: ids.get(rejected)!, connector: pilot.id };
}

/** The id of the submitted invoice; it has one too when it fails its checks at once. */
async function submit(
  client: Client,
  body: { readonly connector_id: string; readonly source_ref: string },
): Promise<string> {
  try {
    return (await client.submitInvoice({ body })).id;
  } catch (error) {
    const id = error instanceof ApiError && error.status === 422 ? error.body.id : undefined;
    if (typeof id === 'string') return id;
    throw error;
  }
}

/** Leaves the invoices of one company in an ERP. */
function keepCompany(file: string, company: string): void {
  const db = new Database(file);
  const others = `select DOC_ID from OSALES where COMP_ID <> '${company}' or DOC_KIND = 'C'`;
  db.exec(`delete from OLINES where DOC_ID in (${others})`);
  db.exec(`delete from OSALES where COMP_ID <> '${company}' or DOC_KIND = 'C'`);
  db.close();
}
