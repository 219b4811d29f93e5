import Box from '@mui/material/Box'
import type { ArticleType } from '~/api/schema'
import { ResourceList } from '~/kit/records/resource-list'
import { columns } from '~/kit/table/columns'
import { articleTypes } from './api'
import { articleType } from './resource'
import { SectionName } from './shape-drawing'
import { UnitSymbol } from './unit-symbol'

/** Template that can wrap anywhere, since placeholders are long words. */
const Template = ({ text }: { text: string }) => <Box sx={{ minWidth: 140, overflowWrap: 'anywhere' }}>{text}</Box>

const col = columns<ArticleType>('articleTypes')
const COLUMNS = [
  col.text('name'),
  col.custom('article_type_group_id', (row) => row.group?.name, { card: false }),
  col.custom('attributes', (row) => row.attributes.map((one) => one.name).join(', ')),
  col.custom('article_number_template', (row) => <Template text={row.article_number_template} />, { card: false }),
  col.text('article_name_template', { optional: true }),
  col.custom('section', (row) => row.section && <SectionName section={row.section} />, { optional: true }),
  col.custom('base_unit_of_measure', (row) => <UnitSymbol unit={row.base_unit_of_measure} />),
  col.custom('listing_unit_of_measure', (row) => <UnitSymbol unit={row.listing_unit_of_measure} />, { optional: true }),
  col.custom('price_unit_of_measure', (row) => <UnitSymbol unit={row.price_unit_of_measure} />, { optional: true }),
  col.custom('trade_dimension_id', (row) => row.trade_dimension?.name, { optional: true }),
  col.number('article_count'),
  col.instant('updated_at', { card: false }),
]

export default function ArticleTypeList() {
  return <ResourceList resource={articleType} api={articleTypes} columns={COLUMNS} retype />
}
