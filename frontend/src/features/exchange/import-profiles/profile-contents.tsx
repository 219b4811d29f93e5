import Box from '@mui/material/Box'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { ImportProfile, ImportSettings } from '~/api/schema'
import { imports } from '~/features/exchange/imports/api'
import { useImportable } from '~/features/exchange/imports/may-import'

/** Read-only settings, constants and mapping of a profile. */
export function ProfileContents({ profile: { type, settings, mapping } }: { profile: ImportProfile }) {
  const { t } = useTranslation('importProfiles')
  const mayImport = useImportable().includes(type)
  const { data } = useQuery({ ...imports.columns(type), enabled: mayImport })
  const label = (key: string) => data?.fields.find((field) => field.key === key)?.label ?? key
  const read = useReadingText(settings)
  const constants = settings.constants ?? []
  return (
    <>
      <Part title={t('reading.title')} none={read.length === 0 ? t('reading.recognised') : null}>
        <Facts facts={read} />
      </Part>
      <Part title={t('constants.title')} none={constants.length === 0 ? t('constants.none') : null}>
        <Facts facts={constants.map(({ field, value }) => [label(field), value])} />
      </Part>
      <Part title={t('mapping.title')} none={mapping.length === 0 ? t('mapping.none') : null}>
        <Table size="small" sx={{ '& td, & th': { overflowWrap: 'anywhere' } }}>
          <TableHead>
            <TableRow>
              <TableCell>{t('mapping.column')}</TableCell>
              <TableCell>{t('mapping.field')}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {mapping.map(({ column, field, unit }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list is only shown, and names may repeat
              <TableRow key={at}>
                <TableCell>{column || t('mapping.nameless')}</TableCell>
                <TableCell>
                  {field === null ? t('mapping.unread') : label(field)}
                  {unit && ` (${unit})`}
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </Part>
    </>
  )
}

/** Chosen settings in words. */
function useReadingText({ sheet, header_line, delimiter, encoding, decimal_sign, sum_rows }: ImportSettings): [string, string][] {
  const { t } = useTranslation('importProfiles')
  const facts: [string, string | null | undefined][] = [
    [t('reading.sheet'), sheet],
    [t('reading.header_line'), header_line?.toString()],
    [t('reading.delimiter'), delimiter === '\t' ? t('reading.tab') : delimiter],
    [t('reading.encoding'), encoding],
    [t('reading.decimal_sign'), decimal_sign && t(decimal_sign === ',' ? 'reading.comma' : 'reading.point')],
    [t('reading.sum_rows'), sum_rows ? t('reading.summed') : null],
  ]
  return facts.flatMap(([name, value]): [string, string][] => (value ? [[name, value]] : []))
}

interface PartProps {
  title: string
  /** Text that is shown if there are no contents. */
  none: string | null
  children: ReactNode
}

function Part({ title, none, children }: PartProps) {
  const id = useId()
  return (
    <Box component="section" aria-labelledby={id}>
      <Typography variant="h3" id={id} sx={{ mb: 0.5 }}>
        {title}
      </Typography>
      {none === null ? (
        children
      ) : (
        <Typography variant="body2" color="textSecondary">
          {none}
        </Typography>
      )}
    </Box>
  )
}

function Facts({ facts }: { facts: readonly (readonly [string, string])[] }) {
  return (
    <Box component="dl" sx={{ display: 'grid', gridTemplateColumns: 'auto 1fr', columnGap: 2, rowGap: 0.5, m: 0, typography: 'body2' }}>
      {facts.map(([name, value]) => (
        <Box key={name} sx={{ display: 'contents' }}>
          <Box component="dt" sx={{ color: 'text.secondary' }}>
            {name}
          </Box>
          <Box component="dd" sx={{ m: 0, overflowWrap: 'anywhere' }}>
            {value}
          </Box>
        </Box>
      ))}
    </Box>
  )
}
