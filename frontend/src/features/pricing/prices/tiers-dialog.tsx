import { zodResolver } from '@hookform/resolvers/zod'
import Link from '@mui/material/Link'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import { type Control, useForm, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink } from 'react-router'
import { isApiError } from '~/api/errors'
import type { Price } from '~/api/schema'
import { useWhyPrice } from '~/features/pricing/price-calculator/ref'
import { nextTier } from '~/features/pricing/shared/tier'
import { tierEntries } from '~/features/pricing/shared/tier-entries'
import { TierRows } from '~/features/pricing/shared/tier-rows'
import { useMoneyText } from '~/features/shared/money/use-money-text'
import { impactOf } from '~/features/shared/price-impact/impact-calls'
import { useMaySeeImpact, useQuietImpact } from '~/features/shared/price-impact/use-impact'
import { useLeaveGuard } from '~/kit/form/use-leave-guard'
import { useSave } from '~/kit/form/use-save'
import { useServerErrors } from '~/kit/form/use-server-errors'
import { ResolveConflict } from '~/kit/records/resolve-conflict'
import { RowDialog, RowForm } from '~/kit/sheet/row-dialog'
import { useOfferUndoAll } from '~/kit/ui/use-undo'
import { prices } from './api'
import { PRICE_OF, TIER_LISTS, type TierList } from './sheet'
import { stockTiersSchema, type TiersBody, type TiersForm, toTiersForm } from './tiers'

const ENTRIES = { external_bulk_prices: tierEntries, internal_bulk_prices: tierEntries }

interface Props {
  row: Price
  readOnly: boolean
  onClose: () => void
  onSaved: (row: Price) => void
}

/** Dialog for the tiers of a stock's prices. It loads the saved state, because the sheet may be outdated. */
export default function TiersDialog({ row, ...props }: Props) {
  const { t } = useTranslation('prices')
  const query = useQuery({ ...prices.one(row.id), refetchOnMount: 'always', refetchOnWindowFocus: false })
  const now = query.isFetchedAfterMount ? query.data : undefined
  const { number, name, warehouse } = {
    number: row.article.article_number,
    name: row.article.article_name,
    warehouse: row.warehouse.short_code,
  }
  return (
    <RowDialog
      title={t('tiers.title')}
      description={t('tiers.of', { number, name, warehouse })}
      loading={now ? null : { error: query.error, retry: () => void query.refetch() }}
      onClose={props.onClose}
    >
      {(leave) => now && <Tiers {...props} row={now} leave={leave} />}
    </RowDialog>
  )
}

const bodyOf = (tiers: TiersBody, { version, internal_price, external_price }: Price) => ({
  internal_price,
  external_price,
  ...tiers,
  version,
})

function Tiers({ row, readOnly, onClose, onSaved, leave }: Props & { leave: RefObject<() => void> }) {
  const { t } = useTranslation('prices')
  const offer = useOfferUndoAll()
  const whyPrice = useWhyPrice()
  // state that the form is based on, even if a newer one is loaded meanwhile
  const [savedRow, setSavedRow] = useState(row)
  const form = useForm<TiersForm, unknown, TiersBody>({
    resolver: zodResolver(stockTiersSchema as never) as never,
    defaultValues: toTiersForm(savedRow),
    // a tier that was just added must not show errors yet
    mode: 'onSubmit',
  })
  const { isDirty } = form.formState
  const { release } = useLeaveGuard(isDirty && !readOnly)
  const seesImpact = useMaySeeImpact('listing')
  const [confirmImpact, impactDialog] = useQuietImpact()
  const save = useSave({
    save: ({ tiers, base }: { tiers: TiersBody; base: Price }) => prices.update(base.id, bodyOf(tiers, base)),
    done(saved) {
      offer(t(saved.held ? 'tiers.held' : 'tiers.saved'), [saved], saved.held ? 'warning' : 'success')
      release()
      onSaved(saved)
      onClose()
    },
  })
  const isStale = isApiError(save.error, 'stale')
  const error = useServerErrors(form, isStale ? null : save.error)
  async function saveWithImpact(tiers: TiersBody, base: Price) {
    const request = impactOf.prices({ prices: [{ id: base.id, ...bodyOf(tiers, base) }] })
    if (!seesImpact || (await confirmImpact({ changeKind: 'stockPrices', name: '', request }))) save.submit({ tiers, base })
  }
  const submit = (base: Price) => void form.handleSubmit((tiers) => saveWithImpact(tiers, base), save.reset)()

  return (
    <>
      <RowForm
        ns="prices"
        readOnly={readOnly}
        isDirty={isDirty}
        pending={save.pending}
        error={error}
        onSubmit={() => submit(savedRow)}
        onClose={onClose}
        leave={leave}
        conflict={
          isStale && (
            <ResolveConflict
              ns="prices"
              form={form}
              load={prices.one(savedRow.id)}
              row={savedRow}
              base={toTiersForm(savedRow)}
              toForm={toTiersForm}
              entries={ENTRIES}
              onCancel={save.reset}
              onResolve={(now) => {
                setSavedRow(now)
                submit(now)
              }}
            />
          )
        }
      >
        {TIER_LISTS.map((list) => (
          <Rows key={list} control={form.control} list={list} row={savedRow} />
        ))}
        {whyPrice && (
          <Link
            component={RouterLink}
            variant="body2"
            to={whyPrice({ article: savedRow.article.id, unit: savedRow.article.listing_unit, warehouse: savedRow.warehouse.id })}
            sx={{ justifySelf: 'start' }}
          >
            {t('tiers.why')}
          </Link>
        )}
      </RowForm>
      {impactDialog}
    </>
  )
}

interface RowsProps {
  control: Control<TiersForm, unknown, TiersBody>
  list: TierList
  row: Price
}

function Rows({ control, list, row }: RowsProps) {
  const { t } = useTranslation('prices')
  const money = useMoneyText()
  const tiers = useWatch({ control, name: list })
  const price = row[PRICE_OF[list]]
  const { listing_unit, price_unit } = row.article
  return (
    <TierRows
      control={control}
      name={list}
      next={() => nextTier(tiers.at(-1), price ?? { price_quantity: '1', unit: price_unit }, listing_unit)}
      lead={price && t('tiers.below', { price: money(price) })}
    />
  )
}
