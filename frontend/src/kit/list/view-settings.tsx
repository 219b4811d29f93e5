import Checkbox from '@mui/material/Checkbox'
import Divider from '@mui/material/Divider'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormGroup from '@mui/material/FormGroup'
import FormLabel from '@mui/material/FormLabel'
import IconButton from '@mui/material/IconButton'
import Popover from '@mui/material/Popover'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import Stack from '@mui/material/Stack'
import Tooltip from '@mui/material/Tooltip'
import { Columns3Cog } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLabels } from '~/i18n/labels'
import type { Namespace } from '~/i18n/namespaces'
import { readJson, writeJson } from '~/lib/storage'
import { type Density, preferences, usePreferences } from '~/theme/preferences'
import type { Column } from './columns'

interface Stored {
  v: 1
  hidden: string[]
  shown: string[]
}

/** Which columns a person wants to see, kept per list. The first column always stays. */
export function useColumns<Row>(ns: Namespace, all: readonly Column<Row>[]) {
  const [stored, setStored] = useState(() => readJson<Stored>(`table:${ns}`, { v: 1, hidden: [], shown: [] }))
  return useMemo(() => {
    const visible = (column: Column<Row>, at: number) =>
      at === 0 || (column.optional ? stored.shown.includes(column.id) : !stored.hidden.includes(column.id))
    return {
      shown: all.filter(visible),
      isShown: (id: string) => all.some((column, at) => column.id === id && visible(column, at)),
      toggle(id: string) {
        const flip = (list: string[]) => (list.includes(id) ? list.filter((one) => one !== id) : [...list, id])
        const optional = all.find((column) => column.id === id)?.optional
        const next: Stored = optional ? { ...stored, shown: flip(stored.shown) } : { ...stored, hidden: flip(stored.hidden) }
        writeJson(`table:${ns}`, next)
        setStored(next)
      },
    }
  }, [ns, all, stored])
}

interface Props<Row> {
  ns: Namespace
  columns: readonly Column<Row>[]
  choice: ReturnType<typeof useColumns<Row>>
}

const DENSITIES: Density[] = ['compact', 'standard', 'comfortable']

export function ViewSettings<Row>({ ns, columns, choice }: Props<Row>) {
  const { t } = useTranslation()
  const labels = useLabels(ns)
  const id = useId()
  const { density } = usePreferences()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <>
      <Tooltip title={t('list.view')}>
        <IconButton aria-label={t('list.view')} aria-haspopup="dialog" onClick={(event) => setAnchor(event.currentTarget)}>
          <Columns3Cog size={18} />
        </IconButton>
      </Tooltip>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{ paper: { sx: { minWidth: 240 }, role: 'dialog', 'aria-label': t('list.view') } }}
      >
        <Stack sx={{ p: 2 }} spacing={1.5} divider={<Divider />}>
          <FormGroup role="group" aria-labelledby={`${id}-columns`}>
            <FormLabel component="div" id={`${id}-columns`}>
              {t('list.columns')}
            </FormLabel>
            {columns.map((column, at) => (
              <FormControlLabel
                key={column.id}
                label={labels.field(column.id)}
                disabled={at === 0}
                control={<Checkbox size="small" checked={choice.isShown(column.id)} onChange={() => choice.toggle(column.id)} />}
              />
            ))}
          </FormGroup>
          <div>
            <FormLabel id={`${id}-density`}>{t('list.density')}</FormLabel>
            <RadioGroup
              aria-labelledby={`${id}-density`}
              value={density}
              onChange={(_, value) => preferences.set({ density: value as Density })}
            >
              {DENSITIES.map((value) => (
                <FormControlLabel key={value} value={value} control={<Radio size="small" />} label={t(`list.densities.${value}`)} />
              ))}
            </RadioGroup>
          </div>
        </Stack>
      </Popover>
    </>
  )
}
