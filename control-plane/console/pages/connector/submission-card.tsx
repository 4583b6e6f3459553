import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Problem } from '../../api/client.ts';
import { mayDo, useSession } from '../../api/session.ts';
import { Button } from '../../design/button.tsx';
import { Confirm } from '../../design/confirm.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { Card, Facts, ProblemNote } from '../../design/page.tsx';
import { useWhileShown } from '../../design/use-while-shown.ts';
import { useFormats } from '../../texts/formats.ts';
import { type Connector, changeConnector, connectorQuery, removeConnector } from './queries.ts';
import { useSubmissionTexts } from './submission-texts.ts';

const holds = ['release', 'approval'] as const;
type Hold = (typeof holds)[number];

/** From when on the documents of a source are submitted by themselves here, and what they wait for. */
export function SubmissionCard({ connector }: { connector: Connector }) {
  const t = useSubmissionTexts();
  const session = useSession();
  const mayWrite = mayDo(session, 'einvoicing', 'connectors:write');
  return (
    <Card title={t('title')}>
      <p>{t(session.environment === 'live' ? 'textLive' : 'textSandbox')}</p>
      {mayWrite ? <Fields connector={connector} /> : <Told connector={connector} />}
      {mayWrite && <Removal connector={connector} />}
    </Card>
  );
}

/** For those who may not change it. */
function Told({ connector: { submit_from, submission } }: { connector: Connector }) {
  const t = useSubmissionTexts();
  const formats = useFormats();
  return (
    <Facts
      facts={[
        [t('from'), submit_from ? formats.day(submit_from) : t('never'), 'from'],
        [t('hold'), t(submission?.hold ?? 'none'), 'hold'],
        [t('column'), submission?.posted && <bdi>{submission.posted.column}</bdi>, 'column'],
        [t('values'), <bdi key="v">{submission?.posted?.values.join(', ')}</bdi>, 'values'],
      ]}
    />
  );
}

function Fields({ connector }: { connector: Connector }) {
  const t = useSubmissionTexts();
  const queryClient = useQueryClient();
  const { id, submission, pattern } = connector;
  // No other source tells of changes.
  const isWatched = pattern === 'agent';
  const [from, setFrom] = useState(connector.submit_from ?? '');
  const [hold, setHold] = useState<Hold | ''>(submission?.hold ?? '');
  const [column, setColumn] = useState(submission?.posted?.column ?? '');
  const [values, setValues] = useState(submission?.posted?.values.join(', ') ?? '');
  const change = useMutation({
    mutationFn: () =>
      changeConnector(id, {
        submission: policy(),
        ...(isWatched ? { submit_from: from || null } : {}),
      }),
    onSuccess: () => queryClient.invalidateQueries(connectorQuery(id)),
  });
  function policy() {
    const posted = { column, values: values.split(',').map((each) => each.trim()) };
    if (hold === '' && column === '') return null;
    return { ...(hold === '' ? {} : { hold }), ...(column === '' ? {} : { posted }) };
  }
  const fields = change.error instanceof Problem ? change.error.fields : {};
  return (
    <Form saving={change} onSubmit={() => change.mutate()}>
      {isWatched ? (
        <TextField
          label={t('from')}
          hint={t('fromHint')}
          type="date"
          value={from}
          problem={fields.submit_from?.join(' ')}
          onChange={({ target }) => setFrom(target.value)}
        />
      ) : (
        <p>{t('byApi')}</p>
      )}
      <SelectField
        label={t('hold')}
        value={hold}
        onChange={({ target }) => setHold(holds.find((each) => each === target.value) ?? '')}
      >
        <option value="">{t('none')}</option>
        {holds.map((each) => (
          <option key={each} value={each}>
            {t(each)}
          </option>
        ))}
      </SelectField>
      <TextField
        label={t('column')}
        hint={t('columnHint')}
        dir="auto"
        maxLength={200}
        value={column}
        onChange={({ target }) => setColumn(target.value)}
      />
      {column !== '' && (
        <TextField
          label={t('values')}
          hint={t('valuesHint')}
          dir="auto"
          required
          value={values}
          onChange={({ target }) => setValues(target.value)}
        />
      )}
      {change.error && <ProblemNote error={change.error} />}
      {change.isSuccess && <p role="status">{t('saved')}</p>}
      <Button type="submit" isBusy={change.isPending}>
        {t('save')}
      </Button>
    </Form>
  );
}

function Removal({ connector: { id, name } }: { connector: Connector }) {
  const t = useSubmissionTexts();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const whileShown = useWhileShown();
  return (
    <div>
      <Confirm
        action={t('remove')}
        title={t('removeTitle', { name })}
        isDangerous
        onConfirm={async () => {
          await removeConnector(id);
          await whileShown(() => navigate({ to: '/sources' }));
          await queryClient.invalidateQueries({ queryKey: ['connectors'] });
        }}
      >
        {t('removeText')}
      </Confirm>
    </div>
  );
}
