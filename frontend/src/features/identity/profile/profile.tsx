import Box from '@mui/material/Box'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLeaveGuard } from '~/kit/form/use-leave-guard'
import LayoutOptions from '~/kit/shell/layout-options'
import { Card } from '~/kit/ui/card'
import { Page } from '~/kit/ui/page'
import { DataCard } from './data-card'
import { PasswordCard } from './password-card'
import { PersonCard } from './person-card'
import { SessionsCard } from './sessions-card'

/** Page for the user's own account. */
export default function Profile() {
  const { t } = useTranslation(['profile', 'layout'])
  const [person, setPerson] = useState(false)
  const [password, setPassword] = useState(false)
  useLeaveGuard(person || password)
  return (
    <Page title={t('title')} intro={t('intro')}>
      <Box
        sx={{
          display: 'grid',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' },
          gap: { xs: 2, md: 3 },
          alignItems: 'start',
          maxWidth: 1160,
        }}
      >
        <Column>
          <PersonCard onDirty={setPerson} />
          <PasswordCard onDirty={setPassword} />
          <DataCard />
        </Column>
        <Column>
          <SessionsCard />
          <Card title={t('layout:title')} intro={t('layout:intro')}>
            <LayoutOptions />
          </Card>
        </Column>
      </Box>
    </Page>
  )
}

const Column = ({ children }: { children: ReactNode }) => (
  <Box sx={{ display: 'grid', gap: { xs: 2, md: 3 }, gridTemplateColumns: 'minmax(0, 1fr)' }}>{children}</Box>
)
