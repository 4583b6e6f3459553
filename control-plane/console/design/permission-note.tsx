import { useDesignTexts } from './design-texts.ts';

/** Why there is no button here: the role of the reader lacks the permission. */
export function PermissionNote({ permission }: { permission: string }) {
  const t = useDesignTexts();
  return <p>{t('notPermitted', { permission })}</p>;
}
