import Button from '@mui/material/Button'
import { BookOpenText, RefreshCw } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { IssuedToken, PersonalAccessToken } from '~/api/schema'
import { ResourceList } from '~/kit/records/resource-list'
import { columns } from '~/kit/table/columns'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { visuallyHidden } from '~/kit/ui/visually-hidden'
import { useAccess } from '~/session/access'
import { useCan } from '~/session/me'
import { ownTokens, tokens } from './api'
import { AbilityChips, LastUse, MaskedToken, TokenExpiry } from './chips'
import { IssuedContext } from './issued'
import { token } from './resource'

const IssuedDialog = lazyWithTexts(() => import('./issued-dialog'))
const RotateDialog = lazyWithTexts(() => import('./rotate-dialog'))

const col = columns<PersonalAccessToken>('tokens')
const COLUMNS = [
  col.text('name'),
  col.custom('user_id', (token) => token.user.name, { sort: '', card: false }),
  col.custom('abilities', (token) => <AbilityChips token={token} />, { sort: '' }),
  col.custom('token', (token) => <MaskedToken token={token} />, { sort: '', card: false }),
  col.custom('expires_at', (token) => <TokenExpiry token={token} />),
  col.custom('last_used_at', (token) => <LastUse token={token} />),
  col.instant('created_at', { optional: true }),
]
const OWN = COLUMNS.filter(({ id }) => id !== 'user_id')

export default function TokenList() {
  const { t } = useTranslation(['tokens', 'common'])
  const others = useCan('user.list', 'user.view', 'user.update')
  const may = useAccess('token')
  const [issuedToken, setIssuedToken] = useState<IssuedToken | null>(null)
  const [rotated, setRotated] = useState<PersonalAccessToken | null>(null)
  return (
    <IssuedContext value={setIssuedToken}>
      <ResourceList
        resource={token}
        api={others ? tokens : ownTokens}
        columns={others ? COLUMNS : OWN}
        rowName={({ name, replaced_at }) => (replaced_at === null ? name : t('replacedName', { name }))}
        writable={(token) => token.own}
        rowActions={(token) =>
          may.create && token.own && token.replaced_at === null
            ? [{ label: t('rotate.action'), icon: RefreshCw, onClick: () => setRotated(token) }]
            : []
        }
        removal={{
          allowed: (token) => token.revocable,
          action: t('revoke.action'),
          title: (name) => t('revoke.title', { name }),
          body: t('revoke.body'),
          done: (name) => t('revoke.done', { name }),
        }}
        actions={
          <Button href="/docs/" target="_blank" rel="noopener" variant="outlined" startIcon={<BookOpenText size={18} />}>
            {t('docs')}
            <span style={visuallyHidden}>{t('common:newTab')}</span>
          </Button>
        }
      />
      {rotated && (
        <Suspense fallback={null}>
          <RotateDialog
            token={rotated}
            onClose={() => setRotated(null)}
            onDone={(newToken) => {
              setRotated(null)
              setIssuedToken(newToken)
            }}
          />
        </Suspense>
      )}
      {issuedToken && (
        <Suspense fallback={null}>
          <IssuedDialog token={issuedToken} onClose={() => setIssuedToken(null)} />
        </Suspense>
      )}
    </IssuedContext>
  )
}
