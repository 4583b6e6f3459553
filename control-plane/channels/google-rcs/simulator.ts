import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import type { Fault } from '../../simulation/faults.ts';
import type { Call, Endpoint, RunningSimulator } from '../../simulation/server.ts';
import type { ChannelSimulator } from '../simulation/contract.ts';
import {
  type Command,
  controlEndpoints,
  type MagicTable,
} from '../simulation/control-endpoints.ts';
import { fileReply } from '../simulation/files.ts';
import type { Json } from '../simulation/json.ts';
import { peopleTable } from '../simulation/recipient-behaviour.ts';
import type { OutgoingWebhook } from '../simulation/webhook-attempt.ts';
import {
  type Agent,
  type HeldMessage,
  Network,
  type SimulatorOptions,
  sandboxAgent,
} from './simulator/network.ts';
import { email } from './simulator/tokens.ts';

export type { HeldMessage, SimulatorOptions } from './simulator/network.ts';

/** The control of the simulator, for tests and operators. */
export interface RcsControl {
  /** Calls are `send` and `token`. */
  fault(fault: Fault): void;
  advance(ms: number): void;
  /** Messages accepted, oldest first; at least the latest 20,000. */
  messages(): readonly HeldMessage[];
  takeWebhooks(): readonly OutgoingWebhook[];
  /** Resolves when every webhook that is due has been sent or given up. */
  sent(): Promise<void>;
  /** Adds an agent with the same service account. */
  addAgent(agent: Agent): void;
  /** A person sends; `part` is the message's own member, e.g. `{ text: 'hi' }`. */
  write(phone: string, part: Json, agentId?: string): void;
  /** The network tests the address. */
  handshake(clientToken: string, secret: string): void;
}

export interface RcsSimulator extends RunningSimulator {
  readonly control: RcsControl;
  /** Settings with which an app reaches this simulator; the key is made when it starts. */
  readonly settings: Readonly<Record<string, string>>;
}

const magic: MagicTable = [
  ['…9403', '403: the agent is not launched on this network'],
  ['…9404', '404: not reachable by RCS'],
  ['…9429', '429: quota exceeded'],
  ['…9410', 'offline: TTL_EXPIRATION_REVOKED when its time is up'],
  ['…9411', 'offline: TTL_EXPIRATION_REVOKE_FAILED when its time is up'],
  ...peopleTable,
];

/**
 * A loopback RCS Business Messaging with its token service. A number ending in 9404 has no RCS, one
 * ending in 9403 is on a network without the agent, and one ending in 9410 stays offline until the
 * time to live ends and the message is withdrawn.
 */
export async function startRcsSimulator(options: SimulatorOptions): Promise<RcsSimulator> {
  const keys = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const network = new Network(options, keys.publicKey);
  const control = controlOf(network);
  const settings: Record<string, string> = {
    agent_id: sandboxAgent.agentId,
    service_account_email: email,
    private_key: keys.privateKey,
    client_token: sandboxAgent.clientToken,
  };
  const commands = commandsOf(network, control);
  const endpoints = [
    ...controlEndpoints(network, { kind: 'google-rcs', magic, commands, settings: () => settings }),
    ...providerEndpoints(network),
  ];
  const running = await network.serve(endpoints, options.port);
  settings.token_url = `${running.url}/token`;
  network.tokens.audience = settings.token_url;
  return { ...running, control, settings };
}

/** RCS Business Messaging as a separate process; its key is part of `GET /_control/settings`. */
export const simulator: ChannelSimulator = {
  kind: 'google-rcs',
  magic,
  start: startRcsSimulator,
  account: {
    settings: (digits) => ({ agent_id: `agent-${digits(8)}`, client_token: digits(24) }),
    addresses: ['token_url'],
    open: ({ settings, callbackUrl }) => [
      [
        'agents',
        {
          agentId: settings.agent_id,
          clientToken: settings.client_token,
          webhookUrl: callbackUrl,
          publicKey: publicKeyOf(settings.private_key),
        },
      ],
    ],
  },
};

/** Undefined when it is no key: the token service then refuses the app, as the provider's does. */
function publicKeyOf(privateKey: string | undefined): string | undefined {
  try {
    return createPublicKey(privateKey ?? '').export({ type: 'spki', format: 'pem' }) as string;
  } catch {
    return undefined;
  }
}

function providerEndpoints(network: Network): readonly Endpoint[] {
  const phone = '/v1/phones/:phone';
  const { faults } = network;
  const guarded =
    (work: (call: Call, agent: Agent) => ReturnType<Network['capabilities']>) => (call: Call) =>
      network.guarded(call, (agent) => work(call, agent));
  const send = guarded((call, agent) => network.send(call, agent));
  return [
    {
      method: 'post',
      path: '/token',
      handle: (call) =>
        faults.around('token', () => network.tokens.give(call, network.wallSeconds)),
    },
    {
      method: 'post',
      path: `${phone}/agentMessages`,
      handle: (call) => network.sending(() => send(call)),
    },
    {
      method: 'delete',
      path: `${phone}/agentMessages/:message`,
      handle: guarded((call, agent) => network.revoke(call, agent)),
    },
    {
      method: 'post',
      path: `${phone}/agentEvents`,
      handle: guarded(
        (call) => network.reachOf(call.params.phone ?? '') ?? { status: 200, body: {} },
      ),
    },
    {
      method: 'get',
      path: `${phone}/capabilities`,
      handle: guarded((call) => network.capabilities(call)),
    },
    {
      method: 'get',
      path: '/files/:file',
      handle({ params }) {
        const file = network.files.get(params.file);
        return file === undefined ? { status: 404 } : fileReply(file);
      },
    },
    // Google's URL has a verb after a colon: `users:batchGet`.
    {
      method: 'post',
      path: '/v1/users:verb',
      handle: guarded((call) => faults.around('reach', () => network.batchGet(call))),
    },
  ];
}

function controlOf(network: Network): RcsControl {
  return {
    fault: (fault) => network.faults.plan(fault),
    advance: (ms) => network.advance(ms),
    messages: () => network.messages,
    takeWebhooks: () => network.webhooks.take(),
    sent: () => network.webhooks.sent(),
    addAgent: (agent) => network.addAgent(agent),
    write: (phone, part, agentId) => network.write(phone, part, network.agentOf(agentId)),
    handshake: (clientToken, secret) =>
      network.webhooks.queue({
        method: 'POST',
        url: network.agentOf().webhookUrl,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ clientToken, secret }),
      }),
  };
}

function commandsOf(network: Network, control: RcsControl): readonly Command[] {
  const agentIn = ({ agent_id }: Json) => (agent_id === undefined ? undefined : String(agent_id));
  return [
    {
      name: 'inbound',
      example: { from: '+919800000001', text: 'hello', agent_id: sandboxAgent.agentId },
      run: (body) =>
        control.write(String(body.from), (body.part ?? { text: body.text }) as Json, agentIn(body)),
    },
    {
      name: 'agents',
      example: {
        agentId: 'agent-2',
        clientToken: '…',
        webhookUrl: 'http://127.0.0.1:8081/rcs/…',
        publicKey: '-----BEGIN PUBLIC KEY-----…',
      },
      run({ publicKey, ...agent }) {
        if (publicKey !== undefined) network.tokens.trust(String(publicKey));
        control.addAgent(agent as unknown as Agent);
      },
    },
    {
      name: 'webhook',
      example: { url: 'http://127.0.0.1:8081/rcs/v1/webhooks/…/', agent_id: sandboxAgent.agentId },
      run(body) {
        const agent = network.agentOf(agentIn(body));
        network.addAgent({ ...agent, webhookUrl: String(body.url) });
      },
    },
    {
      name: 'rate',
      example: { messages_per_second: 0 },
      run({ messages_per_second }) {
        network.quota.count = Number(messages_per_second);
      },
    },
    {
      name: 'handshake',
      example: { client_token: sandboxAgent.clientToken, secret: '8a1f' },
      run: ({ client_token, secret }) => control.handshake(String(client_token), String(secret)),
    },
  ];
}
