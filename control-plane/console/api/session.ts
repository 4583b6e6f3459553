import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { use } from 'react';
import { einvoicing, got, Problem } from './client.ts';
import type { components } from './einvoice-api.d.ts';
import { keepTypedTexts } from './typed-texts.ts';

export type Session = components['schemas']['BrowserSession'];

/** Who is signed in; null: nobody. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session | null> => {
    try {
      return await got(einvoicing.GET('/v1/session'));
    } catch (error) {
      if (error instanceof Problem && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: 60_000,
});

/** The windows of a browser share a session: one that ends it, or goes to another workspace, tells the others. */
const windows = new BroadcastChannel('drawbridge-session');

type SessionChange =
  | 'changed'
  /** By the person themselves: nothing is kept for them in any window. */
  | 'signed_out';

export function tellSessionChanged(change: SessionChange = 'changed'): void {
  windows.postMessage(change);
}

/** Calls it when another window has told so. */
export function onSessionChanged(listener: (change: SessionChange) => void): void {
  windows.onmessage = ({ data }: MessageEvent<SessionChange>) => listener(data);
}

/**
 * Leaves for the sign-in page, with nothing of the session left in memory, and back to `next` after; what was
 * typed on the way is kept for then.
 */
export function leaveForSignIn(next?: string): void {
  if (next !== undefined) keepTypedTexts();
  const search = next === undefined ? '' : `?${new URLSearchParams({ next })}`;
  window.location.assign(`${import.meta.env.BASE_URL}sign-in${search}`);
}

const left = new Promise<never>(() => undefined);

/** Who is signed in, on pages that only they see. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery);
  // The page is being left for the one to sign in.
  return data ?? use(left);
}

type Service = keyof Session['permissions'];

/** Whether the person may do something, such as `invoices:write` of `einvoicing`. */
export function mayDo({ permissions }: Session, service: Service, permission: string): boolean {
  const own = permissions[service];
  return own.includes('*') || own.includes(permission);
}
