import { zodResolver } from '@hookform/resolvers/zod'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import Stack from '@mui/material/Stack'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink } from 'react-router'
import { ApiError } from '~/api/errors'
import type { PriceList, PriceListPrice } from '~/api/schema'
import { useUnits } from '~/api/units'
import { articleRef } from '~/features/catalog/articles/ref'
import { useWhyPrice } from '~/features/pricing/price-calculator/ref'
import { nextTier } from '~/features/pricing/shared/tier'
import { tierEntries } from '~/features/pricing/shared/tier-entries'
import { TierRows } from '~/features/pricing/shared/tier-rows'
import { useMoneyText } from '~/features/shared/money/use-money-text'
import { impactOf } from '~/features/shared/price-impact/impact-calls'
import { useMaySeeImpact, useQuietImpact } from '~/features/shared/price-impact/use-impact'
import { QuantityField } from '~/features/shared/quantity/quantity-field'
import { DecimalField } from '~/kit/form/fields'
import { RefField } from '~/kit/form/ref-field'
import { useLeaveGuard } from '~/kit/form/use-leave-guard'
import { useSave } from '~/kit/form/use-save'
import { useServerErrors } from '~/kit/form/use-server-errors'
import { linkToHistory } from '~/kit/records/link'
import { ResolveConflict } from '~/kit/records/resolve-conflict'
import { useSeesHistory } from '~/kit/records/use-sees-history'
import { RowDialog, RowForm } from '~/kit/sheet/row-dialog'
import { FormErrors } from '~/kit/ui/form-errors'
import { Notice } from '~/kit/ui/notice'
import { useOfferUndoAll } from '~/kit/ui/use-undo'
import { MONEY, type PriceBody, type PriceForm, priceFormInput, priceSchema, singleRowErrors, toPriceForm } from './price-form'
import { listPrices } from './prices-api'
import { priceList } from './resource'
import { timelineOf } from './timeline-address'

const ENTRIES = {
  price: { text: (price: MoneyForm) => <MoneyText price={price} /> },
  bulk_prices: tierEntries,
}

type MoneyForm = Pick<PriceForm, 'price' | 'price_quantity' | 'unit'>

function MoneyText({ price }: { price: MoneyForm }) {
  const { t } = useTranslation('conflict')
  const money = useMoneyText()
  return price.price === '' ? t('empty') : money(price)
}

/** Current price of an article in the list; it may have been removed meanwhile. */
const currentRow = (row: PriceListPrice, prices: readonly PriceListPrice[] | undefined): PriceListPrice =>
  prices?.[0] ?? { ...row, version: 0, price: null, bulk_prices: [], held: null }

interface Props {
  list: PriceList
  /** Row that is edited; null to add an article. */
  row: PriceListPrice | null
  readOnly: boolean
  onClose: () => void
  onSaved: (row: PriceListPrice) => void
}

/**
 * Dialog for the price of an article with its tiers and prices under review. It loads the saved state,
 * because the sheet may be outdated.
 */
export default function PriceDialog({ row, ...props }: Props) {
  const { t } = useTranslation('priceLists')
  const query = useQuery({
    ...listPrices.ofArticles(props.list.id, row ? [row.article.id] : []),
    enabled: row !== null,
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
  })
  const isReady = row === null || (query.data && query.isFetchedAfterMount)
  return (
    <RowDialog
      title={t(row ? 'sheet.price' : 'sheet.add')}
      description={row && `${row.article.article_number} · ${row.article.article_name}`}
      loading={isReady ? null : { error: query.error, retry: () => void query.refetch() }}
      onClose={props.onClose}
    >
      {(leave) => <Price {...props} row={row && currentRow(row, query.data?.data)} leave={leave} />}
    </RowDialog>
  )
}

function Price({ list, row: now, readOnly, onClose, onSaved, leave }: Props & { leave: RefObject<() => void> }) {
  const { t } = useTranslation('priceLists')
  const offer = useOfferUndoAll()
  // state that the form is based on, even if a newer one is loaded meanwhile
  const [row, setRow] = useState(now)
  const form = useForm<PriceForm, unknown, PriceBody>({
    resolver: zodResolver(priceSchema as never) as never,
    defaultValues: toPriceForm(row),
    // a tier that was just added must not show errors yet
    mode: 'onSubmit',
  })
  const { control } = form
  const { isDirty } = form.formState
  const { release } = useLeaveGuard(isDirty && !readOnly)
  const units = useUnits().map(({ unit }) => unit)
  const tiers = useWatch({ control, name: 'bulk_prices' })
  const [unit, price_quantity] = useWatch({ control, name: ['unit', 'price_quantity'] })
  function done(answer: { data: readonly PriceListPrice[] }) {
    const [saved] = answer.data
    const one = { count: 1, number: '1' }
    if (saved?.held) offer(t('sheet.heldBack', one), [answer], 'warning')
    else offer(t('sheet.saved', one), [answer])
    release()
    if (saved) onSaved(saved)
    onClose()
  }
  const seesImpact = useMaySeeImpact('price_list') && list.own
  const [confirmImpact, impactDialog] = useQuietImpact()
  const save = useSave({
    save: ({ body, base }: { body: PriceBody; base: PriceListPrice | null }) =>
      listPrices.saveMany(list.id, [priceFormInput(body, base?.version ?? 0)]).catch((error: unknown) => {
        throw singleRowErrors(error, t('sheet.known'))
      }),
    done,
  })
  const isStale = row !== null && save.error instanceof ApiError && 'version' in save.error.fields
  const error = useServerErrors(form, isStale ? null : save.error)
  async function saveWithImpact(body: PriceBody, base: PriceListPrice | null) {
    const request = impactOf.list(list.id, { prices: [priceFormInput(body, base?.version ?? 0)] })
    if (!seesImpact || (await confirmImpact({ changeKind: 'prices', name: list.name, request }))) save.submit({ body, base })
  }
  const submit = (base: PriceListPrice | null) => void form.handleSubmit((body) => saveWithImpact(body, base), save.reset)()

  return (
    <>
      <RowForm
        ns="priceListPrices"
        readOnly={readOnly}
        isDirty={isDirty}
        pending={save.pending}
        error={error}
        onSubmit={() => submit(row)}
        onClose={onClose}
        leave={leave}
        conflict={
          isStale && (
            <ResolveConflict
              ns="priceListPrices"
              form={form}
              load={{ ...listPrices.ofArticles(list.id, [row.article.id]), select: ({ data }) => currentRow(row, data) }}
              row={row}
              base={toPriceForm(row)}
              toForm={toPriceForm}
              entries={ENTRIES}
              groups={MONEY}
              onCancel={save.reset}
              onResolve={(latest) => {
                setRow(latest)
                submit(latest)
              }}
            />
          )
        }
      >
        {row?.held && !readOnly && <HeldPriceDecisions list={list} row={row} heldPrice={row.held} done={done} />}
        {row === null && <RefField control={control} name="article_id" source={articleRef} required />}
        <Stack direction={{ xs: 'column', sm: 'row' }} spacing={2}>
          <DecimalField control={control} name="price" unit="€" />
          <QuantityField control={control} name="price_quantity" unit="unit" units={units} required />
        </Stack>
        <TierRows
          control={control}
          name="bulk_prices"
          next={() => nextTier(tiers.at(-1), { price_quantity, unit }, row?.article.listing_unit ?? unit)}
        />
        {row && <PriceLinks list={list} row={row} />}
      </RowForm>
      {impactDialog}
    </>
  )
}

/**
 * Links to the history of the price, the timeline of the article's lists and the explanation of the price.
 */
function PriceLinks({ list, row }: { list: PriceList; row: PriceListPrice }) {
  const { t } = useTranslation('priceLists')
  const seesHistory = useSeesHistory(priceList)
  const whyPrice = useWhyPrice()
  const { article } = row
  const priceToExplain = { article: article.id, unit: article.listing_unit, from: list.valid_from, seller: list.owner_tenant?.id }
  return (
    <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', columnGap: 3, typography: 'body2' }}>
      {seesHistory && row.version > 0 && (
        <Link component={RouterLink} to={linkToHistory('price_list_entry', row.id)}>
          {t('sheet.history')}
        </Link>
      )}
      {list.own && (
        <Link component={RouterLink} to={timelineOf(row.article.id, list)}>
          {t('timeline.open')}
        </Link>
      )}
      {list.own && list.type === 'sales' && whyPrice && (
        <Link component={RouterLink} to={whyPrice(priceToExplain)}>
          {t('sheet.why')}
        </Link>
      )}
    </Stack>
  )
}

interface HeldPriceDecisionsProps {
  list: PriceList
  row: PriceListPrice
  heldPrice: NonNullable<PriceListPrice['held']>
  done: (answer: { data: readonly PriceListPrice[] }) => void
}

/** Prices under review from all users, with the reasons. */
function HeldPriceDecisions({ list, row, heldPrice, done }: HeldPriceDecisionsProps) {
  const { t } = useTranslation('priceLists')
  const money = useMoneyText()
  const decide = useSave({
    save: ({ decision, proposal }: { decision: 'release' | 'release_mended' | 'refuse'; proposal: number }) =>
      listPrices.decide(list.id, [{ ...row, proposal }], decision),
    done,
  })
  const proposals = [{ ...heldPrice, proposal: 0 }, ...heldPrice.others]
  return (
    <Notice tone="warning">
      {heldPrice.reasons.map(({ message }) => message).join(' ')}
      <FormErrors error={decide.error} />
      {proposals.map(({ proposal, by, price, mended }) => (
        <Box key={proposal} role="group" aria-labelledby={`proposal-${proposal}`} sx={{ mt: 1 }}>
          <Box id={`proposal-${proposal}`} sx={{ typography: 'body2', color: 'text.secondary', mb: 0.5 }}>
            {t('held.by', { name: by?.name ?? t('held.unknown') })}
          </Box>
          <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', gap: 1 }}>
            <Button
              size="small"
              variant="outlined"
              disabled={decide.pending}
              onClick={() => decide.submit({ decision: 'release', proposal })}
            >
              {price ? t('held.release', { price: money(price) }) : t('held.releaseTiers')}
            </Button>
            {mended && (
              <Button
                size="small"
                variant="outlined"
                disabled={decide.pending}
                onClick={() => decide.submit({ decision: 'release_mended', proposal })}
              >
                {t('held.mended', { price: money(mended) })}
              </Button>
            )}
            <Button
              size="small"
              variant="outlined"
              disabled={decide.pending}
              onClick={() => decide.submit({ decision: 'refuse', proposal })}
            >
              {t('held.refuse')}
            </Button>
          </Stack>
        </Box>
      ))}
    </Notice>
  )
}
