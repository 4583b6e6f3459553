import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button, ButtonLink } from '../../design/button.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { Dialog } from '../../design/dialog.tsx';
import { TextAreaField } from '../../design/field.tsx';
import { ProblemNote } from '../../design/page.tsx';
import { sendTest } from '../broadcasts/queries.ts';
import { useBroadcastTexts } from '../broadcasts/texts.ts';
import type { Template } from '../templates/queries.ts';
import { type Draft, testOf } from './draft.ts';

interface TestDialogProps {
  readonly template: Template;
  readonly draft: Draft;
  onClose(): void;
}

/** The text as it is, to a few people who are named. */
export function TestDialog({ template, draft, onClose }: TestDialogProps) {
  const t = useBroadcastTexts();
  const shared = useDesignTexts();
  const [numbers, setNumbers] = useState('');
  const to = numbers.split(/[\n,;]/).map((each) => each.replace(/[\s()-]/g, ''));
  const request = testOf(template, draft, to.filter(Boolean));
  const sending = useMutation({ mutationFn: sendTest });
  return (
    <Dialog
      title={t('testTitle')}
      onClose={onClose}
      onSubmit={() => request && !sending.isPending && sending.mutate(request)}
      actions={
        <>
          <Button onClick={onClose}>{shared('close')}</Button>
          <Button
            type="submit"
            kind="main"
            isBusy={sending.isPending}
            disabled={request === undefined}
          >
            {t('testTitle')}
          </Button>
        </>
      }
    >
      <p>{t('testText')}</p>
      <TextAreaField
        label={t('numbers')}
        required
        dir="ltr"
        value={numbers}
        onChange={({ target }) => setNumbers(target.value)}
      />
      {sending.error && <ProblemNote error={sending.error} />}
      {sending.data && (
        <p role="status">
          {t('testGone')}{' '}
          <ButtonLink to="/broadcasts/$id" params={{ id: sending.data.id }}>
            {t('showTest')}
          </ButtonLink>
        </p>
      )}
    </Dialog>
  );
}
