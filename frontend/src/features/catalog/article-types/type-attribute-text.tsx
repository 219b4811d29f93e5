import { useTranslation } from 'react-i18next'
import type { ListEntryOptions } from '~/kit/form/form-context'
import type { ArticleTypeForm } from './schema'

/** Comparison of the attributes of two versions of an article type. */
export const typeAttributeEntries: ListEntryOptions<ArticleTypeForm['attributes'][number]> = {
  key: ({ attribute_id }) => attribute_id,
  title: ({ name }) => name,
  text: (attribute) => <AttributeText {...attribute} />,
}

function AttributeText({ name, primary, dimension }: ArticleTypeForm['attributes'][number]) {
  const { t } = useTranslation('articleTypes')
  const facts = [primary && t('fields.primary'), dimension && t('measures', { dimension: t(`enums.dimension.${dimension}`) })]
  const details = facts.filter(Boolean).join(', ')
  return details ? `${name} (${details})` : name
}
