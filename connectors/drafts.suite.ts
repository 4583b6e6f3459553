import type { Draft } from '@drawbridge/cim/draft.ts';
import { expect, test } from 'vitest';
import type { ImportCommand } from './contract.ts';
import type { SourceUnderTest } from './source-under-test.kit.ts';

const never = new AbortController().signal;

const draft: Draft = {
  documentType: 'invoice',
  number: 'L-2026-17',
  issueDate: '2026-01-31',
  dueDate: '2026-02-28',
  currency: 'MYR',
  supplierId: 'C20880050010',
  supplierName: "Kedai O'Neill & Anak 商店",
  correctedNumber: 'L-2025-90, L-2025-91',
  gross: '1166.60',
  net: '1060.55',
  tax: '106.05',
  lines: [
    { line: '1', name: 'Bolt; DROP TABLE einv_received', quantity: '12.5', net: '1000.00' },
    { line: '2', sku: 'X', name: 'Nut', unitPrice: '0.123456789', net: '60.55', taxRate: '10' },
  ],
};

/** The import of a sample draft. */
export function importCommand(id: string, changes: Partial<ImportCommand> = {}): ImportCommand {
  const came = { source: 'peppol', networkId: `net-${id}`, receivedAt: '2026-02-01T08:00:00.000Z' };
  return {
    idempotencyKey: `${id}/imp_1`,
    environment: 'live',
    action: 'import',
    document: { id, profile: 'PINT-MY', ...came, draft, xml: '<Invoice/>' },
    ...changes,
  };
}

const undo = (id: string) => importCommand(id, { action: 'undo', idempotencyKey: `${id}/imp_2` });

/** Where drafts are taken: each once, in full, and gone again only while nobody has gone on with it. */
export function draftTests(running: () => SourceUnderTest): void {
  test('a draft arrives with its lines, once however often it comes', async (context) => {
    const { connector, drafts } = running();
    if (drafts === undefined) return context.skip('this kind takes no drafts');
    const kinds: string[] = [];
    for (let time = 1; time <= 3; time += 1) {
      kinds.push((await connector.importDraft!(importCommand('rcv_1'), never)).kind);
    }
    expect(kinds).toEqual(['written', 'already', 'already']);
    const { header, lines } = await drafts.stored('live', 'rcv_1');
    expect(header).toMatchObject({
      status: 'draft',
      network_id: 'net-rcv_1',
      supplier_name: draft.supplierName,
      number: draft.number,
      corrected_number: draft.correctedNumber,
      issue_date: draft.issueDate,
    });
    expect(Number(header?.gross)).toBe(1166.6);
    expect(lines).toBe(2);
    expect((await drafts.stored('sandbox', 'rcv_1')).header).toBeUndefined();
  });

  test('many at once are each written once', async (context) => {
    const { connector, drafts } = running();
    if (drafts === undefined) return context.skip('this kind takes no drafts');
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, () => connector.importDraft!(importCommand('rcv_2'), never)),
    );
    const kinds = outcomes.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'written').length).toBeLessThanOrEqual(1);
    // Who came at the same moment may be told to come again, and then it is there.
    const last = await connector.importDraft!(importCommand('rcv_2'), never);
    expect(['already', 'written']).toContain(last.kind);
    expect((await drafts.stored('live', 'rcv_2')).lines).toBe(2);
  });

  test('an undone draft is gone, and can come again', async (context) => {
    const { connector, drafts } = running();
    if (drafts === undefined) return context.skip('this kind takes no drafts');
    await connector.importDraft!(importCommand('rcv_3'), never);
    expect((await connector.importDraft!(undo('rcv_3'), never)).kind).toBe('written');
    expect((await connector.importDraft!(undo('rcv_3'), never)).kind).toBe('already');
    expect(await drafts.stored('live', 'rcv_3')).toEqual({ header: undefined, lines: 0 });
    expect((await connector.importDraft!(importCommand('rcv_3'), never)).kind).toBe('written');
  });

  test('a draft with which somebody has gone on stays', async (context) => {
    const { connector, drafts } = running();
    if (drafts === undefined) return context.skip('this kind takes no drafts');
    await connector.importDraft!(importCommand('rcv_4'), never);
    await drafts.goOn('rcv_4');
    const outcome = await connector.importDraft!(undo('rcv_4'), never);
    expect(outcome).toMatchObject({ kind: 'conflict', found: expect.stringContaining('posted') });
    expect((await drafts.stored('live', 'rcv_4')).lines).toBe(2);
  });

  test('a draft whose header somebody has deleted can come again, with its lines', async (context) => {
    const { connector, drafts } = running();
    if (drafts?.deleteHeader === undefined) return context.skip('this kind has no lines apart');
    await connector.importDraft!(importCommand('rcv_8'), never);
    await drafts.deleteHeader('rcv_8');
    expect((await connector.importDraft!(undo('rcv_8'), never)).kind).toBe('already');
    expect((await connector.importDraft!(importCommand('rcv_8'), never)).kind).toBe('written');
    expect((await drafts.stored('live', 'rcv_8')).lines).toBe(2);
  });

  test('a table of an earlier version takes drafts, without what it has no column for', async (context) => {
    const { connector, drafts } = running();
    if (drafts?.dropColumn === undefined) return context.skip('this kind has no columns');
    await connector.importDraft!(importCommand('rcv_9'), never);
    await connector.importDraft!(undo('rcv_9'), never);
    await drafts.dropColumn('corrected_number');
    expect((await connector.importDraft!(importCommand('rcv_9'), never)).kind).toBe('written');
    const { header } = await drafts.stored('live', 'rcv_9');
    expect(header).toMatchObject({ number: draft.number });
    expect(header).not.toHaveProperty('corrected_number');
  });

  test('a document of many lines with long values fits', async (context) => {
    const { connector, drafts } = running();
    if (drafts === undefined) return context.skip('this kind takes no drafts');
    const lines = Array.from({ length: 1_001 }, (_, at) => ({
      line: String(at + 1),
      name: 'n'.repeat(1_500),
      net: '1.00',
    }));
    const { document, ...rest } = importCommand('rcv_5');
    const long = { ...draft, supplierName: 'é'.repeat(1_500), lines };
    const command = { ...rest, document: { ...document, draft: long } };
    expect((await connector.importDraft!(command, never)).kind).toBe('written');
    expect((await drafts.stored('live', 'rcv_5')).lines).toBe(1_001);
  });

  test('own tables are filled as the settings say, but never by the sandbox', async (context) => {
    const { columns, drafts } = running();
    if (columns === undefined || drafts?.own === undefined) {
      return context.skip('this kind has no own tables');
    }
    const { connector } = columns;
    const sandbox = importCommand('rcv_6', { environment: 'sandbox' });
    expect((await connector.importDraft!(sandbox, never)).kind).toBe('written');
    expect((await drafts.own('rcv_6')).header).toBeUndefined();
    expect((await drafts.stored('sandbox', 'rcv_6')).lines).toBe(2);
    const written = await connector.importDraft!(importCommand('rcv_6'), never);
    expect(written).toEqual({ kind: 'written', target: 'purchase' });
    expect((await connector.importDraft!(importCommand('rcv_6'), never)).kind).toBe('already');
    const own = await drafts.own('rcv_6');
    expect(own.header).toMatchObject({
      supplier: draft.supplierName,
      inv_no: 'L-2026-17',
      state: 'D',
    });
    expect(own.lines).toBe(2);
    expect((await connector.importDraft!(undo('rcv_6'), never)).kind).toBe('written');
    expect(await drafts.own('rcv_6')).toEqual({ header: undefined, lines: 0 });
  });

  test('an ERP that does not answer says so without its password', async (context) => {
    const { unreachable, drafts } = running();
    if (drafts === undefined) return context.skip('this kind takes no drafts');
    const outcome = await unreachable.importDraft!(importCommand('rcv_7'), never);
    expect(outcome.kind).toBe('unreachable');
    expect(JSON.stringify(outcome)).not.toContain('hunter2');
  });
}
