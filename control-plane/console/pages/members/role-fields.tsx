import { SelectField } from '../../design/field.tsx';
import { einvoicingRoles, messagingRoles, type Roles } from './queries.ts';
import { useMembersTexts } from './texts.ts';

interface RoleFieldsProps {
  readonly roles: Roles;
  readonly isDisabled?: boolean;
  onChange(roles: Roles): void;
}

/** What somebody may do, in each of the two services. */
export function RoleFields({ roles, isDisabled, onChange }: RoleFieldsProps) {
  const t = useMembersTexts();
  return (
    <>
      <SelectField
        label={t('inInvoicing')}
        value={roles.einvoicing_role ?? ''}
        disabled={isDisabled}
        onChange={({ target }) =>
          onChange({
            ...roles,
            einvoicing_role: einvoicingRoles.find((each) => each === target.value) ?? null,
          })
        }
      >
        <option value="">{t('noRole')}</option>
        {einvoicingRoles.map((each) => (
          <option key={each} value={each}>
            {t(each)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t('inMessaging')}
        value={roles.role ?? ''}
        disabled={isDisabled}
        onChange={({ target }) =>
          onChange({
            ...roles,
            role: messagingRoles.find((each) => each === target.value) ?? null,
          })
        }
      >
        <option value="">{t('noRole')}</option>
        {messagingRoles.map((each) => (
          <option key={each} value={each}>
            {t(each)}
          </option>
        ))}
      </SelectField>
    </>
  );
}
