import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { FieldPath, UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useNavigation } from 'react-router'
import type { ApiError } from '~/api/errors'
import type { QuoteLine } from '~/api/schema'
import { useAddressParams } from '~/lib/address-params'
import { useConfig } from '~/session/config'
import { useTenant } from '~/session/tenant'
import { quotes } from './api'
import { type CartForm, isWhyAsked, type Question, type Side, toQuestion, writeCart } from './cart'
import { keepCart } from './last-cart'

const REST = 300
const NOTHING: Question = { body: { carts: [], explain: false }, keys: [] }

/** What the contract calls a field of a line, and the form. */
const FIELDS: Readonly<Record<string, string>> = { article_number: 'article_id' }

/** All that can be wrong with a buyer or a seller is that there is none, or that they are no partner any more. */
export const isOfParty = (path: string) => /(^|\.)(buyer|seller)_id$/.test(path)

const fieldOf = (field: string, side: Side) =>
  (field === 'warehouse_short_code' && side === 'sells' ? 'warehouse_id' : (FIELDS[field] ?? field)).replace(/\.price\.\w+$/, '.price')

/** What the form holds when it has rested for a moment; a keystroke alone draws nothing anew but its field. */
export function useSettled(form: UseFormReturn<CartForm>): CartForm {
  const [cart, settle] = useState(() => form.getValues())
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const end = form.subscribe({
      formState: { values: true },
      callback: ({ values }) => {
        clearTimeout(timer)
        // the form changes its values in place
        timer = setTimeout(() => settle(structuredClone(values)), REST)
      },
    })
    return () => {
      end()
      clearTimeout(timer)
    }
  }, [form])
  return cart
}

/** The cart stands in the address: a reload and the way back find it again; and it is kept for who comes by the navigation. */
export function useInAddress(cart: CartForm) {
  const [params, changeParams] = useAddressParams()
  const before = params.toString()
  const written = writeCart(before, cart)
  const { tenantId } = useTenant()
  // a single price that is explained is no cart to come back to
  const [begun] = useState(cart)
  const kept = cart === begun && isWhyAsked(before) ? null : writeCart('', cart)
  useEffect(() => {
    if (kept !== null) keepCart(tenantId, kept)
  }, [tenantId, kept])
  const write = useEffectEvent(() =>
    changeParams((now) => new URLSearchParams(writeCart(now.toString(), cart)), { replace: true, preventScrollReset: true }),
  )
  // whoever is on the way to another page goes on
  const resting = useNavigation().state === 'idle'
  useEffect(() => {
    if (resting && written !== before) write()
  }, [resting, before, written])
}

/** What the form's cart costs: when that is asked for, and from then on with each change that is complete. */
export function useCalculation(form: UseFormReturn<CartForm>) {
  const { time_zone: zone } = useConfig()
  const client = useQueryClient()
  const cart = useSettled(form)
  useInAddress(cart)
  const question = useMemo(() => toQuestion(cart, zone), [cart, zone])
  // what an address brings along was asked for before
  const [asked, ask] = useState(question !== null)
  const query = useQuery({ ...quotes.of(question ?? NOTHING), enabled: asked && question !== null, placeholderData: keepPreviousData })
  const result = question === null ? null : (query.data ?? null)
  usePlacedErrors(form, question?.keys, result?.lines, query.error)

  return {
    empty: writeCart('', cart) === '',
    result,
    error: query.error,
    pending: asked && query.isFetching,
    /** Of what is shown nothing may be true any more. */
    outdated: query.isPlaceholderData,
    /** The calculated values. */
    question: asked ? question : null,
    again: () => {
      ask(true)
      const now = toQuestion(form.getValues(), zone)
      if (now && asked) void client.invalidateQueries({ queryKey: quotes.of(now).queryKey, exact: true })
    },
  }
}

/** Puts what the server says of lines and fields where it belongs, and takes away what it said before. */
function usePlacedErrors(
  form: UseFormReturn<CartForm>,
  asked: readonly string[] | undefined,
  lines: ReadonlyMap<string, QuoteLine> | undefined,
  error: ApiError | null,
) {
  const { t } = useTranslation('priceCalculator')
  const placed = useRef<FieldPath<CartForm>[]>([])
  const placeAll = useEffectEvent(() => {
    for (const path of placed.current) if (form.getFieldState(path).error?.type === 'server') form.clearErrors(path)
    placed.current = []
    const place = (path: string, message: string) => {
      if (!form.control._names.mount.has(path)) return
      form.setError(path as FieldPath<CartForm>, { type: 'server', message })
      placed.current.push(path as FieldPath<CartForm>)
    }
    const { side, lines: shown } = form.getValues()
    const keys = shown.map(({ key }) => key)
    for (const [at, key] of keys.entries()) {
      for (const { field, message } of lines?.get(key)?.errors ?? []) if (field) place(`lines.${at}.${fieldOf(field, side)}`, message)
    }
    for (const [path, messages] of Object.entries(error?.fields ?? {})) {
      const own = path.replace('carts.0.', '').replace(/^at$/, 'day')
      place(
        own.replace(/^lines\.(\d+)/, (_, at: string) => `lines.${keys.indexOf(asked?.[Number(at)] ?? '')}`),
        isOfParty(path) ? t(side === 'buys' ? 'unknownSeller' : 'unknownBuyer') : messages.join(' '),
      )
    }
  })
  useEffect(() => {
    void [lines, error]
    placeAll()
  }, [lines, error])
}
