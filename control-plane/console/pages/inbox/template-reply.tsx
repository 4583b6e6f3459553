import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { ProblemNote, Skeleton } from '../../design/page.tsx';
import {
  buttonOf,
  componentsOf,
  headerVariable,
  isFile,
  partsOf,
  type Values,
  variablesOf,
} from '../templates/parts.ts';
import { MessagePreview, type Shown, withExamples } from '../templates/phone-preview.tsx';
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
  const [values, setValues] = useState<Values>({});
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
      {variablesOf(template).map((variable) => (
        <TextField
          key={`${template.id} ${variable}`}
          label={labelOf(t, template, variable)}
          type={isAddress(template, variable) ? 'url' : 'text'}
          dir="auto"
          required
          maxLength={isAddress(template, variable) ? 2_048 : 1_024}
          value={values[variable] ?? ''}
          onChange={({ target }) => setValues({ ...values, [variable]: target.value })}
        />
      ))}
      <div className={styles.preview}>
        <MessagePreview shown={shownOf(template, values)} />
      </div>
      <div className={styles.send}>
        <Button type="submit" kind="main" isBusy={isBusy}>
          {t('send')}
        </Button>
      </div>
    </form>
  );
}

/** Whether the value is the address of a file. */
const isAddress = (template: Template, variable: string) =>
  variable === headerVariable && isFile(partsOf(template).header);

function labelOf(
  t: ReturnType<typeof useInboxTexts>,
  template: Template,
  variable: string,
): string {
  if (isAddress(template, variable)) return t('headerFile');
  if (variable === headerVariable) return t('headerValue');
  const button = buttonOf(template, variable);
  return button === undefined ? `{{${variable}}}` : t('buttonValue', { text: button.text });
}

/** How it reads with what was typed; an empty variable stays as it is. */
function shownOf(template: Template, values: Values): Shown {
  const { header, footer, buttons } = partsOf(template);
  const text = header?.text?.replace(/\{\{.+?\}\}/, (all) => values[headerVariable] || all);
  return {
    header: header && { ...header, text },
    body: withExamples(template.body, values),
    footer,
    buttons,
  };
}

/** The body of the channel's own POST. */
function messageOf(channel: WrittenChannel, template: Template, values: Values) {
  const { name, language, variables } = template;
  if (channel === 'wa') {
    const components = componentsOf(template, values);
    return { type: 'template', template: { name, language, components } };
  }
  const used = Object.fromEntries(variables.map((each) => [each, values[each] ?? '']));
  return { template: { name, language, variables: used } };
}
