import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Card } from '~/kit/ui/card'
import { FetchLists } from './fetch-lists'
import type { ExternalApiFormProps } from './schema'

/** A fetch of the lists right now. */
export function FetchFields({ form, row }: ExternalApiFormProps) {
  const { t } = useTranslation('externalApis')
  const { control } = form
  const lists = useWatch({ control, name: ['meta_data.articles.enabled', 'meta_data.warehouses.enabled', 'meta_data.tenants.enabled'] })
  if (!row || !lists.includes(true)) return null
  return (
    <Card title={t('schedule.title')} intro={t('schedule.intro')}>
      <FetchLists row={row} isDirty={form.formState.isDirty} />
    </Card>
  )
}
