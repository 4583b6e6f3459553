/** Signing in through the identity provider of a workspace: the browser leaves, and comes back. */
import { einvoicing, got } from './client.ts';

/** Why nobody was signed in, as the address tells that the browser came back to. */
export interface SignInAnswer {
  readonly problem?: string | undefined;
  readonly request_id?: string | undefined;
}

const word = (value: unknown) =>
  typeof value === 'string' && /^[\w.-]{1,128}$/.test(value) ? value : undefined;

export function signInAnswerOf(search: Record<string, unknown>): SignInAnswer {
  return { problem: word(search.problem), request_id: word(search.request_id) };
}

/** Leaves for the provider of a workspace. Throws `Problem` when there is none. */
export async function leaveForProvider(workspace: string, return_to: string): Promise<void> {
  const { url } = await got(einvoicing.POST('/v1/sign-in', { body: { workspace, return_to } }));
  keepWorkspace(workspace);
  window.location.assign(url);
}

/** Leaves for the provider, to show that it is still the same person. */
export async function leaveForProof(return_to: string): Promise<void> {
  const { url } = await got(einvoicing.POST('/v1/sign-in/proof', { body: { return_to } }));
  window.location.assign(url);
}

/** Leaves for the provider, to see what would come of a sign-in. */
export async function leaveForTrial(): Promise<void> {
  const { url } = await got(einvoicing.POST('/v1/sign-in/trial'));
  window.location.assign(url);
}

const workspaceKey = 'drawbridge-sign-in-name';

/** The sign-in name that was typed last in this browser. */
export const keptWorkspace = () => localStorage.getItem(workspaceKey) ?? '';

function keepWorkspace(workspace: string): void {
  localStorage.setItem(workspaceKey, workspace);
}

/** Tells the other windows of this browser that the person has shown who they are. */
const channel = 'drawbridge-proof';

export function tellProven(): void {
  const sender = new BroadcastChannel(channel);
  sender.postMessage('proven');
  sender.close();
}

/** The answer ends it. */
export function onProven(listener: () => void): () => void {
  const receiver = new BroadcastChannel(channel);
  receiver.onmessage = listener;
  return () => receiver.close();
}
