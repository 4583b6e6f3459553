import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Problem } from '../../api/client.ts';
import { Button } from '../../design/button.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { Dialog } from '../../design/dialog.tsx';
import { Card, ProblemNote } from '../../design/page.tsx';
import { useWhileShown } from '../../design/use-while-shown.ts';
import { SettingFields } from '../../setting-forms/setting-fields.tsx';
import { withoutSecrets } from '../../setting-forms/setting-shape.ts';
import { type ConnectorKind, connectorKindsQuery } from './connector-kinds.ts';
import { type Connector, changeConnector, connectorQuery } from './queries.ts';
import { useSettingsTexts } from './settings-texts.ts';

/** Where the source is, who logs in there and how it is read: to be changed. */
export function SettingsCard({ connector }: { connector: Connector }) {
  const t = useSettingsTexts();
  const kinds = useQuery(connectorKindsQuery);
  const [isChanging, setChanging] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const kind = kinds.data?.find((each) => each.kind === connector.kind);
  return (
    <Card title={t('title')}>
      <p>{t(connector.pattern === 'agent' ? 'atAgent' : 'text')}</p>
      {kinds.error && <ProblemNote error={kinds.error} onRetry={() => void kinds.refetch()} />}
      <div>
        <Button disabled={kind === undefined} onClick={() => setChanging(true)}>
          {t('change')}
        </Button>
      </div>
      {isSaved && <p role="status">{t('saved')}</p>}
      {kind && isChanging && (
        <SettingsDialog
          connector={connector}
          kind={kind}
          onClose={() => setChanging(false)}
          onSaved={() => {
            setSaved(true);
            setChanging(false);
          }}
        />
      )}
    </Card>
  );
}

interface SettingsDialogProps {
  readonly connector: Connector;
  readonly kind: ConnectorKind;
  onClose(): void;
  onSaved(): void;
}

function SettingsDialog({ connector, kind, onClose, onSaved }: SettingsDialogProps) {
  const t = useSettingsTexts();
  const shared = useDesignTexts();
  const queryClient = useQueryClient();
  const whileShown = useWhileShown();
  const { id, settings: held } = connector;
  const [settings, setSettings] = useState(() => withoutSecrets(held));
  const save = useMutation({
    mutationFn: () => changeConnector(id, { settings: { ...settings } }),
    onSuccess: async (now) => {
      queryClient.setQueryData(connectorQuery(id).queryKey, now);
      whileShown(onSaved);
      // What was read of the source before is of another one.
      await queryClient.invalidateQueries({ queryKey: ['connectors', id] });
    },
  });
  return (
    <Dialog
      title={t('title')}
      isWide
      onClose={onClose}
      onSubmit={() => !save.isPending && save.mutate()}
      actions={
        <>
          <Button onClick={onClose}>{shared('cancel')}</Button>
          <Button type="submit" kind="main" isBusy={save.isPending}>
            {t('save')}
          </Button>
        </>
      }
    >
      <SettingFields
        schema={kind.settings}
        layout={kind.layout}
        values={settings}
        held={held}
        problems={save.error instanceof Problem ? save.error.fields : {}}
        onChange={setSettings}
      />
      {save.error && <ProblemNote error={save.error} />}
    </Dialog>
  );
}
