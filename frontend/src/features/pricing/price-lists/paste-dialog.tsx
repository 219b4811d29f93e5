import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import Typography from '@mui/material/Typography'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PriceList } from '~/api/schema'
import { unitChoices, useUnits } from '~/api/units'
import { useLabels } from '~/i18n/labels'
import { useFormat } from '~/i18n/use-format'
import { useAskToLeave, useLeaveGuard } from '~/kit/form/use-leave-guard'
import type { SheetRows } from '~/kit/sheet/cells'
import { Spreadsheet } from '~/kit/sheet/spreadsheet'
import { useCoarsePointer } from '~/kit/sheet/use-coarse-pointer'
import { useSaveRows } from '~/kit/sheet/use-save-rows'
import { useSpreadsheet } from '~/kit/sheet/use-spreadsheet'
import { DialogFrame } from '~/kit/ui/dialog-frame'
import { useOfferUndoAll } from '~/kit/ui/use-undo'
import { DRAFTS, type DraftRow, draftColumnOf, draftColumns, inputOfDraft, missingInDrafts } from './draft'
import { arrangeByHeadings } from './pasted-headings'
import { listPrices, MAX_ARTICLES_PER_CALL } from './prices-api'

/** Columns by field of a price. */
const COLUMN = { number: 'article_number', price: 'price', quantity: 'per', unit: 'unit' } as const

const ROWS: SheetRows<DraftRow> = { count: DRAFTS.length, at: (index) => DRAFTS[index], key: ({ id }) => id }

interface Props {
  list: PriceList
  onClose: () => void
}

/** Adds many articles to a list from numbers and prices pasted from a spreadsheet. */
export default function PasteDialog({ list, onClose }: Props) {
  const { t } = useTranslation(['priceLists', 'common'])
  const { field } = useLabels('priceListPrices')
  const askToLeave = useAskToLeave()
  const touched = useCoarsePointer()
  const units = useUnits()
  const frame = useRef<HTMLDivElement>(null)
  const [replace, setReplace] = useState(false)
  const [keepTiers, setKeepTiers] = useState(true)
  const { lang, decimal } = useFormat()
  const sheet = useSpreadsheet(
    useMemo(() => draftColumns(field, unitChoices(units)), [field, units]),
    ROWS,
  )
  const dirty = sheet.changes.size > 0
  const { release } = useLeaveGuard(dirty)
  const offer = useOfferUndoAll()
  function arrange(clip: readonly (readonly string[])[]) {
    const arranged = arrangeByHeadings(clip, unitChoices(units), lang)
    if (!arranged) return null
    const columns = arranged.recognized.map(({ part, heading }) => t('paste.column', { column: field(COLUMN[part]), heading }))
    const messages = [
      t('paste.headings', { columns: columns.join(', ') }),
      arranged.ignored.length > 0 && t('paste.left', { columns: arranged.ignored.join(', ') }),
    ]
    return { rows: arranged.rows, message: messages.filter(Boolean).join(' ') }
  }

  const { save, saving, saveGood, validCount } = useSaveRows({
    ns: 'priceLists',
    sheet,
    stale: t('paste.known'),
    batchSize: MAX_ARTICLES_PER_CALL,
    list: 'prices',
    async send(part) {
      const answer = await listPrices.saveMany(
        list.id,
        part.map((change) => inputOfDraft(change, sheet.byId, replace)),
        replace && keepTiers,
      )
      return { answer, rows: new Map(), underReview: answer.data.filter(({ held }) => held).length }
    },
    columnOf: (path) => draftColumnOf(path, sheet.byId),
    missingValues: (changes, message) => missingInDrafts(changes, sheet.byId, message),
    partiallyDone: (answers, message, severity) =>
      offer(
        message,
        answers.map(({ answer }) => answer),
        severity,
      ),
    done(answers, message, severity) {
      offer(
        message,
        answers.map(({ answer }) => answer),
        severity,
      )
      release()
      onClose()
    },
  })

  async function close() {
    if (saving) return
    if (!dirty || (await askToLeave())) onClose()
  }

  /**
   * Focuses the first cell, so that a paste is applied to the rows; a cell that already has the focus keeps
   * it.
   */
  function focusFirstCell() {
    if (frame.current?.contains(document.activeElement)) return
    frame.current?.querySelector<HTMLElement>('[data-active]')?.focus()
  }

  return (
    <DialogFrame
      title={t('paste.title')}
      description={t(touched ? 'paste.aboutTouch' : 'paste.about')}
      onClose={() => void close()}
      maxWidth="md"
      transition={{ onEntered: focusFirstCell }}
      content={{ sx: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 1.5 } }}
      actions={
        <>
          <Button color="inherit" onClick={() => void close()} disabled={saving}>
            {t('common:actions.cancel')}
          </Button>
          {validCount > 0 && (
            <Button variant="outlined" disabled={saving} onClick={() => void saveGood()}>
              {t('paste.good', { count: validCount, number: decimal(validCount) })}
            </Button>
          )}
          <Button variant="contained" loading={saving} disabled={!dirty} onClick={() => void save()}>
            {t('paste.action')}
          </Button>
        </>
      }
    >
      <Box ref={frame} sx={{ height: 'min(460px, 55vh)', display: 'flex', flexDirection: 'column', minWidth: 0 }}>
        <Spreadsheet sheet={sheet} label={t('paste.title')} onSave={() => void save()} arrangePaste={arrange} />
      </Box>
      <FormControlLabel
        control={<Checkbox checked={replace} onChange={(_, checked) => setReplace(checked)} />}
        label={t('paste.replace')}
      />
      {replace && (
        <Box sx={{ pl: 4 }}>
          <FormControlLabel
            control={<Checkbox checked={keepTiers} onChange={(_, checked) => setKeepTiers(checked)} />}
            label={t('paste.keepTiers')}
          />
          {!keepTiers && (
            <Typography variant="body2" color="textSecondary">
              {t('paste.losesTiers')}
            </Typography>
          )}
        </Box>
      )}
    </DialogFrame>
  )
}
