/** Mail to people: `const mailer = openMailer({ … })`, then `mailer.send({ to, subject, text })`. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { type Clock, newId, type RandomBytes } from '../platform/ids.ts';

interface Mail {
  /** One address, already checked. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Whose name it bears, and the key that signs it; default: the host's. */
  readonly sender?: Sender | undefined;
}

/** A tenant's own sender, which a DKIM record in DNS has proved. */
export interface Sender {
  readonly name: string | null;
  readonly address: string;
  readonly domain: string;
  readonly selector: string;
  /** PEM */
  readonly privateKey: string;
}

export interface Mailer {
  /** Resolves when the server has accepted the mail, or the file is written; rejects otherwise. */
  send(mail: Mail): Promise<void>;
}

export interface MailerOptions {
  /**
   * Without an SMTP server, mail is written to `mail/` in this folder: one file each, readable only
   * by us.
   */
  readonly home: string;
  readonly smtpUrl: string | undefined;
  readonly from: string;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

const timeoutMs = 10_000;

export function openMailer({ home, smtpUrl, from, clock, random }: MailerOptions): Mailer {
  if (smtpUrl !== undefined) {
    const url = new URL(smtpUrl);
    const transport = createTransport({
      host: url.hostname,
      port: url.port === '' ? (url.protocol === 'smtps:' ? 465 : 587) : Number(url.port),
      secure: url.protocol === 'smtps:',
      ...(url.username === ''
        ? {}
        : {
            auth: {
              user: decodeURIComponent(url.username),
              pass: decodeURIComponent(url.password),
            },
          }),
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
    });
    return { send: async (mail) => void (await transport.sendMail(messageOf(mail, from))) };
  }
  const composer = createTransport({ streamTransport: true, buffer: true });
  return {
    send: async (mail) => {
      const { message } = await composer.sendMail({ ...messageOf(mail, from), date: clock() });
      const folder = join(home, 'mail');
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, `${newId('mail', clock, random)}.eml`);
      await writeFile(path, message as Buffer, { mode: 0o600 });
    },
  };
}

/** Whether the server surely has not taken a mail: it said so, or was never reached. */
export function wasNotTaken(error: unknown): boolean {
  const { responseCode, syscall, code } = error as Readonly<Record<string, unknown>>;
  return typeof responseCode === 'number' || syscall === 'connect' || code === 'EDNS';
}

/**
 * A mail of a tenant is signed for the tenant's domain. Its envelope stays the host's: it is the host's server
 * that hands it over (SPF), and to the host that a bounce comes.
 */
function messageOf({ sender, ...mail }: Mail, from: string): SendMailOptions {
  if (sender === undefined) return { from, ...mail };
  const { name, address, domain, selector, privateKey } = sender;
  return {
    ...mail,
    from: { name: name ?? '', address },
    envelope: { from, to: mail.to },
    dkim: { domainName: domain, keySelector: selector, privateKey },
  };
}
