import Box from '@mui/material/Box'
import FormHelperText from '@mui/material/FormHelperText'
import FormLabel from '@mui/material/FormLabel'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { X } from 'lucide-react'
import { useId, useRef } from 'react'
import { type Control, type FieldError, useFieldArray, useFormState } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { tenantRef } from '~/features/tenants/ref'
import { useFieldError, useListError } from '~/kit/form/field-error'
import { useFormScope } from '~/kit/form/form-context'
import { RefPicker } from '~/kit/form/ref-picker'
import { useRights } from '~/session/me'
import type { TenantGroupBody, TenantGroupForm } from './schema'

type Members = Control<TenantGroupForm, unknown, TenantGroupBody>

/** The tenants of a group: a list to take from, and a search to add to it. */
export function MembersEditor({ control }: { control: Members }) {
  const { t } = useTranslation('tenantGroups')
  const id = useId()
  const add = useRef<HTMLInputElement>(null)
  const { readOnly } = useFormScope()
  const finds = useRights().has('tenant.list')
  const { fields, append, remove } = useFieldArray({ control, name: 'tenant_ids', keyName: 'key' })
  const error = useListError(control, 'tenant_ids')
  const take = (at: number) => {
    remove(at)
    // the button is gone: whoever pressed it goes on at the search
    add.current?.focus()
  }
  return (
    <Box role="group" aria-labelledby={id} aria-describedby={error ? `${id}-error` : undefined}>
      <FormLabel component="div" id={id} error={error !== null}>
        {t('fields.tenant_ids')}
      </FormLabel>
      {fields.length === 0 ? (
        <Typography variant="body2" color="textSecondary" sx={{ py: 1 }}>
          {t('members.empty')}
        </Typography>
      ) : (
        <Box component="ul" sx={{ listStyle: 'none', m: 0, mb: 1, p: 0, border: 1, borderColor: 'divider', borderRadius: 1 }}>
          {fields.map(({ key, company }, at) => (
            <Box
              component="li"
              key={key}
              sx={{
                display: 'flex',
                alignItems: 'center',
                gap: 1,
                minHeight: 44,
                pl: 1.5,
                pr: 0.5,
                '& + &': { borderTop: 1, borderColor: 'divider' },
              }}
            >
              <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere', py: 0.75 }}>
                {company}
                <MemberError control={control} at={at} id={`${id}-${at}`} />
              </Box>
              {!readOnly && (
                <IconButton
                  size="small"
                  aria-label={t('members.remove', { name: company })}
                  aria-describedby={`${id}-${at}`}
                  onClick={() => take(at)}
                >
                  <X size={18} />
                </IconButton>
              )}
            </Box>
          ))}
        </Box>
      )}
      {!readOnly && finds && (
        <RefPicker
          id={`${id}-add`}
          source={tenantRef}
          value={null}
          inputRef={add}
          onChange={(_, row) => row && append({ id: row.id, company: row.company }, { shouldFocus: false })}
          without={fields.map((field) => field.id)}
          label={t('members.add')}
          placeholder={t('members.add')}
          invalid={error !== null}
          describedBy={error ? `${id}-error` : undefined}
        />
      )}
      {error && (
        <FormHelperText id={`${id}-error`} error role="alert">
          {error}
        </FormHelperText>
      )}
    </Box>
  )
}

/** What the server says about one of them. */
function MemberError({ control, at, id }: { control: Members; at: number; id: string }) {
  const { errors } = useFormState({ control, name: 'tenant_ids' })
  const error = useFieldError(errors.tenant_ids?.[at] as FieldError | undefined)
  return (
    <FormHelperText id={id} error role={error ? 'alert' : undefined} sx={{ m: 0 }}>
      {error}
    </FormHelperText>
  )
}
