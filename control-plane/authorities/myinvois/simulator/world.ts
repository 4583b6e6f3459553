import { Faults, VirtualClock } from '../../../simulation/switches.ts';
import type { StoredDocument } from './document.ts';
import { productionLimits, RateLimits } from './limits.ts';
import { code, People } from './people.ts';
import { validate } from './validators.ts';

/** What tests and sandbox users may turn. */
export interface Switches {
  submissionUidSpelling: 'submissionUid' | 'submissionUID';
  inProgressSpelling: 'InProgress' | 'in progress';
  malaySpelling: 'errorMS' | 'errorMs';
  /** Time from reception to the verdict. */
  validationDelayMs: number;
  /** How far recent and search lag behind what was taken. */
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

/** A number ending in one of these steers the document: for people who try the sandbox. */
export const magicNumbers = {
  slow: '-SLOW',
  lost: '-LOST',
  unavailable: '-503',
  buyerRejects: '-BUYERREJECT',
} as const;

const slowMs = 10 * 60_000;

/** Everything the simulated authority knows. */
export class World {
  readonly clock: VirtualClock;
  readonly random: () => number;
  readonly people: People;
  readonly limits = new RateLimits(productionLimits);
  readonly faults = new Faults();
  readonly switches: Switches = { ...defaultSwitches };
  /** In the order they were taken. */
  readonly documents: StoredDocument[] = [];
  /** Payloads by taxpayer and hash, with the time until which the same is refused. */
  readonly payloads = new Map<string, number>();
  /** Numbers whose magic mishap has happened, so that it happens once. */
  readonly spentMagic = new Set<string>();

  constructor(clock: () => Date, random: () => number) {
    this.clock = new VirtualClock(clock);
    this.random = random;
    this.people = new People(random);
  }

  /** Gives every document that is due its verdict, oldest first; called before each answer. */
  settle(): void {
    const now = this.clock.now();
    for (const [index, document] of this.documents.entries()) {
      if (document.status !== 'Submitted' || this.#dueAt(document) > now.getTime()) continue;
      const { submissionHours, certificateFault } = this.switches;
      document.steps = validate(document, {
        now,
        submissionHours,
        certificateFault,
        people: this.people,
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
