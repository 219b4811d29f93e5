import Box from '@mui/material/Box'
import FormControl from '@mui/material/FormControl'
import FormLabel from '@mui/material/FormLabel'
import OutlinedInput from '@mui/material/OutlinedInput'
import Typography from '@mui/material/Typography'
import type { TFunction } from 'i18next'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { UnitOfMeasure } from '~/api/schema'
import { unitChoices, useUnits } from '~/api/units'
import { useFormat } from '~/i18n/use-format'
import type { Lang } from '~/lib/lang'
import { readNumber, readQuantity } from '~/lib/reader'
import { type LengthRange, locateLength, millimetres } from './length-ranges'
import { useLengthText } from './use-length-text'

interface Props {
  ranges: readonly LengthRange[]
  /** Called with the tested length in millimetres. */
  onTest: (length: number | null) => void
}

/** Input for a length that shows which range it belongs to and which length is charged. */
export function TestBox({ ranges, onTest }: Props) {
  const { t } = useTranslation('tradeDimensions')
  const { lang } = useFormat()
  const show = useLengthText()
  const id = useId()
  const [typed, setTyped] = useState('')
  const units = useUnits().filter((unit) => unit.category === 'length')
  const length = readLength(typed, units, lang)

  return (
    <Box sx={{ mb: 2.5, display: 'flex', flexWrap: 'wrap', columnGap: 2, rowGap: 0.5, alignItems: 'end' }}>
      <FormControl sx={{ flex: '0 1 12rem' }}>
        <FormLabel htmlFor={id}>{t('test.label')}</FormLabel>
        <OutlinedInput
          id={id}
          value={typed}
          placeholder={t('test.placeholder')}
          onChange={(event) => {
            setTyped(event.target.value)
            const read = readLength(event.target.value, units, lang)
            onTest(typeof read === 'number' ? read : null)
          }}
          // not part of the form: Enter does not save
          onKeyDown={(event) => event.key === 'Enter' && !event.ctrlKey && !event.metaKey && event.preventDefault()}
          inputProps={{ autoComplete: 'off', 'aria-describedby': `${id}-answer` }}
        />
      </FormControl>
      <Typography id={`${id}-answer`} role="status" variant="body2" sx={{ flex: '1 1 16rem', py: 1, minHeight: { sm: 40 } }}>
        {typed.trim() !== '' &&
          (typeof length === 'number' ? answer(ranges, length, show, t) : t(`test.${length}`, { known: symbolsOf(units) }))}
      </Typography>
    </Box>
  )
}

const symbolsOf = (units: readonly UnitOfMeasure[]) => units.map((unit) => unit.symbol).join(', ')

/** Parses "10,4", "10,4 m" or "10400 mm" to millimetres, or returns what is wrong. */
function readLength(text: string, units: readonly UnitOfMeasure[], lang: Lang): number | 'noNumber' | 'noUnit' {
  const read = readQuantity(text, lang, unitChoices(units))
  if (read === null) return readNumber(text.replace(/\p{L}.*$/u, ''), lang) === null ? 'noNumber' : 'noUnit'
  return millimetres(read.amount.value, units.find(({ unit }) => unit === read.unit)?.factor) ?? 'noNumber'
}

function answer(ranges: readonly LengthRange[], value: number, show: (value: number) => string, t: TFunction<'tradeDimensions'>): string {
  const place = locateLength(ranges, value)
  const length = show(value)
  switch (place.kind) {
    case 'in':
      return place.range.charged === null
        ? t('test.uncharged', { length, range: place.range.name })
        : t('test.in', { length, range: place.range.name, charged: show(place.range.charged) })
    case 'several':
    case 'between':
      return t(`test.${place.kind}`, { length, below: place.below.name, above: place.above.name })
    case 'under':
      return t('test.under', { length, range: place.range.name, from: show(place.range.from ?? 0) })
    case 'over':
      return t('test.over', { length, range: place.range.name, to: show(place.range.to ?? 0) })
    default:
      return t(`test.${place.kind}`)
  }
}
