import { zodResolver } from '@hookform/resolvers/zod'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Stack from '@mui/material/Stack'
import { useId } from 'react'
import { type Control, useForm, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { type BulkPrice, type PriceList, type PriceListPrice, type Unit, unitValues } from '~/api/schema'
import { useUnits } from '~/api/units'
import { articleRef } from '~/features/articles/ref'
import { DialogFooter } from '~/kit/feedback/dialog-footer'
import { FormErrors } from '~/kit/feedback/form-errors'
import { Notice } from '~/kit/feedback/notice'
import { notify } from '~/kit/feedback/snackbar'
import { DecimalField, RefField } from '~/kit/form/fields'
import { FormScopeContext } from '~/kit/form/form-context'
import { FormElement } from '~/kit/form/form-element'
import { QuantityField } from '~/kit/form/quantity-field'
import { RowsEditor } from '~/kit/form/rows-editor'
import { choice, decimal, nullableDecimal, ref, z } from '~/kit/form/schema'
import { useSave } from '~/kit/form/use-save'
import { useServerErrors } from '~/kit/form/use-server-errors'
import { useMoneyText } from '~/kit/money/use-money-text'
import { listPrices } from './prices-api'

const tier = z.object({
  quantity_from: decimal({ above: 0 }),
  quantity_unit: choice(unitValues),
  price: decimal({ min: 0, before: 8, after: 4 }),
  price_quantity: decimal({ above: 0 }),
  unit: choice(unitValues),
})

const schema = z.object({
  article_id: ref(),
  price: nullableDecimal({ min: 0, before: 8, after: 4 }),
  price_quantity: decimal({ above: 0 }),
  unit: choice(unitValues),
  bulk_prices: z.array(tier),
})
type Body = z.output<typeof schema>

interface TierForm {
  quantity_from: string
  quantity_unit: Unit
  price: string
  price_quantity: string
  unit: Unit
}

interface Form {
  article_id: number | null
  price: string
  price_quantity: string
  unit: Unit
  bulk_prices: TierForm[]
}

const tierForm = (row: PriceListPrice, { quantity_unit, ...of }: BulkPrice): TierForm => ({
  ...of,
  price_quantity: of.price_quantity ?? '1',
  quantity_unit: quantity_unit ?? row.article.listing_unit,
})

const toForm = (row: PriceListPrice | null): Form => ({
  article_id: row?.article.id ?? null,
  price: row?.price?.price ?? '',
  price_quantity: row?.price?.price_quantity ?? '1',
  unit: row?.price?.unit ?? row?.article.price_unit ?? 't',
  bulk_prices: row?.bulk_prices.map((of) => tierForm(row, of)) ?? [],
})

const COLUMNS = [
  { name: 'quantity_from', required: true },
  { name: 'price', required: true },
  { name: 'price_quantity', required: true },
]

interface Props {
  list: PriceList
  /** None: an article is added. */
  row: PriceListPrice | null
  readOnly: boolean
  onClose: () => void
  onSaved: (row: PriceListPrice) => void
}

/** The price of an article with its tiers, and what to do with what waits. */
export default function PriceDialog({ list, row, readOnly, onClose, onSaved }: Props) {
  const { t } = useTranslation(['priceLists', 'common'])
  const id = useId()
  const form = useForm<Form, unknown, Body>({ resolver: zodResolver(schema as never) as never, defaultValues: toForm(row) })
  const { control } = form
  const units = useUnits().map(({ unit }) => unit)
  const tiers = useWatch({ control, name: 'bulk_prices' })
  const [unit, perQuantity] = useWatch({ control, name: ['unit', 'price_quantity'] })
  const saved = (rows: PriceListPrice[]) => {
    const [first] = rows
    if (first?.held) notify.warning(t('sheet.heldBack', { count: 1, number: '1' }))
    else notify.success(t('sheet.saved', { count: 1, number: '1' }))
    if (first) onSaved(first)
    onClose()
  }
  const save = useSave({
    save: ({ article_id, price, price_quantity, unit: of, bulk_prices }: Body) =>
      listPrices.saveMany(list.id, [
        { article_id, price: price === null ? null : { price, price_quantity, unit: of }, bulk_prices, version: row?.version ?? 0 },
      ]),
    done: saved,
  })
  useServerErrors(form, save.error)
  const next = (): TierForm => {
    const before = tiers.at(-1)
    return {
      quantity_from: '',
      quantity_unit: before?.quantity_unit ?? row?.article.listing_unit ?? 't',
      price: '',
      price_quantity: before?.price_quantity ?? perQuantity,
      unit: before?.unit ?? unit,
    }
  }
  return (
    <Dialog open onClose={() => !save.pending && onClose()} fullWidth maxWidth="md" aria-labelledby={id}>
      <DialogTitle id={id}>{row ? `${row.article.article_number} · ${row.article.article_name}` : t('sheet.add')}</DialogTitle>
      <FormScopeContext.Provider value={{ ns: 'priceListPrices', readOnly }}>
        <FormElement
          onSubmit={readOnly ? undefined : () => void form.handleSubmit((body) => save.submit(body), save.reset)()}
          pending={save.pending}
          sx={{ display: 'contents' }}
        >
          <DialogContent sx={{ display: 'grid', gap: 2.5 }}>
            <FormErrors error={save.error} />
            {row?.held && !readOnly && <Waits list={list} row={row} held={row.held} done={saved} />}
            {row === null && <RefField control={control} name="article_id" source={articleRef} required />}
            <Stack direction={{ xs: 'column', sm: 'row' }} spacing={2}>
              <DecimalField control={control} name="price" unit="€" />
              <QuantityField control={control} name="price_quantity" unit="unit" units={units} required />
            </Stack>
            <RowsEditor
              control={control as unknown as Control<Form>}
              name="bulk_prices"
              columns={COLUMNS}
              optional
              empty={next}
              rowLabel={(number) => t('tiers.row', { number })}
              removeLabel={(number) => t('tiers.remove', { number })}
            >
              {(at, hiddenLabel) => (
                <>
                  <QuantityField
                    control={control}
                    name={`bulk_prices.${at}.quantity_from`}
                    unit={`bulk_prices.${at}.quantity_unit`}
                    units={units}
                    required
                    hiddenLabel={hiddenLabel}
                  />
                  <DecimalField control={control} name={`bulk_prices.${at}.price`} unit="€" required hiddenLabel={hiddenLabel} />
                  <QuantityField
                    control={control}
                    name={`bulk_prices.${at}.price_quantity`}
                    unit={`bulk_prices.${at}.unit`}
                    units={units}
                    required
                    hiddenLabel={hiddenLabel}
                  />
                </>
              )}
            </RowsEditor>
          </DialogContent>
          <DialogFooter>
            <Button color="inherit" onClick={onClose} disabled={save.pending}>
              {t(readOnly ? 'common:actions.close' : 'common:actions.cancel')}
            </Button>
            {!readOnly && (
              <Button type="submit" variant="contained" loading={save.pending}>
                {t('common:actions.save')}
              </Button>
            )}
          </DialogFooter>
        </FormElement>
      </FormScopeContext.Provider>
    </Dialog>
  )
}

interface WaitsProps {
  list: PriceList
  row: PriceListPrice
  held: NonNullable<PriceListPrice['held']>
  done: (rows: PriceListPrice[]) => void
}

/** What was wanted and looks like a mistake. */
function Waits({ list, row, held, done }: WaitsProps) {
  const { t } = useTranslation('priceLists')
  const money = useMoneyText()
  const decide = useSave({
    save: (decision: 'release' | 'release_mended' | 'refuse') => listPrices.decide(list.id, [row.id], decision),
    done: ({ data }) => done(data),
  })
  return (
    <Notice tone="warning">
      {held.reasons.map(({ message }) => message).join(' ')}
      <FormErrors error={decide.error} />
      <Stack direction="row" useFlexGap sx={{ mt: 1, flexWrap: 'wrap', gap: 1 }}>
        <Button size="small" variant="outlined" disabled={decide.pending} onClick={() => decide.submit('release')}>
          {held.price ? t('held.release', { price: money(held.price) }) : t('held.releaseTiers')}
        </Button>
        {held.mended && (
          <Button size="small" variant="outlined" disabled={decide.pending} onClick={() => decide.submit('release_mended')}>
            {t('held.mended', { price: money(held.mended) })}
          </Button>
        )}
        <Button size="small" variant="outlined" disabled={decide.pending} onClick={() => decide.submit('refuse')}>
          {t('held.refuse')}
        </Button>
      </Stack>
    </Notice>
  )
}
