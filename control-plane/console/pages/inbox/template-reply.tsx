import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { ProblemNote, Skeleton } from '../../design/page.tsx';
import styles from './composer.module.css';
import { approvedTemplatesQuery, type Template, type WrittenChannel } from './queries.ts';
import { useInboxTexts } from './texts.ts';

interface TemplateReplyProps {
  readonly channel: WrittenChannel;
  readonly isBusy: boolean;
  onSend(message: Record<string, unknown>): void;
}

/** An approved template, its variables, and how it will read. */
export function TemplateReply({ channel, isBusy, onSend }: TemplateReplyProps) {
  const t = useInboxTexts();
  const { data, error } = useQuery(approvedTemplatesQuery(channel));
  const [chosen, setChosen] = useState<string>();
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  if (error) return <ProblemNote error={error} />;
  if (data === undefined) return <Skeleton lines={2} />;
  const template = data.results.find(({ id }) => id === chosen) ?? data.results[0];
  if (template === undefined) return <p>{t('noTemplates')}</p>;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy) onSend(messageOf(channel, template, values));
  };
  return (
    <form onSubmit={send} className={styles.form}>
      <SelectField
        label={t('template')}
        value={template.id}
        onChange={({ target }) => setChosen(target.value)}
      >
        {data.results.map(({ id, name, language }) => (
          <option key={id} value={id}>
            {name} ({language})
          </option>
        ))}
      </SelectField>
      {template.variables.map((variable) => (
        <TextField
          key={`${template.id} ${variable}`}
          label={`{{${variable}}}`}
          dir="auto"
          required
          maxLength={1_024}
          value={values[variable] ?? ''}
          onChange={({ target }) => setValues({ ...values, [variable]: target.value })}
        />
      ))}
      <p className={styles.preview} dir="auto">
        {filled(template.body, values)}
      </p>
      <div className={styles.send}>
        <Button type="submit" kind="main" isBusy={isBusy}>
          {t('send')}
        </Button>
      </div>
    </form>
  );
}

type Values = Readonly<Record<string, string>>;

/** The text with what was typed; an empty variable stays as it is. */
function filled(body: string, values: Values): string {
  return body.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => values[name] || whole);
}

/** The body of the channel's own POST. */
function messageOf(channel: WrittenChannel, template: Template, values: Values) {
  const { name, language, variables } = template;
  if (channel !== 'wa') {
    const used = Object.fromEntries(variables.map((each) => [each, values[each] ?? '']));
    return { template: { name, language, variables: used } };
  }
  const parameters = variables.map((variable) => ({
    type: 'text',
    text: values[variable] ?? '',
    ...(/^\d+$/.test(variable) ? {} : { parameter_name: variable }),
  }));
  const components = parameters.length === 0 ? [] : [{ type: 'body', parameters }];
  return { type: 'template', template: { name, language, components } };
}
