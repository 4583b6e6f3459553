import { type Call, type RunningSimulator, serve } from '../simulation/server.ts';
import type { WebhookRequest } from './contract.ts';

export interface VoiceCustomer {
  readonly running: RunningSimulator;
  /** The call-backs, in the order in which they came. */
  readonly heard: WebhookRequest[];
  readonly state: { document: string };
}

/** A customer of a voice provider: it answers with one document, and remembers the call-backs. */
export async function startCustomer(document: string): Promise<VoiceCustomer> {
  const heard: WebhookRequest[] = [];
  const state = { document };
  const hear = (path: string) => (call: Call) => {
    const rest = path.replace(/:(\w+)/g, (_, name: string) => call.params[name] ?? '');
    const url = `${running.url}${rest}${queryOf(call)}`;
    heard.push({ method: 'POST', url, headers: call.headers, body: call.body });
    const isFlow = path.startsWith('/flow/');
    return isFlow ? { status: 200, body: state.document } : { status: 204 };
  };
  const paths = ['/calls/:call/:what/', '/flow/:call/:count/:node/:event'];
  const running: RunningSimulator = await serve(
    paths.map((path) => ({ method: 'post', path, handle: hear(path) })),
    0,
  );
  return { running, heard, state };
}

function queryOf({ query }: Call): string {
  return query.size === 0 ? '' : `?${query}`;
}
