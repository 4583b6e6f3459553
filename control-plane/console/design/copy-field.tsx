import { Button } from './button.tsx';
import styles from './copy-field.module.css';
import { useDesignTexts } from './design-texts.ts';
import { TextField } from './field.tsx';
import { useCopy } from './use-copy.ts';

/** A line that is copied into another system. */
export function CopyField({ label, text }: { label: string; text: string }) {
  const t = useDesignTexts();
  const { field, isCopied, copy } = useCopy<HTMLInputElement>(text);
  return (
    <div className={styles.field}>
      <TextField ref={field} label={label} readOnly dir="ltr" value={text} />
      <Button aria-label={`${t('copy')}: ${label}`} onClick={copy}>
        {isCopied ? t('copied') : t('copy')}
      </Button>
    </div>
  );
}
