import Box from '@mui/material/Box'
import { useTranslation } from 'react-i18next'
import { Page } from '~/kit/ui/page'
import { Actions } from './actions'
import { Fields } from './fields'
import { Plots } from './plots'
import { GalleryRows } from './rows'
import { States } from './states'

/** Components of the kit in their states, to check them in light and dark, on a phone and by keyboard. */
export default function Gallery() {
  const { t } = useTranslation('gallery')
  return (
    <Page title={t('title.list')} intro={t('intro')}>
      <Box sx={{ columns: { lg: 2 }, columnGap: 2, '& > *': { breakInside: 'avoid', mb: 2 } }}>
        <Actions />
        <States />
        <Fields />
        <GalleryRows />
        <Plots />
      </Box>
    </Page>
  )
}
