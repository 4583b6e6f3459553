import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isSigned, type ReleaseKey } from './signature.ts';
import { compareVersions, versionPattern } from './version.ts';

const rulesManifest = z.object({
  product: z.literal('drawbridge-rules'),
  version: z.string().regex(versionPattern),
  /** What the agent asks of them; an agent takes those that are made for it. */
  interface: z.int().min(1),
  /** No agent takes them before. */
  not_before: z.iso.datetime(),
  /** From then on whoever uses them is warned that there should be newer ones. */
  warn_after: z.iso.datetime(),
  /** Of the script as it lies in the file, compressed. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** What an update of rules says of itself; its maker signs it. */
export type RulesManifest = z.infer<typeof rulesManifest>;

const rulesFile = z.object({
  format: z.literal('drawbridge-rules/1'),
  /** The manifest's JSON, as it was signed. */
  manifest: z.string().max(10_000),
  signature: z.base64().max(200),
  /** gzip of the script, in base64. */
  script: z.base64(),
});

/** More than an update of rules has. */
export const rulesFileBytesMax = 50_000_000;

/** An update of rules that is what its maker signed, or why it is not. */
export type OpenedRules =
  | { readonly kind: 'opened'; readonly manifest: RulesManifest; readonly script: Uint8Array }
  | { readonly kind: 'unreadable' | 'unsigned'; readonly cause: string };

/** The text of the file for a compressed script; `sign` makes 64 bytes. */
export function rulesFileText(
  manifest: Omit<RulesManifest, 'product' | 'sha256'>,
  script: Uint8Array,
  sign: (bytes: Uint8Array) => Uint8Array,
): string {
  const whole: RulesManifest = { product: 'drawbridge-rules', ...manifest, sha256: hashOf(script) };
  const text = JSON.stringify(rulesManifest.parse(whole));
  const signature = Buffer.from(sign(Buffer.from(text))).toString('base64');
  const file = { format: 'drawbridge-rules/1', manifest: text, signature };
  return `${JSON.stringify({ ...file, script: Buffer.from(script).toString('base64') })}\n`;
}

/** Believes nothing of the file before one of the keys has signed it. */
export function openRulesFile(bytes: Uint8Array, keys: readonly ReleaseKey[]): OpenedRules {
  const file = rulesFile.safeParse(parsed(bytes)).data;
  if (file === undefined) return unreadable('it is no update of rules, or was cut off');
  const text = Buffer.from(file.manifest);
  if (!isSigned(text, Buffer.from(file.signature, 'base64'), keys)) {
    return { kind: 'unsigned', cause: 'it is not signed with a key that this agent knows' };
  }
  const manifest = rulesManifest.safeParse(parsed(text)).data;
  if (manifest === undefined) return unreadable('it is signed, but this agent cannot read it');
  const script = Buffer.from(file.script, 'base64');
  if (hashOf(script) !== manifest.sha256) {
    return { kind: 'unsigned', cause: 'its rules are not those that were signed' };
  }
  return { kind: 'opened', manifest, script };
}

export interface RulesQuestion {
  readonly manifest: RulesManifest;
  readonly interface: number;
  /** The version in use. */
  readonly current: string;
  /** The newest that this agent has ever used. */
  readonly seen: string | undefined;
  readonly now: Date;
}

export type RulesDecision =
  | { readonly kind: 'take' | 'current' }
  | { readonly kind: 'refused'; readonly cause: string };

/** Whether an agent takes a signed update of rules; an older one is refused, as whoever offers it may be after its gaps. */
export function decideRules(question: RulesQuestion): RulesDecision {
  const { manifest, current, now } = question;
  const { version, not_before: notBefore } = manifest;
  const seen = question.seen ?? current;
  const newest = compareVersions(seen, current) > 0 ? seen : current;
  if (version === current) return { kind: 'current' };
  if (compareVersions(version, newest) < 0) {
    return refused(`${version} is older than ${newest}, which this agent has used already`);
  }
  if (manifest.interface !== question.interface) {
    const other = manifest.interface > question.interface ? 'a newer' : 'an older';
    return refused(`${version} is for ${other} agent: upgrade the agent, which brings its own`);
  }
  if (now.getTime() < Date.parse(notBefore)) {
    return refused(`${version} is not to be used before ${notBefore}`);
  }
  return { kind: 'take' };
}

function refused(cause: string): RulesDecision {
  return { kind: 'refused', cause };
}

function unreadable(cause: string): OpenedRules {
  return { kind: 'unreadable', cause };
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined; // neither UTF-8 nor JSON
  }
}
