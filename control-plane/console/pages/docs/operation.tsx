import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Copyable } from '../../design/copyable.tsx';
import { TextAreaField, TextField } from '../../design/field.tsx';
import { ProblemNote } from '../../design/page.tsx';
import { Opened } from './fields.tsx';
import {
  addressOf,
  commandOf,
  type Operation as Described,
  exampleOf,
  schemaOf,
} from './openapi.ts';
import styles from './page.module.css';
import { Prose } from './prose.tsx';
import type { Schemas } from './schema.ts';
import { useDocsTexts } from './texts.ts';

interface OperationProps {
  readonly operation: Described;
  readonly schemas: Schemas;
  readonly maySend: boolean;
}

/** One call: what it takes, what it answers, and a form that sends it to the sandbox. */
export function Operation({ operation, schemas, maySend }: OperationProps) {
  const t = useDocsTexts();
  const { method, parameters = [], requestBody, responses, description } = operation;
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [body, setBody] = useState(() => exampleOf(requestBody?.content));
  const address = addressOf(operation, values);
  const url = new URL(address, window.location.origin).href;
  return (
    <div className={styles.content}>
      {description && <Prose text={description} />}
      {operation['x-permission'] && (
        <p>
          {t('needs')} <code>{operation['x-permission']}</code>
        </p>
      )}
      <div className={styles.fields}>
        {parameters
          .filter((each) => each.in !== 'header')
          .map(({ name, required, description: hint }) => (
            <TextField
              key={name}
              label={required ? name : `${name} ${t('optional')}`}
              hint={hint}
              value={values[name] ?? ''}
              onChange={({ target }) => setValues({ ...values, [name]: target.value })}
            />
          ))}
      </div>
      {requestBody && (
        <TextAreaField
          label={t('body')}
          dir="ltr"
          rows={Math.min(16, body.split('\n').length + 1)}
          spellCheck={false}
          value={body}
          onChange={({ target }) => setBody(target.value)}
        />
      )}
      {schemaOf(requestBody?.content) && (
        <Opened
          title={t('bodyFields')}
          schema={schemaOf(requestBody?.content)!}
          schemas={schemas}
        />
      )}
      <Copyable label={t('command')} text={commandOf(method, url, body)} />
      {maySend ? <Sending method={method} url={url} body={body} /> : <p>{t('signInToSend')}</p>}
      {Object.entries(responses).map(([status, { description: meaning, content }]) => (
        <div key={status}>
          <code>{status}</code>
          <Prose text={meaning ?? ''} />
          {exampleOf(content) !== '' && status.startsWith('2') && (
            <Example text={exampleOf(content)} />
          )}
          {schemaOf(content) && status.startsWith('2') && (
            <Opened title={t('answerFields')} schema={schemaOf(content)!} schemas={schemas} />
          )}
        </div>
      ))}
    </div>
  );
}

interface Call {
  readonly method: string;
  readonly url: string;
  readonly body: string;
}

/** Sends the call as the person who is signed in: it may do what they may. */
function Sending({ method, url, body }: Call) {
  const t = useDocsTexts();
  const send = useMutation({
    mutationFn: async () => {
      const sent = body === '' ? {} : { body, headers: { 'content-type': 'application/json' } };
      const answer = await fetch(url, { method, ...sent, cache: 'no-store' });
      return { status: answer.status, text: await answer.text() };
    },
  });
  return (
    <>
      <div>
        <Button isBusy={send.isPending} onClick={() => send.mutate()}>
          {t('send')}
        </Button>
      </div>
      {send.error && <ProblemNote error={send.error} />}
      {send.data && (
        <div role="status">
          <p>
            {t('answered')} <code>{send.data.status}</code>
          </p>
          {send.data.text !== '' && <Example text={indented(send.data.text)} />}
        </div>
      )}
    </>
  );
}

function Example({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <pre className={styles.example} tabIndex={0}>
      {text}
    </pre>
  );
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text; // XML, CSV and other answers stay as they are
  }
}
