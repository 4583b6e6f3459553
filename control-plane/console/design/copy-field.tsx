import { useState } from 'react';
import { Button } from './button.tsx';
import styles from './copy-field.module.css';
import { useDesignTexts } from './design-texts.ts';
import { TextField } from './field.tsx';

/** A line that is copied into another system. */
export function CopyField({ label, text }: { label: string; text: string }) {
  const t = useDesignTexts();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <div className={styles.field}>
      <TextField label={label} readOnly dir="ltr" value={text} />
      <Button aria-label={`${t('copy')}: ${label}`} onClick={() => void copy()}>
        {isCopied ? t('copied') : t('copy')}
      </Button>
    </div>
  );
}
