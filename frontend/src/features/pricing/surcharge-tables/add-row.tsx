import Box from '@mui/material/Box'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { SurchargeTable } from '~/api/schema'
import { articleTypeRef } from '~/features/catalog/article-types/ref'
import { materialRef } from '~/features/catalog/materials/ref'
import { RefPicker } from '~/kit/form/ref-picker'
import type { KeyName } from './sheet'

interface Props {
  of: SurchargeTable['keyed_by']
  /** Ids of materials or article types that already have a row. */
  without: readonly number[]
  add: (key: KeyName) => void
}

/** Field that adds a material or an article type to the table. */
export default function AddRow({ of, without, add }: Props) {
  const { t } = useTranslation('surchargeTables')
  const id = useId()
  const text = t(`sheet.add.${of}`)
  const picker = { id, value: null, label: text, placeholder: text, without }
  return (
    <Box sx={{ width: 260, maxWidth: '100%' }}>
      {of === 'material' ? (
        <RefPicker {...picker} source={materialRef} onChange={(_, found) => found && add(found)} />
      ) : (
        <RefPicker {...picker} source={articleTypeRef} onChange={(_, found) => found && add(found)} />
      )}
    </Box>
  )
}
