import { Agent } from 'undici';
import type { Environment } from './environment.ts';

/** A webhook that the gateway would have sent. */
export interface HeldWebhook {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A simulated SMS gateway in a separate process, which accepts every message. */
export class Gateway {
  readonly #url: string;
  #settings: Readonly<Record<string, string>> = {};
  /** How many lines of its log were read before. */
  #seen = 0;

  private constructor(url: string) {
    this.#url = url;
  }

  static async start(environment: Environment): Promise<Gateway> {
    const words = ['--rate', '0', '--people', 'prompt', '--hold'];
    const { output } = await environment.start(
      ['scripts/simulate.ts', 'generic-http-sms', ...words],
      {},
    );
    const gateway = new Gateway(/listening on (\S+)/.exec(output)![1]!);
    gateway.#settings = JSON.parse(await gateway.#ask('settings'));
    return gateway;
  }

  /** Its address for a control plane; other providers of the sandbox have none. */
  async endpoints(): Promise<object> {
    const others = ['whatsapp', 'twilio-sms', 'plivo-sms', 'vonage-sms', 'telegram', 'google-rcs'];
    const nobody = { base_url: 'http://127.0.0.1:9' };
    return {
      ...Object.fromEntries(others.map((provider) => [provider, nobody])),
      'generic-http-sms': { base_url: this.#url, settings: this.#settings },
    };
  }

  /** Messages a second of a client that only sends. */
  async plainPerSecond(connections: number, seconds: number): Promise<number> {
    const agent = new Agent({ connections, pipelining: 1 });
    const end = performance.now() + seconds * 1_000;
    const begun = performance.now();
    let sent = 0;
    const sender = async (): Promise<void> => {
      while (performance.now() < end) {
        const to = `+6012${String(sent).padStart(6, '0')}8`;
        const { body } = await agent.request({
          origin: this.#url,
          path: '/messages',
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            authorization: this.#settings.auth_value!,
          },
          body: JSON.stringify({ to, from: 'BENCH', text: 'Hello Asha, good news.' }),
        });
        await body.dump();
        sent += 1;
      }
    };
    await Promise.all(Array.from({ length: connections }, sender));
    const perSecond = (sent / (performance.now() - begun)) * 1_000;
    await agent.close();
    return perSecond;
  }

  /** Ignores the messages that have come so far. */
  async forget(): Promise<void> {
    const { messages } = JSON.parse(await this.#ask('counts'));
    this.#seen = messages.accepted;
  }

  /** When each message arrived, in milliseconds, oldest first. */
  async times(): Promise<number[]> {
    const lines = (await this.#ask(`log?after=${this.#seen}`)).split('\n');
    return lines.flatMap((line) => (line === '' ? [] : [Date.parse(JSON.parse(line).at)]));
  }

  async heldWebhooks(): Promise<HeldWebhook[]> {
    return JSON.parse(await this.#ask('webhooks'));
  }

  async #ask(path: string): Promise<string> {
    return (await fetch(`${this.#url}/_control/${path}`)).text();
  }
}
