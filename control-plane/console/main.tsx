import './design/base.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRouter, RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Problem } from './api/client.ts';
import { forgetDrafts } from './api/kept-drafts.ts';
import { leaveForSignIn, onSessionChanged, type Session, sessionQuery } from './api/session.ts';
import { routeTree } from './routes.tsx';
import { ClockProvider } from './texts/clock.ts';

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // What the API refused it refuses again; what did not arrive may arrive.
      retry: (failures, error) => !(error instanceof Problem) && failures < 2,
      staleTime: 5_000,
    },
  },
});

const lookAtSession = () =>
  queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }, { cancelRefetch: false });
onSessionChanged((change) => {
  if (change === 'changed') return void lookAtSession();
  forgetDrafts();
  leaveForSignIn();
});

let signedIn: Session | undefined;

queryClient.getQueryCache().subscribe(({ query }) => {
  if (query.queryHash !== JSON.stringify(sessionQuery.queryKey)) {
    lookIfRefused(query.state.error);
    return;
  }
  const session = query.state.data as Session | null | undefined;
  // A session that ended while a page was open: sign in again, and come back.
  if (session === null && signedIn !== undefined) leaveForSignIn(router.state.location.href);
  // Nothing of somebody else, or of another workspace, stays in sight.
  if (session && signedIn && !isSame(session, signedIn)) {
    window.location.assign(import.meta.env.BASE_URL);
  }
  signedIn = session ?? undefined;
});
queryClient.getMutationCache().subscribe((event) => {
  if (event.type === 'updated' && event.action.type === 'error') lookIfRefused(event.action.error);
});

/** The session may have ended, or it was another window that began the next one. */
function lookIfRefused(error: unknown): void {
  if (error instanceof Problem && error.status === 401) void lookAtSession();
}

function isSame(one: Session, other: Session): boolean {
  return one.user.id === other.user.id && one.tenant.id === other.tenant.id;
}

// A page that the browser kept and shows again on the way back: whoever was signed in may not be now.
window.addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return;
  document.body.replaceChildren();
  window.location.reload();
});

const router = createRouter({
  routeTree,
  context: { queryClient },
  basepath: '/console',
  defaultPreload: 'intent',
  // The page of another invoice is another page: no dialog, text or message of this one stays in it.
  defaultRemountDeps: ({ params }) => params,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

const clock = () => new Date();

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <ClockProvider value={clock}>
        <RouterProvider router={router} />
      </ClockProvider>
    </QueryClientProvider>
  </StrictMode>,
);
