/** `npm run simulate -- KIND`: one simulated provider or authority, on the wire, by itself. */

const kinds: Readonly<Record<string, readonly [about: string, run: () => Promise<unknown>]>> = {
  whatsapp: ['WhatsApp Cloud API', () => import('../control-plane/channels/whatsapp/simulate.ts')],
  'twilio-sms': ['Twilio', () => import('../control-plane/channels/twilio-sms/simulate.ts')],
  'plivo-sms': ['Plivo', () => import('../control-plane/channels/plivo-sms/simulate.ts')],
  'vonage-sms': ['Vonage', () => import('../control-plane/channels/vonage-sms/simulate.ts')],
  'generic-http-sms': [
    'an SMS gateway of the plainest kind',
    () => import('../control-plane/channels/generic-http-sms/simulate.ts'),
  ],
  telegram: ['Telegram Bot API', () => import('../control-plane/channels/telegram/simulate.ts')],
  'google-rcs': [
    'RCS Business Messaging',
    () => import('../control-plane/channels/google-rcs/simulate.ts'),
  ],
  'twilio-voice': [
    'calls through Twilio',
    () => import('../control-plane/channels/twilio-voice/simulate.ts'),
  ],
  'plivo-voice': [
    'calls through Plivo',
    () => import('../control-plane/channels/plivo-voice/simulate.ts'),
  ],
  'vonage-voice': [
    'calls through Vonage',
    () => import('../control-plane/channels/vonage-voice/simulate.ts'),
  ],
  asterisk: ['an Asterisk (ARI)', () => import('../control-plane/channels/asterisk/simulate.ts')],
  peppol: [
    'a Peppol access point (phase4, phoss-ap)',
    () => import('../control-plane/authorities/peppol/simulate.ts'),
  ],
  myinvois: [
    'MyInvois of Malaysia',
    () => import('../control-plane/authorities/myinvois/simulate.ts'),
  ],
};

const [kind = '--help'] = process.argv.slice(2);
const found = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
if (found === undefined) {
  const isAsked = kind === '--help' || kind === '-h';
  console.log(help());
  process.exitCode = isAsked ? 0 : 1;
} else {
  // What stands behind the kind is the simulator's own command line.
  process.argv.splice(2, 1);
  await found[1]();
}

function help(): string {
  const width = Math.max(...Object.keys(kinds).map((each) => each.length));
  const rows = Object.entries(kinds).map(([name, [about]]) => `  ${name.padEnd(width)}  ${about}`);
  return [
    'usage: npm run simulate -- KIND [--port N] [--webhook URL] …',
    '',
    ...rows,
    '',
    'examples:',
    '  npm run simulate -- whatsapp --port 9101 --webhook http://127.0.0.1:8081/wa/v1/webhooks/…/',
    '  npm run simulate -- twilio-sms --lose-answers 0.05 --seed 7',
    '  npm run simulate -- telegram --help      its flags, and recipients with a fate of their own',
    '',
    'It prints `listening on URL`; GET URL/_control says what can be read and done while it runs.',
  ].join('\n');
}
