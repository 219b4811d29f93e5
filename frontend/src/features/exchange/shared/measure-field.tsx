import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { type ImportColumn, type Unit, unitValues } from '~/api/schema'
import { useUnitSymbols } from '~/api/units'
import { useFormat } from '~/i18n/use-format'
import { NativeSelect } from '~/kit/ui/native-select'
import { type Measure, PRICE_QUANTITIES, readMeasure, writeMeasure } from './measure'

interface Props {
  /** Name of the column in the file. */
  name: string
  column: ImportColumn
  kind: 'price' | 'quantity'
  /** Chosen measure; empty if the heading applies. */
  chosen: string
  onChoose: (unit: string) => void
}

/**
 * Field for the quantity and unit of a column's prices, or the unit of its quantities: from the heading, or
 * chosen by the user.
 */
export function MeasureField({ name, column, kind, chosen, onChoose }: Props) {
  const { t } = useTranslation('imports')
  const symbol = useUnitSymbols()
  const format = useFormat()
  const write = useMeasureText()
  const id = useId()
  const { quantity, unit } = readMeasure(chosen)
  const quantities = PRICE_QUANTITIES.includes(quantity) ? PRICE_QUANTITIES : [...PRICE_QUANTITIES, quantity]
  const choose = (measure: Measure) => onChoose(writeMeasure(measure, kind))
  const own = column.chosen_unit === null ? write(column) : null
  const fallback = own === null ? t(`wizard.measure.${kind}.usual`) : t('wizard.measure.heading', { measure: own })
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, mt: 1 }}>
      <Typography component="label" htmlFor={id} variant="body2">
        {t(`wizard.measure.${kind}.label`)}
      </Typography>
      {kind === 'price' && unit !== '' && (
        <NativeSelect
          size="small"
          value={quantity}
          onChange={(event) => choose({ quantity: event.target.value as string, unit })}
          inputProps={{ 'aria-label': t('wizard.measure.price.quantity', { column: name }) }}
        >
          {quantities.map((value) => (
            <option key={value} value={value}>
              {format.decimal(value)}
            </option>
          ))}
        </NativeSelect>
      )}
      <NativeSelect
        size="small"
        value={unit}
        onChange={(event) => choose({ quantity, unit: event.target.value as Unit | '' })}
        sx={{ flex: 1, minWidth: 120 }}
        inputProps={{ id, 'aria-label': t(`wizard.measure.${kind}.unit`, { column: name }) }}
      >
        <option value="">{fallback}</option>
        {unitValues.map((value) => (
          <option key={value} value={value}>
            {symbol(value)}
          </option>
        ))}
      </NativeSelect>
    </Box>
  )
}

/**
 * Formats the quantity and unit that a column's heading gives: `100 kg`; null if it gives none that could be
 * read.
 */
export function useMeasureText(): (column: { measure: ImportColumn['measure'] | Measure }) => string | null {
  const symbol = useUnitSymbols()
  const format = useFormat()
  return ({ measure }) => {
    if (!measure || (!measure.unit && measure.quantity === null)) return null
    const quantity = measure.quantity === null || measure.quantity === '1' ? [] : [format.decimal(measure.quantity)]
    return [...quantity, ...(measure.unit ? [symbol(measure.unit)] : [])].join(' ')
  }
}
