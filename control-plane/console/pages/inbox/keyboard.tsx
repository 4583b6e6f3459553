import { useEffect, useRef, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import styles from './keyboard.module.css';
import { useInboxTexts } from './texts.ts';

const preference = 'drawbridge-inbox-keys';
const movingKeys: readonly string[] = ['j', 'k'];
const areKeysOn = () => localStorage.getItem(preference) !== 'off';

/** Keys without Ctrl, outside of fields; people who speak to their computer can switch them off. */
export function useShortcuts(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey, defaultPrevented, repeat } = event;
      if (ctrlKey || metaKey || altKey || defaultPrevented || !areKeysOn()) return;
      // One that is held down moves on, and does nothing else twice.
      if (repeat && !movingKeys.includes(key)) return;
      const isTyping = target instanceof Element && target.closest('input,textarea,select,dialog');
      const act = isTyping ? undefined : latest.current[key];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

const keys = [
  ['j', 'keyNext'],
  ['k', 'keyPrevious'],
  ['r', 'keyReply'],
  ['/', 'keyCanned'],
  ['n', 'keyNote'],
  ['a', 'keyAssign'],
  ['s', 'keySnooze'],
  ['e', 'keyClose'],
  ['p', 'keyExport'],
  ['Ctrl + ↵', 'keySend'],
  ['?', 'keyHelp'],
] as const;

export function KeyboardHelp({ onClose }: { onClose: () => void }) {
  const t = useInboxTexts();
  const [isOn, setOn] = useState(areKeysOn);
  return (
    <Dialog
      title={t('keyboard')}
      onClose={onClose}
      onSubmit={onClose}
      actions={<Button type="submit">{t('done')}</Button>}
    >
      <dl className={styles.keys}>
        {keys.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd className={styles.key}>{key}</kbd>
            </dt>
            <dd>{t(text)}</dd>
          </div>
        ))}
      </dl>
      <label>
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ target }) => {
            localStorage.setItem(preference, target.checked ? 'on' : 'off');
            setOn(target.checked);
          }}
        />{' '}
        {t('keysOn')}
      </label>
    </Dialog>
  );
}
