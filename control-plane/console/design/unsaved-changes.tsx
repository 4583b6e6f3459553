import { useBlocker } from '@tanstack/react-router';
import { Button } from './button.tsx';
import { useDesignTexts } from './design-texts.ts';
import { Dialog } from './dialog.tsx';

/**
 * Asks before somebody leaves a page for another one and loses what they wrote. What is being saved is not unsaved.
 * The browser itself asks nothing: its question would hold up the end of a session.
 */
export function UnsavedChanges({ isUnsaved }: { isUnsaved: boolean }) {
  const t = useDesignTexts();
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isUnsaved && current.pathname !== next.pathname,
    enableBeforeUnload: false,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <Dialog
      title={t('leaveTitle')}
      onClose={reset}
      onSubmit={proceed}
      actions={
        <>
          <Button onClick={reset}>{t('stay')}</Button>
          <Button type="submit" kind="dangerous">
            {t('leave')}
          </Button>
        </>
      }
    >
      <p>{t('leaveText')}</p>
    </Dialog>
  );
}
