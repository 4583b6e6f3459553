import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Problem } from '../../api/client.ts';
import { newKey } from '../../api/new-key.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../design/button.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { Dialog } from '../../design/dialog.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { ProblemNote } from '../../design/page.tsx';
import { useWhileShown } from '../../design/use-while-shown.ts';
import { type Flow, flowChoicesQuery, flowQuery } from '../call-flows/queries.ts';
import { callsKey, providersQuery, startCall } from './queries.ts';
import { useVoiceTexts } from './texts.ts';

interface CallDialogProps {
  /** Already chosen. */
  readonly flowId?: string;
  onClose(): void;
  onCalled(id: string): void;
}

/** Calls somebody: by which account, with which flow and which values. */
export function CallDialog({ flowId = '', onClose, onCalled }: CallDialogProps) {
  const t = useVoiceTexts();
  const shared = useDesignTexts();
  const queryClient = useQueryClient();
  const whileShown = useWhileShown();
  const isSandbox = useSession().environment === 'sandbox';
  const { data: providers } = useQuery(providersQuery);
  const { data: flows } = useQuery(flowChoicesQuery);
  const [to, setTo] = useState('');
  const [provider, setProvider] = useState('');
  const [template, setTemplate] = useState(flowId);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const { data: chosen } = useQuery({
    ...flowQuery(template, undefined),
    enabled: template !== '',
  });
  const variables = Object.entries((chosen?.flow as Partial<Flow> | undefined)?.variables ?? {});
  // A repeat after a lost answer has the key of before, and calls once.
  const key = useRef(newKey());
  const calling = useMutation({
    mutationFn: () =>
      startCall(
        {
          to: to.replace(/[\s()-]/g, ''),
          provider_config: provider,
          template_id: template,
          record: false,
          machine_detection: 'off',
          variables: Object.fromEntries(
            variables.flatMap(([name]) => (values[name] ? [[name, values[name]]] : [])),
          ),
        },
        key.current,
      ),
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: callsKey });
      whileShown(() => onCalled(id));
    },
    onError: (error) => {
      if (error instanceof Problem) key.current = newKey();
    },
  });
  return (
    <Dialog
      title={t('call')}
      onClose={onClose}
      onSubmit={() => !calling.isPending && calling.mutate()}
      actions={
        <>
          <Button onClick={onClose}>{shared('cancel')}</Button>
          <Button type="submit" kind="main" isBusy={calling.isPending}>
            {t('call')}
          </Button>
        </>
      }
    >
      {isSandbox && <p>{t('sandboxCall')}</p>}
      <TextField
        label={t('to')}
        type="tel"
        dir="ltr"
        required
        value={to}
        onChange={({ target }) => setTo(target.value)}
      />
      <SelectField
        label={t('provider')}
        hint={providers?.results.length === 0 ? t('noProviders') : undefined}
        required
        value={provider}
        onChange={({ target }) => setProvider(target.value)}
      >
        <option value="">{t('choose')}</option>
        {providers?.results.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t('flow')}
        hint={flows?.results.length === 0 ? t('noFlows') : undefined}
        required
        value={template}
        onChange={({ target }) => setTemplate(target.value)}
      >
        <option value="">{t('choose')}</option>
        {flows?.results.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      {variables.map(([name, { default: usual }]) => (
        <TextField
          key={name}
          label={<bdi>{`{{${name}}}`}</bdi>}
          dir="auto"
          placeholder={usual}
          value={values[name] ?? ''}
          onChange={({ target }) => setValues({ ...values, [name]: target.value })}
        />
      ))}
      {calling.error && <ProblemNote error={calling.error} />}
    </Dialog>
  );
}
