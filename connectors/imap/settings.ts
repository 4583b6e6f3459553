import { z } from 'zod';
import { contentSettings } from '../file-content/settings.ts';
import { oauthSettings } from '../outbound/oauth.ts';

const text = z.string().min(1).max(256);
const mailbox = z.string().min(1).max(200);

/** Settings of a mailbox whose attachments are the documents. */
export const imapSettings = z
  .strictObject({
    host: text
      .meta({ examples: ['imap.example.com'] })
      .describe('Host name or address of the IMAP server'),
    port: z.int().min(1).max(65_535).default(993).describe('Port of the server'),
    tls: z
      .enum(['verify', 'starttls', 'unverified', 'off'])
      .default('verify')
      .meta({ title: 'Encryption (TLS)' })
      .describe(
        'verify: TLS with a trusted certificate; starttls: the same, after the server offers it; ' +
          'unverified: TLS with any certificate; off: none',
      ),
    ca: z
      .string()
      .max(100_000)
      .optional()
      .meta({ title: 'Trusted certificates (PEM)', advanced: true })
      .describe('Certificates, as PEM, that are trusted for this server'),
    user: text.describe('User whose mailbox it is'),
    password: z
      .string()
      .max(1_000)
      .optional()
      .meta({ secret: true })
      .describe('Password of that user'),
    oauth: oauthSettings
      .optional()
      .meta({ title: 'OAuth 2.0', advanced: true })
      .describe('Instead of a password: where tokens come from'),
    mailbox: mailbox.default('INBOX').describe('Mailbox in which messages arrive'),
    processed: mailbox
      .optional()
      .meta({ title: 'Mailbox for what is done', advanced: true })
      .describe('Mailbox for messages whose documents are confirmed; they stay when left out'),
    rejected: mailbox
      .optional()
      .meta({ title: 'Mailbox for what is rejected', advanced: true })
      .describe('Mailbox for messages of which a document was rejected; processed when left out'),
    ...contentSettings,
    writeBack: z
      .discriminatedUnion('mode', [
        z.strictObject({ mode: z.literal('none') }),
        z.strictObject({
          mode: z.literal('mailbox'),
          name: mailbox.default('einv_status').describe('Mailbox of the confirmations'),
        }),
      ])
      .default({ mode: 'mailbox', name: 'einv_status' })
      .meta({ title: 'Confirmations', advanced: true })
      .describe(
        'mailbox: a message a confirmation, in a mailbox of its own (sandbox: with "_sandbox" after ' +
          'its name); or none',
      ),
  })
  .refine(({ password, oauth }) => (password === undefined) !== (oauth === undefined), {
    message: 'Give either a password, or oauth',
    path: ['password'],
  });
export type ImapSettings = z.infer<typeof imapSettings>;
