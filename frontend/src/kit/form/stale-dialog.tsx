import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
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
import { FormErrors } from '../feedback/form-errors'
import { useFormScope } from './form-context'
import { FormSkeleton } from './form-drawer'

interface Props {
  ns: Namespace
  // biome-ignore lint/suspicious/noExplicitAny: query options carry the key's own type
  load: UseQueryOptions<any, any, any, any>
  mine: FieldValues
  base: FieldValues
  toForm: (row: unknown) => FieldValues
  onCancel: () => void
  onResolve: (values: FieldValues, theirs: FieldValues, version: number) => void
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Somebody else saved first: shows both values of each field that differs and saves what is picked. */
export default function StaleDialog({ ns, load, mine, base, toForm, onCancel, onResolve }: Props) {
  const { t } = useTranslation()
  const labels = useLabels(ns)
  const { readings } = useFormScope()
  const id = useId()
  const [picked, setPicked] = useState<Record<string, 'mine' | 'theirs'>>({})
  const query = useQuery({ ...load, staleTime: 0, refetchOnMount: 'always', refetchOnWindowFocus: false })
  const fresh = query.isFetchedAfterMount ? (query.data as { version: number } | undefined) : undefined
  const theirs = fresh ? toForm(fresh) : null
  const differing = theirs ? Object.keys(mine).filter((name) => !same(mine[name], theirs[name])) : []
  // what I did not touch takes the other's value without a question
  const asked = differing.filter((name) => !same(mine[name], base[name]))
  const silent = differing.filter((name) => same(mine[name], base[name]))

  function show(name: string, value: unknown): ReactNode {
    const read = readings?.get(name)
    if (read) return read(value as never) || t('conflict.empty')
    if (Array.isArray(value)) return t('conflict.entries', { count: value.length })
    if (typeof value === 'boolean') return t(value ? 'states.yes' : 'states.no')
    return value === null || value === '' ? t('conflict.empty') : String(value)
  }

  function resolve() {
    if (!theirs || !fresh) return
    const take = [...silent, ...asked.filter((name) => picked[name] === 'theirs')]
    onResolve(Object.fromEntries(take.map((name) => [name, theirs[name]])), theirs, fresh.version)
  }

  return (
    <Dialog open onClose={onCancel} fullWidth maxWidth="sm" aria-labelledby={id}>
      <DialogTitle id={id}>{t('conflict.title')}</DialogTitle>
      <DialogContent>
        <DialogContentText sx={{ mb: 2 }}>{t(asked.length > 0 ? 'conflict.body' : 'conflict.bodyNone')}</DialogContentText>
        {query.error ? <FormErrors error={query.error} /> : !theirs ? <FormSkeleton /> : null}
        <Stack spacing={2}>
          {theirs &&
            asked.map((name) => (
              <FormControl key={name}>
                <FormLabel id={`${id}-${name}`}>{labels.field(name)}</FormLabel>
                <RadioGroup
                  aria-labelledby={`${id}-${name}`}
                  value={picked[name] ?? 'mine'}
                  onChange={(_, value) => setPicked({ ...picked, [name]: value as 'mine' | 'theirs' })}
                >
                  {Object.entries({ mine, theirs }).map(([whose, values]) => (
                    <FormControlLabel
                      key={whose}
                      value={whose}
                      control={<Radio size="small" />}
                      label={
                        <>
                          {t(`conflict.${whose as 'mine' | 'theirs'}`)}: {show(name, values[name])}
                        </>
                      }
                    />
                  ))}
                </RadioGroup>
              </FormControl>
            ))}
        </Stack>
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2.5 }}>
        <Button color="inherit" onClick={onCancel}>
          {t('conflict.back')}
        </Button>
        <Button variant="contained" disabled={!theirs} onClick={resolve}>
          {t('conflict.save')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
