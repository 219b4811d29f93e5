import { useTranslation } from 'react-i18next'
import type { WebhookEvent } from '~/api/schema'

/** Key of an event in translations, where a dot would separate keys. */
export const eventKey = (event: string) => event.replace('.', '-') as 'test'

/** Name of an event in the reader's language. */
export function EventName({ value }: { value: WebhookEvent | string }) {
  const { t } = useTranslation('webhooks')
  return t(`events.${eventKey(value)}.name`)
}
