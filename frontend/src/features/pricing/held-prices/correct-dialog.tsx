import { zodResolver } from '@hookform/resolvers/zod'
import Box from '@mui/material/Box'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { queryClient } from '~/api/query'
import type { HeldPrice } from '~/api/schema'
import { useUnits } from '~/api/units'
import { errorsAtFields } from '~/features/pricing/price-lists/errors-at-fields'
import { prices } from '~/features/pricing/prices/api'
import { QuantityField } from '~/features/shared/quantity/quantity-field'
import { DecimalField } from '~/kit/form/fields'
import { FormDialog } from '~/kit/form/form-dialog'
import { useSave } from '~/kit/form/use-save'
import { useServerErrors } from '~/kit/form/use-server-errors'
import { notify } from '~/kit/ui/snackbar'
import { heldPrices } from './api'
import {
  type Correction,
  type CorrectionForm,
  correctableSides,
  correctedPrice,
  correctionSchema,
  isInEffect,
  isUnderReview,
  toForm,
} from './correction'
import { PriceLines } from './price-lines'

/** Maps the path of an error about the only price to the field of the form. */
const fieldPath = (path: string) => path.replace(/^prices\.0\./, '').replace(/^(external_price|internal_price)$/, '$1.price')

/** Saves another price in place of one under review, which is then refused. */
export default function CorrectDialog({ row, onClose }: { row: HeldPrice; onClose: () => void }) {
  const { t } = useTranslation(['heldPrices', 'common'])
  const units = useUnits().map(({ unit }) => unit)
  const sides = correctableSides(row)
  const form = useForm<CorrectionForm, unknown, Correction>({
    resolver: zodResolver(correctionSchema as never) as never,
    defaultValues: toForm(row),
    mode: 'onTouched',
  })
  const { control } = form
  const save = useSave({
    async save(corrected: Correction) {
      const now = await queryClient.fetchQuery({ ...prices.one(row.stock_id), staleTime: 0 })
      const { data } = await prices.saveMany([correctedPrice(now, row, corrected)]).catch((error: unknown) => {
        throw errorsAtFields(error, fieldPath)
      })
      const saved = data[0]
      const done = saved !== undefined && isInEffect(saved, corrected)
      if (done && isUnderReview(saved, row.id)) await heldPrices.decide(row.id, 'refuse')
      return done
    },
    done(inEffect) {
      if (inEffect) notify.success(t('correct.done', { stock: row.stock }))
      else notify.warning(t('correct.waits', { stock: row.stock }))
      onClose()
    },
  })
  const saveError = useServerErrors(form, save.error)
  return (
    <FormDialog
      ns="heldPrices"
      title={t('correct.title', { stock: row.stock })}
      description={t('correct.about')}
      pending={save.pending}
      error={saveError}
      action={t('common:actions.save')}
      onSubmit={() => void form.handleSubmit((body) => save.submit(body), save.reset)()}
      onClose={onClose}
    >
      <PriceLines before={row.current} after={row.wanted} />
      {sides.map((side) => (
        <Box key={side} sx={{ display: 'grid', gridTemplateColumns: { sm: '1fr 1fr' }, gap: 2 }}>
          <DecimalField control={control} name={`${side}.price`} required unit="€" />
          <QuantityField control={control} name={`${side}.price_quantity`} unit={`${side}.unit`} units={units} required />
        </Box>
      ))}
    </FormDialog>
  )
}
