import { zodResolver } from '@hookform/resolvers/zod'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useMemo } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { type Article, type Unit, unitValues } from '~/api/schema'
import { useUnits } from '~/api/units'
import { QuantityField } from '~/features/shared/quantity/quantity-field'
import { useFormat } from '~/i18n/use-format'
import { FormScopeContext } from '~/kit/form/form-context'
import { bodySchema, choice, decimal } from '~/kit/form/schema'
import { articles } from './api'

const schema = bodySchema<{ amount: string; unit: Unit }>()({ amount: decimal({ min: 0 }), unit: choice(unitValues) })
const SCOPE = { ns: 'articles', readOnly: false } as const

interface Props {
  article: Article
  /** True if the form differs from the saved article. */
  changed: boolean
}

/** Converts a quantity of a saved article to pieces, metres and kilograms. */
export function Quantities({ article, changed }: Props) {
  const { t } = useTranslation('articles')
  const format = useFormat()
  const id = useId()
  const base = article.article_type.base_unit_of_measure
  const { control, formState, setValue } = useForm({
    resolver: zodResolver(schema),
    defaultValues: { amount: '1', unit: base },
    mode: 'onChange',
  })
  const equivalentsQuery = useMemo(() => articles.quantities(article.id), [article.id])
  const equivalents = useQuery(equivalentsQuery({ amount: '1', unit: base })).data
  const units = useUnits()
  const unitsInUse = [base, ...(equivalents?.relations ?? []).flatMap(({ of: from, unit }) => [from, unit])]
  const categories = new Set(units.filter(({ unit }) => unitsInUse.includes(unit)).map(({ category }) => category))
  const offered = units.filter(({ category }) => categories.has(category)).map(({ unit }) => unit)

  // start with pieces if the article has them, since people count in pieces
  const isUntouched = !formState.isDirty
  const hasPieces = equivalents?.relations.some(({ of: from }) => from === 'piece')
  useEffect(() => {
    if (isUntouched && hasPieces) setValue('unit', 'piece')
  }, [isUntouched, hasPieces, setValue])

  // the input is inside the article's form, but Enter must not submit it
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) event.preventDefault()
  }

  return (
    <Box component="section" aria-labelledby={id} onKeyDown={onKeyDown} sx={{ borderTop: 1, borderColor: 'divider', pt: 2.5 }}>
      <Typography variant="h3" component="h2" id={id} sx={{ mb: 1.5 }}>
        {t('quantities.title')}
      </Typography>
      <FormScopeContext.Provider value={SCOPE}>
        <QuantityField
          control={control}
          name="amount"
          unit="unit"
          units={offered.length > 0 ? offered : [base]}
          equivalentsQuery={equivalentsQuery}
          label={t('quantities.amount')}
          help={changed ? t('quantities.saved') : ''}
        />
      </FormScopeContext.Provider>
      {article.trade_dimension && (
        <Typography variant="body2" sx={{ mt: 1.5 }}>
          {t('quantities.cluster', {
            code: article.trade_dimension.short_code,
            length: `${format.decimal(article.trade_dimension.calculation_value)}\u00a0m`,
          })}
        </Typography>
      )}
    </Box>
  )
}
