/** Takes the files of a folder and confirms their documents, until it is killed. */
import { files } from './connector.ts';

const [folder = ''] = process.argv.slice(2);
const never = new AbortController().signal;
const connector = await files.open(files.settings.parse({ folder, move: true }), {
  clock: () => new Date('2999-01-01T00:00:00Z'),
  allowedRoots: [folder],
});
let cursor: string | undefined;
for (;;) {
  const page = await connector.list(cursor, never);
  if (page.kind !== 'page') throw new Error(page.fault.message);
  for (const sourceRef of page.refs) {
    const confirmation = {
      invoiceId: 'inv_1',
      sourceRef,
      status: 'cleared',
      profile: 'PINT-MY',
      settledAt: '2026-02-01T10:00:00.000Z',
    } as const;
    const command = { idempotencyKey: sourceRef, environment: 'live', confirmation } as const;
    await connector.writeBack(command, never);
  }
  cursor = page.cursor;
}
