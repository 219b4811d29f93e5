import Box from '@mui/material/Box'
import FormControl from '@mui/material/FormControl'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormLabel from '@mui/material/FormLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import { type ReactNode, useId, useMemo } from 'react'
import { type Control, type UseFormReturn, useController, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { Article } from '~/api/schema'
import { articleRef } from '~/features/catalog/articles/ref'
import { partnerRef } from '~/features/exchange/partners/ref'
import { shippingNodeRef } from '~/features/logistics/shipping-nodes/ref'
import { warehouseRef } from '~/features/logistics/warehouses/ref'
import { quantitiesOf } from '~/features/shared/quantity/quantities'
import { QuantityField } from '~/features/shared/quantity/quantity-field'
import { useArticleUnits } from '~/features/shared/quantity/use-article-units'
import { TextField } from '~/kit/form/fields'
import { MomentField } from '~/kit/form/moment-field'
import { RefField } from '~/kit/form/ref-field'
import { isZoneForeign, useConfig } from '~/session/config'
import { useRights } from '~/session/me'
import { useTenant } from '~/session/tenant'
import { type DateForm, ORIGINS, TIME_MODES } from './address'

const COLUMNS = { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))', lg: 'repeat(3, minmax(0, 1fr))' }

/** Fields of a request for a delivery date. */
export function QuestionFields({ form }: { form: UseFormReturn<DateForm> }) {
  const { t } = useTranslation('deliveryDate')
  const { control } = form
  const rights = useRights()
  const { tenantId } = useTenant()
  const { time_zone: zone } = useConfig()
  const [origin, mode] = useWatch({ control, name: ['origin', 'mode'] })
  const availableOrigins = ORIGINS.filter((value) => {
    if (value === 'warehouse') return rights.has('warehouse.list') && rights.has('warehouse.view')
    // stocks belong to a tenant
    return value === 'node' || (rights.has('stock.list') && rights.has('article.list') && tenantId !== null)
  })
  const zoned = isZoneForeign(zone) ? ` ${t('zone', { zone })}` : ''
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 5, rowGap: 1 }}>
        <Choice
          control={control}
          name="origin"
          label={t('fields.origin')}
          values={availableOrigins}
          labelOf={(value) => t(`origin.${value}`)}
        />
        <Choice control={control} name="mode" label={t('fields.mode')} values={TIME_MODES} labelOf={(value) => t(`mode.${value}`)} />
      </Box>
      <Box sx={{ display: 'grid', gap: 2, alignItems: 'start', gridTemplateColumns: COLUMNS }}>
        {origin === 'warehouse' && <RefField key="warehouse" control={control} name="warehouse_id" source={warehouseRef} required />}
        {origin === 'node' && <RefField key="node" control={control} name="node_id" source={shippingNodeRef} required />}
        {origin === 'article' && <ArticleFields form={form} />}
        <RefField control={control} name="to_node_id" source={shippingNodeRef} required />
        <MomentField
          control={control}
          day="day"
          time="time"
          label={t(`moment.${mode}`)}
          timeLabel={t('moment.time')}
          help={`${t(`momentHelp.${mode}`)}${zoned}`}
        />
      </Box>
    </Box>
  )
}

interface ChoiceProps<V extends string> {
  control: Control<DateForm>
  name: 'origin' | 'mode'
  label: string
  values: readonly V[]
  labelOf: (value: V) => ReactNode
}

function Choice<V extends string>({ control, name, label, values, labelOf }: ChoiceProps<V>) {
  const id = useId()
  const { field } = useController({ control, name })
  return (
    <FormControl>
      <FormLabel id={id} sx={{ typography: 'body2' }}>
        {label}
      </FormLabel>
      <RadioGroup row aria-labelledby={id} name={field.name} value={field.value} onChange={field.onChange} onBlur={field.onBlur}>
        {values.map((value) => (
          <FormControlLabel key={value} value={value} control={<Radio size="small" />} label={labelOf(value)} />
        ))}
      </RadioGroup>
    </FormControl>
  )
}

function ArticleFields({ form }: { form: UseFormReturn<DateForm> }) {
  const { t } = useTranslation('deliveryDate')
  const { control, getValues, setValue } = form
  const { tenantId } = useTenant()
  const rights = useRights()
  const [article, unit, seller] = useWatch({ control, name: ['article_id', 'unit', 'seller_id'] })
  const quantitiesQuery = useMemo(() => (article === null ? undefined : quantitiesOf(article)), [article])
  const units = useArticleUnits(quantitiesQuery, unit)

  function onPick(pickedArticle: Article | null) {
    setValue('unit', pickedArticle?.article_type.base_unit_of_measure ?? '')
    if (pickedArticle && getValues('quantity') === '') setValue('quantity', '1')
  }

  return (
    <>
      <RefField control={control} name="article_id" source={articleRef} required onPick={(_, pickedArticle) => onPick(pickedArticle)} />
      <QuantityField control={control} name="quantity" unit="unit" units={units} equivalentsQuery={quantitiesQuery} required />
      <RefField control={control} name="seller_id" source={partnerRef} {...(tenantId !== null && { excludedIds: [tenantId] })} />
      {seller !== null ? (
        <TextField control={control} name="warehouse_short_code" />
      ) : (
        rights.has('warehouse.list') &&
        rights.has('warehouse.view') && (
          <RefField key="only" control={control} name="warehouse_id" source={warehouseRef} help={t('help.only')} />
        )
      )}
    </>
  )
}
