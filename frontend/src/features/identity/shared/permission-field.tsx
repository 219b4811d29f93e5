import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import FormControl from '@mui/material/FormControl'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormHelperText from '@mui/material/FormHelperText'
import FormLabel from '@mui/material/FormLabel'
import InputAdornment from '@mui/material/InputAdornment'
import OutlinedInput from '@mui/material/OutlinedInput'
import Stack from '@mui/material/Stack'
import { useTheme } from '@mui/material/styles'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableContainer from '@mui/material/TableContainer'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import useMediaQuery from '@mui/material/useMediaQuery'
import { Search } from 'lucide-react'
import { useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { Permission } from '~/api/schema'
import {
  ADMIN_ACCESS,
  areas,
  dependentPermissions,
  isOfArea,
  type PermissionArea,
  permissionsForChoices,
  requiredPermissions,
  singles,
  VERBS,
} from '~/features/shared/permissions/areas'
import { usePermissionTexts } from '~/features/shared/permissions/texts'
import { useFormat } from '~/i18n/use-format'
import { ClearButton } from '~/kit/form/clear-button'
import { type FieldProps, useField } from '~/kit/form/field-shell'
import { visuallyHidden } from '~/kit/ui/visually-hidden'
import { fold } from '~/lib/fold'

interface Props<T extends FieldValues, C> extends FieldProps<T, C> {
  /** Returns the reason why a permission cannot be granted or removed here, or null. */
  blocked?: (permission: Permission, isGranted: boolean) => string | null
}

interface Choice {
  grants: ReadonlySet<Permission>
  reason: (permission: Permission) => string | null
  /** Grants or removes permissions and those that belong to them, except where that is blocked. */
  set: (permissions: readonly Permission[], on: boolean) => void
  readOnly: boolean
}

/**
 * Field for permissions: a table of areas and verbs with a search; whole rows and columns can be toggled.
 */
export function PermissionField<T extends FieldValues, C>(props: Props<T, C>) {
  const { t } = useTranslation('permissions')
  const texts = usePermissionTexts()
  const format = useFormat()
  const { field, id, label, help, error, describedBy, disabled } = useField(props, (value: Permission[]) =>
    format.list(value.map(texts.full)),
  )
  const [search, setSearch] = useState('')
  const phone = useMediaQuery(useTheme().breakpoints.down('sm'), { noSsr: true })
  const grants = new Set(field.value as Permission[])
  const choice: Choice = {
    grants,
    readOnly: disabled,
    reason: (permission) => props.blocked?.(permission, grants.has(permission)) ?? null,
    set(permissions, on) {
      const next = new Set(grants)
      for (const permission of permissions.flatMap(on ? requiredPermissions : dependentPermissions)) {
        if (props.blocked?.(permission, grants.has(permission))) continue
        if (on) next.add(permission)
        else next.delete(permission)
      }
      if (on && permissions.some(isOfArea) && !props.blocked?.(ADMIN_ACCESS, grants.has(ADMIN_ACCESS))) next.add(ADMIN_ACCESS)
      field.onChange([...next])
      field.onBlur()
    },
  }
  const foldedSearch = fold(search)
  const matchingAreas = areas.filter(({ area }) => fold(texts.area(area)).includes(foldedSearch))
  const matchingSingles = singles.filter((permission) => fold(texts.full(permission)).includes(foldedSearch))
  return (
    <FormControl component="fieldset" error={error !== null} fullWidth aria-describedby={describedBy}>
      <FormLabel component="legend" id={id} sx={{ mb: 1 }}>
        {label}
      </FormLabel>
      {(error || help) && (
        <FormHelperText id={`${id}-help`} sx={{ mx: 0, mb: 1 }}>
          {error ?? help}
        </FormHelperText>
      )}
      <Stack direction="row" sx={{ gap: 2, alignItems: 'center', flexWrap: 'wrap', mb: 1 }}>
        <OutlinedInput
          size="small"
          type="search"
          value={search}
          // the ref is on the first input, so that an error of the field moves the focus here
          inputRef={field.ref}
          placeholder={t('search')}
          onChange={(event) => setSearch(event.target.value)}
          onKeyDown={(event) => {
            // Enter in the search must not submit the form
            if (event.key === 'Enter') event.preventDefault()
          }}
          startAdornment={
            <InputAdornment position="start">
              <Search size={16} />
            </InputAdornment>
          }
          endAdornment={<ClearButton text={search} onClear={() => setSearch('')} />}
          inputProps={{ 'aria-label': t('search') }}
          sx={{ flex: '1 1 12rem', maxWidth: 320 }}
        />
        <Typography variant="body2" color="textSecondary" role="status">
          {t('count', { count: grants.size, held: format.decimal(grants.size) })}
        </Typography>
      </Stack>
      <MissingChoices choice={choice} />
      {matchingSingles.length > 0 && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, mb: 1 }}>
          {matchingSingles.map((permission) => (
            <SinglePermission key={permission} choice={choice} permission={permission} label={texts.full(permission)} />
          ))}
        </Box>
      )}
      {matchingAreas.length === 0 && matchingSingles.length === 0 && (
        <Typography variant="body2" color="textSecondary" sx={{ py: 2 }}>
          {t('noMatch')}
        </Typography>
      )}
      {matchingAreas.length > 0 &&
        (phone ? <Cards choice={choice} matchingAreas={matchingAreas} /> : <Grid choice={choice} matchingAreas={matchingAreas} />)}
    </FormControl>
  )
}

/** Names missing permissions without which forms that the user may open cannot be filled in. */
function MissingChoices({ choice: { grants, reason, readOnly, set } }: { choice: Choice }) {
  const { t } = useTranslation('permissions')
  const texts = usePermissionTexts()
  const format = useFormat()
  const missingPermissions = [...grants].flatMap((permission) => {
    const missing = permissionsForChoices(permission).filter((other) => !grants.has(other))
    return missing.length > 0 ? [{ permission, missing }] : []
  })
  const missingAccess = !grants.has(ADMIN_ACCESS) && [...grants].some(isOfArea) ? [ADMIN_ACCESS] : []
  const missing = [...missingAccess, ...missingPermissions.flatMap((entry) => entry.missing)]
  if (missing.length === 0) return null
  const canAdd = !readOnly && missing.some((permission) => reason(permission) === null)
  return (
    <Alert
      severity="warning"
      role="status"
      sx={{ mb: 1 }}
      action={
        canAdd && (
          <Button color="inherit" size="small" onClick={() => set(missing, true)}>
            {t('addChoices')}
          </Button>
        )
      }
    >
      {missingAccess.length > 0 && <div>{t('lacksEntrance', { entrance: texts.full(ADMIN_ACCESS) })}</div>}
      {missingPermissions.map(({ permission, missing }) => (
        <div key={permission}>
          {t('lacksChoices', { permission: texts.full(permission), missing: format.list(missing.map(texts.full)) })}
        </div>
      ))}
    </Alert>
  )
}

interface BoxProps {
  choice: Choice
  label: string
}

function PermissionBox({ choice, permission, label }: BoxProps & { permission: Permission }) {
  const reason = choice.reason(permission)
  return (
    <Checkbox
      size="small"
      checked={choice.grants.has(permission)}
      disabled={choice.readOnly || reason !== null}
      onChange={(_, on) => choice.set([permission], on)}
      title={reason ?? undefined}
      slotProps={{ input: { 'aria-label': label } }}
      sx={{ p: 0.5 }}
    />
  )
}

function SelectAllBox({ choice, permissions, label }: BoxProps & { permissions: readonly Permission[] }) {
  const grantedCount = permissions.filter((permission) => choice.grants.has(permission)).length
  const open = permissions.filter((permission) => choice.reason(permission) === null)
  return (
    <Checkbox
      size="small"
      checked={grantedCount > 0 && grantedCount === permissions.length}
      indeterminate={grantedCount > 0 && grantedCount < permissions.length}
      disabled={choice.readOnly || open.length === 0}
      onChange={() =>
        choice.set(
          permissions,
          open.some((permission) => !choice.grants.has(permission)),
        )
      }
      slotProps={{ input: { 'aria-label': label } }}
      sx={{ p: 0.5 }}
    />
  )
}

function SinglePermission({ choice, permission, label }: BoxProps & { permission: Permission }) {
  const reason = choice.reason(permission)
  return (
    <FormControlLabel
      label={label}
      title={reason ?? undefined}
      disabled={choice.readOnly || reason !== null}
      control={
        <Checkbox
          size="small"
          checked={choice.grants.has(permission)}
          onChange={(_, on) => choice.set([permission], on)}
          sx={{ py: 0.5 }}
        />
      }
      slotProps={{ typography: { variant: 'body2' } }}
    />
  )
}

interface AreasProps {
  choice: Choice
  matchingAreas: readonly PermissionArea[]
}

const permissionsOf = ({ verbs }: PermissionArea) => VERBS.flatMap((verb) => verbs[verb] ?? [])

function Grid({ choice, matchingAreas }: AreasProps) {
  const { t } = useTranslation('permissions')
  const texts = usePermissionTexts()
  return (
    <TableContainer sx={{ border: 1, borderColor: 'divider', borderRadius: 1 }}>
      <Table size="small" sx={{ '& td, & th': { px: 1, py: 0.25 }, '& tbody tr:last-of-type > *': { borderBottom: 0 } }}>
        <caption style={visuallyHidden}>{t('table')}</caption>
        <TableHead>
          <TableRow>
            <TableCell>{t('area')}</TableCell>
            {VERBS.map((verb) => (
              <TableCell key={verb} align="center" sx={{ width: 84 }}>
                <Box sx={{ display: 'flex', flexDirection: 'column', alignItems: 'center' }}>
                  {texts.verb(verb)}
                  <SelectAllBox
                    choice={choice}
                    permissions={matchingAreas.flatMap(({ verbs }) => verbs[verb] ?? [])}
                    label={t('allOf', { what: texts.verb(verb) })}
                  />
                </Box>
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {matchingAreas.map((match) => (
            <TableRow key={match.area} hover>
              <TableCell component="th" scope="row">
                <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5 }}>
                  <SelectAllBox choice={choice} permissions={permissionsOf(match)} label={t('allOf', { what: texts.area(match.area) })} />
                  {texts.area(match.area)}
                </Box>
              </TableCell>
              {VERBS.map((verb) => {
                const permission = match.verbs[verb]
                return (
                  <TableCell key={verb} align="center">
                    {permission && <PermissionBox choice={choice} permission={permission} label={texts.full(permission)} />}
                  </TableCell>
                )
              })}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  )
}

/** Layout for phones, with each area above its verbs. */
function Cards({ choice, matchingAreas }: AreasProps) {
  const { t } = useTranslation('permissions')
  const texts = usePermissionTexts()
  return (
    <Stack component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {matchingAreas.map((match) => (
        <Box component="li" key={match.area} sx={{ py: 1, borderTop: 1, borderColor: 'divider' }}>
          <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5, fontWeight: 600, typography: 'body2' }}>
            <SelectAllBox choice={choice} permissions={permissionsOf(match)} label={t('allOf', { what: texts.area(match.area) })} />
            {texts.area(match.area)}
          </Box>
          <Box sx={{ display: 'flex', flexWrap: 'wrap', pl: 1 }}>
            {VERBS.map((verb) => {
              const permission = match.verbs[verb]
              return permission && <SinglePermission key={verb} choice={choice} permission={permission} label={texts.verb(verb)} />
            })}
          </Box>
        </Box>
      ))}
    </Stack>
  )
}
