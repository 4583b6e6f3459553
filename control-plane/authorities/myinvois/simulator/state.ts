import { Faults } from '../../../simulation/faults.ts';
import { VirtualClock } from '../../../simulation/virtual-clock.ts';
import type { StoredDocument } from './document.ts';
import { code, Identities } from './identities.ts';
import { productionLimits, RateLimits } from './limits.ts';
import { validate } from './validators.ts';

/** What tests and sandbox users may change. */
export interface Switches {
  submissionUidSpelling: 'submissionUid' | 'submissionUID';
  inProgressSpelling: 'InProgress' | 'in progress';
  malaySpelling: 'errorMS' | 'errorMs';
  /** Time from reception to the verdict. */
  validationDelayMs: number;
  /** How late recent and search list an accepted document. */
  listingLagMs: number;
  tokenLifetimeSeconds: number;
  /** Windows as the document types publish them, in hours. */
  submissionHours: number;
  cancellationHours: number;
  rejectionHours: number;
  certificateFault: string | undefined;
}

export const defaultSwitches: Switches = {
  submissionUidSpelling: 'submissionUid',
  inProgressSpelling: 'InProgress',
  malaySpelling: 'errorMS',
  validationDelayMs: 1_000,
  listingLagMs: 0,
  tokenLifetimeSeconds: 3_600,
  submissionHours: 72,
  cancellationHours: 72,
  rejectionHours: 72,
  certificateFault: undefined,
};

/**
 * Endings of invoice numbers that choose what happens to the document, for users of the sandbox.
 */
export const magicNumbers = {
  slow: '-SLOW',
  lost: '-LOST',
  unavailable: '-503',
  buyerRejects: '-BUYERREJECT',
} as const;

const slowMs = 10 * 60_000;

/** The whole state of the simulated authority. */
export class SimulatorState {
  readonly clock: VirtualClock;
  readonly random: () => number;
  readonly identities: Identities;
  readonly limits = new RateLimits(productionLimits);
  readonly faults = new Faults();
  readonly switches: Switches = { ...defaultSwitches };
  /** In the order in which they were accepted. */
  readonly documents: StoredDocument[] = [];
  /** Payloads by taxpayer and hash, with the time until which the same is refused. */
  readonly payloads = new Map<string, number>();
  /** Numbers whose magic fault has happened, so that it happens once. */
  readonly spentMagic = new Set<string>();

  constructor(clock: () => Date, random: () => number) {
    this.clock = new VirtualClock(clock);
    this.random = random;
    this.identities = new Identities(random);
  }

  /** Decides the verdict of every due document, oldest first; called before each answer. */
  settle(): void {
    const now = this.clock.now();
    for (const [index, document] of this.documents.entries()) {
      if (document.status !== 'Submitted' || this.#dueAt(document) > now.getTime()) continue;
      const { submissionHours, certificateFault } = this.switches;
      document.steps = validate(document, {
        now,
        submissionHours,
        certificateFault,
        people: this.identities,
        earlier: this.documents.slice(0, index),
      });
      document.validatedAt = new Date(this.#dueAt(document));
      const isValid = document.steps.every((step) => step.findings.length === 0);
      document.status = isValid ? 'Valid' : 'Invalid';
      if (!isValid) continue;
      document.longId = code(this.random, 46);
      if (document.facts.number.endsWith(magicNumbers.buyerRejects)) {
        document.rejectRequestedAt = document.validatedAt;
        document.statusReason = 'Wrong buyer';
      }
    }
  }

  #dueAt(document: StoredDocument): number {
    const isSlow = document.facts.number.endsWith(magicNumbers.slow);
    const delayMs = isSlow ? slowMs : this.switches.validationDelayMs;
    return document.receivedAt.getTime() + delayMs;
  }

  find(uuid: string | undefined): StoredDocument | undefined {
    return this.documents.find((document) => document.uuid === uuid);
  }
}
