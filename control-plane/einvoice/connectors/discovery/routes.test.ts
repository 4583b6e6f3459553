import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ciiOf } from '@drawbridge/validation/source/cii.sample.ts';
import { NodeCompiler, PdfStandard } from '@myriaddreamin/typst-ts-node-compiler';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Erp, erpSettings, goodRef, openErp } from '../../erp.kit.ts';
import { type Harness, startHarness } from '../../harness.kit.ts';

let harness: Harness;
let erp: Erp;
beforeAll(async () => {
  harness = await startHarness();
  erp = openErp(`${harness.erp.file}.discovery`, new Date());
  await erp.run(
    `delete from OLINES where DOC_ID <> (select DOC_ID from OSALES where DOC_NO = '${goodRef('AE')}');
     delete from OSALES where DOC_NO <> '${goodRef('AE')}';`,
  );
});
afterAll(async () => {
  erp?.close();
  await harness?.stop();
});

const connect = async (
  settings: object,
  kind = 'sqlite',
  pattern = 'database',
  profile = 'PINT-AE',
) => {
  const request = { pattern, kind, name: 'ERP', default_profile: profile, settings };
  const { body, status } = await harness.call('POST /v1/connectors', request);
  expect({ status, body }).toMatchObject({ status: 201 });
  return `/v1/connectors/${body.id}`;
};

/** A PDF/A-3 as another program than ours writes it. */
function pdfA3(xml: string): Uint8Array {
  const mainFileContent = `
    #set document(title: "RE-7", date: datetime(year: 2026, month: 3, day: 2))
    #pdf.attach("factur-x.xml", bytes(sys.inputs.xml), relationship: "alternative", mime-type: "text/xml", description: "Invoice")
    Invoice RE-7`;
  const options = { pdfStandard: PdfStandard.A_3b, creationTimestamp: 0 };
  return NodeCompiler.create().pdf({ mainFileContent, inputs: { xml } }, options);
}

describe('discovery', () => {
  test('goes from an address to a mapping: layout accepted, secrets and the rest kept', async () => {
    const path = await connect({ file: erp.file, writeBack: { mode: 'none' } });
    const found = await harness.call(`POST ${path}/discover`);
    expect(found).toMatchObject({
      status: 200,
      body: {
        product: expect.stringMatching(/^SQLite 3/),
        tables: expect.arrayContaining([
          expect.objectContaining({ name: 'OSALES', key: ['DOC_ID'], rows: expect.any(Number) }),
        ]),
        documents: expect.arrayContaining([
          expect.objectContaining({
            number: goodRef('AE'),
            date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
            lines: expect.arrayContaining([expect.objectContaining({ quantity: '4' })]),
            line_count: 2,
            sections: expect.objectContaining({
              header: [expect.objectContaining({ origin: 'OSALES' })],
            }),
          }),
        ]),
        next: [{ call: `PATCH ${path}` }, {}],
      },
    });
    const [proposal] = found.body.layouts;
    expect(proposal).toMatchObject({
      documents: 'invoices',
      layout: { sections: { header: { table: 'OSALES' }, lines: { table: 'OLINES' } } },
      reasons: { header: expect.stringContaining('OSALES') },
    });
    const accepted = await harness.call(`PATCH ${path}`, { layout: proposal.layout });
    expect(accepted).toMatchObject({
      status: 200,
      body: {
        settings: {
          file: erp.file,
          writeBack: { mode: 'none' },
          sections: { header: { table: 'OSALES' } },
        },
      },
    });
    const mapping = await harness.call(`GET ${path}/mapping`);
    expect(mapping.body.fields.map(({ target }: { target: string }) => target)).toContain('number');
  });

  test('of a folder goes from a PDF to an accepted invoice, and drops what another layout said', async () => {
    const [root = ''] = harness.app.platform.settings.connectorRoots;
    const folder = join(root, harness.acme.id, 'pdf');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 're-7.pdf'), pdfA3(ciiOf()));
    const settings = { folder: 'pdf', settleSeconds: 0, documentColumn: 'old', sheet: 'old' };
    const path = await connect(settings, 'files', 'file', 'BIS-3.0');
    const found = await harness.call(`POST ${path}/discover`);
    expect(found).toMatchObject({
      status: 200,
      body: {
        source: expect.stringMatching(/1 file: 1 PDF with an invoice in them$/),
        layouts: [{ documents: 'invoices', layout: { kinds: ['pdf'] }, confidence: 0.99 }],
        documents: [{ number: 'RE-7', date: '2026-03-02', line_count: 1 }],
      },
    });
    const accepted = await harness.call(`PATCH ${path}`, { layout: found.body.layouts[0].layout });
    expect(accepted).toMatchObject({ status: 200, body: { settings: { settleSeconds: 0 } } });
    expect(accepted.body.settings).not.toHaveProperty('documentColumn');
    expect(accepted.body.settings).not.toHaveProperty('sheet');
    await harness.call(`POST ${path}/mapping/approve`, { min_confidence: 0.9 });
    const id = path.split('/').at(-1)!;
    expect(await harness.submit('re-7.pdf', { connector_id: id })).toMatchObject({ status: 202 });
  });

  test('looks at the header that a person names', async () => {
    const path = await connect(erpSettings(erp.file));
    const answer = await harness.call(`POST ${path}/discover`, { header: 'OCUST' });
    expect(answer).toMatchObject({
      status: 200,
      body: { layouts: [], documents: [], notes: [expect.stringContaining('"OCUST"')] },
    });
    expect(answer.body.alternatives).toContain('OSALES');
  });

  test('runs once at a time, and not for kinds without tables or sources that do not answer', async () => {
    const path = await connect({ file: erp.file });
    const both = await Promise.all([
      harness.call(`POST ${path}/discover`),
      harness.call(`POST ${path}/discover`),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)?.body.code).toBe('discovery_under_way');
    const api = await connect(httpSettings, 'http', 'API');
    expect(await harness.call(`POST ${api}/discover`)).toMatchObject({
      status: 409,
      body: { code: 'discovery_unsupported', detail: expect.stringContaining(`${api}/mapping`) },
    });
    const file = `${erp.file}.gone`;
    new Database(file).close();
    const gone = await connect({ file });
    await rm(file);
    expect(await harness.call(`POST ${gone}/discover`)).toMatchObject({
      status: 503,
      body: { code: 'source_unreachable' },
    });
  });
});

const httpSettings = {
  url: 'https://erp.example.com',
  list: { path: '/invoices', records: '$', ref: '$.id', paging: { by: 'none' } },
  read: { path: '/invoices/{ref}' },
};

describe('a layout', () => {
  test.each([
    {
      of: 'members that say where the source is',
      layout: { sections: {}, file: '/etc/passwd' },
      detail: /layout\.file.*sections, changes/,
    },
    {
      of: 'sections without header',
      layout: { sections: { lines: { table: 'a', key: 'b', match: 'c' } } },
      detail: /header/,
    },
  ])('is refused with $of', async ({ layout, detail }) => {
    const path = await connect({ file: erp.file });
    const answer = await harness.call(`PATCH ${path}`, { layout });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', detail: expect.stringMatching(detail) },
    });
  });

  test('does not stand beside settings, and needs a kind that has one', async () => {
    const path = await connect({ file: erp.file });
    const both = { layout: { sections: {} }, settings: { file: erp.file } };
    expect(await harness.call(`PATCH ${path}`, both)).toMatchObject({ status: 400 });
    const api = await connect(httpSettings, 'http', 'API');
    expect(await harness.call(`PATCH ${api}`, { layout: { sections: {} } })).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('http') },
    });
  });
});
