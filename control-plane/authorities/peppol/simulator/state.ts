import { createHash } from 'node:crypto';
import { Faults } from '../../../simulation/faults.ts';
import { VirtualClock } from '../../../simulation/virtual-clock.ts';
import { readTree, textAt } from '../../../simulation/xml-tree.ts';
import { type Message, write, writeEnvelope } from './message.ts';
import { answerTry, type Behaviour, magicEndings, mlsPlan, type TryResult } from './receivers.ts';
import { mlsXml, responseXml } from './responses.ts';

/** What tests and sandbox users may change. */
export interface Switches {
  token: string;
  /** When false, every send is answered with 404. */
  isSendingEnabled: boolean;
  /** From reception to the message level status. */
  mlsDelayMs: number;
  retryDelayMs: number;
  triesMax: number;
}

/** What the receiver's access point got from one sender under one instance id. */
export interface Delivery {
  readonly instanceId: string;
  readonly receiver: string;
  /** SHA-256 of the business document. */
  readonly hash: string;
  readonly at: Date;
  /** How many further copies came within the duplicate guard and were discarded. */
  discarded: number;
}

/** A document phoss-ap has stored to send. */
export interface Transaction {
  readonly id: string;
  readonly message: Message;
  readonly xml: string;
  readonly createdAt: Date;
  status: 'sending' | 'sent' | 'failed' | 'permanently_failed';
  tries: number;
  completedAt: Date | undefined;
  nextRetryAt: Date | undefined;
  errorDetails: string | undefined;
}

/** Something that came in: an MLS or an invoice response for the sender, or a document. */
export interface Inbound {
  readonly id: string;
  readonly instanceId: string;
  readonly documentType: string;
  /** Of an answer; absent of a document. */
  readonly code?: string;
  readonly sender: string;
  readonly receiver: string;
  readonly at: Date;
  readonly xml: string;
}

const duplicateGuardMs = 10 * 60_000;
const applicationResponse =
  'busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:ApplicationResponse-2' +
  '::ApplicationResponse';
const mlsDocumentType = `${applicationResponse}##urn:peppol:edec:mls:1.0::2.1`;
const responseDocumentType =
  `${applicationResponse}##` + 'urn:fdc:peppol.eu:poacc:trns:invoice_response:3::2.1';

/** The sender's access point, the network, and the receivers on it. */
export class SimulatorState {
  readonly clock: VirtualClock;
  readonly random: () => number;
  readonly faults = new Faults();
  readonly switches: Switches = {
    token: 'sandbox-token',
    isSendingEnabled: true,
    mlsDelayMs: 2_000,
    retryDelayMs: 30_000,
    triesMax: 3,
  };
  readonly receivers = new Map<string, Behaviour>();
  readonly deliveries: Delivery[] = [];
  readonly transactions = new Map<string, Transaction>();
  readonly inbound: Inbound[] = [];
  /** Participants that this access point serves: what reaches them comes in here. */
  readonly served = new Set<string>();
  readonly #tries = new Map<string, number>();
  #planned: { at: Date; message: Message; code: 'AP' | 'AB' | 'RE' }[] = [];

  constructor(clock: () => Date, random: () => number) {
    this.clock = new VirtualClock(clock);
    this.random = random;
  }

  behaviourOf(receiver: string): Behaviour {
    const set = this.receivers.get(receiver.toLowerCase());
    return set ?? magicEndings[receiver.slice(-4)] ?? 'accepts';
  }

  /**
   * One AS4 try; an arriving document is recorded at the receiver, a copy within the guard is
   * discarded.
   */
  attempt(message: Message, xml: string): TryResult {
    const count = (this.#tries.get(message.instanceId) ?? 0) + 1;
    this.#tries.set(message.instanceId, count);
    const behaviour = this.behaviourOf(message.receiver.value);
    const result = answerTry(behaviour, count);
    if (result.arrives) this.#receive(message, xml, behaviour);
    return result;
  }

  #receive(message: Message, xml: string, behaviour: Behaviour): void {
    const now = this.clock.now();
    const earlier = this.deliveries.findLast((row) => row.instanceId === message.instanceId);
    if (earlier !== undefined && now.getTime() - earlier.at.getTime() < duplicateGuardMs) {
      earlier.discarded += 1;
      return;
    }
    this.deliveries.push({
      instanceId: message.instanceId,
      receiver: write(message.receiver),
      hash: createHash('sha256').update(xml).digest('hex'),
      at: now,
      discarded: 0,
    });
    if (this.served.has(message.receiver.value.toLowerCase())) this.comeIn(message, xml);
    for (const { code, afterMs } of mlsPlan(behaviour, this.switches.mlsDelayMs)) {
      this.#planned.push({ at: new Date(now.getTime() + afterMs), message, code });
    }
  }

  /** Runs due retries and delivers due statuses; called before each answer. */
  settle(): void {
    const now = this.clock.now().getTime();
    for (const transaction of this.transactions.values()) {
      const { status, nextRetryAt } = transaction;
      if (status === 'failed' && nextRetryAt !== undefined && nextRetryAt.getTime() <= now) {
        this.send(transaction);
      }
    }
    const due = this.#planned.filter((row) => row.at.getTime() <= now);
    this.#planned = this.#planned.filter((row) => row.at.getTime() > now);
    for (const { at, message, code } of due.sort((a, b) => a.at.getTime() - b.at.getTime())) {
      this.#arrive(message, mlsDocumentType, code, at, mlsXml(message, code, at));
    }
  }

  /** Tries to send a stored document, and updates its status. */
  send(transaction: Transaction): TryResult {
    const now = this.clock.now();
    const result = this.attempt(transaction.message, transaction.xml);
    transaction.tries += 1;
    transaction.nextRetryAt = undefined;
    if (result.sendingResult === 'SUCCESS') {
      transaction.status = 'sent';
      transaction.completedAt = now;
      transaction.errorDetails = undefined;
      return result;
    }
    transaction.errorDetails = [result.sendingResult, result.detail].filter(Boolean).join(': ');
    const mayHelp = /^(TRANSPORT_ERROR|NO_SIGNAL.*|INVALID_SIGNAL.*)$/.test(result.sendingResult);
    if (mayHelp && transaction.tries < this.switches.triesMax) {
      transaction.status = 'failed';
      transaction.nextRetryAt = new Date(now.getTime() + this.switches.retryDelayMs);
    } else {
      transaction.status = 'permanently_failed';
    }
    return result;
  }

  /**
   * The status that phoss-ap shows: the first AP or RE is final; AB holds until one of them comes.
   */
  mlsStatus(instanceId: string): string {
    const codes = this.inbound
      .filter((row) => row.instanceId === instanceId && row.documentType === mlsDocumentType)
      .map((row) => row.code);
    const last = codes.find((code) => code !== 'AB') ?? codes[0];
    return last === undefined ? 'pending' : `received_${last.toLowerCase()}`;
  }

  /** The buyer's business answer to a delivered document. */
  respond({ message, xml }: Transaction, code: string): void {
    const at = this.clock.now();
    const root = readTree(xml);
    const number = 'fault' in root ? '' : textAt(root, 'ID');
    this.#arrive(message, responseDocumentType, code, at, responseXml(message, number, code, at));
  }

  /** A document for a participant of this access point, which keeps it in its envelope. */
  comeIn(message: Message, xml: string): void {
    this.inbound.push({
      id: this.uuid(),
      instanceId: message.instanceId,
      documentType: write(message.documentType),
      sender: write(message.sender),
      receiver: write(message.receiver),
      at: this.clock.now(),
      xml: writeEnvelope(message, xml, this.clock.now()),
    });
  }

  #arrive(message: Message, documentType: string, code: string, at: Date, xml: string): void {
    const { instanceId } = message;
    const [sender, receiver] = [write(message.receiver), write(message.sender)];
    const id = this.uuid();
    this.inbound.push({ id, instanceId, documentType, code, sender, receiver, at, xml });
  }

  uuid(): string {
    const hex = Array.from({ length: 32 }, () => Math.floor(this.random() * 16).toString(16));
    return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }
}
