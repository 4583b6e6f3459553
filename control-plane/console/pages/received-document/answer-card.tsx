import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { mayDo, useSession } from '../../api/session.ts';
import { Button } from '../../design/button.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { Card, ProblemNote } from '../../design/page.tsx';
import { useFormats } from '../../texts/formats.ts';
import { answersQuery, type Received, respond, type Status } from '../received/queries.ts';
import { type Reason, reasons, statuses, useAnswerTexts } from './answer-texts.ts';

/** What the supplier was told of the document, and what to tell next. */
export function AnswerCard({ document }: { document: Received }) {
  const t = useAnswerTexts();
  const formats = useFormats();
  const mayAnswer = mayDo(useSession(), 'einvoicing', 'received:respond');
  const { data } = useQuery(answersQuery(document.id));
  const told = data?.results ?? [];
  const isFinal = told.some(({ status }) => status === 'rejected' || status === 'paid');
  const possible = answersTo(document);
  if (told.length === 0 && possible.length === 0) return null;
  return (
    <Card title={t('title')}>
      {told.length === 0 && <p>{t('nothing')}</p>}
      <ul>
        {told.map(({ id, status, state, at, note, reason }) => (
          <li key={id}>
            {t(status)} · {t(`state_${state}`)} · {formats.instant(at)}
            {note && <p dir="auto">{note}</p>}
            {reason && <p dir="auto">{reason}</p>}
          </li>
        ))}
      </ul>
      {mayAnswer && !isFinal && possible.length > 0 && (
        <Answer id={document.id} possible={possible} />
      )}
    </Card>
  );
}

/** Over Peppol a supplier may be told anything; MyInvois takes the wish that it is cancelled, in time. */
function answersTo({ source, rejectable_until, cancelled_at }: Received): readonly Status[] {
  if (cancelled_at !== undefined) return [];
  if (source === 'peppol') return statuses;
  return rejectable_until === undefined ? [] : ['rejected'];
}

function Answer({ id, possible }: { id: string; possible: readonly Status[] }) {
  const t = useAnswerTexts();
  const queryClient = useQueryClient();
  const [status, setStatus] = useState<Status>(possible[0]!);
  const [reason, setReason] = useState<Reason | ''>('');
  const [note, setNote] = useState('');
  const answer = useMutation({
    mutationFn: () =>
      respond(id, {
        status,
        reasons: reason === '' ? [] : [{ code: reason, ...(note === '' ? {} : { text: note }) }],
        actions: [],
        ...(note === '' ? {} : { note }),
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['received'] }),
  });
  return (
    <Form saving={answer} onSubmit={() => answer.mutate()}>
      <SelectField
        label={t('answer')}
        value={status}
        onChange={({ target }) => setStatus(possible.find((each) => each === target.value)!)}
      >
        {possible.map((each) => (
          <option key={each} value={each}>
            {t(each)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t('reason')}
        value={reason}
        onChange={({ target }) => setReason(reasons.find((each) => each === target.value) ?? '')}
      >
        <option value="">{t('noReason')}</option>
        {reasons.map((each) => (
          <option key={each} value={each}>
            {t(each)}
          </option>
        ))}
      </SelectField>
      <TextField
        label={t('note')}
        dir="auto"
        maxLength={300}
        value={note}
        onChange={({ target }) => setNote(target.value)}
      />
      {answer.error && <ProblemNote error={answer.error} />}
      {answer.isSuccess && <p role="status">{t('sent')}</p>}
      <Button type="submit" isBusy={answer.isPending}>
        {t('send')}
      </Button>
    </Form>
  );
}
