import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Problem } from '../../api/client.ts';
import { Button } from '../../design/button.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { Dialog } from '../../design/dialog.tsx';
import { TextField } from '../../design/field.tsx';
import { ProblemNote } from '../../design/page.tsx';
import { useWhileShown } from '../../design/use-while-shown.ts';
import { addRate, type Rate, type RateRequest, ratesKey } from './queries.ts';
import { useRateTexts } from './texts.ts';

interface RateDialogProps {
  /** The one that is followed by another; undefined: a new one. */
  readonly rate?: Rate;
  onClose(): void;
}

/** A rate as it is typed in; times are local, and empty ones are left to the API. */
type Draft = Record<keyof RateRequest, string>;

/** Adds a rate. One that is there is never changed: another one of its prefix follows it. */
export function RateDialog({ rate, onClose }: RateDialogProps) {
  const t = useRateTexts();
  const shared = useDesignTexts();
  const queryClient = useQueryClient();
  const whileShown = useWhileShown();
  const [draft, setDraft] = useState<Draft>({
    prefix: rate?.prefix ?? '',
    currency: rate?.currency ?? '',
    per_minute: rate?.per_minute ?? '',
    connection_fee: rate?.connection_fee ?? '0',
    increment: rate?.increment ?? '60/60',
    valid_from: '',
    valid_until: '',
  });
  const adding = useMutation({
    mutationFn: () => addRate(requestOf(draft)),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ratesKey });
      whileShown(onClose);
    },
  });
  const problems = adding.error instanceof Problem ? adding.error.fields : {};
  const field = (name: keyof Draft) => ({
    dir: 'ltr' as const,
    value: draft[name],
    problem: problems[name]?.join(' '),
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      setDraft({ ...draft, [name]: target.value }),
  });
  return (
    <Dialog
      title={rate === undefined ? t('add') : t('changeTitle', { prefix: rate.prefix })}
      onClose={onClose}
      onSubmit={() => !adding.isPending && adding.mutate()}
      actions={
        <>
          <Button onClick={onClose}>{shared('cancel')}</Button>
          <Button type="submit" kind="main" isBusy={adding.isPending}>
            {t('save')}
          </Button>
        </>
      }
    >
      {rate && <p>{t('changeText')}</p>}
      <TextField
        label={t('prefix')}
        hint={t('prefixHint')}
        required
        readOnly={rate !== undefined}
        {...field('prefix')}
      />
      <TextField
        label={t('currency')}
        hint={t('currencyHint')}
        required
        maxLength={3}
        readOnly={rate !== undefined}
        {...field('currency')}
      />
      <TextField label={t('minute')} inputMode="decimal" required {...field('per_minute')} />
      <TextField label={t('fee')} inputMode="decimal" required {...field('connection_fee')} />
      <TextField
        label={t('increment')}
        hint={t('incrementHint')}
        required
        {...field('increment')}
      />
      <TextField
        label={t('from')}
        hint={t('fromHint')}
        type="datetime-local"
        {...field('valid_from')}
      />
      <TextField
        label={t('to')}
        hint={t('toHint')}
        type="datetime-local"
        {...field('valid_until')}
      />
      {adding.error && Object.keys(problems).length === 0 && <ProblemNote error={adding.error} />}
    </Dialog>
  );
}

function requestOf({ valid_from, valid_until, currency, ...rest }: Draft): RateRequest {
  return {
    ...rest,
    prefix: rest.prefix.replace(/[\s()-]/g, ''),
    currency: currency.toUpperCase(),
    ...(valid_from === '' ? {} : { valid_from: new Date(valid_from).toISOString() }),
    valid_until: valid_until === '' ? null : new Date(valid_until).toISOString(),
  };
}
