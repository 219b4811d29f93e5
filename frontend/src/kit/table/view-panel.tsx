import Checkbox from '@mui/material/Checkbox'
import Divider from '@mui/material/Divider'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormGroup from '@mui/material/FormGroup'
import FormLabel from '@mui/material/FormLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import Stack from '@mui/material/Stack'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useLabels } from '~/i18n/labels'
import type { Namespace } from '~/i18n/namespaces'
import { type Density, preferences, usePreferences } from '~/theme/preferences'
import { ColumnSettings } from './column-settings'
import type { TableColumn } from './columns'
import type { ColumnChoice } from './use-columns'

interface Props {
  ns: Namespace
  columns: readonly TableColumn<unknown>[]
  choice: ColumnChoice<unknown>
}

const DENSITIES: Density[] = ['compact', 'standard', 'comfortable']

/** Settings of a list: visibility, order and width of columns, and row height. */
export default function ViewPanel({ ns, columns, choice }: Props) {
  const { t } = useTranslation('listTools')
  const labels = useLabels(ns)
  const id = useId()
  const { density } = usePreferences()
  return (
    <Stack sx={{ p: 2 }} spacing={1.5} divider={<Divider />}>
      <FormGroup role="group" aria-labelledby={`${id}-columns`}>
        <FormLabel component="div" id={`${id}-columns`}>
          {t('settings.columns')}
        </FormLabel>
        {columns[0] && (
          <FormControlLabel label={columns[0].label ?? labels.field(columns[0].id)} disabled control={<Checkbox size="small" checked />} />
        )}
        <ColumnSettings ns={ns} defaultColumns={columns} choice={choice} />
      </FormGroup>
      <div>
        <FormLabel id={`${id}-density`}>{t('settings.density')}</FormLabel>
        <RadioGroup
          aria-labelledby={`${id}-density`}
          value={density}
          onChange={(_, value) => preferences.set({ density: value as Density })}
        >
          {DENSITIES.map((value) => (
            <FormControlLabel key={value} value={value} control={<Radio size="small" />} label={t(`settings.densities.${value}`)} />
          ))}
        </RadioGroup>
      </div>
    </Stack>
  )
}
