/** What a connector asks for before its documents are submitted. */
export interface SubmissionPolicy {
  /** Only documents whose header has one of these values in that column. */
  readonly posted?: PostedCondition | undefined;
  /** Valid documents wait: until somebody releases them, or until a second person has approved them too. */
  readonly hold?: 'release' | 'approval' | undefined;
}

/** Which documents of a source are final: those whose header has one of the values. */
export interface PostedCondition {
  readonly column: string;
  readonly values: readonly string[];
}

/** Why a document with that header is not posted, as a sentence; undefined when it is. */
export function notPosted(
  condition: PostedCondition | undefined,
  header: Readonly<Record<string, string | null>> | undefined,
): string | undefined {
  if (condition === undefined) return undefined;
  const { column, values } = condition;
  const wanted = values.map((each) => `"${each}"`).join(' or ');
  const found = header?.[column];
  if (found === undefined) {
    return `The document has no column "${column}" in its header, so it is unknown whether it is posted. Correct "submission" of the connector.`;
  }
  if (found !== null && values.includes(found.trim())) return undefined;
  const shown = found === null ? 'empty' : `"${found.trim()}"`;
  return `The document is not posted: ${column} is ${shown}, and ${wanted} is submitted. Post it in the ERP, then submit it again.`;
}

/** What an invoice waits for before it is sent. */
export const holdSteps = ['release', 'approval'] as const;
export type HoldStep = (typeof holdSteps)[number];

/** How an invoice was held, and who let it go. Instants are UTC, ISO 8601. */
export interface Hold {
  readonly since: string;
  /** `approval`: it needs a release and then the approval of a second person. */
  readonly for: 'release' | 'approval';
  /** SHA-256 of the source document that was checked. */
  readonly content: string;
  readonly released_by?: string;
  readonly released_at?: string;
  readonly approved_by?: string;
  readonly approved_at?: string;
}

/** Who acts on a held invoice. */
export interface HoldActor {
  readonly id: string;
  /** A key or a command can be used by anybody, so it counts as no person. */
  readonly isPerson: boolean;
}

/** A held invoice, as far as its steps need it. */
export interface HeldInvoice {
  readonly hold: Hold;
  readonly waitsFor: HoldStep;
  /** Who submitted it; null: an agent found it. */
  readonly submittedBy: string | null;
}

/** The hold after a step and what it waits for then, or why the actor may not take the step. */
export type HoldOutcome =
  | { readonly kind: 'changed'; readonly hold: Hold; readonly waitsFor: HoldStep | null }
  | { readonly kind: 'person-required' }
  | { readonly kind: 'second-person-required' }
  | { readonly kind: 'not-released' }
  | { readonly kind: 'released-before' };

/** Lets a held invoice go, as far as a first person can. */
export function releaseHold({ hold, waitsFor }: HeldInvoice, by: HoldActor, at: Date): HoldOutcome {
  if (waitsFor === 'approval') return { kind: 'released-before' };
  // Whoever has a key could be the one who approves, so of two persons neither is a key.
  if (hold.for === 'approval' && !by.isPerson) return { kind: 'person-required' };
  return {
    kind: 'changed',
    hold: { ...hold, released_by: by.id, released_at: at.toISOString() },
    waitsFor: hold.for === 'approval' ? 'approval' : null,
  };
}

/** The approval by a person who neither submitted nor released it. */
export function approveHold(
  { hold, waitsFor, submittedBy }: HeldInvoice,
  by: HoldActor,
  at: Date,
): HoldOutcome {
  if (waitsFor !== 'approval') return { kind: 'not-released' };
  if (!by.isPerson) return { kind: 'person-required' };
  if (by.id === hold.released_by || by.id === submittedBy) {
    return { kind: 'second-person-required' };
  }
  return {
    kind: 'changed',
    hold: { ...hold, approved_by: by.id, approved_at: at.toISOString() },
    waitsFor: null,
  };
}
