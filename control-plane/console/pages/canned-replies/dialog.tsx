import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Problem } from '../../api/client.ts';
import { Button } from '../../design/button.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { Dialog } from '../../design/dialog.tsx';
import { TextAreaField, TextField } from '../../design/field.tsx';
import { ProblemNote } from '../../design/page.tsx';
import { useWhileShown } from '../../design/use-while-shown.ts';
import {
  addCannedReply,
  type CannedReply,
  type CannedReplyDraft,
  cannedRepliesQuery,
  changeCannedReply,
} from './queries.ts';
import { useCannedReplyTexts } from './texts.ts';

const variables =
  '{{contact.name}} {{contact.first_name}} {{contact.phone}} {{contact.attributes.…}} {{agent.name}}';

interface CannedReplyDialogProps {
  /** Undefined: a new one. */
  readonly reply?: CannedReply;
  onClose(): void;
}

export function CannedReplyDialog({ reply, onClose }: CannedReplyDialogProps) {
  const t = useCannedReplyTexts();
  const shared = useDesignTexts();
  const queryClient = useQueryClient();
  const whileShown = useWhileShown();
  const [draft, setDraft] = useState<CannedReplyDraft>({
    shortcut: reply?.shortcut ?? '',
    title: reply?.title ?? '',
    text: reply?.text ?? '',
  });
  const keep = useMutation({
    mutationFn: () =>
      reply === undefined ? addCannedReply(draft) : changeCannedReply(reply.id, draft),
    onSuccess: async () => {
      await queryClient.invalidateQueries(cannedRepliesQuery);
      whileShown(onClose);
    },
  });
  const problems = keep.error instanceof Problem ? keep.error.fields : {};
  const field = (name: keyof CannedReplyDraft) => ({
    required: true,
    value: draft[name],
    problem: problems[name]?.join(' '),
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      setDraft({ ...draft, [name]: target.value }),
  });
  return (
    <Dialog
      title={reply === undefined ? t('add') : t('edit')}
      onClose={onClose}
      onSubmit={() => !keep.isPending && keep.mutate()}
      actions={
        <>
          <Button onClick={onClose}>{shared('cancel')}</Button>
          <Button type="submit" kind="main" isBusy={keep.isPending}>
            {t('keep')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('shortcut')}
        hint={t('shortcutHint')}
        dir="ltr"
        maxLength={32}
        autoCapitalize="none"
        spellCheck={false}
        {...field('shortcut')}
      />
      <TextField label={t('name')} dir="auto" maxLength={100} {...field('title')} />
      <TextAreaField
        label={t('text')}
        hint={t('textHint', { variables })}
        rows={6}
        maxLength={5_000}
        {...field('text')}
      />
      {keep.error && Object.keys(problems).length === 0 && <ProblemNote error={keep.error} />}
    </Dialog>
  );
}
