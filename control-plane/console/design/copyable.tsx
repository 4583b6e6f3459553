import { useState } from 'react';
import { Button } from './button.tsx';
import styles from './copyable.module.css';
import { useDesignTexts } from './design-texts.ts';

const rowsMax = 14;

/** A secret that is shown now and never again, or a command to paste. */
export function Copyable({ label, text }: { label: string; text: string }) {
  const t = useDesignTexts();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <div className={styles.copyable}>
      <textarea
        readOnly
        rows={Math.min(rowsMax, text.split('\n').length + 1)}
        className={styles.text}
        aria-label={label}
        dir="ltr"
        value={text}
      />
      <Button onClick={() => void copy()}>{isCopied ? t('copied') : t('copy')}</Button>
    </div>
  );
}
