import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogContentText from '@mui/material/DialogContentText'
import FormControl from '@mui/material/FormControl'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormLabel from '@mui/material/FormLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import Stack from '@mui/material/Stack'
import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useLabels } from '~/i18n/labels'
import type { Namespace } from '~/i18n/namespaces'
import { type AnyListEntryOptions, useFormScope } from '~/kit/form/form-context'
import { FormSkeleton } from '~/kit/form/form-drawer'
import { type FieldConflict, type Groups, merge } from '~/kit/form/merge'
import { DialogFrame } from '~/kit/ui/dialog-frame'
import { FormErrors } from '~/kit/ui/form-errors'

interface Props {
  ns: Namespace
  // biome-ignore lint/suspicious/noExplicitAny: query options carry the key's own type
  load: UseQueryOptions<any, any, any, any>
  /** Record from which editing started. */
  row: unknown
  mine: FieldValues
  base: FieldValues
  toForm: (row: unknown) => FieldValues
  /** Keys and texts of the entries of list fields. */
  entries: Readonly<Record<string, AnyListEntryOptions>>
  groups?: Groups | undefined
  onCancel: () => void
  /** Called with the merged values and the current record. */
  onResolve: (values: FieldValues, now: unknown) => void
}

/**
 * Dialog for a conflict with another person who has saved first: asks about fields that both changed, lists
 * what is taken over, and saves.
 */
export default function ConflictDialog({ ns, load, row, mine, base, toForm, entries, groups, onCancel, onResolve }: Props) {
  const { t } = useTranslation('conflict')
  const id = useId()
  const [choices, setChoices] = useState<Record<string, 'mine' | 'theirs'>>({})
  const query = useQuery({ ...load, staleTime: 0, refetchOnMount: 'always', refetchOnWindowFocus: false })
  const latestRow: unknown = query.isFetchedAfterMount ? query.data : undefined
  const theirs = latestRow ? toForm(latestRow) : null
  const keys = Object.fromEntries(Object.entries(entries).flatMap(([field, { key }]) => (key ? [[field, key]] : [])))
  const merged = theirs && merge(mine, base, theirs, keys, groups)
  const show = useDisplayEntry(entries, { mine: row, theirs: latestRow })
  const label = useConflictLabel(ns, entries)
  return (
    <DialogFrame
      title={t('title')}
      onClose={onCancel}
      stacksActions
      actions={
        <>
          <Button color="inherit" onClick={onCancel}>
            {t('back')}
          </Button>
          <Button variant="contained" disabled={!merged} onClick={() => merged && onResolve(merged.resolve(choices), latestRow)}>
            {t(merged && merged.conflicts.length === 0 ? 'saveAll' : 'save')}
          </Button>
        </>
      }
    >
      <DialogContentText sx={{ mb: 2 }}>{t(merged && merged.conflicts.length === 0 ? 'bodyNone' : 'body')}</DialogContentText>
      {query.error ? <FormErrors error={query.error} /> : !merged ? <FormSkeleton /> : null}
      <Stack spacing={2}>
        {merged?.conflicts.map((conflict) => (
          <FormControl key={conflict.id}>
            <FormLabel id={`${id}-${conflict.id}`}>{label(conflict)}</FormLabel>
            <RadioGroup
              aria-labelledby={`${id}-${conflict.id}`}
              value={choices[conflict.id] ?? 'mine'}
              onChange={(_, value) => setChoices({ ...choices, [conflict.id]: value as 'mine' | 'theirs' })}
            >
              {(['mine', 'theirs'] as const).map((side) => (
                <FormControlLabel
                  key={side}
                  value={side}
                  control={<Radio size="small" />}
                  sx={{ overflowWrap: 'anywhere' }}
                  label={
                    <>
                      {t(side)}: {show(conflict.field, conflict[side], side)}
                    </>
                  }
                />
              ))}
            </RadioGroup>
          </FormControl>
        ))}
      </Stack>
      {merged && merged.theirChanges.length > 0 && (
        <Box sx={{ mt: 2.5, typography: 'body2', color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {t('taken')}
          <Box component="ul" sx={{ m: 0, mt: 0.5, pl: 2.5 }}>
            {merged.theirChanges.map((change) => (
              <li key={change.id}>
                {label(change)}:{' '}
                {change.theirs === undefined && !entries[change.field]?.title && <>{show(change.field, change.mine, 'mine')} </>}
                {show(change.field, change.theirs, 'theirs')}
              </li>
            ))}
          </Box>
        </Box>
      )}
    </DialogFrame>
  )
}

/** Returns a function that displays a value. */
function useDisplayEntry(entries: Props['entries'], rows: Readonly<Record<'mine' | 'theirs', unknown>>) {
  const { t } = useTranslation(['conflict', 'common'])
  const { displays } = useFormScope()
  return function show(field: string, value: unknown, side: 'mine' | 'theirs'): ReactNode {
    const entry = entries[field]?.text
    const display = displays?.get(field)
    if (value === undefined) return t('gone')
    if (Array.isArray(value) && value.length === 0) return t('empty')
    if (Array.isArray(value) && (entry || !display)) {
      return (
        <Box component="span" sx={{ display: 'block' }}>
          {value.map((element, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
            <Box key={at} component="span" sx={{ display: 'block' }}>
              {entry?.(element as never, rows[side] as never) ?? String(element)}
            </Box>
          ))}
        </Box>
      )
    }
    if (entry) return entry(value as never, rows[side] as never)
    if (display) return display(value as never) || t('empty')
    if (typeof value === 'boolean') return t(value ? 'common:states.yes' : 'common:states.no')
    return value === null || value === '' ? t('empty') : String(value)
  }
}

/** Label of a conflict: the field, and the entry within it. */
function useConflictLabel(ns: Namespace, entries: Props['entries']) {
  const labels = useLabels(ns)
  return ({ id, field, mine, theirs }: FieldConflict): ReactNode => {
    const name = labels.field(field)
    const title = id === field ? undefined : entries[field]?.title
    return title ? (
      <>
        {name}: {title((mine ?? theirs) as never)}
      </>
    ) : (
      name
    )
  }
}
