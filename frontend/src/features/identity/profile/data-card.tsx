import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { client } from '~/api/client'
import { download, FILE } from '~/api/download'
import { BusyButton } from '~/kit/ui/busy-button'
import { Card } from '~/kit/ui/card'
import { useErrorText } from '~/kit/ui/error-text'
import { notify } from '~/kit/ui/snackbar'

/** Download of all data stored about the current user. */
export function DataCard() {
  const { t } = useTranslation('profile')
  const errorText = useErrorText()
  const downloadData = useMutation({
    mutationFn: () => download(client.GET('/api/users/me/data', FILE)),
    onSuccess: () => notify.success(t('data.done')),
    onError: (error) => notify.error(errorText(error)),
  })
  return (
    <Card title={t('data.title')} intro={t('data.intro')}>
      <BusyButton variant="outlined" startIcon={<Download size={18} />} busy={downloadData.isPending} onClick={() => downloadData.mutate()}>
        {t('data.download')}
      </BusyButton>
    </Card>
  )
}
