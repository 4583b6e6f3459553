import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSession } from '../../api/session.ts';
import { Button } from '../../design/button.tsx';
import { Copyable } from '../../design/copyable.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { Dialog } from '../../design/dialog.tsx';
import { ProblemNote, Skeleton } from '../../design/page.tsx';
import { useFormats } from '../../texts/formats.ts';
import { newEnrolmentToken } from './queries.ts';
import { useSourcesTexts } from './texts.ts';

/** The one command that links a host's agent to this workspace. */
export function EnrolDialog({ onClose }: { onClose: () => void }) {
  const t = useSourcesTexts();
  const shared = useDesignTexts();
  const formats = useFormats();
  const { environment, addresses } = useSession();
  const { mutate, data, error } = useMutation({ mutationFn: newEnrolmentToken });
  useEffect(() => mutate(), [mutate]);
  return (
    <Dialog
      title={t('enrol')}
      onClose={onClose}
      onSubmit={onClose}
      actions={
        <Button type="submit" kind="main">
          {shared('close')}
        </Button>
      }
    >
      <p>{t('enrolText')}</p>
      {error && <ProblemNote error={error} />}
      {!data && !error && <Skeleton lines={2} />}
      {data && (
        <>
          <Copyable
            label={t('command')}
            // From standard input, so that the token stands in no list of processes.
            text={`echo ${data.token} | drawbridge enroll --url ${addresses[environment]}`}
          />
          <p>{t('enrolEnds', { when: formats.instant(data.expires_at) })}</p>
        </>
      )}
    </Dialog>
  );
}
