import { readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { parseJson } from '@drawbridge/connectors/json.ts';
import { openHttpClient } from '@drawbridge/connectors/outbound/client.ts';
import type { Network } from '@drawbridge/connectors/outbound/network.ts';
import { toBase64 } from '@drawbridge/link/bytes.ts';
import {
  type EnrolmentToken,
  isAnswerOf,
  readToken as readTokenText,
  sealEnrolment,
} from '@drawbridge/link/enrolment.ts';
import type { Command } from 'commander';
import nacl from 'tweetnacl';
import { z } from 'zod';
import { meaningOfFailure } from '../network/faults.ts';
import { openNetwork } from '../network/network.ts';
import { isTrustedAddress } from '../network/trusted-address.ts';
import { type Failed, failed, type Outcome, unwritable } from '../outcome.ts';
import type { Runtime } from '../runtime.ts';
import { type Home, openHome } from '../store/home.ts';
import type { Identity, OpenEnrolment } from '../store/identity.ts';
import { takeLock } from '../store/lock.ts';
import { moveToQuarantine } from '../store/quarantine.ts';
import { textOfFile } from '../text-file.ts';
import { version } from '../version.ts';
import { addAction, type CommandContext, command } from './command.ts';

interface Options {
  readonly url?: string;
  readonly requestFile?: string;
  readonly answerFile?: string;
  readonly tokenFile?: string;
  readonly caFile?: string;
  readonly hostname?: string;
  readonly replace: boolean;
}

export function enrollCommand(runtime: Runtime): Command {
  const target = command({
    name: 'enroll',
    summary: 'Make this host an agent of a control plane; its secret key is made here and stays.',
    examples: [
      'drawbridge enroll --url https://api.example.com --token-file token.txt',
      'drawbridge enroll --url https://api.example.com < token.txt',
      'HTTPS_PROXY=http://proxy:3128 drawbridge enroll --url https://api.example.com --ca-file corp-ca.pem < token.txt',
    ],
  })
    .option('--url <url>', 'address of the control plane')
    .option('--token-file <file>', 'file with the one-time token (default: standard input)')
    .option('--ca-file <file>', 'CAs to trust besides those of this host (PEM)')
    .option('--request-file <file>', 'write the request there, to be carried, and ask nothing')
    .option('--answer-file <file>', 'the answer to the request that was carried')
    .option('--hostname <name>', 'name to enrol under (default: the name of this host)')
    .option('--replace', 'give up the present identity', false);
  return addAction(target, runtime, enroll);
}

const answerSchema = z.object({
  agent_id: z.string().min(1).max(64),
  /** Absolute, or a path relative to the control plane's address. */
  link_url: z.string().min(1).max(2_048),
  signature: z.base64().length(88),
});

const tokenLengthMax = 512;
const answerBytesMax = 65_536;
const answerTimeoutMs = 30_000;

async function enroll(context: CommandContext, options: Options): Promise<Outcome> {
  const { runtime, settings } = context;
  if (options.answerFile === undefined && options.url === undefined) {
    return failed('usage', 'enroll needs --url.');
  }
  if (options.url !== undefined && !isTrustedAddress(options.url, settings))
    return failed('url_invalid', `${options.url} is not safe.`);
  const home = openHome(settings, runtime);
  if (home.kind === 'failed') return home.outcome;
  if (home.value.identity.read().kind !== 'absent' && !options.replace) {
    return failed('already_enrolled', 'This host has an identity.');
  }
  const lock = takeLock(settings.home);
  if (lock === undefined) return failed('already_running', 'An agent runs on this home folder.');
  lock.release();
  if (options.answerFile !== undefined) {
    return takeAnswer(context, home.value, options.answerFile);
  }
  const asked = await makeRequest(context, options);
  if (asked.kind === 'failed') return asked;
  const { enrolment } = asked;
  const { controlPlaneKey, sealed, url, caFile } = enrolment;
  const body = { control_plane_key: controlPlaneKey, sealed };
  if (options.requestFile !== undefined) {
    try {
      await writeFile(options.requestFile, JSON.stringify(body), { mode: 0o600 });
    } catch (error) {
      return unwritable(options.requestFile, error);
    }
    home.value.enrolment.write(enrolment);
    const shown = `POST ${options.requestFile} to ${url}/v1/agents/enrol within the hour; then run drawbridge enroll --answer-file with what it answers.`;
    return { kind: 'done', data: { request_file: options.requestFile, url }, shown };
  }
  const network = openNetwork({ ...settings, caFile: caFile ?? '' });
  if (network.kind === 'failed') return network.outcome;
  const answered = await ask(network.value, `${url}/v1/agents/enrol`, body);
  if (answered.kind === 'failed') return answered;
  const forged = `What answers at ${url} does not have the key that the token names.`;
  return becomeAgent(context, home.value, enrolment, answered.data, { forged, next: linkedNext });
}

type Request = { readonly kind: 'request'; readonly enrolment: OpenEnrolment } | Failed;

async function makeRequest(
  { runtime, settings }: CommandContext,
  options: Options,
): Promise<Request> {
  const token = await readToken(runtime, options.tokenFile);
  if (token.kind === 'failed') return token;
  const { secret, controlPlaneKey } = token;
  const keys = nacl.sign.keyPair.fromSeed(runtime.randomBytes(nacl.sign.seedLength));
  const content = {
    token: secret,
    publicKey: toBase64(keys.publicKey),
    hostname: options.hostname ?? hostname(),
    software: version,
  };
  const sealed = sealEnrolment(controlPlaneKey, content, runtime.randomBytes);
  if (sealed === undefined) {
    const cause = 'The token is not whole: the key in it does not read.';
    return failed('token_refused', cause);
  }
  const caFile = options.caFile === undefined ? settings.caFile : resolve(options.caFile);
  const enrolment = {
    url: options.url!.replace(/\/+$/, ''),
    controlPlaneKey,
    ...(caFile && { caFile }),
    publicKey: toBase64(keys.publicKey),
    secretKey: toBase64(keys.secretKey),
    sealed,
  };
  return { kind: 'request', enrolment };
}

async function takeAnswer(context: CommandContext, home: Home, file: string): Promise<Outcome> {
  const open = home.enrolment.read();
  if (open.kind !== 'content') {
    return failed('not_enrolled', 'No enrolment waits for an answer: begin with --request-file.');
  }
  let text: string;
  try {
    text = textOfFile(await readFile(file));
  } catch {
    return failed('file_missing', `${file} cannot be read.`);
  }
  const answer = answerSchema.safeParse(parseJson(text));
  if (answer.success) {
    const { url } = open.value;
    const forged = `${file} does not answer the last request of this host, or what answered at ${url} does not have the key that the token names.`;
    return becomeAgent(context, home, open.value, answer.data, { forged, next: carriedNext });
  }
  return failed('control_plane_refused', `${file} is no answer to an enrolment.`);
}

/** What comes after the enrolment of a host that was no agent before, and of one that was. */
interface NextSteps {
  readonly first: string;
  readonly anew: string;
}

const linkedNext: NextSteps = {
  first: 'drawbridge connect, then drawbridge run',
  anew: 'drawbridge connector take-over, then drawbridge run',
};
/** There is no way to the control plane: people carry what is said. */
const carriedNext: NextSteps = {
  first: 'drawbridge connector add, then drawbridge bundle export',
  anew: 'let them name this agent (PATCH /v1/connectors/{id}), then drawbridge bundle export',
};

function becomeAgent(
  { runtime, settings }: CommandContext,
  home: Home,
  { sealed, ...enrolment }: OpenEnrolment,
  { agent_id: agentId, link_url: link, signature }: z.infer<typeof answerSchema>,
  { forged, next }: { readonly forged: string; readonly next: NextSteps },
): Outcome {
  const { url, controlPlaneKey } = enrolment;
  if (!isAnswerOf(controlPlaneKey, sealed, { agentId, linkUrl: link }, signature)) {
    return failed('control_plane_forged', forged);
  }
  const linkUrl = (link.startsWith('/') ? url + link : link).replace(/^http/, 'ws');
  if (!isTrustedAddress(linkUrl, settings)) {
    return failed('control_plane_refused', 'The answer names a link that cannot be used.');
  }
  const replaced = home.identity.read();
  // The tenant of the new identity must not see what an earlier identity queued.
  if (replaced.kind !== 'absent') moveToQuarantine(settings.home, 'queue', runtime.clock());
  moveToQuarantine(settings.home, 'bundles', runtime.clock());
  home.epoch.write({ agentId, epoch: 0 });
  const enrolledAt = runtime.clock().toISOString();
  const formerAgents = replaced.kind === 'content' ? formerAgentsOf(replaced.value) : [];
  const former = formerAgents.at(-1);
  home.identity.write({
    ...enrolment,
    agentId,
    linkUrl,
    enrolledAt,
    ...(former !== undefined && { formerAgents }),
  });
  // Taken again, the answer would set aside what has waited since.
  home.enrolment.remove();
  const shown =
    former === undefined
      ? `Enrolled as ${agentId}. Next: ${next.first}.`
      : `Enrolled as ${agentId} in place of ${former}, which connectors of the control plane may name still. Next: ${next.anew}.`;
  return { kind: 'done', data: { agent_id: agentId, replaces: former ?? null, url }, shown };
}

/** Agents that a home folder has been, at most. */
const formerAgentsMax = 20;

/** Those that this home folder was, the one that is replaced included. */
function formerAgentsOf({ formerAgents = [], agentId }: Identity): string[] {
  return [...formerAgents, agentId].slice(-formerAgentsMax);
}

type Token = ({ kind: 'token' } & EnrolmentToken) | Failed;

/** Reads the token; never from the command line, which other users of the host can read. */
async function readToken(runtime: Runtime, file: string | undefined): Promise<Token> {
  let text: string;
  if (file !== undefined) {
    try {
      text = textOfFile(await readFile(file));
    } catch {
      return failed('file_missing', `${file} cannot be read.`);
    }
  } else if (runtime.stdin.isTTY) {
    const { password } = await import('@inquirer/prompts');
    text = await password({ message: 'Enrolment token' });
  } else {
    text = '';
    for await (const chunk of runtime.stdin) {
      text += String(chunk);
      if (text.length > tokenLengthMax) break;
    }
  }
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > tokenLengthMax) {
    return failed('token_missing', 'No enrolment token was given.');
  }
  const token = readTokenText(trimmed);
  if (token !== 'unbound') return { kind: 'token', ...token };
  const cause = 'The token does not name the key of its control plane.';
  return failed('token_unbound', cause);
}

type Answered = { kind: 'answer'; data: z.infer<typeof answerSchema> } | Failed;

async function ask(network: Network, url: string, body: object): Promise<Answered> {
  const limits = { totalMs: answerTimeoutMs, bodyBytesMax: answerBytesMax };
  const client = openHttpClient(limits, network);
  const outcome = await client.send({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await client.close();
  if (outcome.kind !== 'answered') {
    const why = meaningOfFailure(outcome.failure);
    const cause = `${url} cannot be reached: ${why}. Compare the address with that of the console; a proxy is named by HTTPS_PROXY, a private CA by --ca-file.`;
    return failed('control_plane_unreachable', cause);
  }
  const { status, body: bytes, bodyFault } = outcome.answer;
  if ([400, 401, 403, 404, 409, 410].includes(status)) {
    const cause = `The control plane does not take the token (HTTP ${status}).`;
    return failed('token_refused', cause);
  }
  const answer =
    bodyFault === undefined ? answerSchema.safeParse(parseJson(bytes.toString('utf8'))) : undefined;
  if (status >= 200 && status < 300 && answer?.success)
    return { kind: 'answer', data: answer.data };
  const cause = `The control plane answered HTTP ${status} and nothing usable.`;
  return failed('control_plane_refused', cause);
}
