import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatAgo, formatDate, formatDateTime, formatWeekday } from '~/lib/dates'
import { formatAligned, formatBytes, formatDecimal } from '~/lib/decimal'
import type { Lang } from '~/lib/lang'

export function useFormat() {
  const { i18n } = useTranslation()
  const lang: Lang = i18n.language === 'en' ? 'en' : 'de'
  return useMemo(
    () => ({
      lang,
      date: (iso: string) => formatDate(iso, lang),
      dateTime: (iso: string, zone?: string) => formatDateTime(iso, lang, zone),
      /** Formats "Mo 23.11.2026". */
      weekdayDate: (iso: string, zone?: string) => `${formatWeekday(iso, lang, zone)} ${formatDate(iso, lang, zone)}`,
      /** Formats "Mo 23.11.2026 14:00 Uhr". */
      weekdayTime: (iso: string, zone: string) => `${formatWeekday(iso, lang, zone)} ${formatDateTime(iso, lang, zone)}`,
      ago: (iso: string) => formatAgo(iso, lang),
      bytes: (value: number) => formatBytes(value, lang),
      list: (texts: readonly string[]) => new Intl.ListFormat(lang).format(texts),
      aligned: (value: string | number, fraction: number) => formatAligned(value, lang, fraction),
      decimal: (value: string | number, fraction?: number) => formatDecimal(value, lang, fraction),
    }),
    [lang],
  )
}

export type Format = ReturnType<typeof useFormat>
