import { createHmac } from 'node:crypto';
import { type Call, jsonObject, type Reply } from '../../../simulation/server.ts';
import type { Json } from '../../simulation/json.ts';
import { Quota } from '../../simulation/quota.ts';
import { rcs } from '../../simulation/retry-policy.ts';
import { type ProviderOptions, SimulatedProvider } from '../../simulation/simulated-provider.ts';
import type { OutgoingWebhook } from '../../simulation/webhook-attempt.ts';
import { contentFault, firstReply, ttlSecondsOf } from './content.ts';
import { Tokens } from './tokens.ts';

export interface SimulatorOptions extends Omit<ProviderOptions, 'random'> {
  readonly random?: () => number;
  readonly webhookUrl: string;
  /** Messages a second for all agents together; 0: no limit. */
  readonly messagesPerSecond?: number;
}

export interface HeldMessage {
  readonly id: string;
  readonly phone: string;
  readonly agentId: string;
  readonly body: Json;
}

/** An agent with the address of its webhooks. */
export interface Agent {
  readonly agentId: string;
  readonly clientToken: string;
  webhookUrl: string;
}

/** The agent that exists from the start. */
export const sandboxAgent = {
  agentId: 'sandbox-agent',
  clientToken: 'sandbox-client-token',
} as const;

const projectPerSecond = 300;
const batchMax = 10_000;
/** How many message states are kept; the oldest are dropped first. */
const statesMax = 1_000_000;
const features = ['RICHCARD_STANDALONE', 'RICHCARD_CAROUSEL', 'REVOCATION', 'ACTION_OPEN_URL']
  .concat(['ACTION_DIAL', 'ACTION_VIEW_LOCATION', 'ACTION_SHARE_LOCATION'])
  .concat(['ACTION_CREATE_CALENDAR_EVENT']);

/** The state of the simulated network. */
export class Network extends SimulatedProvider<HeldMessage> {
  readonly tokens: Tokens;
  readonly agents = new Map<string, Agent>();
  readonly quota: Quota;
  /** The state of each message, by agent and id. */
  readonly #states = new Map<string, 'waiting' | 'delivered' | 'revoked'>();
  #serial = 0;

  constructor(
    { random = () => 0.5, webhookUrl, messagesPerSecond, ...options }: SimulatorOptions,
    publicKey: string,
  ) {
    super({ ...options, random }, rcs);
    this.tokens = new Tokens(publicKey);
    this.quota = new Quota(messagesPerSecond ?? projectPerSecond, 1_000);
    this.addAgent({ ...sandboxAgent, webhookUrl });
  }

  addAgent(agent: Agent): void {
    this.agents.set(agent.agentId, { ...agent });
    this.allowLinks(agent.webhookUrl);
  }

  /** Runs the work with the agent of a call whose token is valid; otherwise refuses. */
  guarded(call: Call, work: (agent: Agent) => Reply): Reply {
    if (!this.tokens.isLive(call, this.wallSeconds)) {
      return refusal(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.');
    }
    const agentId = call.query.get('agentId') ?? jsonObject(call)?.agentId;
    const agent = this.agents.get(String(agentId));
    return agent === undefined
      ? refusal(400, 'INVALID_ARGUMENT', 'agentId names no agent.')
      : work(agent);
  }

  send(call: Call, agent: Agent): Reply {
    const phone = call.params.phone ?? '';
    const id = call.query.get('messageId') ?? '';
    const body = jsonObject(call);
    if (id === '' || body === undefined) {
      return refusal(400, 'INVALID_ARGUMENT', 'messageId and a body are needed.');
    }
    const fault = contentFault(body);
    if (fault !== undefined) return refusal(400, 'INVALID_ARGUMENT', fault);
    const reach = this.reachOf(phone);
    if (reach !== undefined) return reach;
    const key = `${agent.agentId} ${id}`;
    if (this.#states.has(key)) {
      return refusal(409, 'ALREADY_EXISTS', 'A message with this id exists.');
    }
    if (phone.endsWith('9429') || this.quota.take(this.now) > 0) {
      return refusal(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded.');
    }
    this.#states.set(key, 'waiting');
    if (this.#states.size > statesMax) this.#states.delete(this.#states.keys().next().value ?? '');
    const message = { id, phone, agentId: agent.agentId, body };
    this.#follow(agent, message);
    const name = `phones/${phone}/agentMessages/${id}`;
    const reply = { ...body, name, sendTime: this.clock.now().toISOString() };
    const entry = { id, to: phone.slice(1), reference: id };
    return this.accept(message, entry, { status: 200, body: reply });
  }

  /** The refusal for a number that cannot be reached; undefined when it can. */
  reachOf(phone: string): Reply | undefined {
    if (!/^\+[1-9]\d{6,14}$/.test(phone)) {
      return refusal(400, 'INVALID_ARGUMENT', 'The number is not E.164.');
    }
    if (phone.endsWith('9404')) return refusal(404, 'NOT_FOUND', 'The user is not RCS enabled.');
    return phone.endsWith('9403')
      ? refusal(403, 'PERMISSION_DENIED', 'The agent is not launched on this network.')
      : undefined;
  }

  capabilities({ params }: Call): Reply {
    return this.reachOf(params.phone ?? '') ?? { status: 200, body: { features } };
  }

  batchGet(call: Call): Reply {
    const users = jsonObject(call)?.users;
    if (!Array.isArray(users) || users.length === 0 || users.length > batchMax) {
      return refusal(400, 'INVALID_ARGUMENT', `1 to ${batchMax} users.`);
    }
    const reachable = users.filter((each) => this.reachOf(String(each)) === undefined);
    const sample = { totalRandomSampleUserCount: 0, reachableRandomSampleUserCount: 0 };
    return { status: 200, body: { reachableUsers: reachable, ...sample } };
  }

  /** Withdraws a message that has not been delivered; a delivered one stays. */
  revoke({ params }: Call, agent: Agent): Reply {
    const key = `${agent.agentId} ${params.message}`;
    const state = this.#states.get(key);
    if (state === undefined) return refusal(404, 'NOT_FOUND', 'No such message.');
    if (state === 'waiting') this.#states.set(key, 'revoked');
    return { status: 200, body: {} };
  }

  #follow(agent: Agent, message: HeldMessage): void {
    const { id, phone, body } = message;
    const key = `${agent.agentId} ${id}`;
    const isOffline = phone.endsWith('9410') || phone.endsWith('9411');
    const { reports, action } = this.planDelivery(phone, isOffline);
    for (const { step, happensAfterMs, reportedAfterMs } of reports) {
      if (step === 'sent') continue;
      const isLost = step === 'undelivered';
      const at = new Date(this.now + happensAfterMs).toISOString();
      const afterMs = isLost ? (ttlSecondsOf(body) ?? 0) * 1_000 : reportedAfterMs;
      this.webhooks.queue(() => {
        if (this.#states.get(key) === 'revoked') return undefined;
        this.#states.set(key, isLost ? 'revoked' : 'delivered');
        return isLost ? this.#expired(agent, message) : this.#event(agent, message, step, at);
      }, afterMs);
    }
    if (action === undefined) return;
    if (action.kind === 'click') this.click(JSON.stringify(body), action.afterMs);
    else this.#answer(agent, message, action.kind, action.afterMs);
  }

  #event(agent: Agent, { id, phone }: HeldMessage, step: string, sendTime: string) {
    const eventType = step.toUpperCase();
    const event = { senderPhoneNumber: phone, eventType, eventId: this.#next('event') };
    return this.#webhook(agent, eventType, { ...event, messageId: id, sendTime });
  }

  #expired(agent: Agent, { id, phone }: HeldMessage) {
    const isKept = phone.endsWith('9411');
    const eventType = isKept ? 'TTL_EXPIRATION_REVOKE_FAILED' : 'TTL_EXPIRATION_REVOKED';
    const event = { phoneNumber: phone, eventType, eventId: this.#next('event'), messageId: id };
    return this.#webhook(agent, eventType, event);
  }

  #answer(agent: Agent, { phone, body }: HeldMessage, kind: 'reply' | 'stop', afterMs: number) {
    const reply = kind === 'stop' ? undefined : firstReply(body);
    const text = { text: kind === 'stop' ? 'STOP' : 'YES' };
    const tap =
      reply === undefined ? undefined : { suggestionResponse: { ...reply, type: 'REPLY' } };
    this.write(phone, tap ?? text, agent, afterMs);
  }

  /** A person writes, taps a suggestion, or does what is told as an event (`eventType`). */
  write(phone: string, part: Json, agent: Agent = this.agentOf(), afterMs = 0): void {
    this.tell(() => {
      const sendTime = this.clock.now().toISOString();
      const isEvent = part.eventType !== undefined;
      const id = isEvent
        ? { eventId: this.#next('event') }
        : { messageId: this.#next('user-message') };
      const head = { senderPhoneNumber: phone, ...id, sendTime };
      return this.#webhook(agent, 'inbound', { ...part, ...head });
    }, afterMs);
  }

  agentOf(agentId: string = sandboxAgent.agentId): Agent {
    const agent = this.agents.get(agentId);
    if (agent === undefined) throw new Error(`no agent ${agentId}`);
    return agent;
  }

  #next(name: string): string {
    this.#serial += 1;
    return `${name}-${this.#serial}`;
  }

  /** In a Pub/Sub envelope, signed over the bytes inside it. */
  #webhook(
    { agentId, clientToken, webhookUrl }: Agent,
    word: string,
    event: Json,
  ): OutgoingWebhook {
    this.log.reported(word);
    const data = Buffer.from(JSON.stringify({ ...event, agentId }));
    const signature = createHmac('sha512', clientToken).update(data).digest('base64');
    const publishTime = this.clock.now().toISOString();
    const messageId = String(9_000_000 + Number(this.#next('').slice(1)));
    const attributes = { business_id: agentId, project_number: '1', product: 'RBM' };
    const message = { data: data.toString('base64'), messageId, publishTime, attributes };
    const headers = { 'content-type': 'application/json', 'x-goog-signature': signature };
    const body = JSON.stringify({ message, subscription: 's' });
    return { method: 'POST', url: webhookUrl, headers, body };
  }
}

/** A refusal in Google's envelope. */
function refusal(code: number, status: string, message: string): Reply {
  return { status: code, body: { error: { code, message, status } } };
}
