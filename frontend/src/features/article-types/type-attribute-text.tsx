import { useTranslation } from 'react-i18next'
import type { Entries } from '~/kit/form/form-context'
import type { ArticleTypeForm } from './schema'

/** The attributes of two versions of an article type. */
export const typeAttributeEntries: Entries<ArticleTypeForm['attributes'][number]> = {
  key: ({ attribute_id }) => attribute_id,
  title: ({ name }) => name,
  text: ({ name, primary }) => (primary ? <PrimaryText name={name} /> : name),
}

function PrimaryText({ name }: { name: string }) {
  const { t } = useTranslation('articleTypes')
  return `${name} (${t('fields.primary')})`
}
