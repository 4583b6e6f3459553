import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Confirm } from '../../design/confirm.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { Dialog } from '../../design/dialog.tsx';
import { TextField } from '../../design/field.tsx';
import { ProblemNote } from '../../design/page.tsx';
import { useWhileShown } from '../../design/use-while-shown.ts';
import { useClock } from '../../texts/clock.ts';
import { useFormats } from '../../texts/formats.ts';
import {
  type Broadcast,
  broadcastsKey,
  type Control,
  control,
  isOver,
  reschedule,
  resend,
} from '../broadcasts/queries.ts';
import { useBroadcastTexts } from '../broadcasts/texts.ts';

/** What can be done with a broadcast as it stands. */
export function BroadcastActions({ broadcast }: { broadcast: Broadcast }) {
  const t = useBroadcastTexts();
  const clock = useClock();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<'resend' | 'move'>();
  const { id, status, counts, schedule_at } = broadcast;
  const settled = () => queryClient.invalidateQueries({ queryKey: broadcastsKey });
  const doing = useMutation({
    mutationFn: (what: Control) => control(id, what),
    onSettled: settled,
  });
  const isAhead = status === 'queued' && new Date(schedule_at) > clock();
  const close = () => setOpen(undefined);
  return (
    <>
      {doing.error && <ProblemNote error={doing.error} />}
      {isAhead && <Button onClick={() => setOpen('move')}>{t('move')}</Button>}
      {(status === 'queued' || status === 'running') && (
        <Button isChanging isBusy={doing.isPending} onClick={() => doing.mutate('pause')}>
          {t('pause')}
        </Button>
      )}
      {status === 'paused' && (
        <Button
          kind="main"
          isChanging
          isBusy={doing.isPending}
          onClick={() => doing.mutate('resume')}
        >
          {t('resume')}
        </Button>
      )}
      {!isOver(broadcast) && (
        <Confirm
          action={t('cancel')}
          title={t('cancelTitle')}
          isDangerous
          onConfirm={() => control(id, 'cancel').finally(settled)}
        >
          {t('cancelText')}
        </Confirm>
      )}
      {isOver(broadcast) && counts.failed + counts.unknown > 0 && (
        <Button onClick={() => setOpen('resend')}>{t('resend')}</Button>
      )}
      {open === 'resend' && <ResendDialog broadcast={broadcast} onClose={close} />}
      {open === 'move' && <MoveDialog broadcast={broadcast} onClose={close} />}
    </>
  );
}

interface DialogProps {
  readonly broadcast: Broadcast;
  onClose(): void;
}

function ResendDialog({ broadcast: { id, counts }, onClose }: DialogProps) {
  const t = useBroadcastTexts();
  const shared = useDesignTexts();
  const formats = useFormats();
  const navigate = useNavigate();
  const whileShown = useWhileShown();
  const [to, setTo] = useState({ failed: counts.failed > 0, unknown: false });
  const chosen = (['failed', 'unknown'] as const).filter((each) => to[each]);
  const sending = useMutation({
    mutationFn: () => resend(id, chosen),
    onSuccess: (made) =>
      whileShown(() => {
        onClose();
        return navigate({ to: '/broadcasts/$id', params: { id: made.id } });
      }),
  });
  return (
    <Dialog
      title={t('resend')}
      onClose={onClose}
      onSubmit={() => !sending.isPending && sending.mutate()}
      actions={
        <>
          <Button onClick={onClose}>{shared('cancel')}</Button>
          <Button
            type="submit"
            kind="main"
            isBusy={sending.isPending}
            disabled={chosen.length === 0}
          >
            {t('resend')}
          </Button>
        </>
      }
    >
      <p>{t('resendText')}</p>
      {(['failed', 'unknown'] as const).map((each) => (
        <label key={each}>
          <input
            type="checkbox"
            checked={to[each]}
            disabled={counts[each] === 0}
            onChange={({ target }) => setTo({ ...to, [each]: target.checked })}
          />{' '}
          {t(each === 'failed' ? 'toFailed' : 'toUnknown', { shown: formats.number(counts[each]) })}
        </label>
      ))}
      {sending.error && <ProblemNote error={sending.error} />}
    </Dialog>
  );
}

function MoveDialog({ broadcast: { id }, onClose }: DialogProps) {
  const t = useBroadcastTexts();
  const shared = useDesignTexts();
  const queryClient = useQueryClient();
  const whileShown = useWhileShown();
  const [at, setAt] = useState('');
  const moving = useMutation({
    mutationFn: () => reschedule(id, new Date(at).toISOString()),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: broadcastsKey });
      whileShown(onClose);
    },
  });
  return (
    <Dialog
      title={t('move')}
      onClose={onClose}
      onSubmit={() => at !== '' && !moving.isPending && moving.mutate()}
      actions={
        <>
          <Button onClick={onClose}>{shared('cancel')}</Button>
          <Button type="submit" kind="main" isBusy={moving.isPending}>
            {t('move')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('moveTime')}
        type="datetime-local"
        required
        value={at}
        onChange={({ target }) => setAt(target.value)}
      />
      {moving.error && <ProblemNote error={moving.error} />}
    </Dialog>
  );
}
