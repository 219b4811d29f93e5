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
  areas,
  dependent,
  ENTRANCE,
  isOfArea,
  needed,
  type PermissionArea,
  permissionsForChoices,
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
  blocked?: (permission: Permission, held: boolean) => string | null
}

interface Choice {
  held: ReadonlySet<Permission>
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
  const held = new Set(field.value as Permission[])
  const choice: Choice = {
    held,
    readOnly: disabled,
    reason: (permission) => props.blocked?.(permission, held.has(permission)) ?? null,
    set(permissions, on) {
      const next = new Set(held)
      for (const permission of permissions.flatMap(on ? needed : dependent)) {
        if (props.blocked?.(permission, held.has(permission))) continue
        if (on) next.add(permission)
        else next.delete(permission)
      }
      if (on && permissions.some(isOfArea) && !props.blocked?.(ENTRANCE, held.has(ENTRANCE))) next.add(ENTRANCE)
      field.onChange([...next])
      field.onBlur()
    },
  }
  const words = fold(search)
  const found = areas.filter(({ area }) => fold(texts.area(area)).includes(words))
  const alone = singles.filter((permission) => fold(texts.full(permission)).includes(words))
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
          {t('count', { count: held.size, held: format.decimal(held.size) })}
        </Typography>
      </Stack>
      <MissingChoices choice={choice} />
      {alone.length > 0 && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, mb: 1 }}>
          {alone.map((permission) => (
            <Single key={permission} choice={choice} permission={permission} label={texts.full(permission)} />
          ))}
        </Box>
      )}
      {found.length === 0 && alone.length === 0 && (
        <Typography variant="body2" color="textSecondary" sx={{ py: 2 }}>
          {t('noMatch')}
        </Typography>
      )}
      {found.length > 0 && (phone ? <Cards choice={choice} found={found} /> : <Grid choice={choice} found={found} />)}
    </FormControl>
  )
}

/** Names missing permissions without which forms that the user may open cannot be filled in. */
function MissingChoices({ choice: { held, reason, readOnly, set } }: { choice: Choice }) {
  const { t } = useTranslation('permissions')
  const texts = usePermissionTexts()
  const format = useFormat()
  const lacking = [...held].flatMap((permission) => {
    const missing = permissionsForChoices(permission).filter((one) => !held.has(one))
    return missing.length > 0 ? [{ permission, missing }] : []
  })
  const entrance = !held.has(ENTRANCE) && [...held].some(isOfArea) ? [ENTRANCE] : []
  const missing = [...entrance, ...lacking.flatMap((one) => one.missing)]
  if (missing.length === 0) return null
  const addable = !readOnly && missing.some((permission) => reason(permission) === null)
  return (
    <Alert
      severity="warning"
      role="status"
      sx={{ mb: 1 }}
      action={
        addable && (
          <Button color="inherit" size="small" onClick={() => set(missing, true)}>
            {t('addChoices')}
          </Button>
        )
      }
    >
      {entrance.length > 0 && <div>{t('lacksEntrance', { entrance: texts.full(ENTRANCE) })}</div>}
      {lacking.map(({ permission, missing }) => (
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

function One({ choice, permission, label }: BoxProps & { permission: Permission }) {
  const reason = choice.reason(permission)
  return (
    <Checkbox
      size="small"
      checked={choice.held.has(permission)}
      disabled={choice.readOnly || reason !== null}
      onChange={(_, on) => choice.set([permission], on)}
      title={reason ?? undefined}
      slotProps={{ input: { 'aria-label': label } }}
      sx={{ p: 0.5 }}
    />
  )
}

function All({ choice, permissions, label }: BoxProps & { permissions: readonly Permission[] }) {
  const held = permissions.filter((permission) => choice.held.has(permission)).length
  const open = permissions.filter((permission) => choice.reason(permission) === null)
  return (
    <Checkbox
      size="small"
      checked={held > 0 && held === permissions.length}
      indeterminate={held > 0 && held < permissions.length}
      disabled={choice.readOnly || open.length === 0}
      onChange={() =>
        choice.set(
          permissions,
          open.some((permission) => !choice.held.has(permission)),
        )
      }
      slotProps={{ input: { 'aria-label': label } }}
      sx={{ p: 0.5 }}
    />
  )
}

function Single({ choice, permission, label }: BoxProps & { permission: Permission }) {
  const reason = choice.reason(permission)
  return (
    <FormControlLabel
      label={label}
      title={reason ?? undefined}
      disabled={choice.readOnly || reason !== null}
      control={
        <Checkbox size="small" checked={choice.held.has(permission)} onChange={(_, on) => choice.set([permission], on)} sx={{ py: 0.5 }} />
      }
      slotProps={{ typography: { variant: 'body2' } }}
    />
  )
}

interface AreasProps {
  choice: Choice
  found: readonly PermissionArea[]
}

const permissionsOf = ({ verbs }: PermissionArea) => VERBS.flatMap((verb) => verbs[verb] ?? [])

function Grid({ choice, found }: AreasProps) {
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
                  <All
                    choice={choice}
                    permissions={found.flatMap(({ verbs }) => verbs[verb] ?? [])}
                    label={t('allOf', { what: texts.verb(verb) })}
                  />
                </Box>
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {found.map((one) => (
            <TableRow key={one.area} hover>
              <TableCell component="th" scope="row">
                <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5 }}>
                  <All choice={choice} permissions={permissionsOf(one)} label={t('allOf', { what: texts.area(one.area) })} />
                  {texts.area(one.area)}
                </Box>
              </TableCell>
              {VERBS.map((verb) => {
                const permission = one.verbs[verb]
                return (
                  <TableCell key={verb} align="center">
                    {permission && <One choice={choice} permission={permission} label={texts.full(permission)} />}
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
function Cards({ choice, found }: AreasProps) {
  const { t } = useTranslation('permissions')
  const texts = usePermissionTexts()
  return (
    <Stack component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {found.map((one) => (
        <Box component="li" key={one.area} sx={{ py: 1, borderTop: 1, borderColor: 'divider' }}>
          <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5, fontWeight: 600, typography: 'body2' }}>
            <All choice={choice} permissions={permissionsOf(one)} label={t('allOf', { what: texts.area(one.area) })} />
            {texts.area(one.area)}
          </Box>
          <Box sx={{ display: 'flex', flexWrap: 'wrap', pl: 1 }}>
            {VERBS.map((verb) => {
              const permission = one.verbs[verb]
              return permission && <Single key={verb} choice={choice} permission={permission} label={texts.verb(verb)} />
            })}
          </Box>
        </Box>
      ))}
    </Stack>
  )
}
