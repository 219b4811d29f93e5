import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormGroup from '@mui/material/FormGroup'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { change } from '~/api/change'
import { client, data, LONG_TIMEOUT } from '~/api/client'
import { type SteelCataloguePart, steelCataloguePartValues } from '~/api/schema'
import { FormDialog } from '~/kit/form/form-dialog'
import { notify } from '~/kit/ui/snackbar'

const fill = (parts: SteelCataloguePart[]) =>
  change(data(client.POST('/api/admin/steel-catalogue', { body: { parts }, headers: LONG_TIMEOUT })))

/** Dialog that fills parts of the steel catalogue; existing records are not changed. */
export default function SteelCatalogueDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('home')
  const [parts, setParts] = useState<readonly SteelCataloguePart[]>(steelCataloguePartValues)
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<unknown>(null)

  function toggle(part: SteelCataloguePart) {
    setParts(parts.includes(part) ? parts.filter((other) => other !== part) : [...parts, part])
  }

  async function submit() {
    setPending(true)
    setError(null)
    try {
      const { data: counts } = await fill(steelCataloguePartValues.filter((part) => parts.includes(part)))
      notify.success(t('steel.done', { count: counts.reduce((sum, { created }) => sum + created, 0) }))
      onClose()
    } catch (refused) {
      setError(refused)
      setPending(false)
    }
  }

  return (
    <FormDialog
      ns="home"
      title={t('steel.title')}
      description={t('steel.about')}
      action={t('steel.fill')}
      pending={pending}
      disabled={parts.length === 0}
      error={error}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <FormGroup>
        {steelCataloguePartValues.map((part) => (
          <FormControlLabel
            key={part}
            control={<Checkbox checked={parts.includes(part)} onChange={() => toggle(part)} />}
            label={t(`steel.parts.${part}`)}
          />
        ))}
      </FormGroup>
    </FormDialog>
  )
}
