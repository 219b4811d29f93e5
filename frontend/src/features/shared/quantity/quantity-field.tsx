import Box from '@mui/material/Box'
import { skipToken, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Control, type FieldPath, type FieldValues, useController, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { ApiError } from '~/api/errors'
import type { Quantity, QuantityEquivalents, Sheet, Unit, UnitRelation } from '~/api/schema'
import { unitChoices, useUnitSymbols, useUnits } from '~/api/units'
import { useFormat } from '~/i18n/use-format'
import { DecimalInput } from '~/kit/form/decimal-input'
import { useFieldError } from '~/kit/form/field-error'
import { type FieldProps, FieldShell, useField } from '~/kit/form/field-shell'
import { useErrorText } from '~/kit/ui/error-text'
import { readQuantity } from '~/lib/reader'
import { useDebounced } from '~/lib/use-debounced'
import { useLast } from '~/lib/use-last'
import { UnitSelect } from './unit-select'

// biome-ignore lint/suspicious/noExplicitAny: query options carry the key's own type
export type EquivalentsQuery = (quantity: Quantity) => UseQueryOptions<any, any, QuantityEquivalents, any>

interface Props<T extends FieldValues, C> extends FieldProps<T, C> {
  /** Name of the field with the unit of the amount. */
  unit: FieldPath<T>
  units: readonly Unit[]
  /** Query for the quantity in other units; without it they are not shown. */
  equivalentsQuery?: EquivalentsQuery | undefined
}

/** Field for an amount and its unit, followed by the same in other units: "3 St = 36,3 m = 2.225,19 kg". */
export function QuantityField<T extends FieldValues, C>({ unit, units, equivalentsQuery, ...props }: Props<T, C>) {
  const { t } = useTranslation()
  const { field, id, label, help, error: own, disabled } = useField(props)
  const control = props.control as unknown as Control<T>
  const unitOf = useController({ control, name: unit })
  const unitError = useFieldError(unitOf.fieldState.error)
  const { lang } = useFormat()
  const allUnits = useUnits()
  const choices = unitChoices(allUnits.filter((one) => units.includes(one.unit)))
  const quantity: Quantity = { amount: String(field.value ?? ''), unit: useWatch({ control, name: unit }) }
  const equivalents = useEquivalents(own === null ? equivalentsQuery : undefined, quantity)
  const error = own ?? unitError ?? equivalents.error
  const described = [(error || help) && `${id}-help`, equivalentsQuery && error === null && `${id}-echo`].filter(Boolean).join(' ')
  return (
    <FieldShell id={id} label={label} help={help} error={error} required={props.required} hiddenLabel={props.hiddenLabel}>
      <DecimalInput
        id={id}
        name={field.name}
        inputRef={field.ref}
        value={field.value ?? ''}
        disabled={disabled}
        onChange={field.onChange}
        onBlur={field.onBlur}
        read={(typed) => readQuantity(typed, lang, choices)?.amount ?? null}
        // "12 St": the unit may be typed or pasted with the number
        onTyped={(typed) => {
          const read = readQuantity(typed, lang, choices)
          if (read?.unit) unitOf.field.onChange(read.unit)
        }}
        unit={<UnitSelect control={control} name={unit} units={units} label={t('quantity.unit', { label })} />}
        inputProps={{ 'aria-required': props.required, ...(described && { 'aria-describedby': described }) }}
      />
      {equivalentsQuery && (
        <Box
          role="status"
          aria-busy={equivalents.pending}
          id={`${id}-echo`}
          sx={{ mt: 1, typography: 'body2', overflowWrap: 'anywhere', opacity: equivalents.pending ? 0.55 : 1 }}
        >
          {error === null && (
            <>
              <Box component="span" sx={{ display: 'block', fontWeight: 550 }}>
                {equivalents.line}
              </Box>
              <Box component="span" sx={{ display: 'block', color: 'text.secondary', typography: 'caption' }}>
                {equivalents.relations !== equivalents.line && equivalents.relations}
              </Box>
            </>
          )}
        </Box>
      )}
    </FieldShell>
  )
}

/** Formats the server's answer; the previous one stays until the next arrives. */
function useEquivalents(equivalentsQuery: EquivalentsQuery | undefined, quantity: Quantity) {
  const { t } = useTranslation()
  const format = useFormat()
  const errorText = useErrorText()
  const symbol = useUnitSymbols()
  const quantityKey = JSON.stringify(quantity)
  const settledKey = useDebounced(quantityKey, 300)
  const isComplete = /^\d+(\.\d+)?$/.test(quantity.amount) && Boolean(quantity.unit)
  const { data, error } = useQuery({
    ...(equivalentsQuery ?? NEVER)(JSON.parse(settledKey)),
    enabled: equivalentsQuery !== undefined && isComplete && settledKey === quantityKey,
  })
  const show = ({ amount, unit }: Quantity) => `${format.decimal(amount, 3)}\u00a0${symbol(unit)}`
  /**
   * Formats a relation such as "1 Stück (2.000 x 1.000 mm) = 2 m² = 15,7 kg", with the format of a sheet.
   */
  const relationText = ({ of: unit, ...relatedQuantity }: UnitRelation, sheet: Sheet | null) => {
    const one = show({ amount: '1', unit })
    if (unit !== 'piece' || !sheet) return `${one} = ${show(relatedQuantity)}`
    const size = `${format.decimal(sheet.length, 3)}\u00a0x\u00a0${show({ amount: sheet.width, unit: 'mm' })}`
    return [`${one} (${size})`, show(relatedQuantity), ...(sheet.weight ? [show({ amount: sheet.weight, unit: 'kg' })] : [])].join(' = ')
  }
  const answer = useMemo(
    () => (data && settledKey === quantityKey ? { ...data, quantity: JSON.parse(quantityKey) as Quantity } : undefined),
    [data, settledKey, quantityKey],
  )
  const lastAnswer = useLast(answer)
  const line = () =>
    lastAnswer?.equivalents.length
      ? [lastAnswer.quantity, ...lastAnswer.equivalents].map(show).join(' = ')
      : lastAnswer && t('quantity.alone')
  const failure = settledKey === quantityKey && error ? error : null
  const fields = failure instanceof ApiError ? [...(failure.fields.amount ?? []), ...(failure.fields.unit ?? [])] : []
  return {
    line: (isComplete && line()) || '',
    relations: lastAnswer?.relations.map((relation) => relationText(relation, lastAnswer.sheet)).join(' · ') ?? '',
    pending: isComplete && !data && !failure,
    error: failure && (fields.join(' ') || errorText(failure)),
  }
}

const NEVER: EquivalentsQuery = () => ({ queryKey: ['no quantity'], queryFn: skipToken })
