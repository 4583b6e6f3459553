import { useQuery } from '@tanstack/react-query';
import { Button } from '../../design/button.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { Dialog } from '../../design/dialog.tsx';
import { ProblemNote, Skeleton } from '../../design/page.tsx';
import { type Recording, transcriptionQuery } from './queries.ts';
import { useRecordingTexts } from './texts.ts';

interface TranscriptDialogProps {
  readonly recording: Recording;
  onClose(): void;
}

/** What was said on a recording, or why there is no text. */
export function TranscriptDialog({ recording, onClose }: TranscriptDialogProps) {
  const t = useRecordingTexts();
  const shared = useDesignTexts();
  const { data, error, refetch } = useQuery(transcriptionQuery(recording.id));
  return (
    <Dialog
      title={t('transcriptOf', { to: recording.to })}
      isWide
      onClose={onClose}
      actions={<Button onClick={onClose}>{shared('close')}</Button>}
    >
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton lines={4} />}
      {data && (
        <p dir="auto" lang={data.language}>
          {data.text ?? data.reason ?? t(`text_${data.status}`)}
        </p>
      )}
    </Dialog>
  );
}
