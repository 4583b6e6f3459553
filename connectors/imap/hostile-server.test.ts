import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { startHostileServer } from '../hostile-server.kit.ts';
import { answeringImap, type ImapAnswers, literal } from './hostile-server.kit.ts';

const fetched = (attributes: string | Buffer) =>
  Buffer.concat([Buffer.from('* 1 FETCH (UID 1 '), Buffer.from(attributes), Buffer.from(')\r\n')]);
const headers = 'Message-ID: <one@firm.example>\r\n\r\n';

test.each<[string, string, ImapAnswers]>([
  [
    'finds more messages than there can be',
    'page',
    { 'UID SEARCH': '* ESEARCH UID ALL 1:4294967295\r\n' },
  ],
  [
    'has as many messages as it finds',
    'mailbox_too_large',
    {
      SELECT: '* 4294967295 EXISTS\r\n* OK [UIDVALIDITY 1] ok\r\n',
      'UID SEARCH': '* ESEARCH UID ALL 1:4294967295\r\n',
    },
  ],
  [
    'gets as many messages as it finds',
    'unreachable',
    { 'UID SEARCH': '* 4294967295 EXISTS\r\n* ESEARCH UID ALL 1:4294967295\r\n' },
  ],
  [
    'finds millions of messages',
    'mailbox_too_large',
    { 'UID SEARCH': `* SEARCH ${'7 '.repeat(2_000_000)}\r\n` },
  ],
  [
    'finds what is no number',
    'page',
    { 'UID SEARCH': '* SEARCH 0 -1 1e9 NaN (1 2) 99999999999999999999\r\n' },
  ],
  [
    'says that all messages are gone',
    'page',
    {
      'UID SEARCH':
        '* VANISHED (EARLIER) 1:4294967295\r\n* VANISHED 1:4294967295\r\n* SEARCH 1\r\n',
    },
  ],
  [
    'has more messages than any',
    'page',
    { SELECT: '* 99999999999999999999 EXISTS\r\n* OK [UIDVALIDITY -1] ok\r\n' },
  ],
  [
    'has a mailbox without numbers',
    'page',
    { SELECT: '* OK [UIDVALIDITY] ok\r\n* OK [UIDNEXT (] ok\r\n' },
  ],
  ['nests lists without end', 'page', { 'UID FETCH': `* 1 FETCH ${'('.repeat(500_000)}\r\n` }],
  [
    'nests parts without end',
    'page',
    { 'UID FETCH': fetched(`BODYSTRUCTURE ${'('.repeat(100_000)}${')'.repeat(100_000)}`) },
  ],
  [
    'says that a literal is longer than any memory',
    'unreachable',
    { 'UID FETCH': fetched(literal(4_294_967_296, 'x')) },
  ],
  ['says that a literal has less than nothing', 'page', { 'UID FETCH': fetched(literal(-1, 'x')) }],
  [
    'has a message larger than it says',
    'page',
    {
      'UID FETCH': fetched(
        Buffer.concat([
          Buffer.from('RFC822.SIZE 10 BODY[HEADER] '),
          literal(headers.length, headers),
          Buffer.from(' BODY[] '),
          literal(8_000_000, Buffer.alloc(8_000_000, 'x')),
        ]),
      ),
    },
  ],
  [
    'has another message than it was asked for',
    'page',
    { 'UID FETCH': '* 7 FETCH (UID 99)\r\n'.repeat(10_000) },
  ],
  [
    'has a line of megabytes',
    'mailbox_too_large',
    { 'UID SEARCH': `* OK ${'x'.repeat(30_000_000)}\r\n* SEARCH 1\r\n` },
  ],
  ['has folders without end', 'page', { LIST: '* LIST () "/" "a/b"\r\n'.repeat(100_000) }],
  ['has folders that act on terminals', 'page', { LIST: '* LIST () "/" "\u001b[2J\u0007"\r\n' }],
  [
    'can do more than there is',
    'page',
    { CAPABILITY: `* CAPABILITY IMAP4rev1 ${'X '.repeat(100_000)}\r\n` },
  ],
  [
    'answers what was not asked',
    'page',
    {
      'UID SEARCH':
        'A999 OK done\r\n* BYE\r\n+ go on\r\n* PREAUTH\r\n* 1 EXPUNGE\r\n* SEARCH 1\r\n',
    },
  ],
  [
    'compresses without end',
    'timeout',
    {
      CAPABILITY: '* CAPABILITY IMAP4rev1 COMPRESS=DEFLATE\r\n',
      SELECT: deflateRawSync(Buffer.alloc(200_000_000, ' ')),
    },
  ],
])('of a server that %s little is kept', { timeout: 120_000 }, async (_, outcome, answers) => {
  // Only what never ends is waited for in vain; to read much takes a slow machine its time.
  const withinMs = outcome === 'timeout' ? 4_000 : 40_000;
  const { connector, close } = await startHostileServer('imap', answeringImap(answers), {
    settings: { tls: 'off', writeBack: { mode: 'none' } },
    context: { timeoutMs: withinMs + 1_000 },
  });
  try {
    const listed = await connector.list(undefined, AbortSignal.timeout(withinMs));
    expect(listed.kind === 'page' ? 'page' : listed.fault.code).toBe(outcome);
    const tested = await connector.test(AbortSignal.timeout(withinMs));
    expect(JSON.stringify([listed, tested]).length).toBeLessThan(2_000_000);
  } finally {
    await close();
  }
});
