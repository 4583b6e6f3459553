import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { useDesignTexts } from './design-texts.ts';
import { Dialog } from './dialog.tsx';
import { ProblemNote } from './page.tsx';

interface ConfirmProps {
  /** What the button says, and the one in the dialog. */
  readonly action: string;
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  readonly isDangerous?: boolean;
  onConfirm(): Promise<unknown>;
}

/** A button that asks once more before it does what cannot be taken back. */
export function Confirm({ action, title, children, isDangerous, onConfirm }: ConfirmProps) {
  const t = useDesignTexts();
  const [isAsking, setAsking] = useState(false);
  const kind = isDangerous ? 'dangerous' : 'usual';
  const change = useMutation({ mutationFn: onConfirm, onSuccess: () => setAsking(false) });
  const ask = () => {
    if (!change.isPending) change.reset(); // what was said of an earlier try
    setAsking(true);
  };
  return (
    <>
      <Button kind={kind} onClick={ask}>
        {action}
      </Button>
      {isAsking && (
        <Dialog
          title={title}
          onClose={() => setAsking(false)}
          onSubmit={() => change.mutate()}
          actions={
            <>
              <Button onClick={() => setAsking(false)}>{t('cancel')}</Button>
              <Button
                type="submit"
                kind={isDangerous ? 'dangerous' : 'main'}
                isBusy={change.isPending}
              >
                {action}
              </Button>
            </>
          }
        >
          <div>{children}</div>
          {change.error && <ProblemNote error={change.error} />}
        </Dialog>
      )}
    </>
  );
}
