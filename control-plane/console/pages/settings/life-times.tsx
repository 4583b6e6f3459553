import { type UseQueryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Problem } from '../../api/client.ts';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { Card, Facts, ProblemNote, Skeleton } from '../../design/page.tsx';
import type { Days } from './queries.ts';
import { useSettingsTexts } from './texts.ts';

type Name = 'invoice_days' | 'message_days' | 'contact_days';

interface LifeTimesProps<Names extends Name> {
  readonly title: string;
  readonly text: string;
  readonly names: readonly Names[];
  readonly query: UseQueryOptions<Days<Names>, Error, Days<Names>, string[]>;
  save(days: Days<Names>): Promise<unknown>;
  readonly mayWrite: boolean;
}

/** After how many days what a service keeps is deleted. */
export function LifeTimes<Names extends Name>(props: LifeTimesProps<Names>) {
  const { title, text, query } = props;
  const { data, error, refetch } = useQuery(query);
  return (
    <Card title={title}>
      <p>{text}</p>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined ? !error && <Skeleton lines={2} /> : <Content {...props} days={data} />}
    </Card>
  );
}

function Content<Names extends Name>({
  days,
  names,
  query: { queryKey },
  save,
  mayWrite,
}: LifeTimesProps<Names> & { readonly days: Days<Names> }) {
  const t = useSettingsTexts();
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState<Days<Names>>(days);
  const change = useMutation({
    mutationFn: () => save(typed),
    onSuccess: () => queryClient.invalidateQueries({ queryKey }),
  });
  if (!mayWrite) {
    return (
      <Facts facts={names.map((name) => [t(name), days[name] ?? t('forEver'), name] as const)} />
    );
  }
  const fields = change.error instanceof Problem ? change.error.fields : {};
  return (
    <Form saving={change} onSubmit={() => change.mutate()}>
      {names.map((name) => (
        <TextField
          key={name}
          label={t(name)}
          hint={t('emptyIsForEver')}
          type="number"
          min={1}
          value={typed[name] ?? ''}
          problem={fields[name]?.join(' ')}
          onChange={({ target }) =>
            setTyped({ ...typed, [name]: target.value === '' ? null : Number(target.value) })
          }
        />
      ))}
      {change.error && <ProblemNote error={change.error} />}
      {change.isSuccess && <p role="status">{t('saved')}</p>}
      <Button type="submit" isBusy={change.isPending}>
        {t('save')}
      </Button>
    </Form>
  );
}
