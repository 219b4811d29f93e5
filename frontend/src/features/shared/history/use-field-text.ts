import { useTranslation } from 'react-i18next'
import { formField, useRecordKinds } from './record'

/**
 * Names of a record's fields and values as in its form; fields that no form shows have texts of their own.
 */
export function useFieldText(record: string) {
  const ns = useRecordKinds().namespace(record) ?? 'audit'
  const { t: typed, i18n } = useTranslation(['audit', ns])
  const t = typed as unknown as (key: string, params?: Record<string, unknown>) => string
  const firstExisting = (keys: string[], fallback: string) => {
    const key = keys.find((one) => i18n.exists(one))
    return key ? t(key) : fallback
  }
  return {
    field: (name: string) => firstExisting([`${ns}:fields.${formField(name)}`, `audit:columns.${name}`], name),
    value: (name: string, value: string) =>
      firstExisting(
        [`${ns}:enums.${name}.${value}`, `${ns}:${name}.${value.replace(':', '-')}.name`, `audit:enums.${name}.${value}`],
        value,
      ),
  }
}
