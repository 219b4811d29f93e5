import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import type { Control, UseFieldArrayReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { QuoteItem } from '~/api/schema'
import { DecimalField, EnumField } from '~/kit/form/fields'
import { quotes } from './api'
import type { CartForm } from './cart'
import { WIDE } from './columns'
import { useAmounts } from './result'

interface Props {
  control: Control<CartForm>
  /** Index of the line. */
  at: number
  /** True if a price can be entered. */
  isPriceEditable: boolean
  rows: UseFieldArrayReturn<CartForm, `lines.${number}.processings`, 'place'>
  /** Quoted items with their prices. */
  items: readonly QuoteItem[]
}

/** Processings of a line: number of times, and a price for each time if it differs from the seller's own. */
export function Processings({ control, at, isPriceEditable, rows: { fields, remove }, items }: Props) {
  const { t } = useTranslation('priceCalculator')
  const { euro } = useAmounts()
  const { data } = useQuery({ ...quotes.processings(), enabled: fields.length > 0 })
  const allProcessings = data?.data ?? []
  const nameOf = (id: string) => allProcessings.find((one) => String(one.id) === id)?.name ?? t('processing.unknown', { id })
  return fields.map((field, place) => {
    const item = items[place]
    return (
      <Box
        key={field.place}
        role="group"
        aria-label={t('processing.row', { number: place + 1 })}
        sx={{
          display: 'grid',
          gap: 1,
          alignItems: 'start',
          gridTemplateColumns: { xs: 'minmax(0, 1fr) minmax(0, 1fr)', [WIDE]: 'minmax(0, 2fr) 120px 150px 1fr 40px' },
          pl: { [WIDE]: 3 },
        }}
      >
        <Box sx={{ gridColumn: { xs: '1 / -1', [WIDE]: 'auto' } }}>
          <EnumField
            control={control}
            name={`lines.${at}.processings.${place}.processing_id`}
            required
            values={allProcessings.map(({ id }) => String(id))}
            labelOf={nameOf}
          />
        </Box>
        <DecimalField control={control} name={`lines.${at}.processings.${place}.quantity`} required />
        {isPriceEditable ? <DecimalField control={control} name={`lines.${at}.processings.${place}.price`} unit="€" /> : <span />}
        <Box
          sx={{
            pt: { xs: 1, [WIDE]: 3.5 },
            textAlign: { xs: 'left', [WIDE]: 'right' },
            fontVariantNumeric: 'tabular-nums',
            gridColumn: { xs: 1, [WIDE]: 'auto' },
          }}
        >
          {item && euro(item.total)}
        </Box>
        <IconButton
          aria-label={t('processing.remove', { number: place + 1 })}
          onClick={() => remove(place)}
          sx={{ justifySelf: 'end', mt: { [WIDE]: 3 } }}
        >
          <Trash2 size={18} />
        </IconButton>
      </Box>
    )
  })
}
