import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { SampleCart } from '~/api/schema'
import { sampleCartsApi } from '~/features/pricing/sample-carts/ref'
import { DecimalField, TextField } from '~/kit/form/fields'
import { FormDialog } from '~/kit/form/form-dialog'
import { nullableDecimal, text, z } from '~/kit/form/schema'
import { useSave } from '~/kit/form/use-save'
import { useServerErrors } from '~/kit/form/use-server-errors'
import { useAddressParams } from '~/lib/address-params'
import { CART_PARAM } from './ref'
import type { SampleCartContent } from './save-cart'

interface Props {
  content: SampleCartContent
  /** Current total; empty if it is not known. */
  total: string
  /** Sample cart that is changed; null for a new one. */
  id: number | null
  onClose: () => void
}

const schema = z.object({ name: text(), expected_total: nullableDecimal({ after: 2, invalid: 'amount' }) })
type Body = z.output<typeof schema>
type Form = z.input<typeof schema>

/** Dialog for the name of a sample cart and its expected total. */
export default function SaveDialog(props: Props) {
  const { data } = useQuery({ ...sampleCartsApi.one(props.id ?? 0), enabled: props.id !== null })
  return props.id === null || data ? <Fields key={props.id} {...props} row={data ?? null} /> : null
}

function Fields({ content, total, row, onClose }: Props & { row: SampleCart | null }) {
  const { t } = useTranslation(['sampleCarts', 'common'])
  const [, changeParams] = useAddressParams()
  const form = useForm<Form, unknown, Body>({
    resolver: zodResolver(schema as never) as never,
    defaultValues: { name: row?.name ?? '', expected_total: total },
    mode: 'onTouched',
  })
  const save = useSave({
    save: (body: Body) => {
      const input = { ...content, ...body }
      return row ? sampleCartsApi.update(row.id, { ...input, version: row.version }) : sampleCartsApi.create(input)
    },
    message: (saved: SampleCart) => t('common:messages.saved', { name: saved.name }),
    undoable: true,
    done(saved) {
      onClose()
      changeParams((now) => now.set(CART_PARAM, String(saved.id)), { replace: true, preventScrollReset: true })
    },
  })
  const error = useServerErrors(form, save.error)
  const { control } = form
  return (
    <FormDialog
      ns="sampleCarts"
      title={row ? t('save.change', { name: row.name }) : t('save.new')}
      description={t(content.at ? 'save.aboutMoment' : 'save.about')}
      pending={save.pending}
      error={error}
      onSubmit={() => void form.handleSubmit((body) => save.submit(body), save.reset)()}
      onClose={onClose}
    >
      <TextField control={control} name="name" required max={255} autoFocus />
      <DecimalField control={control} name="expected_total" unit="€" />
    </FormDialog>
  )
}
