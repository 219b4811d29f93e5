import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import Stack from '@mui/material/Stack'
import type { Control } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { itemTypeValues } from '~/api/schema'
import { FieldShell, useField } from '~/kit/form/field-shell'
import type { PriceAdjustmentBody, PriceAdjustmentForm } from './schema'

/** Field for the kinds of items that an adjustment applies to. */
export function ItemTypesField({ control }: { control: Control<PriceAdjustmentForm, unknown, PriceAdjustmentBody> }) {
  const { t } = useTranslation('priceAdjustments')
  const { field, id, label, help, error, describedBy, disabled } = useField({ control, name: 'apply_to.item_types' }, (value: string[]) =>
    value.map((type) => t(`enums.item_types.${type as 'article'}`)).join(', '),
  )
  const chosen = field.value as readonly string[]
  return (
    <FieldShell id={id} label={label} help={help} error={error} required group>
      <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', columnGap: 1 }}>
        {itemTypeValues.map((type, at) => (
          <FormControlLabel
            key={type}
            label={t(`enums.item_types.${type}`)}
            disabled={disabled}
            control={
              <Checkbox
                name={field.name}
                checked={chosen.includes(type)}
                onChange={() => field.onChange(itemTypeValues.filter((one) => chosen.includes(one) !== (one === type)))}
                onBlur={field.onBlur}
                slotProps={{ input: { ...(at === 0 && { ref: field.ref }), 'aria-describedby': describedBy } }}
              />
            }
          />
        ))}
      </Stack>
    </FieldShell>
  )
}
