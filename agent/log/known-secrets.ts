import { connectorKind } from '@drawbridge/connectors/registry.ts';
import { secretsIn } from '../config/connector-settings.ts';
import { reveal } from '../config/secret-reference.ts';
import type { Runtime } from '../runtime.ts';
import { type Settings, settingRows } from '../settings.ts';
import { type Home, keyringOf, openConnectors } from '../store/home.ts';

/** Every secret that this agent can read: what may never be logged or handed on. */
export function knownSecrets(home: Home, settings: Settings, runtime: Runtime): string[] {
  const keyring = keyringOf(settings, runtime);
  const sources = { env: runtime.env, keyring: (name: string) => keyring.read(name) };
  const identity = home.identity.read();
  const connectors = openConnectors(home);
  const ofConnectors = (connectors.kind === 'opened' ? connectors.value : []).flatMap((one) => {
    const kind = connectorKind(one.kind);
    return kind === undefined
      ? textsIn(one.settings)
      : secretsIn(one.settings, kind.settings).flatMap(({ value }) => textsIn(value));
  });
  const ofSettings = Object.values(settingRows)
    .filter(({ secret }) => secret)
    .flatMap(({ env }) => [runtime.env[env], runtime.env[env.toLowerCase()]]);
  const ofProxies = [settings.httpsProxy, settings.httpProxy].flatMap(textsIn);
  const named = [...ofConnectors, ...ofProxies].flatMap((text) => {
    const revealed = reveal(text, sources);
    return revealed.kind === 'secret' ? [revealed.value] : [];
  });
  const kept = (keyring.names() ?? []).flatMap((name) => keyring.read(name) ?? []);
  const { value } = identity.kind === 'content' ? identity : { value: undefined };
  const own = [value, value?.nextKey, value?.formerKey].flatMap((key) => textsIn(key?.secretKey));
  return [...named, ...kept, ...own, ...ofSettings.filter((text) => text !== undefined)].flatMap(
    withParts,
  );
}

/** A secret that is an address holds the password as its part. */
function withParts(secret: string): string[] {
  const password = URL.parse(secret)?.password ?? '';
  if (password === '') return [secret];
  return [secret, password, decoded(password)];
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a percent sign that encodes nothing
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
