import { readApiKey } from '../control-plane/api-key.ts';
import { type ApiCall, openControlPlane } from '../control-plane/client.ts';
import { findRemoteConnector } from '../mapping/approval.ts';
import type { Failed, Outcome } from '../outcome.ts';
import { type Home, openHome, openIdentity } from '../store/home.ts';
import type { Identity } from '../store/identity.ts';
import type { CommandContext } from './command.ts';

export interface KeyOptions {
  readonly keyFile?: string;
  readonly url?: string;
}

/** The control plane that this agent is enrolled with, as a person with an API key. */
export interface Remote {
  readonly call: ApiCall;
  readonly identity: Identity;
  readonly url: string;
  /** The id of the control plane's connector for one of this agent's; undefined when there is none. */
  connectorOf(
    name: string,
  ): Promise<{ readonly kind: 'found'; readonly id: string | undefined } | Failed>;
}

/** Runs the work with an open connection, and closes it. */
export async function withRemote<T>(
  { runtime, settings }: CommandContext,
  home: Home,
  { keyFile, url }: KeyOptions,
  work: (remote: Remote) => Promise<T>,
): Promise<T | Failed> {
  const identity = openIdentity(home);
  if (identity.kind === 'failed') return identity.outcome;
  const read = await readApiKey(runtime, settings, keyFile);
  if (read.kind === 'failed') return read;
  const opened = openControlPlane(settings, identity.value, read.key, url);
  if (opened.kind === 'failed') return opened.outcome;
  const { call } = opened.value;
  const connectorOf: Remote['connectorOf'] = async (name) => {
    const asked = await findRemoteConnector(call, identity.value, name);
    return asked.kind === 'failed' ? asked : { kind: 'found', id: asked.value };
  };
  try {
    return await work({ call, identity: identity.value, url: opened.value.url, connectorOf });
  } finally {
    await opened.value.close();
  }
}

/** As `withRemote`, for a command that needs nothing else of the home folder. */
export async function askControlPlane(
  context: CommandContext,
  options: KeyOptions,
  work: (remote: Remote) => Promise<Outcome>,
): Promise<Outcome> {
  const home = openHome(context.settings, context.runtime);
  return home.kind === 'failed' ? home.outcome : withRemote(context, home.value, options, work);
}
