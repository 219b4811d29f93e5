import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import { useTranslation } from 'react-i18next'
import type { ArticleType } from '~/api/schema'
import { articleTypeGroupRef } from '~/features/catalog/article-type-groups/ref'
import { asksForArticles, EffectQuestion } from '~/features/catalog/shared/effect/effect-question'
import { useFormat } from '~/i18n/use-format'
import { TextField } from '~/kit/form/fields'
import { RefField } from '~/kit/form/ref-field'
import { RecordForm } from '~/kit/records/record-form'
import { useAllowedOperations } from '~/kit/records/resources'
import type { SaveQuestion } from '~/kit/records/use-save-question'
import { articleTypes } from './api'
import { AttributesEditor } from './attributes-editor'
import { articleType } from './resource'
import type { ArticleTypeBody } from './schema'
import { articleTypeSchema, toForm } from './schema'
import { SectionField } from './section-field'
import { TemplateFields } from './templates'
import { TradeDimensionField } from './trade-dimension-field'
import { typeAttributeEntries } from './type-attribute-text'
import { UnitFields } from './unit-fields'

const COLUMNS = { display: 'grid', gap: 2.5, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, alignItems: 'start' }

const question: SaveQuestion<ArticleType, ArticleTypeBody> = {
  matches: asksForArticles,
  View: (props) => (
    <EffectQuestion
      {...props}
      name={props.row.name}
      effect={articleTypes.effect(props.row.id, props.body)}
      file={() => articleTypes.effectFile(props.row.id, props.body)}
    />
  ),
}

export default function ArticleTypeForm() {
  const { t } = useTranslation('articleTypes')
  const format = useFormat()
  const may = useAllowedOperations(articleType)
  return (
    <RecordForm
      resource={articleType}
      api={articleTypes}
      schema={articleTypeSchema}
      toForm={toForm}
      width="md"
      entries={{ attributes: typeAttributeEntries }}
      question={question}
    >
      {(form, row) => {
        const count = row?.article_count ?? 0
        return (
          <>
            {may.update && count > 0 && (
              <Alert severity="info" role="note">
                {t('fixed', { count, articles: format.decimal(count) })}
              </Alert>
            )}
            <Box sx={COLUMNS}>
              <TextField control={form.control} name="name" required max={255} autoFocus={row === null} />
              <RefField control={form.control} name="article_type_group_id" source={articleTypeGroupRef} />
            </Box>
            <UnitFields form={form} fixed={count > 0} />
            <SectionField form={form} />
            <AttributesEditor form={form} fixed={count > 0} />
            <TradeDimensionField form={form} />
            <TemplateFields form={form} id={row?.id ?? null} />
          </>
        )
      }}
    </RecordForm>
  )
}
