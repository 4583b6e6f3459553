import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Problem } from '../../api/client.ts';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { Card, ProblemNote } from '../../design/page.tsx';
import { UnsavedChanges } from '../../design/unsaved-changes.tsx';
import { type Company, companyQuery, type Question, saveCompany } from './queries.ts';
import { useCompanyTexts } from './texts.ts';

interface CompanyFormProps {
  readonly questions: readonly Question[];
  /** Undefined until it is told. */
  readonly company: Company | undefined;
}

/** The questions of the API, each with its answer; an empty answer says nothing. */
export function CompanyForm({ questions, company }: CompanyFormProps) {
  const t = useCompanyTexts();
  const queryClient = useQueryClient();
  const [answers, setAnswers] = useState<Readonly<Record<string, string>>>({ ...company });
  const [saved, setSaved] = useState(answers);
  const change = useMutation({
    mutationFn: (given: typeof answers) => saveCompany(givenOf(given)),
    onSuccess: (now, given) => {
      setSaved(given);
      queryClient.setQueryData(companyQuery.queryKey, now);
    },
  });
  const problems = change.error instanceof Problem ? change.error.fields : {};
  return (
    <Card title={company === undefined ? t('noneTitle') : undefined}>
      {company === undefined && <p>{t('begin')}</p>}
      <UnsavedChanges isUnsaved={answers !== saved && !change.isPending} />
      <Form saving={change} onSubmit={() => change.mutate(answers)}>
        {questions.map(({ name, label, help, example, required }) => (
          <TextField
            key={name}
            label={<bdi lang="en">{label}</bdi>}
            hint={
              <>
                <bdi lang="en">{help}</bdi> {t('example')} <bdi>{example}</bdi>
              </>
            }
            dir="auto"
            required={required}
            value={answers[name] ?? ''}
            problem={problems[name]?.join(' ')}
            onChange={({ target }) => setAnswers({ ...answers, [name]: target.value })}
          />
        ))}
        {change.error && <ProblemNote error={change.error} />}
        {change.isSuccess && <p role="status">{t('saved')}</p>}
        <Button type="submit" kind="main" isBusy={change.isPending}>
          {t('save')}
        </Button>
      </Form>
    </Card>
  );
}

const givenOf = (answers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(answers).filter(([, text]) => text.trim() !== '')) as Company;
