import { useRef } from 'react';
import { useSession } from '../../api/session.ts';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/field.tsx';
import styles from './app-card.module.css';
import { useAppTexts } from './texts.ts';

export interface SettingRow {
  readonly key: number;
  readonly name: string;
  readonly value: string;
}

export const settingsOf = (rows: readonly SettingRow[]): Record<string, string> =>
  Object.fromEntries(rows.map(({ name, value }) => [name.trim(), value]));

interface SettingFieldsProps {
  readonly rows: readonly SettingRow[];
  onChange(rows: readonly SettingRow[]): void;
}

/** What a provider gave; in the sandbox all may be left out. */
export function SettingFields({ rows, onChange }: SettingFieldsProps) {
  const t = useAppTexts();
  const isSandbox = useSession().environment === 'sandbox';
  const lastKey = useRef(rows.length);
  const change = (key: number, part: Partial<SettingRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  return (
    <>
      <p className={styles.help}>{t(isSandbox ? 'settingsSandbox' : 'settingsLive')}</p>
      {rows.map((row) => (
        <div key={row.key} className={styles.row}>
          <TextField
            label={t('setting')}
            dir="ltr"
            required
            maxLength={64}
            value={row.name}
            onChange={({ target }) => change(row.key, { name: target.value })}
          />
          <TextField
            label={t('value')}
            dir="ltr"
            type="password"
            autoComplete="off"
            required
            maxLength={10_000}
            value={row.value}
            onChange={({ target }) => change(row.key, { value: target.value })}
          />
          <Button
            kind="plain"
            aria-label={t('removeSetting', { name: row.name })}
            onClick={() => onChange(rows.filter(({ key }) => key !== row.key))}
          >
            ×
          </Button>
        </div>
      ))}
      <div>
        <Button
          onClick={() => {
            lastKey.current += 1;
            onChange([...rows, { key: lastKey.current, name: '', value: '' }]);
          }}
        >
          {t('addSetting')}
        </Button>
      </div>
    </>
  );
}
