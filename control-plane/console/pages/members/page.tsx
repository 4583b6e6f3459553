import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { mayDo, useSession } from '../../api/session.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Confirm } from '../../design/confirm.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { Card, EmptyState, Page, ProblemNote } from '../../design/page.tsx';
import { PagedList } from '../../design/paged-list.tsx';
import type { Column } from '../../design/table.tsx';
import { useFormats } from '../../texts/formats.ts';
import { InviteDialog } from './invite-dialog.tsx';
import {
  changeRoles,
  type Invitation,
  invitationsQuery,
  type Member,
  membersQuery,
  type Roles,
  removeMember,
  withdraw,
} from './queries.ts';
import { RoleFields } from './role-fields.tsx';
import { useMembersTexts } from './texts.ts';

export function MembersPage() {
  const t = useMembersTexts();
  const mayWrite = mayDo(useSession(), 'einvoicing', 'members:write');
  const [isInviting, setInviting] = useState(false);
  const members = useMemberColumns(mayWrite);
  const invitations = useInvitationColumns(mayWrite);
  const invite = mayWrite && (
    <Button kind="main" onClick={() => setInviting(true)}>
      {t('invite')}
    </Button>
  );
  return (
    <Page title={t('title')} lead={t('lead')} actions={invite}>
      <PagedList
        query={membersQuery}
        label={t('title')}
        columns={members}
        keyOf={({ id }) => id}
        empty={null}
      />
      <Card title={t('invitations')}>
        <PagedList
          query={invitationsQuery}
          label={t('invitations')}
          columns={invitations}
          keyOf={({ id }) => id}
          empty={<EmptyState title={t('noInvitations')}>{t('noInvitationsText')}</EmptyState>}
        />
      </Card>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </Page>
  );
}

function useMemberColumns(mayWrite: boolean): readonly Column<Member>[] {
  const t = useMembersTexts();
  const formats = useFormats();
  const shared = useDesignTexts();
  const queryClient = useQueryClient();
  const again = () => queryClient.invalidateQueries({ queryKey: membersQuery.queryKey });
  return [
    {
      name: 'name',
      title: t('person'),
      cell: ({ name, email }) => (
        <>
          <bdi>{name}</bdi>
          <br />
          <bdi>{email}</bdi>
        </>
      ),
    },
    {
      name: 'roles',
      title: t('roles'),
      cell: (member) => <MemberRoles member={member} mayWrite={mayWrite} onChanged={again} />,
    },
    {
      name: 'signsIn',
      title: t('signsIn'),
      cell: ({ signs_in_by, has_second_factor }) => {
        if (signs_in_by === 'provider') return t('byProvider');
        if (has_second_factor) return t('byTwo');
        return (
          <>
            {t('byPassword')} <Badge tone="warning">{t('noSecondFactor')}</Badge>
          </>
        );
      },
    },
    { name: 'since', title: t('since'), cell: ({ joined_at }) => formats.instant(joined_at) },
    {
      name: 'actions',
      title: shared('actions'),
      cell: ({ id, name }) =>
        mayWrite && (
          <Confirm
            action={t('remove')}
            title={t('removeTitle', { name })}
            isDangerous
            onConfirm={async () => {
              await removeMember(id);
              await again();
            }}
          >
            {t('removeText')}
          </Confirm>
        ),
    },
  ];
}

interface MemberRolesProps {
  readonly member: Member;
  readonly mayWrite: boolean;
  onChanged(): Promise<void>;
}

/** Roles count once they are saved: arrow keys choose those on the way, too. */
function MemberRoles({ member, mayWrite, onChanged }: MemberRolesProps) {
  const t = useMembersTexts();
  const [chosen, choose] = useState<Roles>();
  const roles = chosen ?? member;
  const change = changeOf(member, roles);
  const save = useMutation({
    mutationFn: () => changeRoles(member.id, change),
    onSuccess: async () => {
      await onChanged();
      choose(undefined);
    },
    onError: onChanged,
  });
  return (
    <>
      <RoleFields roles={roles} isDisabled={!mayWrite} onChange={choose} />
      {Object.keys(change).length > 0 && (
        <Button
          aria-label={`${t('save')}: ${member.name}`}
          isBusy={save.isPending}
          onClick={() => save.mutate()}
        >
          {t('save')}
        </Button>
      )}
      {save.error && <ProblemNote error={save.error} />}
    </>
  );
}

/** The roles that differ: the other one may have been changed since the list was read. */
function changeOf(before: Roles, { role, einvoicing_role }: Roles): Partial<Roles> {
  return {
    ...(role !== before.role && { role }),
    ...(einvoicing_role !== before.einvoicing_role && { einvoicing_role }),
  };
}

function useInvitationColumns(mayWrite: boolean): readonly Column<Invitation>[] {
  const t = useMembersTexts();
  const formats = useFormats();
  const shared = useDesignTexts();
  const queryClient = useQueryClient();
  return [
    { name: 'email', title: t('email'), cell: ({ email }) => <bdi>{email}</bdi> },
    {
      name: 'roles',
      title: t('roles'),
      cell: ({ role, einvoicing_role }) =>
        [einvoicing_role, role].flatMap((each) => (each === null ? [] : [t(each)])).join(', '),
    },
    { name: 'until', title: t('until'), cell: ({ expires_at }) => formats.instant(expires_at) },
    {
      name: 'actions',
      title: shared('actions'),
      cell: ({ id, email }) =>
        mayWrite && (
          <Confirm
            action={t('withdraw')}
            title={t('withdrawTitle', { email })}
            isDangerous
            onConfirm={async () => {
              await withdraw(id);
              await queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey });
            }}
          >
            {t('withdrawText')}
          </Confirm>
        ),
    },
  ];
}
