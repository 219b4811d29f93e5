import { zodResolver } from '@hookform/resolvers/zod'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { PriceList } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { DialogFooter } from '~/kit/feedback/dialog-footer'
import { FormErrors } from '~/kit/feedback/form-errors'
import { notify } from '~/kit/feedback/snackbar'
import { RefField } from '~/kit/form/fields'
import { FormScopeContext } from '~/kit/form/form-context'
import { FormElement } from '~/kit/form/form-element'
import { nullableRef, z } from '~/kit/form/schema'
import { useSave } from '~/kit/form/use-save'
import { useServerErrors } from '~/kit/form/use-server-errors'
import type { ListState } from '~/kit/list/list-state'
import { isDecimal } from '~/lib/decimal'
import { useDebounced } from '~/lib/use-debounced'
import { ChangeFields, type ChangeForm, changeOf, changeShape } from './change-fields'
import { Difference } from './difference'
import { listPrices } from './prices-api'
import { priceListRef } from './ref'

const schema = z.object({ from_price_list_id: nullableRef(), ...changeShape })
type Body = z.output<typeof schema>

interface Form extends ChangeForm {
  from_price_list_id: number | null
}

interface Props {
  list: PriceList
  /** The filters of the sheet: what they match is changed. */
  state: ListState
  onClose: () => void
}

/** Changes the prices that the sheet shows, all at once; what becomes of them is shown before. */
export default function ChangeDialog({ list, state, onClose }: Props) {
  const { t } = useTranslation(['priceLists', 'common'])
  const { decimal } = useFormat()
  const id = useId()
  const form = useForm<Form, unknown, Body>({
    resolver: zodResolver(schema as never) as never,
    defaultValues: { from_price_list_id: null, change: 'percent', by: '', rounding: '' },
  })
  const { control } = form
  const [kind, by, rounding, from] = useWatch({ control, name: ['change', 'by', 'rounding', 'from_price_list_id'] })
  const readable = (kind === 'none' || isDecimal(by)) && (rounding === '' || isDecimal(rounding))
  const says = kind !== 'none' || rounding !== '' || from !== null
  const wanted =
    readable && says
      ? { ...changeOf({ change: kind, by: by || null, rounding: rounding || null }), from_price_list_id: from, dry_run: true }
      : null
  const late = useDebounced(JSON.stringify(wanted), 300)
  const preview = useQuery({
    queryKey: ['price-list-change', list.id, list.version, late, state.filters],
    queryFn: () => listPrices.tryChange(list.id, state, JSON.parse(late)),
    enabled: late !== 'null',
    retry: false,
  })
  const save = useSave({
    save: (body: Body) =>
      listPrices.change(list.id, state, {
        ...changeOf({ ...body, by: body.by ?? null }),
        from_price_list_id: body.from_price_list_id,
        dry_run: false,
        count: meant(preview.data),
      }),
    done(result) {
      const number = result.changed + result.created
      if (result.held > 0) notify.warning(t('sheet.heldBack', { count: result.held, number: decimal(result.held) }))
      else notify.success(t('sheet.saved', { count: number, number: decimal(number) }))
      onClose()
    },
  })
  useServerErrors(form, save.error)
  const shown = late !== 'null' ? preview.data : undefined
  return (
    <Dialog open onClose={() => !save.pending && onClose()} fullWidth maxWidth="md" aria-labelledby={id} aria-describedby={`${id}-about`}>
      <DialogTitle id={id}>{t('sheet.change')}</DialogTitle>
      <FormScopeContext.Provider value={{ ns: 'priceLists', readOnly: false }}>
        <FormElement
          onSubmit={() => void form.handleSubmit((body) => save.submit(body), save.reset)()}
          pending={save.pending}
          sx={{ display: 'contents' }}
        >
          <DialogContent sx={{ display: 'grid', gap: 2.5 }}>
            <DialogContentText id={`${id}-about`}>{t(state.filters.length > 0 ? 'change.filtered' : 'change.all')}</DialogContentText>
            <FormErrors error={save.error ?? preview.error} />
            <ChangeFields control={control} />
            <RefField control={control} name="from_price_list_id" source={priceListRef} />
            {shown && <Difference of={shown} />}
          </DialogContent>
          <DialogFooter>
            <Button color="inherit" onClick={onClose} disabled={save.pending}>
              {t('common:actions.cancel')}
            </Button>
            <Button type="submit" variant="contained" loading={save.pending} disabled={!shown || preview.isFetching}>
              {t('change.action')}
            </Button>
          </DialogFooter>
        </FormElement>
      </FormScopeContext.Provider>
    </Dialog>
  )
}

interface Counts {
  created: number
  changed: number
  unchanged: number
  held: number
  impossible: number
}

/** How many prices the preview has told of. */
const meant = (of: Counts | undefined) => (of ? of.created + of.changed + of.unchanged + of.held + of.impossible : null)
