import Box from '@mui/material/Box'
import Divider from '@mui/material/Divider'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { useId } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { type ApplyTo, adjustmentOperationValues, type PriceAdjustment, unitValues } from '~/api/schema'
import { useUnitSymbols } from '~/api/units'
import { articleTypeRef } from '~/features/catalog/article-types/ref'
import { articleRef } from '~/features/catalog/articles/ref'
import { categoryRef } from '~/features/catalog/categories/ref'
import { materialRef } from '~/features/catalog/materials/ref'
import { exceptIn, partnerRef } from '~/features/exchange/partners/ref'
import { groupsIn, tenantGroupRef } from '~/features/identity/tenant-groups/ref'
import { companiesIn } from '~/features/identity/tenants/ref'
import { InstantField } from '~/features/pricing/shared/instant-field'
import { UnitSelect } from '~/features/shared/quantity/unit-select'
import { useFormat } from '~/i18n/use-format'
import { decimalText } from '~/kit/form/decimal-input'
import { useDisplayValue } from '~/kit/form/field-shell'
import { CheckField, DecimalField, EnumField, TextField } from '~/kit/form/fields'
import { RefsField } from '~/kit/form/refs-field'
import { useRights } from '~/session/me'
import { AppliesTo } from './applies-to'
import { ConditionsField } from './conditions-field'
import { ItemTypesField } from './item-types-field'
import type { PriceAdjustmentBody, PriceAdjustmentForm } from './schema'
import { ValueOrTableFields } from './value-or-table-fields'

interface Props {
  control: Control<PriceAdjustmentForm, unknown, PriceAdjustmentBody>
  row: PriceAdjustment | null
}

const TWO_COLUMNS = {
  display: 'grid',
  gap: 2,
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
  alignItems: 'start',
}

export function PriceAdjustmentFields({ control, row }: Props) {
  const { t } = useTranslation('priceAdjustments')
  const rights = useRights()
  const kind = useWatch({ control, name: 'apply_to.kind' })
  const { lang } = useFormat()
  const symbol = useUnitSymbols()
  useDisplayValue('apply_to', (applyTo: ApplyTo) => <AppliesTo applyTo={applyTo} />)
  useDisplayValue('purchase_constraints', ({ unit, ...limits }: PriceAdjustmentForm['purchase_constraints']) =>
    LIMITS.filter((name) => limits[name] !== '')
      .map((name) => `${t(`fields.purchase_constraints_${name}`)}: ${decimalText(limits[name], lang)}\u00a0${symbol(unit)}`)
      .join(', '),
  )
  return (
    <>
      <TextField control={control} name="name" required max={255} autoFocus={row === null} />
      <CheckField control={control} name="active" />
      <Section title={t('sections.amount')}>
        <Box sx={TWO_COLUMNS}>
          <EnumField control={control} name="operation" required values={adjustmentOperationValues} />
          <ValueOrTableFields control={control} />
        </Box>
        <CheckField control={control} name="ignore_on_further_adjustments" />
      </Section>
      <Section title={t('sections.applyTo')}>
        <EnumField
          control={control}
          name="apply_to.kind"
          required
          values={['item_type', 'item']}
          labelOf={(value) => t(`enums.apply_to_kind.${value as 'item'}`)}
        />
        {kind === 'item' ? (
          <>
            <RefsField control={control} name="apply_to.articles" source={articleRef} canSearch={rights.has('article.list')} max={200} />
            <RefsField
              control={control}
              name="apply_to.article_types"
              source={articleTypeRef}
              canSearch={rights.has('article_type.list')}
              max={200}
            />
            <RefsField control={control} name="apply_to.categories" source={CATEGORIES} canSearch={rights.has('category.list')} max={200} />
            <RefsField control={control} name="apply_to.materials" source={materialRef} canSearch={rights.has('material.list')} max={200} />
          </>
        ) : (
          <ItemTypesField control={control} />
        )}
      </Section>
      <Section title={t('sections.conditions')}>
        <ConditionsField control={control} />
      </Section>
      <Section title={t('sections.buyers')} intro={t('whoBuys')}>
        <RefsField control={control} name="tenant_ids" source={partnerRef} canSearch names={companiesIn(row)} max={200} />
        <RefsField
          control={control}
          name="tenant_group_ids"
          source={tenantGroupRef}
          canSearch={rights.has('tenant-group.list')}
          names={groupsIn(row)}
          max={200}
        />
        <RefsField control={control} name="excluded_tenant_ids" source={partnerRef} canSearch names={exceptIn(row)} max={200} />
      </Section>
      <Section title={t('sections.constraints')} intro={t('constraints')}>
        <Box sx={TWO_COLUMNS}>
          {LIMITS.map((name) => (
            <DecimalField
              key={name}
              control={control}
              name={`purchase_constraints.${name}`}
              unit={
                <UnitSelect
                  control={control}
                  name="purchase_constraints.unit"
                  units={unitValues}
                  label={t('unitOf', { field: t(`fields.purchase_constraints_${name}`) })}
                />
              }
            />
          ))}
        </Box>
      </Section>
      <Section title={t('sections.validity')}>
        <Box sx={TWO_COLUMNS}>
          <InstantField control={control} name="valid_from" />
          <InstantField control={control} name="valid_until" />
        </Box>
      </Section>
    </>
  )
}

const CATEGORIES = categoryRef(null)
const LIMITS = ['min_quantity', 'max_quantity', 'multiple_of'] as const

/** Section of fields with a title. */
function Section({ title, intro, children }: { title: string; intro?: string; children: ReactNode }) {
  const id = useId()
  return (
    <Box component="section" aria-labelledby={id} sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2 }}>
      <Divider />
      <div>
        <Typography variant="h3" id={id}>
          {title}
        </Typography>
        {intro && (
          <Typography variant="body2" color="textSecondary" sx={{ mt: 0.5, textWrap: 'pretty' }}>
            {intro}
          </Typography>
        )}
      </div>
      {children}
    </Box>
  )
}
