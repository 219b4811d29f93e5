import Box from '@mui/material/Box'
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
import { Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLabels } from '~/i18n/labels'
import type { Namespace } from '~/i18n/namespaces'
import { type Density, preferences, usePreferences } from '~/theme/preferences'
import { later } from '../route/later'
import type { Column } from './columns'
import type { ColumnChoice } from './use-columns'

const ColumnSettings = later(() => import('./column-settings'), 'reorder')

interface Props<Row> {
  ns: Namespace
  columns: readonly Column<Row>[]
  choice: ColumnChoice<Row>
}

const DENSITIES: Density[] = ['compact', 'standard', 'comfortable']

export function ViewSettings<Row>({ ns, columns, choice }: Props<Row>) {
  const { t } = useTranslation('listTools')
  const labels = useLabels(ns)
  const id = useId()
  const { density } = usePreferences()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <>
      <Tooltip title={t('settings.open')}>
        <IconButton aria-label={t('settings.open')} aria-haspopup="dialog" onClick={(event) => setAnchor(event.currentTarget)}>
          <Columns3Cog size={18} />
        </IconButton>
      </Tooltip>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{ paper: { sx: { width: 380 }, role: 'dialog', 'aria-label': t('settings.open') } }}
      >
        <Stack sx={{ p: 2 }} spacing={1.5} divider={<Divider />}>
          <FormGroup role="group" aria-labelledby={`${id}-columns`}>
            <FormLabel component="div" id={`${id}-columns`}>
              {t('settings.columns')}
            </FormLabel>
            {columns[0] && (
              <FormControlLabel
                label={columns[0].label ?? labels.field(columns[0].id)}
                disabled
                control={<Checkbox size="small" checked />}
              />
            )}
            {/* as high as what comes: the place was chosen for it */}
            <Suspense fallback={<Box sx={{ height: (columns.length - 1) * 47 }} />}>
              <ColumnSettings ns={ns} natural={columns as readonly Column<unknown>[]} choice={choice as ColumnChoice<unknown>} />
            </Suspense>
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
      </Popover>
    </>
  )
}
