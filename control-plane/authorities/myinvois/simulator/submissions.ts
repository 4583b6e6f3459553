import { type Call, jsonObject, type Reply } from '../../../simulation/server.ts';
import type { Element } from '../../../simulation/xml-tree.ts';
import { type Facts, readFacts, type StoredDocument } from './document.ts';
import { errorResponse } from './error-response.ts';
import { code, type Identity } from './identities.ts';
import { magicNumbers, type SimulatorState } from './state.ts';
import { readStructure } from './structure.ts';
import { sha256 } from './validators.ts';

const limits = { documents: 100, bodyBytes: 5 * 1_024 * 1_024, documentBytes: 300 * 1_024 };
const payloadWindowMs = 10 * 60_000;

interface Entry {
  readonly format: unknown;
  readonly document: string;
  readonly documentHash: string;
  readonly codeNumber: string;
}

interface Checked {
  readonly entry: Entry;
  readonly facts: Facts;
  readonly root: Element;
  readonly xml: string;
}

interface Rejected {
  readonly invoiceCodeNumber: string;
  readonly error: unknown;
}

/** POST documentsubmissions: refuses documents at once or accepts them for validation. */
export function takeSubmission(call: Call, caller: Identity, state: SimulatorState): Reply {
  if (call.body.length > limits.bodyBytes) {
    return errorResponse(400, 'MaximumSizeExceeded', 'The submission exceeds 5 MB.', 'submission');
  }
  const body = jsonObject(call);
  if (body === undefined) {
    return errorResponse(400, 'ValidationError', 'JSON is not valid', 'submission');
  }
  const entries = readEntries(body.documents);
  if (entries === undefined) return badStructure(state);
  const payloadKey = `${caller.taxpayer} ${sha256(call.body)}`;
  const until = state.payloads.get(payloadKey) ?? 0;
  const now = state.clock.now().getTime();
  if (until > now) {
    const wait = Math.ceil((until - now) / 1_000);
    const message = 'The same submission was received before.';
    return errorResponse(422, 'DuplicateSubmission', message, 'submission', {
      'Retry-After': String(wait),
    });
  }
  const checked = entries.map(checkEntry);
  const taken = checked.filter((row) => 'facts' in row);
  if (taken.some((row) => !mayIssue(caller, row.facts))) {
    const message = 'The client may not submit for this supplier.';
    return errorResponse(403, 'IncorrectSubmitter', message, 'submission');
  }
  if (spendMagic(taken, magicNumbers.unavailable, state)) {
    return errorResponse(503, 'ServiceUnavailable', 'Asked for by the number.');
  }
  state.payloads.set(payloadKey, now + payloadWindowMs);
  const submissionUid = taken.length > 0 ? code(state.random, 26) : null;
  const stored = taken.map((row) => store(row, submissionUid ?? '', caller, state));
  if (spendMagic(taken, magicNumbers.lost, state)) return 'cut';
  return {
    status: 202,
    body: {
      [state.switches.submissionUidSpelling]: submissionUid,
      acceptedDocuments: stored.map((document) => ({
        uuid: document.uuid,
        invoiceCodeNumber: document.facts.number,
      })),
      rejectedDocuments: checked.filter((row) => 'error' in row),
    },
  };
}

function badStructure(state: SimulatorState): Reply {
  const id = `0HN${code(state.random, 10)}:00000001`;
  const message = `Invalid structured submission. Correlation Id: ${id}`;
  const details = [{ code: 'submission', target: 'submission', message }];
  return {
    status: 400,
    headers: { correlationId: id },
    body: { error: { code: 'BadStructure', message: null, target: null, details } },
  };
}

function readEntries(documents: unknown): readonly Entry[] | undefined {
  if (!Array.isArray(documents)) return undefined;
  if (documents.length === 0 || documents.length > limits.documents) return undefined;
  const entries: Entry[] = [];
  for (const entry of documents) {
    if (typeof entry !== 'object' || entry === null) return undefined;
    const texts = [entry.document, entry.documentHash, entry.codeNumber];
    if (texts.some((text) => typeof text !== 'string' || text === '')) return undefined;
    if (entry.format !== 'XML' && entry.format !== 'JSON') return undefined;
    entries.push(entry);
  }
  const isMixed = new Set(entries.map((entry) => entry.format)).size > 1;
  return isMixed ? undefined : entries;
}

function checkEntry(entry: Entry): Checked | Rejected {
  const bytes = Buffer.from(entry.document, 'base64');
  if (bytes.length > limits.documentBytes) {
    return rejected(entry, 'MaximumSizeExceeded: the document exceeds 300 KB', '#');
  }
  if (bytes.toString('base64') !== entry.document) {
    return rejected(entry, 'Base64NotValid', '#');
  }
  if (sha256(bytes) !== entry.documentHash.toLowerCase()) {
    return rejected(entry, 'HashNotValid: documentHash is not that of the document', '#');
  }
  if (entry.format === 'JSON') return rejected(entry, 'ArrayItemNotValid: #/Invoice[0]', '[0]');
  const xml = bytes.toString('utf8');
  const root = readStructure(xml);
  if ('fault' in root) return rejected(entry, root.fault, '/Invoice');
  const facts = readFacts(root);
  if (facts.number !== entry.codeNumber) {
    return rejected(entry, 'CodeNumberNotValid: it is not the document’s ID', '/Invoice/ID');
  }
  return { entry, facts, root, xml };
}

function rejected(entry: Entry, message: string, propertyPath: string): Rejected {
  return {
    invoiceCodeNumber: entry.codeNumber,
    error: {
      code: '3',
      message: 'Validation Error',
      target: entry.codeNumber,
      propertyPath: null,
      details: [{ code: null, message, target: '[0]', propertyPath, details: null }],
    },
  };
}

function mayIssue(caller: Identity, facts: Facts): boolean {
  const issuer = facts.typeCode.startsWith('1') ? facts.buyer.tin : facts.supplier.tin;
  return caller.mayIssue === '*' || caller.mayIssue === issuer;
}

/** Whether a magic fault is due: only the first time that a number with this ending comes. */
function spendMagic(rows: readonly Checked[], ending: string, state: SimulatorState): boolean {
  const fresh = rows.filter(
    ({ facts }) => facts.number.endsWith(ending) && !state.spentMagic.has(facts.number),
  );
  for (const { facts } of fresh) state.spentMagic.add(facts.number);
  return fresh.length > 0;
}

function store(
  { facts, root, xml }: Checked,
  submissionUid: string,
  caller: Identity,
  state: SimulatorState,
): StoredDocument {
  const document: StoredDocument = {
    uuid: code(state.random, 26),
    submissionUid,
    clientId: caller.clientId,
    taxpayer: caller.taxpayer,
    facts,
    root,
    xml,
    hash: sha256(Buffer.from(xml, 'utf8')),
    receivedAt: state.clock.now(),
    status: 'Submitted',
    longId: undefined,
    validatedAt: undefined,
    steps: [],
    cancelledAt: undefined,
    rejectRequestedAt: undefined,
    statusReason: undefined,
  };
  state.documents.push(document);
  return document;
}
