import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, zstdDecompressSync } from 'node:zlib';

/** A document with the verdict of the authority's own rules. */
export interface Case {
  readonly id: string;
  readonly xml: string | Uint8Array;
  readonly selfBilling: boolean;
  /** The verdict of the official UBL 2.1 schema. */
  readonly schemaValid: boolean;
  readonly fatal: ReadonlySet<string>;
  readonly warning: ReadonlySet<string>;
  /** The authority's stylesheet stopped without a verdict. */
  readonly stopped: boolean;
}

interface Verdict {
  readonly xsd_valid: boolean;
  readonly fatal: readonly string[];
  readonly warning: readonly string[];
  readonly dynamic_error: boolean;
}

interface FileVerdict extends Verdict {
  readonly file: string;
}

interface MutantVerdict extends Verdict {
  readonly id: string;
  readonly ruleset: string;
  readonly xml: string;
}

/** The mutants are compressed with a window of 2^27 bytes. */
const windowLogMax = 27;

/**
 * Every document with a verdict below `folder`: the test files, then the documents with one fault
 * each.
 */
export function* casesOf(folder: string): Generator<Case> {
  yield* testFilesOf(folder);
  yield* mutantsOf(folder);
}

/** The authority's own test files, with their verdicts. */
export function* testFilesOf(folder: string): Generator<Case> {
  const lines = readFileSync(join(folder, 'verdicts.jsonl'), 'utf8').split('\n');
  for (const line of lines) {
    if (line === '') continue;
    const verdict = JSON.parse(line) as FileVerdict;
    const xml = readFileSync(join(folder, 'tests', verdict.file));
    yield caseOf(verdict.file, xml, verdict, isSelfBilling(xml.toString('utf8')));
  }
}

function* mutantsOf(folder: string): Generator<Case> {
  const packed = join(folder, 'mutants.jsonl.zst');
  if (!existsSync(packed)) return;
  const params = { [constants.ZSTD_d_windowLogMax]: windowLogMax };
  for (const line of zstdDecompressSync(readFileSync(packed), { params }).toString().split('\n')) {
    if (line === '') continue;
    const mutant = JSON.parse(line) as MutantVerdict;
    yield caseOf(mutant.id, mutant.xml, mutant, mutant.ruleset.endsWith('-SB'));
  }
}

function caseOf(
  id: string,
  xml: string | Uint8Array,
  verdict: Verdict,
  selfBilling: boolean,
): Case {
  return {
    id,
    xml,
    selfBilling,
    schemaValid: verdict.xsd_valid,
    fatal: new Set(verdict.fatal),
    warning: new Set(verdict.warning),
    stopped: verdict.dynamic_error,
  };
}

function isSelfBilling(xml: string): boolean {
  return /<(?:\w+:)?CustomizationID[^>]*>[^<]*selfbilling/.test(xml);
}
