import { Button } from './button.tsx';
import styles from './copyable.module.css';
import { useDesignTexts } from './design-texts.ts';
import { useCopy } from './use-copy.ts';

const rowsMax = 14;

/** A secret that is shown now and never again, or a command to paste. */
export function Copyable({ label, text }: { label: string; text: string }) {
  const t = useDesignTexts();
  const { field, isCopied, copy } = useCopy<HTMLTextAreaElement>(text);
  return (
    <div className={styles.copyable}>
      <textarea
        ref={field}
        readOnly
        rows={Math.min(rowsMax, text.split('\n').length + 1)}
        className={styles.text}
        aria-label={label}
        dir="ltr"
        value={text}
      />
      <Button onClick={copy}>{isCopied ? t('copied') : t('copy')}</Button>
    </div>
  );
}
