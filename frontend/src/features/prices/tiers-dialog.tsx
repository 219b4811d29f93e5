import { zodResolver } from '@hookform/resolvers/zod'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import { type Control, useForm, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { Price } from '~/api/schema'
import { DialogFooter } from '~/kit/feedback/dialog-footer'
import { FormErrors } from '~/kit/feedback/form-errors'
import { LoadFailed } from '~/kit/feedback/load-failed'
import { useOfferAll } from '~/kit/feedback/use-undo'
import { FormScopeContext } from '~/kit/form/form-context'
import { FormSkeleton } from '~/kit/form/form-drawer'
import { FormElement } from '~/kit/form/form-element'
import { useAskToLeave, useLeaveGuard } from '~/kit/form/use-leave-guard'
import { useSave } from '~/kit/form/use-save'
import { useServerErrors } from '~/kit/form/use-server-errors'
import { nextTier } from '~/kit/money/tier'
import { TierRows } from '~/kit/money/tier-rows'
import { useMoneyText } from '~/kit/money/use-money-text'
import { prices } from './api'
import { PRICE_OF, TIER_LISTS, type TierList } from './sheet'
import { type TiersBody, type TiersForm, tiersSchema, toTiersForm } from './tiers'

interface Props {
  row: Price
  readOnly: boolean
  onClose: () => void
  onSaved: (row: Price) => void
}

/** The tiers of a stock's prices: they begin with what is saved now, not with what the sheet has loaded some time ago. */
export default function TiersDialog({ row, ...props }: Props) {
  const { t } = useTranslation(['prices', 'common'])
  const id = useId()
  // the form asks before what was typed is lost
  const leave = useRef(props.onClose)
  const found = useQuery({ ...prices.one(row.id), refetchOnMount: 'always', refetchOnWindowFocus: false })
  const { number, name, warehouse } = {
    number: row.article.article_number,
    name: row.article.article_name,
    warehouse: row.warehouse.short_code,
  }
  return (
    <Dialog open onClose={() => leave.current()} fullWidth maxWidth="md" aria-labelledby={id} aria-describedby={`${id}-of`}>
      <DialogTitle id={id}>{t('tiers.title')}</DialogTitle>
      <DialogContentText id={`${id}-of`} sx={{ px: 3, pb: 1 }}>
        {t('tiers.of', { number, name, warehouse })}
      </DialogContentText>
      {found.data && found.isFetchedAfterMount ? (
        <Tiers {...props} row={found.data} leave={leave} />
      ) : (
        <>
          <DialogContent>
            {found.error ? <LoadFailed error={found.error} retry={() => void found.refetch()} /> : <FormSkeleton />}
          </DialogContent>
          <DialogFooter>
            <Button color="inherit" onClick={props.onClose}>
              {t('common:actions.cancel')}
            </Button>
          </DialogFooter>
        </>
      )}
    </Dialog>
  )
}

function Tiers({ row, readOnly, onClose, onSaved, leave }: Props & { leave: RefObject<() => void> }) {
  const { t } = useTranslation(['prices', 'common'])
  const askToLeave = useAskToLeave()
  const offer = useOfferAll()
  // what this form began with, whatever is loaded meanwhile
  const [found] = useState(row)
  const form = useForm<TiersForm, unknown, TiersBody>({
    resolver: zodResolver(tiersSchema as never) as never,
    defaultValues: toTiersForm(found),
    // a tier that has just come is not wrong yet
    mode: 'onSubmit',
  })
  const { isDirty } = form.formState
  const { release } = useLeaveGuard(isDirty && !readOnly)
  const save = useSave({
    save: (tiers: TiersBody) => {
      const { id, version, internal_price, external_price } = found
      return prices.update(id, { internal_price, external_price, ...tiers, version })
    },
    done(saved) {
      offer(t(saved.held ? 'tiers.held' : 'tiers.saved'), [saved], saved.held ? 'warning' : 'success')
      release()
      onSaved(saved)
      onClose()
    },
  })
  useServerErrors(form, save.error)

  async function close() {
    if (save.pending) return
    if (readOnly || !isDirty || (await askToLeave())) onClose()
  }
  useEffect(() => {
    leave.current = () => void close()
  })

  return (
    <FormScopeContext.Provider value={{ ns: 'prices', readOnly }}>
      <FormElement
        onSubmit={readOnly ? undefined : () => void form.handleSubmit((tiers) => save.submit(tiers), save.reset)()}
        pending={save.pending}
        sx={{ display: 'contents' }}
      >
        <DialogContent sx={{ display: 'grid', gap: 3 }}>
          <FormErrors error={save.error} />
          {TIER_LISTS.map((list) => (
            <Rows key={list} control={form.control} list={list} row={found} />
          ))}
        </DialogContent>
        <DialogFooter>
          <Button color="inherit" onClick={() => void close()} disabled={save.pending}>
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
