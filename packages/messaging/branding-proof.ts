/**
 * What proves that a tenant's domain or e-mail sender is its own: a TXT record, and what follows from what
 * the name servers say of it.
 */

export type ProofKind = 'domain' | 'sender';

/** A TXT record that the tenant publishes. */
export interface ProofRecord {
  readonly name: string;
  readonly value: string;
}

export interface ProofState {
  readonly provedAt: Date | null;
  /** Since when a record that was there is missing; also when the proof has lapsed for that. */
  readonly missingSince: Date | null;
  readonly problem: string | null;
}

/** What the name servers say; `unclear`: nothing that could be relied on. */
export type ProofAnswer =
  | { readonly kind: 'found' }
  | { readonly kind: 'missing'; readonly problem: string }
  | { readonly kind: 'unclear'; readonly problem: string };

/** A proved name still counts for so long without its record: providers of DNS err, too. */
const missingMsMax = 72 * 3_600_000;
const provedCheckMs = 12 * 3_600_000;
/** A record that was never there is looked for until then; after that when somebody asks. */
const pendingMsMax = 7 * 86_400_000;
const pendingCheckMsMin = 300_000;

/** The record that proves a domain. */
export function domainRecord(domain: string, token: string): ProofRecord {
  return { name: `_drawbridge.${domain}`, value: `drawbridge-verification=${token}` };
}

/**
 * The record that proves an e-mail sender: the public half (base64, DER) of the key that signs its mail, as
 * RFC 6376 has it, so that the proof is what receivers check too.
 */
export function senderRecord(domain: string, selector: string, publicKey: string): ProofRecord {
  return { name: `${selector}._domainkey.${domain}`, value: `v=DKIM1; k=rsa; p=${publicKey}` };
}

/** Whether a TXT record is the wanted one; blanks, which forms for DNS add, mean nothing. */
export function isRecord(text: string, { value }: ProofRecord): boolean {
  return withoutBlanks(text) === withoutBlanks(value);
}

function withoutBlanks(text: string): string {
  return text.replace(/[\s;"]+/g, '');
}

export function nextProof(state: ProofState, answer: ProofAnswer, now: Date): ProofState {
  switch (answer.kind) {
    case 'found':
      return { provedAt: state.provedAt ?? now, missingSince: null, problem: null };
    case 'unclear':
      return { ...state, problem: answer.problem };
    case 'missing': {
      const { problem } = answer;
      if (state.provedAt === null) return { ...state, problem };
      const missingSince = state.missingSince ?? now;
      const isOver = now.getTime() - missingSince.getTime() >= missingMsMax;
      return { provedAt: isOver ? null : state.provedAt, missingSince, problem };
    }
  }
}

/** When to look again; undefined: not before somebody asks. */
export function nextCheckAt(
  { provedAt, missingSince }: ProofState,
  madeAt: Date,
  now: Date,
): Date | undefined {
  const age = now.getTime() - madeAt.getTime();
  if (provedAt !== null) {
    return new Date(now.getTime() + (missingSince === null ? provedCheckMs : 3_600_000));
  }
  if (age >= pendingMsMax) return undefined;
  return new Date(now.getTime() + Math.max(pendingCheckMsMin, age / 10));
}
