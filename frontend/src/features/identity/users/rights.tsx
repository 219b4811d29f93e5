import Box from '@mui/material/Box'
import FormControlLabel from '@mui/material/FormControlLabel'
import OutlinedInput from '@mui/material/OutlinedInput'
import Stack from '@mui/material/Stack'
import Switch from '@mui/material/Switch'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableContainer from '@mui/material/TableContainer'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { ExplainedPermission } from '~/api/schema'
import { usePermissionTexts } from '~/features/shared/permissions/texts'
import { useFormat } from '~/i18n/use-format'
import { ClearButton } from '~/kit/form/clear-button'
import { FormSkeleton } from '~/kit/form/form-drawer'
import { ListFrame } from '~/kit/table/table-parts'
import { LoadFailed } from '~/kit/ui/load-failed'
import { Page } from '~/kit/ui/page'
import { visuallyHidden } from '~/kit/ui/visually-hidden'
import { fold } from '~/lib/fold'
import { users } from './api'

/** Styles of a column that phones hide; they show the reason below the permission. */
const WIDE = { display: { xs: 'none', sm: 'table-cell' } }

/** Page that says for every permission if the user has it, and why. */
export default function EffectiveRights() {
  const { t } = useTranslation('users')
  const texts = usePermissionTexts()
  const id = Number(useParams().id)
  const user = useQuery(users.one(id))
  const rights = useQuery(users.rights(id))
  const [search, setSearch] = useState('')
  const [heldOnly, setHeldOnly] = useState(false)
  const foldedSearch = fold(search)
  const visibleRights = (rights.data?.data ?? []).filter(
    ({ name, held }) => (held || !heldOnly) && (fold(texts.full(name)).includes(foldedSearch) || name.includes(foldedSearch)),
  )
  const error = user.error ?? rights.error
  return (
    <Page title={t('rights.title', { name: user.data?.name ?? '' })}>
      <ListFrame>
        {error ? (
          <LoadFailed error={error} retry={() => void Promise.all([user.refetch(), rights.refetch()])} />
        ) : !rights.data ? (
          <Box sx={{ p: 2 }}>
            <FormSkeleton />
          </Box>
        ) : (
          <>
            <Stack direction="row" sx={{ p: 1.5, gap: 2, flexWrap: 'wrap', alignItems: 'center', borderBottom: 1, borderColor: 'divider' }}>
              <OutlinedInput
                size="small"
                type="search"
                value={search}
                placeholder={t('rights.search')}
                onChange={(event) => setSearch(event.target.value)}
                endAdornment={<ClearButton text={search} onClear={() => setSearch('')} />}
                inputProps={{ 'aria-label': t('rights.search') }}
                sx={{ flex: '1 1 14rem', maxWidth: 360 }}
              />
              <FormControlLabel
                label={t('rights.heldOnly')}
                control={<Switch checked={heldOnly} onChange={(_, on) => setHeldOnly(on)} />}
              />
              <Typography variant="body2" color="textSecondary" role="status">
                {t('rights.count', { count: visibleRights.filter(({ held }) => held).length })}
              </Typography>
            </Stack>
            <TableContainer>
              <Table size="small">
                <caption style={visuallyHidden}>{t('rights.title', { name: user.data?.name ?? '' })}</caption>
                <TableHead>
                  <TableRow>
                    <TableCell>{t('rights.permission')}</TableCell>
                    <TableCell sx={{ width: 90 }}>{t('rights.held')}</TableCell>
                    <TableCell sx={WIDE}>{t('rights.why')}</TableCell>
                  </TableRow>
                </TableHead>
                <TableBody>
                  {visibleRights.map((right) => (
                    <TableRow key={right.name}>
                      <TableCell component="th" scope="row">
                        {texts.full(right.name)}
                        <Typography component="div" variant="caption" color="textSecondary" sx={{ fontFamily: 'ui-monospace, monospace' }}>
                          {right.name}
                        </Typography>
                        <Typography component="div" variant="body2" color="textSecondary" sx={{ display: { sm: 'none' } }}>
                          <PermissionReason permission={right} />
                        </Typography>
                      </TableCell>
                      <TableCell>
                        <GrantMark isGranted={right.held} />
                      </TableCell>
                      <TableCell sx={{ ...WIDE, color: 'text.secondary', overflowWrap: 'anywhere' }}>
                        <PermissionReason permission={right} />
                      </TableCell>
                    </TableRow>
                  ))}
                </TableBody>
              </Table>
            </TableContainer>
          </>
        )}
      </ListFrame>
    </Page>
  )
}

function GrantMark({ isGranted }: { isGranted: boolean }) {
  const { t } = useTranslation()
  const Icon = isGranted ? Check : X
  return (
    <Box
      component="span"
      sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.5, color: isGranted ? 'success.main' : 'text.secondary' }}
    >
      <Icon size={16} aria-hidden />
      {t(isGranted ? 'states.yes' : 'states.no')}
    </Box>
  )
}

/** Reason why the user has a permission or lacks it. */
function PermissionReason({ permission: { roles, chosen, ceiling } }: { permission: ExplainedPermission }) {
  const { t } = useTranslation('users')
  const format = useFormat()
  if (roles.length === 0) return t('rights.noRole')
  const names = { count: roles.length, roles: format.list(roles.map((role) => role.name)) }
  const obstacles = [...(chosen === false ? [t('rights.narrowed')] : []), ...(ceiling === false ? [t('rights.ceiling')] : [])]
  return [t('rights.byRoles', names), ...obstacles].join(' ')
}
