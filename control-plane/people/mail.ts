/** Mail to people: `const mailer = openMailer({ … })`, then `mailer.send({ to, subject, text })`. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { type Clock, newId, type RandomBytes } from '../platform/ids.ts';

interface Mail {
  /** One address, already checked. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
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
    return { send: async (mail) => void (await transport.sendMail({ from, ...mail })) };
  }
  const composer = createTransport({ streamTransport: true, buffer: true });
  return {
    send: async (mail) => {
      const { message } = await composer.sendMail({ from, ...mail, date: clock() });
      const folder = join(home, 'mail');
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, `${newId('mail', clock, random)}.eml`);
      await writeFile(path, message as Buffer, { mode: 0o600 });
    },
  };
}
