import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { TextAreaField, TextField } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { Card, ProblemNote } from '../../design/page.tsx';
import { useClock } from '../../texts/clock.ts';
import { useFormats } from '../../texts/formats.ts';
import { useWebhooksTexts } from '../webhooks/texts.ts';
import { checkSignature, type Verdict } from './signature.ts';

/** Checks a body that somebody's system has received, as that system should. */
export function Inspector() {
  const t = useWebhooksTexts();
  const clock = useClock();
  const [body, setBody] = useState('');
  const [secret, setSecret] = useState('');
  const check = useMutation({
    mutationFn: () => checkSignature(body.trim(), secret.trim(), clock()),
  });
  return (
    <Card title={t('inspector')}>
      <p>{t('inspectorText')}</p>
      <Form onSubmit={() => check.mutate()}>
        <TextAreaField
          label={t('body')}
          dir="ltr"
          rows={6}
          required
          spellCheck={false}
          value={body}
          onChange={({ target }) => {
            check.reset(); // what was said of another body
            setBody(target.value);
          }}
        />
        <TextField
          label={t('secret')}
          type="password"
          autoComplete="off"
          dir="ltr"
          required
          value={secret}
          onChange={({ target }) => {
            check.reset();
            setSecret(target.value);
          }}
        />
        {check.error && <ProblemNote error={check.error} />}
        {check.data && <VerdictNote verdict={check.data} />}
        <Button type="submit" isBusy={check.isPending}>
          {t('checkSignature')}
        </Button>
      </Form>
    </Card>
  );
}

function VerdictNote({ verdict }: { verdict: Verdict }) {
  const t = useWebhooksTexts();
  const formats = useFormats();
  switch (verdict.kind) {
    case 'genuine':
      return (
        <p role="status">
          <Badge tone="good">{t('genuine')}</Badge>{' '}
          {t('sentAt', { at: formats.instant(verdict.sentAt) })} {verdict.isOld && t('isOld')}
        </p>
      );
    case 'other_secret':
      return (
        <p role="status">
          <Badge tone="bad">{t('notGenuine')}</Badge> {t('expectedDigest')}{' '}
          <code dir="ltr">{verdict.digest}</code>
        </p>
      );
    case 'unsigned':
      return (
        <p role="status">
          <Badge tone="bad">{t('notGenuine')}</Badge> {t('unsigned')}
        </p>
      );
  }
}
