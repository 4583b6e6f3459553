import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Problem } from '../../api/client.ts';
import { Button } from '../../design/button.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { Dialog } from '../../design/dialog.tsx';
import { ProblemNote } from '../../design/page.tsx';
import { useWhileShown } from '../../design/use-while-shown.ts';
import { SettingFields } from '../../setting-forms/setting-fields.tsx';
import {
  type SettingSchema,
  type SettingValues,
  settingChanges,
  withoutSecrets,
} from '../../setting-forms/setting-shape.ts';
import { useAppTexts } from './texts.ts';

interface SettingsDialogProps {
  readonly title: ReactNode;
  readonly schema: SettingSchema;
  /** As the API shows them: secrets as dots. */
  readonly held: SettingValues;
  /** Sends what is to be changed; null removes a setting. */
  save(settings: Record<string, string | null>): Promise<unknown>;
  onClose(): void;
}

/** The settings of an account at a provider, to be changed. */
export function SettingsDialog({ title, schema, held, save, onClose }: SettingsDialogProps) {
  const t = useAppTexts();
  const shared = useDesignTexts();
  const whileShown = useWhileShown();
  const [values, setValues] = useState(() => withoutSecrets(held));
  const change = useMutation({
    mutationFn: () => save(settingChanges(held, values) as Record<string, string | null>),
    onSuccess: () => whileShown(onClose),
  });
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={() => !change.isPending && change.mutate()}
      actions={
        <>
          <Button onClick={onClose}>{shared('cancel')}</Button>
          <Button type="submit" kind="main" isBusy={change.isPending}>
            {t('save')}
          </Button>
        </>
      }
    >
      <SettingFields
        schema={schema}
        values={values}
        held={held}
        keepsSecrets
        problems={change.error instanceof Problem ? change.error.fields : {}}
        onChange={setValues}
      />
      {change.error && <ProblemNote error={change.error} />}
    </Dialog>
  );
}
