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
import { type CartForm, isWhyAsked, type QuoteRequest, type Side, toQuoteRequest, writeCart } from './cart'
import { keepCart } from './last-cart'

const REST = 300
const NOTHING: QuoteRequest = { body: { carts: [], explain: false }, keys: [] }

/** Field names of the API that differ from those of the form. */
const FIELDS: Readonly<Record<string, string>> = { article_number: 'article_id' }

/**
 * True for errors about the buyer or seller, which always mean that the company does not exist or is no
 * longer a partner.
 */
export const isOfParty = (path: string) => /(^|\.)(buyer|seller)_id$/.test(path)

const fieldOf = (field: string, side: Side) =>
  (field === 'warehouse_short_code' && side === 'sells' ? 'warehouse_id' : (FIELDS[field] ?? field)).replace(/\.price\.\w+$/, '.price')

/** Debounced values of the form, so that a keystroke renders only its own field. */
export function useSettled(form: UseFormReturn<CartForm>): CartForm {
  const [cart, setCart] = useState(() => form.getValues())
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const end = form.subscribe({
      formState: { values: true },
      callback: ({ values }) => {
        clearTimeout(timer)
        // the form changes its values in place, so they are copied
        timer = setTimeout(() => setCart(structuredClone(values)), REST)
      },
    })
    return () => {
      end()
      clearTimeout(timer)
    }
  }, [form])
  return cart
}

/**
 * Keeps the cart in the URL, so that reload and back restore it, and stores it for users who come by the
 * navigation.
 */
export function useInAddress(cart: CartForm) {
  const [params, changeParams] = useAddressParams()
  const before = params.toString()
  const written = writeCart(before, cart)
  const { tenantId } = useTenant()
  // a link to the explanation of a single price is not stored as the last cart
  const [begun] = useState(cart)
  const kept = cart === begun && isWhyAsked(before) ? null : writeCart('', cart)
  useEffect(() => {
    if (kept !== null) keepCart(tenantId, kept)
  }, [tenantId, kept])
  const write = useEffectEvent(() =>
    changeParams((now) => new URLSearchParams(writeCart(now.toString(), cart)), { replace: true, preventScrollReset: true }),
  )
  // does not write during a navigation, which would cancel it
  const resting = useNavigation().state === 'idle'
  useEffect(() => {
    if (resting && written !== before) write()
  }, [resting, before, written])
}

/** Quote of the form's cart: calculated on request, and from then on after each complete change. */
export function useCalculation(form: UseFormReturn<CartForm>) {
  const { time_zone: zone } = useConfig()
  const client = useQueryClient()
  const cart = useSettled(form)
  useInAddress(cart)
  const question = useMemo(() => toQuoteRequest(cart, zone), [cart, zone])
  // a cart that is in the URL is calculated immediately
  const [asked, setAsked] = useState(question !== null)
  const query = useQuery({ ...quotes.of(question ?? NOTHING), enabled: asked && question !== null, placeholderData: keepPreviousData })
  const result = question === null ? null : (query.data ?? null)
  usePlacedErrors(form, question?.keys, result?.lines, query.error)

  return {
    empty: writeCart('', cart) === '',
    result,
    error: query.error,
    pending: asked && query.isFetching,
    /** True if the shown result may no longer be valid. */
    outdated: query.isPlaceholderData,
    /** Request with the calculated values. */
    question: asked ? question : null,
    again: () => {
      setAsked(true)
      const now = toQuoteRequest(form.getValues(), zone)
      if (now && asked) void client.invalidateQueries({ queryKey: quotes.of(now).queryKey, exact: true })
    },
  }
}

/** Sets the server's errors at their lines and fields, and clears the previous ones. */
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
