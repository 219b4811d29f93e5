import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormHelperText from '@mui/material/FormHelperText'
import FormLabel from '@mui/material/FormLabel'
import Stack from '@mui/material/Stack'
import Switch from '@mui/material/Switch'
import { useColorScheme } from '@mui/material/styles'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { RotateCcw } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { type ColorScheme, paletteIds, palettes, presetIds, presets } from '~/theme/palettes'
import { directions, fonts, LAYOUT, preferences, usePreferences, widths } from '~/theme/preferences'
import { fontFamilies } from '~/theme/theme'
import { Swatches } from './swatches'

const MODES = ['light', 'dark', 'system'] as const

/** Options for the look of the interface in this browser; they apply immediately. */
export default function LayoutOptions() {
  const { t } = useTranslation('layout')
  const chosen = usePreferences()
  const { mode, systemMode, setMode } = useColorScheme()
  const effectiveScheme: ColorScheme = (mode === 'system' ? systemMode : mode) === 'dark' ? 'dark' : 'light'
  const isDefault = mode === 'system' && Object.entries(LAYOUT).every(([name, value]) => chosen[name as keyof typeof LAYOUT] === value)

  function reset() {
    preferences.set(LAYOUT)
    setMode('system')
  }

  return (
    <Stack spacing={3}>
      <Toggles label={t('mode.label')} values={MODES} value={mode ?? 'system'} text={(value) => t(`mode.${value}`)} onChange={setMode} />
      <Swatches
        label={t('palette.label')}
        values={paletteIds}
        value={chosen.palette}
        text={(value) => t(`palette.${value}`)}
        onChange={(palette) => preferences.set({ palette })}
        colours={(id) => {
          const { nav, canvas, primary } = palettes[id][effectiveScheme]
          return [nav, canvas, primary]
        }}
      />
      <Swatches
        label={t('preset.label')}
        values={presetIds}
        value={chosen.preset}
        text={(value) => t(`preset.${value}`)}
        onChange={(preset) => preferences.set({ preset })}
        colours={(id) => [id === 'own' ? palettes[chosen.palette][effectiveScheme].primary : presets[id][effectiveScheme].primary]}
      />
      <Toggles
        label={t('font.label')}
        values={fonts}
        value={chosen.font}
        text={(value) => <span style={{ fontFamily: fontFamilies[value] }}>{t(`font.${value}`)}</span>}
        onChange={(font) => preferences.set({ font })}
      />
      <Toggles
        label={t('width.label')}
        values={widths}
        value={chosen.width}
        text={(value) => t(`width.${value}`)}
        onChange={(width) => preferences.set({ width })}
      />
      <Toggles
        label={t('direction.label')}
        values={directions}
        value={chosen.direction}
        text={(value) => t(`direction.${value}`)}
        onChange={(direction) => preferences.set({ direction })}
      />
      <div>
        <FormControlLabel
          control={<Switch checked={chosen.mini} onChange={(_, mini) => preferences.set({ mini })} />}
          label={t('mini.label')}
        />
        <FormHelperText>{t('mini.help')}</FormHelperText>
      </div>
      <Box>
        <Button variant="outlined" startIcon={<RotateCcw size={16} />} onClick={reset} disabled={isDefault}>
          {t('reset')}
        </Button>
      </Box>
    </Stack>
  )
}

interface TogglesProps<V extends string> {
  label: string
  values: readonly V[]
  value: V
  text: (value: V) => ReactNode
  onChange: (value: V) => void
}

function Toggles<V extends string>({ label, values, value, text, onChange }: TogglesProps<V>) {
  const id = useId()
  return (
    <div>
      <FormLabel id={id} component="div">
        {label}
      </FormLabel>
      <ToggleButtonGroup
        exclusive
        size="small"
        fullWidth
        value={value}
        aria-labelledby={id}
        onChange={(_, next: V | null) => next && onChange(next)}
        // several lines on a small screen
        sx={{ flexWrap: 'wrap' }}
      >
        {values.map((option) => (
          <ToggleButton key={option} value={option} sx={{ textTransform: 'none', flex: '1 1 0', whiteSpace: 'nowrap' }}>
            {text(option)}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </div>
  )
}
