import Box from '@mui/material/Box'
import { useEffect } from 'react'
import { type DefaultValues, useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { DateField } from '~/kit/form/date-field'
import { CheckField, DecimalField, EnumField, TextField } from '~/kit/form/fields'
import { FormScopeContext } from '~/kit/form/form-context'
import { RowsEditor } from '~/kit/form/rows-editor'
import { ShownField } from '~/kit/form/shown-field'
import { DurationField, TimeField } from '~/kit/form/time-fields'
import { Card } from '~/kit/ui/card'

const CHOICES = ['first', 'second'] as const
const SCOPES = { editable: { ns: 'gallery', readOnly: false }, readOnly: { ns: 'gallery', readOnly: true } } as const

interface Values {
  name: string
  amount: string
  choice: string
  agreed: boolean
  day: string
  duration: string
  time: string
  parts: { name: string; amount: string }[]
}

const VALUES: DefaultValues<Values> = {
  name: '',
  amount: '1234.5',
  choice: 'first',
  agreed: true,
  day: '2026-11-27',
  duration: '1,5h',
  time: '9:05',
  parts: [
    { name: 'HEB 200', amount: '61.3' },
    { name: 'IPE 240', amount: '30.7' },
  ],
}
const PARTS = [{ name: 'name', required: true }, { name: 'amount' }]

/** Fields for editing, with an error, and read only. */
export function Fields() {
  const { t } = useTranslation('gallery')
  return (
    <>
      {(['editable', 'readOnly'] as const).map((kind) => (
        <Card key={kind} title={t(`sections.${kind}`)}>
          <FormScopeContext.Provider value={SCOPES[kind]}>
            <Form isFaulty={kind === 'editable'} />
          </FormScopeContext.Provider>
        </Card>
      ))}
    </>
  )
}

function Form({ isFaulty }: { isFaulty: boolean }) {
  const { t } = useTranslation(['gallery', 'common'])
  const { control, setError } = useForm<Values>({ defaultValues: VALUES })
  useEffect(() => {
    if (isFaulty) setError('name', { message: 'required' })
  }, [isFaulty, setError])
  return (
    <Box sx={{ display: 'grid', gap: 2.5, mt: 2 }}>
      <TextField control={control} name="name" required />
      <DecimalField control={control} name="amount" unit="kg" />
      <EnumField control={control} name="choice" required values={CHOICES} labelOf={(choice) => t(`choices.${choice as 'first'}`)} />
      <DateField control={control} name="day" />
      <DurationField control={control} name="duration" />
      <TimeField control={control} name="time" />
      <CheckField control={control} name="agreed" />
      <RowsEditor
        control={control}
        name="parts"
        columns={PARTS}
        empty={() => ({ name: '', amount: '' })}
        rowLabel={(number) => t('parts.row', { number })}
        removeLabel={(number) => t('parts.remove', { number })}
        optional
      >
        {(at, hiddenLabel) => (
          <>
            <TextField control={control} name={`parts.${at}.name`} label={t('fields.name')} hiddenLabel={hiddenLabel} required />
            <DecimalField control={control} name={`parts.${at}.amount`} label={t('fields.amount')} hiddenLabel={hiddenLabel} unit="kg" />
          </>
        )}
      </RowsEditor>
      <ShownField label={t('fields.shown')} value="S235JR" />
    </Box>
  )
}
