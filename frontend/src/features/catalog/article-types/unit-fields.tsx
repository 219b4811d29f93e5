import Box from '@mui/material/Box'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { type Unit, unitValues } from '~/api/schema'
import { useUnits } from '~/api/units'
import { useLabels } from '~/i18n/labels'
import { EnumField } from '~/kit/form/fields'
import type { ArticleTypeBody } from './schema'
import { type ArticleTypeForm, convertibleUnits } from './schema'
import { canBeWeighedIn } from './shape'
import { useRecheck } from './use-recheck'

const OTHERS = ['listing_unit_of_measure', 'price_unit_of_measure'] as const

interface Props {
  form: UseFormReturn<ArticleTypeForm, unknown, ArticleTypeBody>
  /** True if there are articles whose quantities are stored in the base unit. */
  fixed: boolean
}

/** Fields for the three units; units of offers and prices must be convertible from the base unit. */
export function UnitFields({ form, fixed }: Props) {
  const { control, setValue } = form
  const { t } = useTranslation('articleTypes')
  const labels = useLabels('articleTypes')
  const units = useUnits()
  const [section, attributes, base, ...others] = useWatch({ control, name: ['section', 'attributes', 'base_unit_of_measure', ...OTHERS] })
  useRecheck(form, 'base_unit_of_measure', section)
  const unitsFor = (to: string) => convertibleUnits(to, { section, attributes }, units).map(({ unit }) => unit)
  const offered = unitsFor(base)

  function onBasePick(next: string) {
    const nextUnits = unitsFor(next)
    OTHERS.forEach((name, at) => {
      const unit = others[at]
      if (unit && !nextUnits.includes(unit)) setValue(name, '', { shouldDirty: true })
    })
  }

  const blocked = (unit: string) => (section && !canBeWeighedIn(section, unit as Unit) ? t('unweighed') : null)
  const shared = { control, required: true, labelOf: (unit: string) => labels.enum('base_unit_of_measure', unit) }
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: 'repeat(3, minmax(0, 1fr))' }, alignItems: 'start' }}>
      <EnumField {...shared} name="base_unit_of_measure" values={unitValues} disabled={fixed} onPick={onBasePick} blocked={blocked} />
      {OTHERS.map((name, at) => {
        const own = others[at]
        return (
          <EnumField
            key={name}
            {...shared}
            name={name}
            // the saved unit is listed even if it is no longer offered
            values={own && !offered.includes(own) ? [own, ...offered] : offered}
            disabled={!base}
            {...(!base && { help: t('pickBaseFirst') })}
          />
        )
      })}
    </Box>
  )
}
