import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/** Paths of Saxon-HE and of the published rules for it. */
export interface SaxonSource {
  readonly jar: string;
  /** With `<profile>/schematron`. */
  readonly authority: string;
}

/** Saxon-HE with the rules of a profile, warmed up, and valid documents. */
export class Saxon {
  readonly #home: string;
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #answers: AsyncIterator<string>;

  /** Takes ten seconds for each document. */
  static async start(
    { jar, authority }: SaxonSource,
    profile: string,
    documents: readonly string[],
  ): Promise<Saxon> {
    const home = mkdtempSync(join(tmpdir(), 'bench-saxon-'));
    const files = documents.map((xml, number) => {
      const file = join(home, `${number}.xml`);
      writeFileSync(file, xml);
      return file;
    });
    const from = join(import.meta.dirname, 'saxon');
    const judge = ['-cp', jar, join(from, 'Judge.java'), join(from, 'schematron.xsl')];
    const rules = schematrons(join(authority, profile, 'schematron'));
    const saxon = new Saxon(home, [...judge, ...rules, '--', ...files]);
    try {
      for (const number of documents.keys()) await saxon.#warmUp(number);
    } catch (error) {
      saxon.stop();
      throw error;
    }
    return saxon;
  }

  private constructor(home: string, judge: readonly string[]) {
    this.#home = home;
    // The garbage collector that costs least CPU, because CPU is measured.
    this.#process = spawn('java', ['-XX:+UseSerialGC', ...judge], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const lines: Interface = createInterface({ input: this.#process.stdout });
    this.#answers = lines[Symbol.asyncIterator]();
  }

  /** CPU milliseconds to parse a document and to run the rules on it. */
  async sample(document: number): Promise<number> {
    return Number(await this.#ask('whole', document));
  }

  stop(): void {
    this.#process.kill();
    rmSync(this.#home, { recursive: true });
  }

  async #warmUp(document: number): Promise<void> {
    const fired = await this.#ask('fired', document);
    // With another verdict the times cannot be compared.
    if (fired !== '') throw new Error(`Saxon finds the sample wrong: ${fired}`);
  }

  async #ask(what: string, document: number): Promise<string> {
    this.#process.stdin.write(`${what} ${document}\n`);
    const { value, done } = await this.#answers.next();
    if (done) throw new Error('Saxon stopped: is there a JDK, and is the JAR Saxon-HE?');
    return value;
  }
}

/** The Schematron files of invoices that the seller writes. */
function schematrons(folder: string): string[] {
  const billing = join(folder, 'billing');
  const home = existsSync(billing) ? billing : folder;
  const names = readdirSync(home).filter((name) => name.endsWith('.sch'));
  return names.filter((name) => !name.endsWith('-SB.sch')).map((name) => join(home, name));
}
