import Chip from '@mui/material/Chip'
import Stack from '@mui/material/Stack'
import { Ban, Download, KeyRound, LockOpen, MailPlus, MailX, ShieldQuestionMark } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import type { User } from '~/api/schema'
import { ResourceList } from '~/kit/records/resource-list'
import { columns } from '~/kit/table/columns'
import { useConfirm } from '~/kit/ui/confirm'
import { useErrorText } from '~/kit/ui/error-text'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import type { RowAction } from '~/kit/ui/row-menu'
import { notify } from '~/kit/ui/snackbar'
import { useAccess } from '~/session/access'
import { useMe } from '~/session/me'
import { users } from './api'
import { InviteButton } from './invite-button'
import { isPending, useMayInvite } from './may-invite'
import { user } from './resource'
import { UserStatusChip } from './status-chip'

const InviteDialog = lazyWithTexts(() => import('./invite-dialog'))

function Name({ user }: { user: User }) {
  const { t } = useTranslation('users')
  return (
    <>
      {user.name}
      {user.id === useMe().id && <Chip size="small" label={t('yourself')} sx={{ ml: 1 }} />}
    </>
  )
}

/** Roles of a user, and a note if the user has fewer permissions than these give. */
function Roles({ user }: { user: User }) {
  const { t } = useTranslation('users')
  return (
    <>
      {user.roles.map((role) => role.name).join(', ')}
      {user.narrowed && <Chip size="small" variant="outlined" label={t('narrowed')} sx={{ ml: 1 }} />}
    </>
  )
}

/** Status of the user, with the next step if the invitation is stuck. */
function State({ user }: { user: User }) {
  const { t } = useTranslation('users')
  return (
    <Stack direction="row" useFlexGap sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
      <UserStatusChip user={user} />
      <InviteButton user={user} label={t('actions.inviteNow')} />
    </Stack>
  )
}

const col = columns<User>('users')
const COLUMNS = [
  col.custom('name', (user) => <Name user={user} />),
  col.text('email'),
  col.tenant('tenant_id', (user) => user.tenant?.company, { card: false }),
  col.custom('role_ids', (user) => <Roles user={user} />, { sort: '' }),
  col.custom('status', (user) => <State user={user} />, { sort: '' }),
  col.instant('updated_at', { optional: true }),
]

export default function UserList() {
  const me = useMe()
  const [invitedUser, setInvitedUser] = useState<User | null>(null)
  const actions = useUserActions(setInvitedUser)
  return (
    <>
      <ResourceList
        resource={user}
        api={users}
        columns={COLUMNS}
        writable={(user) => user.writable}
        deletable={(user) => user.id !== me.id}
        rowActions={actions}
      />
      {invitedUser && (
        <Suspense fallback={null}>
          <InviteDialog user={invitedUser} onClose={() => setInvitedUser(null)} />
        </Suspense>
      )}
    </>
  )
}

/** Actions for a user besides editing and deleting. */
function useUserActions(invite: (user: User) => void): (user: User) => RowAction[] {
  const { t } = useTranslation('users')
  const may = useAccess('user')
  const mayInvite = useMayInvite()
  const me = useMe()
  const confirm = useConfirm()
  const navigate = useNavigate()
  const { search } = useLocation()
  const errorText = useErrorText()

  async function confirmAction(action: 'disable' | 'enable' | 'revoke' | 'reset', user: User, run: () => Promise<unknown>) {
    const params = { name: user.name, email: user.email }
    const done = await confirm({
      title: t(`${action}.title`, params),
      body: t(`${action}.body`, params),
      action: t(`${action}.action`),
      failed: t(`${action}.failed`, params),
      harmless: action === 'enable' || action === 'reset',
      run,
    })
    if (done) notify.success(t(`${action}.done`, params))
  }

  async function downloadData(user: User) {
    try {
      await users.data(user.id)
      notify.success(t('data.done', { name: user.name }))
    } catch (error) {
      notify.error(errorText(error))
    }
  }

  return (user) => {
    const isManageable = user.writable && user.id !== me.id
    const pending = isPending(user)
    const disabled = user.status === 'Disabled'
    return [
      {
        label: t('actions.rights'),
        icon: ShieldQuestionMark,
        onClick: () => void navigate({ pathname: `${user.id}/rights`, search }),
      },
      ...(mayInvite(user) ? [{ label: t('actions.invite'), icon: MailPlus, onClick: () => invite(user) }] : []),
      ...(isManageable && may.create && (user.status === 'InvitationQueued' || user.status === 'InvitationPending')
        ? [{ label: t('actions.revoke'), icon: MailX, onClick: () => void confirmAction('revoke', user, () => users.revoke(user.id)) }]
        : []),
      ...(isManageable && may.update && user.status === 'Verified'
        ? [{ label: t('actions.reset'), icon: KeyRound, onClick: () => void confirmAction('reset', user, () => users.sendReset(user.id)) }]
        : []),
      ...(isManageable && may.update && !pending
        ? [
            {
              label: t(disabled ? 'actions.enable' : 'actions.disable'),
              icon: disabled ? LockOpen : Ban,
              onClick: () => void confirmAction(disabled ? 'enable' : 'disable', user, () => users.disable(user.id, !disabled)),
            },
          ]
        : []),
      ...(user.writable && may.update ? [{ label: t('actions.data'), icon: Download, onClick: () => void downloadData(user) }] : []),
    ]
  }
}
