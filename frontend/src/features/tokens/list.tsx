import Button from '@mui/material/Button'
import { BookOpenText, KeyRound } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { IssuedToken, PersonalAccessToken } from '~/api/schema'
import { columns } from '~/kit/list/columns'
import { ResourceList } from '~/kit/list/resource-list'
import { useCan } from '~/session/me'
import { ownTokenList, tokenList, tokens } from './api'
import { AbilityChips, Expiry, Fingerprint, LastUse } from './chips'
import { IssuedContext } from './issued'

const IssuedDialog = lazy(() => import('./issued-dialog'))

const col = columns<PersonalAccessToken>('tokens')
const COLUMNS = [
  col.text('name'),
  col.custom('user_id', (token) => token.user.name, { sort: '', card: false }),
  col.custom('abilities', (token) => <AbilityChips token={token} />, { sort: '' }),
  col.custom('token', (token) => <Fingerprint token={token} />, { sort: '', card: false }),
  col.custom('expires_at', (token) => <Expiry token={token} />),
  col.custom('last_used_at', (token) => <LastUse token={token} />),
  col.instant('created_at', { card: false }),
]
const OWN = COLUMNS.filter(({ id }) => id !== 'user_id')

export default function TokenList() {
  const { t } = useTranslation('tokens')
  const others = useCan('user.list', 'user.view', 'user.update')
  const [issued, show] = useState<IssuedToken | null>(null)
  return (
    <IssuedContext value={show}>
      <ResourceList
        ns="tokens"
        area="token"
        record="personal_access_token"
        api={tokens}
        spec={others ? tokenList : ownTokenList}
        columns={others ? COLUMNS : OWN}
        icon={KeyRound}
        rowName={(token) => token.name}
        writable={(token) => token.own}
        removal={{
          allowed: (token) => token.revocable,
          action: t('revoke.action'),
          title: (name) => t('revoke.title', { name }),
          body: t('revoke.body'),
          done: (name) => t('revoke.done', { name }),
        }}
        actions={
          <Button href="/docs/" target="_blank" rel="noopener" color="inherit" startIcon={<BookOpenText size={18} />}>
            {t('docs')}
          </Button>
        }
      />
      {issued && (
        <Suspense fallback={null}>
          <IssuedDialog issued={issued} onClose={() => show(null)} />
        </Suspense>
      )}
    </IssuedContext>
  )
}
