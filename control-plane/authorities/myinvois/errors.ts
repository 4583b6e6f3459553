import type { AuthorityError } from '../contract.ts';

/** Limits of what is read from one error envelope, which comes from outside. */
const depthMax = 8;
const errorsMax = 100;

/**
 * The errors inside either of MyInvois's two envelopes: `{ code, message, target, details }` as
 * answered to a submission, `{ errorCode, error, errorMS, innerError }` as found in validation
 * steps. Returns the innermost errors, because they name a rule; one without a code gets its
 * parent's.
 */
export function decodeErrors(envelope: unknown): readonly AuthorityError[] {
  const found: AuthorityError[] = [];
  collect(unwrap(envelope), { code: 'Unspecified', message: 'no reason given' }, found, 0);
  return found;
}

// `error` is the envelope's one key in the first form and the English text in the second.
function unwrap(envelope: unknown): unknown {
  return isRecord(envelope) && isRecord(envelope.error) ? envelope.error : envelope;
}

function collect(node: unknown, parent: AuthorityError, found: AuthorityError[], depth: number) {
  if (found.length >= errorsMax) return;
  const own = isRecord(node) ? read(node, parent) : { ...parent, ...asMessage(node) };
  const inner = isRecord(node) ? children(node) : [];
  if (inner.length === 0 || depth >= depthMax) {
    found.push(own);
    return;
  }
  for (const child of inner) collect(child, own, found, depth + 1);
}

function read(node: Record<string, unknown>, parent: AuthorityError): AuthorityError {
  const malay = string(node.errorMS) ?? string(node.errorMs);
  const location = string(node.propertyPath) ?? string(node.target) ?? parent.location;
  return {
    code: string(node.errorCode) ?? string(node.code) ?? parent.code,
    message: string(node.error) ?? string(node.message) ?? parent.message,
    ...(location === undefined ? {} : { location }),
    ...(malay === undefined ? {} : { translations: { ms: malay } }),
  };
}

function asMessage(node: unknown): { message?: string } {
  const message = string(node);
  return message === undefined ? {} : { message };
}

function children(node: Record<string, unknown>): readonly unknown[] {
  for (const key of ['details', 'innerError']) {
    const value = node[key];
    if (Array.isArray(value) && value.length > 0) return value;
    if (isRecord(value)) return [value];
  }
  return [];
}

const duplicateCode = /^(DS302|Error03)$/i;
const uuidPattern = /\b[0-9A-Z]{26}\b/g;

/**
 * The UUID of the earlier document when the errors report a duplicate; the message names the new
 * one first and the earlier one second.
 */
export function earlierUuid(errors: readonly AuthorityError[], own?: string): string | undefined {
  for (const { code, message } of errors) {
    if (!duplicateCode.test(code) && !/duplicated? submitted document/i.test(message)) continue;
    const named = message.match(uuidPattern) ?? [];
    const earlier = named.filter((uuid) => uuid !== own).at(-1);
    if (earlier !== undefined) return earlier;
  }
  return undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text of a value: numbers are codes too; undefined for the empty string. */
function string(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
