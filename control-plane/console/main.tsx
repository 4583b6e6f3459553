import './design/base.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRouter, RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Problem } from './api/client.ts';
import { leaveForSignIn, sessionQuery } from './api/session.ts';
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

let wasSignedIn = false;

// A session that ended while a page was open: sign in again, and come back.
queryClient.getQueryCache().subscribe(({ query }) => {
  const { error, data } = query.state;
  const isRefused = error instanceof Problem && error.status === 401;
  if (query.queryHash !== JSON.stringify(sessionQuery.queryKey)) {
    if (isRefused) leaveForSignIn(router.state.location.href);
    return;
  }
  if (data === null && wasSignedIn) leaveForSignIn(router.state.location.href);
  wasSignedIn = data !== null && data !== undefined;
});

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
