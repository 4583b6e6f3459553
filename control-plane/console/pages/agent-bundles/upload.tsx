import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { ProblemNote } from '../../design/page.tsx';
import { type Bundle, bundlesQuery, takeBundle } from './queries.ts';
import { useBundleTexts } from './texts.ts';

/** What became of a file: taken with so many messages, or refused with an error. */
interface Outcome {
  readonly file: string;
  readonly messages?: number;
  readonly error?: unknown;
}

/** Files that were carried here from the agent are taken, in their order. */
export function BundleUpload({ agent }: { agent: string }) {
  const t = useBundleTexts();
  const queryClient = useQueryClient();
  const [files, setFiles] = useState<readonly File[]>([]);
  const upload = useMutation({
    mutationFn: () => takeInOrder(agent, files),
    onSettled: () => queryClient.invalidateQueries(bundlesQuery(agent)),
  });
  return (
    <Form onSubmit={() => !upload.isPending && upload.mutate()}>
      <TextField
        label={t('files')}
        hint={t('filesHint')}
        type="file"
        accept=".json,application/json"
        multiple
        required
        onChange={({ target }) => setFiles([...(target.files ?? [])])}
      />
      <Button type="submit" kind="main" isBusy={upload.isPending}>
        {t('take')}
      </Button>
      {upload.error && <ProblemNote error={upload.error} />}
      {upload.data && (
        <ul aria-label={t('outcomes')}>
          {upload.data.map((outcome) => (
            <li key={outcome.file}>
              <OutcomeNote outcome={outcome} />
            </li>
          ))}
        </ul>
      )}
    </Form>
  );
}

function OutcomeNote({ outcome: { file, messages, error } }: { outcome: Outcome }) {
  const t = useBundleTexts();
  const isTaken = messages !== undefined;
  return (
    <>
      <p>
        <Badge tone={isTaken ? 'good' : 'bad'}>{t(isTaken ? 'taken' : 'refused')}</Badge>{' '}
        <bdi>{file}</bdi> {isTaken ? t('messagesIn', { count: messages }) : ''}
      </p>
      {error instanceof SyntaxError && <p role="alert">{t('noBundle')}</p>}
      {!isTaken && !(error instanceof SyntaxError) && <ProblemNote error={error} />}
    </>
  );
}

/** Takes files by their numbers; what is refused does not keep the others from being tried. */
async function takeInOrder(agent: string, files: readonly File[]): Promise<readonly Outcome[]> {
  const read = await Promise.all(files.map(readBundle));
  read.sort((a, b) => (a.bundle?.number ?? 0) - (b.bundle?.number ?? 0));
  const outcomes: Outcome[] = [];
  for (const { file, bundle, error } of read) {
    if (bundle === undefined) outcomes.push({ file, error });
    else outcomes.push(await take(agent, file, bundle));
  }
  return outcomes;
}

async function readBundle(
  from: File,
): Promise<{ readonly file: string; readonly bundle?: Bundle; readonly error?: unknown }> {
  try {
    return { file: from.name, bundle: JSON.parse(await from.text()) as Bundle };
  } catch (error) {
    return { file: from.name, error }; // it is shown beside its name
  }
}

async function take(agent: string, file: string, bundle: Bundle): Promise<Outcome> {
  try {
    const { messages } = await takeBundle(agent, bundle);
    return { file, messages };
  } catch (error) {
    return { file, error }; // the reason of the refusal is shown
  }
}
