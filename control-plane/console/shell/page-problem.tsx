import { Link } from '@tanstack/react-router';
import { EmptyState, Page, ProblemNote } from '../design/page.tsx';
import { useShellTexts } from './shell-texts.ts';

/** A page that could not be shown. */
export function PageProblem({ error, reset }: { error: unknown; reset: () => void }) {
  const t = useShellTexts();
  return (
    <Page title={t('failed')}>
      <ProblemNote error={error} onRetry={reset} />
    </Page>
  );
}

export function NotFound() {
  const t = useShellTexts();
  return (
    <Page title={t('notFound')}>
      <EmptyState title={t('notFound')} action={<Link to="/">{t('overview')}</Link>}>
        {t('notFoundText')}
      </EmptyState>
    </Page>
  );
}
