import Box from '@mui/material/Box'
import { type ComponentProps, useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { SurchargeTable } from '~/api/schema'
import { articleTypeRef } from '~/features/catalog/article-types/ref'
import { materialRef } from '~/features/catalog/materials/ref'
import { RefPicker } from '~/kit/form/ref-picker'
import type { KeyName } from './sheet'

interface Props {
  keyedBy: SurchargeTable['keyed_by']
  /** Ids of materials or article types that already have a row. */
  excludedIds: readonly number[]
  add: (key: KeyName) => void
}

/** Field that adds a material or an article type to the table. */
export default function AddRow({ keyedBy, excludedIds, add }: Props) {
  const { t } = useTranslation('surchargeTables')
  const id = useId()
  const text = t(`sheet.add.${keyedBy}`)
  const picker = { id, value: null, label: text, placeholder: text, excludedIds } satisfies Partial<ComponentProps<typeof RefPicker>>
  return (
    <Box sx={{ width: 260, maxWidth: '100%' }}>
      {keyedBy === 'material' ? (
        <RefPicker {...picker} source={materialRef} onChange={(_, row) => row && add(row)} />
      ) : (
        <RefPicker {...picker} source={articleTypeRef} onChange={(_, row) => row && add(row)} />
      )}
    </Box>
  )
}
