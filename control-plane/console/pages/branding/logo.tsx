import type { ChangeEvent } from 'react';
import { Confirm } from '../../design/confirm.tsx';
import { TextField } from '../../design/field.tsx';
import styles from './logo.module.css';
import type { Branding, BrandingPatch } from './queries.ts';
import { useBrandingTexts } from './texts.ts';

interface LogoProps {
  readonly branding: Branding;
  readonly mayWrite: boolean;
  onChange(patch: BrandingPatch): void;
}

export function Logo({ branding: { logo, updated_at }, mayWrite, onChange }: LogoProps) {
  const t = useBrandingTexts();
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    if (file !== undefined) onChange({ logo: await base64Of(file) });
  };
  // The address changes with the logo, so that an earlier one is not shown.
  const address = logo && `${logo.url}?${new URLSearchParams({ of: updated_at ?? '' })}`;
  return (
    <>
      {address ? (
        <div className={styles.logos}>
          <img className={`${styles.logo} ${styles.onLight}`} src={address} alt={t('logo')} />
          <img className={`${styles.logo} ${styles.onDark}`} src={address} alt="" />
        </div>
      ) : (
        <p>{t('noLogo')}</p>
      )}
      {mayWrite && (
        <TextField
          label={t('chooseLogo')}
          hint={t('logoHint')}
          type="file"
          accept="image/png,image/jpeg"
          onChange={(event) => void choose(event)}
        />
      )}
      {mayWrite && logo && (
        <Confirm
          action={t('removeLogo')}
          title={t('removeLogo')}
          isDangerous
          onConfirm={async () => onChange({ logo: null })}
        >
          {t('removeLogoText')}
        </Confirm>
      )}
    </>
  );
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (each) => String.fromCharCode(each)).join(''));
}
