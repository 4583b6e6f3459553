import type { Environment } from '../auth/principal.ts';

/** What acts: a person, an API key, somebody at the host's keyboard, or nobody who is known. */
export const actorKinds = ['user', 'key', 'host', 'nobody'] as const;
export type ActorKind = (typeof actorKinds)[number];

export const outcomes = ['done', 'refused'] as const;

/** Who acts, and from where. */
export interface Actor {
  readonly kind: ActorKind;
  readonly id: string | null;
  readonly service: string | null;
  readonly environment: Environment | null;
  readonly ip: string | null;
  readonly requestId: string | null;
}

/** A job of a service, which acts for nobody. */
export function nobodyOf(service: string, environment: Environment | null): Actor {
  return { kind: 'nobody', id: null, service, environment, ip: null, requestId: null };
}

/** Who holds a principal: users and keys have ids of their own kinds. */
export function actorKindOf(id: string): ActorKind {
  return id.startsWith('usr_') ? 'user' : 'key';
}
