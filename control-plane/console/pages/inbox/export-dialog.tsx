import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { got, messaging } from '../../api/client.ts';
import { Button } from '../../design/button.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { Dialog } from '../../design/dialog.tsx';
import { ProblemNote } from '../../design/page.tsx';
import { saveFile } from '../../design/save-file.ts';
import { useWhileShown } from '../../design/use-while-shown.ts';
import { useInboxTexts } from './texts.ts';

interface ExportDialogProps {
  readonly conversationId: string;
  onClose(): void;
}

/** A conversation as a signed PDF; a long one comes as a zip of parts. */
export function ExportDialog({ conversationId, onClose }: ExportDialogProps) {
  const t = useInboxTexts();
  const shared = useDesignTexts();
  const whileShown = useWhileShown();
  const [includesNotes, setIncludesNotes] = useState(false);
  const printing = useMutation({
    mutationFn: async () => {
      const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
      const body = { conversation_id: conversationId, include_notes: includesNotes, time_zone };
      const options = { body, parseAs: 'blob' } as const;
      return (await got(messaging.POST('/team-inbox/api/export-pdf/', options))) as unknown as Blob;
    },
    onSuccess: (file) => {
      const extension = file.type === 'application/zip' ? 'zip' : 'pdf';
      saveFile(file, `${conversationId}.${extension}`);
      whileShown(onClose);
    },
  });
  return (
    <Dialog
      title={t('export')}
      onClose={onClose}
      onSubmit={() => printing.mutate()}
      actions={
        <>
          <Button onClick={onClose}>{shared('cancel')}</Button>
          <Button type="submit" kind="main" isBusy={printing.isPending}>
            {t('download')}
          </Button>
        </>
      }
    >
      <p>{t('exportText')}</p>
      <label>
        <input
          type="checkbox"
          checked={includesNotes}
          onChange={({ target }) => setIncludesNotes(target.checked)}
        />{' '}
        {t('withNotes')}
      </label>
      {printing.error && <ProblemNote error={printing.error} />}
    </Dialog>
  );
}
