import type { Material } from '~/api/schema'
import { asksForArticles, EffectQuestion } from '~/features/catalog/shared/effect/effect-question'
import { DecimalField, TextField } from '~/kit/form/fields'
import { RecordForm } from '~/kit/records/record-form'
import type { SaveQuestion } from '~/kit/records/use-save-question'
import { materials } from './api'
import { material } from './resource'
import type { MaterialBody } from './schema'
import { materialSchema, toForm } from './schema'

const question: SaveQuestion<Material, MaterialBody> = {
  matches: asksForArticles,
  View: (props) => <EffectQuestion {...props} name={props.row.name} effect={materials.effect(props.row.id, props.body)} />,
}

export default function MaterialForm() {
  return (
    <RecordForm resource={material} api={materials} schema={materialSchema} toForm={toForm} question={question}>
      {({ control }, row) => (
        <>
          <TextField control={control} name="name" required max={255} autoFocus={row === null} />
          <TextField control={control} name="display_name" max={255} />
          <TextField control={control} name="article_number_name" max={255} />
          <TextField control={control} name="material_number" mono />
          <DecimalField control={control} name="density" unit="kg/dm³" />
        </>
      )}
    </RecordForm>
  )
}
