import { type Control, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { type NumberKind, numberKindValues, type OtherNumber } from '~/api/schema'
import { useLabels } from '~/i18n/labels'
import { EnumField, TextField } from '~/kit/form/fields'
import type { ListEntryOptions } from '~/kit/form/form-context'
import { RowsEditor } from '~/kit/form/rows-editor'
import { ShownField } from '~/kit/form/shown-field'
import type { ArticleForm, OtherNumberForm } from './schema'
import { OtherNumberTaken } from './taken'

const COLUMNS = [
  { name: 'kind', required: true },
  { name: 'number', required: true },
]
const EMPTY: OtherNumberForm = { kind: 'gtin', number: '' }

function useKindLabel() {
  const labels = useLabels('articles')
  return (kind: string) => labels.enum('kind', kind)
}

/** Editor for the other numbers of an article, one row each. */
export function OtherNumbersEditor({ control }: { control: Control<ArticleForm> }) {
  const { t } = useTranslation('articles')
  const labelOf = useKindLabel()
  const rows = useWatch({ control, name: 'other_numbers' })
  const help: Partial<Record<NumberKind, string>> = { former: t('otherNumbers.formerHelp') }
  return (
    <RowsEditor
      control={control}
      name="other_numbers"
      columns={COLUMNS}
      optional
      empty={() => EMPTY}
      rowLabel={(number) => t('otherNumbers.row', { number })}
      removeLabel={(number) => t('otherNumbers.remove', { number })}
    >
      {(at, hiddenLabel) => (
        <>
          <EnumField
            control={control}
            name={`other_numbers.${at}.kind`}
            required
            values={numberKindValues}
            labelOf={labelOf}
            hiddenLabel={hiddenLabel}
          />
          <TextField
            control={control}
            name={`other_numbers.${at}.number`}
            required
            max={255}
            hiddenLabel={hiddenLabel}
            help={help[rows[at]?.kind ?? 'free'] ?? ''}
            note={<OtherNumberTaken control={control} at={at} />}
          />
        </>
      )}
    </RowsEditor>
  )
}

/** Comparison of the other numbers of two versions of an article. */
export const otherNumberEntries: ListEntryOptions<OtherNumberForm> = {
  key: ({ kind, number }) => `${kind} ${number}`,
  title: (row) => <OtherNumberText row={row} />,
  text: (row) => <OtherNumberText row={row} />,
}

function OtherNumberText({ row }: { row: OtherNumberForm }) {
  return `${useKindLabel()(row.kind)}: ${row.number}`
}

/** Read-only list of other numbers. */
export function ShownOtherNumbers({ numbers }: { numbers: readonly OtherNumber[] }) {
  const labelOf = useKindLabel()
  return numbers.map(({ kind, number }) => <ShownField key={`${kind} ${number}`} label={labelOf(kind)} value={number} />)
}
