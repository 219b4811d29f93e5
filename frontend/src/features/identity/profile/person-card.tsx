import { zodResolver } from '@hookform/resolvers/zod'
import Button from '@mui/material/Button'
import FormControl from '@mui/material/FormControl'
import FormHelperText from '@mui/material/FormHelperText'
import FormLabel from '@mui/material/FormLabel'
import OutlinedInput from '@mui/material/OutlinedInput'
import Stack from '@mui/material/Stack'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useMemo } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { client, data } from '~/api/client'
import { isApiError } from '~/api/errors'
import { importNoticesValues } from '~/api/schema'
import { changeLanguage, currentLanguage, languageNames, languages } from '~/i18n/i18n'
import { EnumField, TextField } from '~/kit/form/fields'
import { FormScopeContext } from '~/kit/form/form-context'
import { choice, text, z } from '~/kit/form/schema'
import { useServerErrors } from '~/kit/form/use-server-errors'
import { Card } from '~/kit/ui/card'
import { FormErrors } from '~/kit/ui/form-errors'
import { notify } from '~/kit/ui/snackbar'
import type { Lang } from '~/lib/lang'
import { cacheCurrentUser } from '~/session/language'
import { meOptions, useCan, useMe } from '~/session/me'
import { EmailChanges } from './email-changes'

const schema = z.object({ name: text(), language: choice(languages as ['de', 'en']), import_notices: choice(importNoticesValues) })

/** Form for name, language and notifications; only administrators can change the e-mail address. */
export function PersonCard({ onDirty }: { onDirty: (dirty: boolean) => void }) {
  const { t } = useTranslation(['profile', 'common'])
  const id = useId()
  const me = useMe()
  const imports = useCan('import.create')
  const queries = useQueryClient()
  const { lang } = { lang: currentLanguage() }
  const form = useForm({
    resolver: zodResolver(schema),
    mode: 'onTouched',
    // takes over changes by others or by the switch in the app bar, except in fields that the user has edited
    values: { name: me.name, language: lang as Lang, import_notices: me.import_notices },
    resetOptions: { keepDirtyValues: true },
  })
  const { isDirty, isValid } = form.formState
  useEffect(() => onDirty(isDirty), [isDirty, onDirty])

  const save = useMutation({
    mutationFn: (body: z.infer<typeof schema>) => data(client.PATCH('/api/users/me', { body: { ...body, version: me.version } })),
    onSuccess: async (saved, { language, import_notices }) => {
      cacheCurrentUser(saved)
      if (language !== currentLanguage()) await changeLanguage(language)
      form.reset({ name: saved.name, language, import_notices })
      notify.success(t('person.saved'))
    },
    onError: (error) => {
      // the next attempt is based on the current version
      if (isApiError(error, 'stale')) void queries.invalidateQueries({ queryKey: meOptions().queryKey })
    },
  })
  const error = useServerErrors(form, save.error)

  return (
    <Card title={t('person.title')}>
      <Stack spacing={3}>
        <FormScopeContext.Provider value={useMemo(() => ({ ns: 'profile', readOnly: false }), [])}>
          <Stack component="form" noValidate spacing={2.5} onSubmit={form.handleSubmit((body) => save.mutate(body))}>
            <FormErrors error={error} />
            <TextField control={form.control} name="name" required max={255} />
            <FormControl fullWidth>
              <FormLabel htmlFor={`${id}-email`}>{t('fields.email')}</FormLabel>
              <OutlinedInput
                id={`${id}-email`}
                value={me.email}
                readOnly
                inputProps={{ 'aria-describedby': `${id}-email-help` }}
                sx={{ bgcolor: 'transparent' }}
              />
              <FormHelperText id={`${id}-email-help`}>{t('help.email')}</FormHelperText>
            </FormControl>
            <EnumField
              control={form.control}
              name="language"
              required
              values={languages}
              labelOf={(value) => languageNames[value as Lang]}
            />
            {imports && <EnumField control={form.control} name="import_notices" required values={importNoticesValues} />}
            <div>
              <Button type="submit" variant="contained" loading={save.isPending} disabled={!isValid || !isDirty}>
                {t('common:actions.save')}
              </Button>
            </div>
          </Stack>
        </FormScopeContext.Provider>
        <EmailChanges />
      </Stack>
    </Card>
  )
}
