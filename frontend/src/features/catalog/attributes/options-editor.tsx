import type { Control } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { DecimalField, TextField } from '~/kit/form/fields'
import { RowsEditor } from '~/kit/form/rows-editor'
import { type AttributeForm, EMPTY_OPTION } from './schema'

const COLUMNS = [
  { name: 'name', required: true },
  { name: 'value', required: true },
  { name: 'display_value' },
  { name: 'weight_per_base_unit' },
]

export function OptionsEditor({ control }: { control: Control<AttributeForm> }) {
  const { t } = useTranslation('attributes')
  return (
    <RowsEditor
      control={control}
      name="options"
      columns={COLUMNS}
      empty={() => EMPTY_OPTION}
      rowLabel={(number) => t('optionNumber', { number })}
      removeLabel={(number) => t('removeOption', { number })}
    >
      {(at, hiddenLabel) => (
        <>
          <TextField control={control} name={`options.${at}.name`} required max={255} hiddenLabel={hiddenLabel} />
          <TextField control={control} name={`options.${at}.value`} required max={255} hiddenLabel={hiddenLabel} />
          <TextField control={control} name={`options.${at}.display_value`} max={255} hiddenLabel={hiddenLabel} />
          <DecimalField control={control} name={`options.${at}.weight_per_base_unit`} unit="kg" hiddenLabel={hiddenLabel} />
        </>
      )}
    </RowsEditor>
  )
}
