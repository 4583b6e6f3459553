import type { Endpoint } from './server.ts';

/** `GET /_control` of a simulator: what can be read there, and what can be done, each with an example of its body. */
export function controlList(list: {
  readonly kind: string;
  readonly read: readonly string[];
  readonly post: Readonly<Record<string, object>>;
}): Endpoint {
  return { method: 'get', path: '/_control/', handle: () => ({ status: 200, body: list }) };
}
