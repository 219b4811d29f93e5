import { useTranslation } from 'react-i18next'
import { ChecksField } from '~/kit/form/checks-field'
import { TextField } from '~/kit/form/fields'
import { eventKey } from './event-name'
import { EVENTS, URL_MAX, type WebhookControl } from './schema'

export function WebhookFields({ control, isNew }: { control: WebhookControl; isNew: boolean }) {
  const { t } = useTranslation('webhooks')
  return (
    <>
      <TextField control={control} name="url" required max={URL_MAX} autoFocus={isNew} />
      <ChecksField
        control={control}
        name="events"
        required
        values={EVENTS}
        labelOf={(event) => t(`events.${eventKey(event)}.name`)}
        helpOf={(event) => t(`events.${eventKey(event)}.help`)}
      />
      <TextField control={control} name="ca_certificate" rows={2} mono />
    </>
  )
}
