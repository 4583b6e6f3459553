import { reveal } from '../config/secret-reference.ts';
import { type ControlPlane, openControlPlane } from '../control-plane/client.ts';
import type { Failed } from '../outcome.ts';
import { keyringOf, openIdentity } from '../store/home.ts';
import type { Identity } from '../store/identity.ts';
import { say } from './texts.ts';
import type { RemoteAccess, RemoteFault } from './work.ts';
import type { WorkContext } from './work-context.ts';

/** How keys of production begin. */
const liveKey = 'sk_live_';

/**
 * Calls the sandbox of the control plane in the name of the person whose key it is, which is forgotten after it; a key of
 * production is refused.
 */
export async function withSandbox<T>(
  { runtime, settings, home }: WorkContext,
  { key, url }: RemoteAccess,
  work: (remote: ControlPlane & { readonly identity: Identity }) => Promise<T>,
): Promise<T | RemoteFault> {
  const identity = openIdentity(home);
  if (identity.kind === 'failed') return faultOf(identity.outcome);
  const keyring = keyringOf(settings, runtime);
  const revealed = reveal(key, { env: runtime.env, keyring: (name) => keyring.read(name) });
  if (revealed.kind === 'missing') {
    return { kind: 'fault', error: 'key_reference_empty', cause: `${revealed.cause}.` };
  }
  if (revealed.value.startsWith(liveKey)) {
    return { kind: 'fault', error: 'key_of_production', cause: say('live-key') };
  }
  const opened = openControlPlane(settings, identity.value, revealed.value.trim(), url);
  if (opened.kind === 'failed') return faultOf(opened.outcome);
  try {
    return await work({ ...opened.value, identity: identity.value });
  } finally {
    await opened.value.close();
  }
}

/** The finding of a command that failed. */
export function faultOf({ error, cause }: Failed): RemoteFault {
  return { kind: 'fault', error, cause };
}
