import { type Control, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { DateField } from '~/kit/form/date-field'
import { EnumField } from '~/kit/form/fields'
import { RowsEditor } from '~/kit/form/rows-editor'
import { TimeField } from '~/kit/form/time-fields'
import { EXCEPTION_TYPES, FIRST_DAY, NO_EXCEPTION, type ShippingLegBody, type ShippingLegForm } from './schema'

interface Props {
  control: Control<ShippingLegForm, unknown, ShippingLegBody>
}

const COLUMNS = [{ name: 'date', required: true }, { name: 'type', required: true }, { name: 'time' }]

/** Field for dates on which departures differ from those of the week. */
export function ExceptionsField({ control }: Props) {
  const { t } = useTranslation('shippingLegs')
  const exceptions = useWatch({ control, name: 'exceptions' })
  return (
    <RowsEditor
      control={control as unknown as Control<ShippingLegForm>}
      name="exceptions"
      optional
      columns={COLUMNS}
      empty={() => NO_EXCEPTION}
      rowLabel={(number) => t('exceptions.row', { number })}
      removeLabel={(number) => t('exceptions.remove', { number })}
    >
      {(at, hiddenLabel) => (
        <>
          <DateField control={control} name={`exceptions.${at}.date`} min={FIRST_DAY} required hiddenLabel={hiddenLabel} />
          <EnumField
            control={control}
            name={`exceptions.${at}.type`}
            required
            hiddenLabel={hiddenLabel}
            values={EXCEPTION_TYPES}
            labelOf={(type) => t(`enums.type.${type as 'added'}`)}
          />
          <TimeField
            control={control}
            name={`exceptions.${at}.time`}
            required={exceptions[at]?.type === 'added'}
            hiddenLabel={hiddenLabel}
            help={exceptions[at]?.type === 'added' ? '' : t('exceptions.wholeDay')}
          />
        </>
      )}
    </RowsEditor>
  )
}
