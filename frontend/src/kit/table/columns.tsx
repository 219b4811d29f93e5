import Box from '@mui/material/Box'
import Chip from '@mui/material/Chip'
import type { ReactNode } from 'react'
import { useLabels } from '~/i18n/labels'
import type { Namespace } from '~/i18n/namespaces'
import { useFormat } from '~/i18n/use-format'
import { isZoneForeign, useConfig } from '~/session/config'
import { Aligned } from './aligned'

export interface TableColumn<Row> {
  id: string
  /** Header, if it is not a translated text of the interface. */
  label?: string | undefined
  cell: (row: Row) => ReactNode
  align: 'left' | 'right'
  /** Sort key of the API, checked against the list's sorts; null if the column cannot be sorted. */
  sort: string | null
  /** True if the column is hidden until chosen. */
  optional: boolean
  /**
   * Shown on the card of a small screen. If any column is 'chosen', only those are shown, else the first
   * three.
   */
  card: boolean | 'chosen'
  width?: number | string | undefined
  /** True if the text stays in one line, however many columns the table has. */
  noWrap?: boolean | undefined
  unit?: string | undefined
  /** Set if the column is useless for users of a tenant, who see only the tenant's rows. */
  ofPlatform?: true
  /** Fields for parameters of the column, shown above the list while the column is shown. */
  controls?: ReactNode
}

interface Options {
  label?: string
  optional?: boolean
  card?: boolean | 'chosen'
  width?: number | string
  noWrap?: boolean
  controls?: ReactNode
}

type Keys<Row, V> = { [K in keyof Row]-?: Row[K] extends V ? K : never }[keyof Row] & string
type Tone = 'success' | 'error' | 'warning' | 'info' | 'primary' | 'default'

const NONE = (
  <Box component="span" data-none sx={{ color: 'text.disabled' }} aria-hidden>
    {'\u2013'}
  </Box>
)

function Decimal({ value, fraction }: { value: string | number | null; fraction?: number | undefined }) {
  const format = useFormat()
  if (value === null) return NONE
  return fraction === undefined ? format.decimal(value) : <Aligned value={value} fraction={fraction} />
}

/** Moment in the time zone of the installation. */
function Moment({ value }: { value: string | null }) {
  return <Instant value={value} zone={useConfig().time_zone} />
}

function Instant({ value, zone }: { value: string | null; zone?: string }) {
  const format = useFormat()
  return value === null ? (
    NONE
  ) : (
    <Box component="time" dateTime={value} title={format.ago(value)} sx={{ whiteSpace: 'nowrap' }}>
      {format.dateTime(value, zone)}
      {zone !== undefined && isZoneForeign(zone) && ` (${zone})`}
    </Box>
  )
}

function EnumText({ ns, name, value, tone }: { ns: Namespace; name: string; value: string; tone?: Tone | undefined }) {
  const labels = useLabels(ns)
  const text = labels.enum(name, value)
  return tone ? <Chip size="small" variant="outlined" color={tone} label={text} /> : text
}

function YesNo({ value }: { value: boolean }) {
  const { text } = useLabels('common')
  return text(value ? 'states.yes' : 'states.no')
}

/** Long name on at most two lines; a tooltip shows all of it. */
export function TwoLines({ text, width = 200 }: { text: string; width?: number }) {
  return (
    <Box
      component="span"
      title={text}
      sx={{
        display: '-webkit-box',
        WebkitBoxOrient: 'vertical',
        WebkitLineClamp: 2,
        maxWidth: { md: `var(--column, ${width}px)` },
        overflow: 'hidden',
        overflowWrap: 'break-word',
      }}
    >
      {text}
    </Box>
  )
}

function Company({ name }: { name: string | null | undefined }) {
  const { text } = useLabels('common')
  return <TwoLines text={name ?? text('states.platform')} />
}

/** Column builders of one resource. Header texts are `fields.<name>` of its namespace. */
export function columns<Row>(ns: Namespace) {
  const make = (id: string, cell: (row: Row) => ReactNode, options: Options & { align?: 'right'; unit?: string | undefined } = {}) =>
    ({
      id,
      label: options.label,
      cell,
      align: options.align ?? 'left',
      sort: id,
      optional: options.optional ?? false,
      card: options.card ?? !options.optional,
      width: options.width,
      noWrap: options.noWrap,
      unit: options.unit,
      controls: options.controls,
    }) satisfies TableColumn<Row>
  return {
    text: (id: Keys<Row, string | null>, options?: Options) => make(id, (row) => (row[id] as string | null) || NONE, options),
    number: (id: Keys<Row, number | null>, options?: Options) =>
      make(id, (row) => <Decimal value={row[id] as number | null} />, { ...options, align: 'right' }),
    decimal: (id: Keys<Row, string | null>, options: Options & { unit?: string; fraction?: number } = {}) =>
      make(id, (row) => <Decimal value={row[id] as string | null} fraction={options.fraction} />, { ...options, align: 'right' }),
    instant: (id: Keys<Row, string | null>, options?: Options) => make(id, (row) => <Instant value={row[id] as string | null} />, options),
    /** Instant that forms enter in the time zone of the installation. */
    moment: (id: Keys<Row, string | null>, options?: Options) => make(id, (row) => <Moment value={row[id] as string | null} />, options),
    bool: (id: Keys<Row, boolean>, options?: Options) => make(id, (row) => <YesNo value={row[id] as boolean} />, options),
    enum: (id: Keys<Row, string | null>, options: Options & { tone?: (row: Row) => Tone } = {}) =>
      make(
        id,
        (row) => (row[id] === null ? NONE : <EnumText ns={ns} name={id} value={row[id] as string} tone={options.tone?.(row)} />),
        options,
      ),
    /** Owner of the row: a tenant or the platform. Only shown to users without a tenant. */
    tenant: (id: string, company: (row: Row) => string | null | undefined, options: Options = {}) => ({
      ...make(id, (row) => <Company name={company(row)} />, options),
      sort: null,
      ofPlatform: true as const,
    }),
    /** Column with any content; `sort` is the API's sort key, if there is one. */
    custom: (id: string, cell: (row: Row) => ReactNode, options: Options & { align?: 'right'; sort?: string } = {}) => ({
      ...make(id, cell, options),
      sort: options.sort ?? id,
    }),
  }
}
