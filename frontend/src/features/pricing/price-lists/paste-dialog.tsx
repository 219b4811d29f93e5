import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PriceList } from '~/api/schema'
import { unitChoices, useUnits } from '~/api/units'
import { useLabels } from '~/i18n/labels'
import { useAskToLeave, useLeaveGuard } from '~/kit/form/use-leave-guard'
import type { Rows } from '~/kit/sheet/cells'
import { Spreadsheet } from '~/kit/sheet/spreadsheet'
import { useSaveRows } from '~/kit/sheet/use-save-rows'
import { useSpreadsheet } from '~/kit/sheet/use-spreadsheet'
import { useTouched } from '~/kit/sheet/use-touched'
import { DialogFrame } from '~/kit/ui/dialog-frame'
import { useOfferAll } from '~/kit/ui/use-undo'
import { DRAFTS, type Draft, draftColumnOf, draftColumns, inputOfDraft, lackingInDrafts } from './draft'
import { listPrices, MANY_MAX } from './prices-api'

const ROWS: Rows<Draft> = { count: DRAFTS.length, at: (index) => DRAFTS[index], key: ({ id }) => id }

interface Props {
  list: PriceList
  onClose: () => void
}

/** Many articles come into a list at once: numbers and prices as a spreadsheet has them. */
export default function PasteDialog({ list, onClose }: Props) {
  const { t } = useTranslation(['priceLists', 'common'])
  const { field } = useLabels('priceListPrices')
  const askToLeave = useAskToLeave()
  const touched = useTouched()
  const units = useUnits()
  const place = useRef<HTMLDivElement>(null)
  const [replace, setReplace] = useState(false)
  const sheet = useSpreadsheet(
    useMemo(() => draftColumns(field, unitChoices(units)), [field, units]),
    ROWS,
  )
  const dirty = sheet.changes.size > 0
  const { release } = useLeaveGuard(dirty)
  const offer = useOfferAll()
  const { save, saving } = useSaveRows({
    ns: 'priceLists',
    sheet,
    stale: t('paste.known'),
    most: MANY_MAX,
    list: 'prices',
    async send(part) {
      const answer = await listPrices.saveMany(
        list.id,
        part.map((change) => inputOfDraft(change, sheet.byId, replace)),
      )
      return { answer, rows: new Map(), held: answer.data.filter(({ held }) => held).length }
    },
    columnOf: (path) => draftColumnOf(path, sheet.byId),
    lacking: (changes, message) => lackingInDrafts(changes, sheet.byId, message),
    done(answers, said, as) {
      offer(
        said,
        answers.map(({ answer }) => answer),
        as,
      )
      release()
      onClose()
    },
  })

  async function close() {
    if (saving) return
    if (!dirty || (await askToLeave())) onClose()
  }

  /** What is pasted goes where the lines are; who is there already stays in their cell. */
  function begin() {
    if (place.current?.contains(document.activeElement)) return
    place.current?.querySelector<HTMLElement>('[data-active]')?.focus()
  }

  return (
    <DialogFrame
      title={t('paste.title')}
      about={t(touched ? 'paste.aboutTouch' : 'paste.about')}
      onClose={() => void close()}
      maxWidth="md"
      transition={{ onEntered: begin }}
      content={{ sx: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 1.5 } }}
      actions={
        <>
          <Button color="inherit" onClick={() => void close()} disabled={saving}>
            {t('common:actions.cancel')}
          </Button>
          <Button variant="contained" loading={saving} disabled={!dirty} onClick={() => void save()}>
            {t('paste.action')}
          </Button>
        </>
      }
    >
      <Box ref={place} sx={{ height: 'min(460px, 55vh)', display: 'flex', flexDirection: 'column', minWidth: 0 }}>
        <Spreadsheet sheet={sheet} label={t('paste.title')} onSave={() => void save()} />
      </Box>
      <FormControlLabel
        control={<Checkbox checked={replace} onChange={(_, checked) => setReplace(checked)} />}
        label={t('paste.replace')}
      />
    </DialogFrame>
  )
}
