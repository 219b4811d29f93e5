import { type Control, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { type Attribute, attributeTypeValues, unitCategoryValues } from '~/api/schema'
import { useUnits } from '~/api/units'
import { asksForArticles, EffectQuestion } from '~/features/catalog/shared/effect/effect-question'
import { CheckField, DecimalField, EnumField, TextField } from '~/kit/form/fields'
import { RecordForm } from '~/kit/records/record-form'
import type { SaveQuestion } from '~/kit/records/use-save-question'
import { attributes } from './api'
import { optionEntries } from './option-text'
import { OptionsEditor } from './options-editor'
import { attribute } from './resource'
import type { AttributeBody } from './schema'
import { attributeSchema, type AttributeForm as Form, toForm } from './schema'

const question: SaveQuestion<Attribute, AttributeBody> = {
  matches: asksForArticles,
  View: (props) => <EffectQuestion {...props} name={props.row.name} effect={attributes.effect(props.row.id, props.body)} />,
}

export default function AttributeForm() {
  return (
    <RecordForm
      resource={attribute}
      api={attributes}
      schema={attributeSchema}
      toForm={toForm}
      width="md"
      entries={{ options: optionEntries }}
      question={question}
    >
      {(form, row) => (
        <>
          <TextField control={form.control} name="name" required max={255} autoFocus={row === null} />
          <EnumField control={form.control} name="type" required values={attributeTypeValues} />
          <TypeFields control={form.control} />
          <CheckField control={form.control} name="primary" />
        </>
      )}
    </RecordForm>
  )
}

function TypeFields<C, O>({ control }: { control: Control<Form, C, O> }) {
  const { t } = useTranslation('attributes')
  const units = useUnits()
  const form = control as unknown as Control<Form>
  const [type, category] = useWatch({ control: form, name: ['type', 'unit_category'] })
  const base = units.find((unit) => unit.category === category && unit.base)
  if (type === 'categorial') return <OptionsEditor control={form} />
  if (type === 'custom') return null
  return (
    <>
      <EnumField control={form} name="unit_category" required values={unitCategoryValues} />
      <EnumField
        control={form}
        name="default_unit"
        required
        values={units.filter((unit) => unit.category === category).map((unit) => unit.unit)}
        labelOf={(value) => units.find((unit) => unit.unit === value)?.symbol ?? value}
        disabled={!category}
        {...(!category && { help: t('pickCategoryFirst') })}
      />
      <DecimalField control={form} name="weight_per_base_unit" unit={base ? `kg/${base.symbol}` : 'kg'} />
    </>
  )
}
