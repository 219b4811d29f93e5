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
import { type CartForm, hasExplanationParam, type QuoteRequest, type Side, toQuoteRequest, writeCart } from './cart'
import { storeCart } from './last-cart'

const DEBOUNCE_MS = 300
const EMPTY_REQUEST: QuoteRequest = { body: { carts: [], explain: false }, keys: [] }

/** Field names of the API that differ from those of the form. */
const FIELDS: Readonly<Record<string, string>> = { article_number: 'article_id' }

/**
 * True for errors about the buyer or seller, which always mean that the company does not exist or is no
 * longer a partner.
 */
export const isPartyField = (path: string) => /(^|\.)(buyer|seller)_id$/.test(path)

const fieldOf = (field: string, side: Side) =>
  (field === 'warehouse_short_code' && side === 'sells' ? 'warehouse_id' : (FIELDS[field] ?? field)).replace(/\.price\.\w+$/, '.price')

/** Debounced values of the form, so that a keystroke renders only its own field. */
export function useDebouncedCart(form: UseFormReturn<CartForm>): CartForm {
  const [cart, setCart] = useState(() => form.getValues())
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const end = form.subscribe({
      formState: { values: true },
      callback: ({ values }) => {
        clearTimeout(timer)
        // the form changes its values in place, so they are copied
        timer = setTimeout(() => setCart(structuredClone(values)), DEBOUNCE_MS)
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
export function useCartInUrl(cart: CartForm) {
  const [params, changeParams] = useAddressParams()
  const search = params.toString()
  const nextSearch = writeCart(search, cart)
  const { tenantId } = useTenant()
  // a link to the explanation of a single price is not stored as the last cart
  const [initialCart] = useState(cart)
  const storedCart = cart === initialCart && hasExplanationParam(search) ? null : writeCart('', cart)
  useEffect(() => {
    if (storedCart !== null) storeCart(tenantId, storedCart)
  }, [tenantId, storedCart])
  const write = useEffectEvent(() =>
    changeParams((now) => new URLSearchParams(writeCart(now.toString(), cart)), { replace: true, preventScrollReset: true }),
  )
  // does not write during a navigation, which would cancel it
  const isIdle = useNavigation().state === 'idle'
  useEffect(() => {
    if (isIdle && nextSearch !== search) write()
  }, [isIdle, search, nextSearch])
}

/** Quote of the form's cart: calculated on request, and from then on after each complete change. */
export function useCalculation(form: UseFormReturn<CartForm>) {
  const { time_zone: zone } = useConfig()
  const client = useQueryClient()
  const cart = useDebouncedCart(form)
  useCartInUrl(cart)
  const request = useMemo(() => toQuoteRequest(cart, zone), [cart, zone])
  // a cart that is in the URL is calculated immediately
  const [isRequested, setIsRequested] = useState(request !== null)
  const query = useQuery({
    ...quotes.cart(request ?? EMPTY_REQUEST),
    enabled: isRequested && request !== null,
    placeholderData: keepPreviousData,
  })
  const result = request === null ? null : (query.data ?? null)
  useErrorsAtFields(form, request?.keys, result?.lines, query.error)

  return {
    empty: writeCart('', cart) === '',
    result,
    error: query.error,
    pending: isRequested && query.isFetching,
    /** True if the shown result may no longer be valid. */
    outdated: query.isPlaceholderData,
    /** Request with the calculated values. */
    quoteRequest: isRequested ? request : null,
    recalculate: () => {
      setIsRequested(true)
      const now = toQuoteRequest(form.getValues(), zone)
      if (now && isRequested) void client.invalidateQueries({ queryKey: quotes.cart(now).queryKey, exact: true })
    },
  }
}

/** Sets the server's errors at their lines and fields, and clears the previous ones. */
function useErrorsAtFields(
  form: UseFormReturn<CartForm>,
  sentKeys: readonly string[] | undefined,
  lines: ReadonlyMap<string, QuoteLine> | undefined,
  error: ApiError | null,
) {
  const { t } = useTranslation('priceCalculator')
  const placedPaths = useRef<FieldPath<CartForm>[]>([])
  const placeErrors = useEffectEvent(() => {
    for (const path of placedPaths.current) if (form.getFieldState(path).error?.type === 'server') form.clearErrors(path)
    placedPaths.current = []
    const place = (path: string, message: string) => {
      if (!form.control._names.mount.has(path)) return
      form.setError(path as FieldPath<CartForm>, { type: 'server', message })
      placedPaths.current.push(path as FieldPath<CartForm>)
    }
    const { side, lines: formLines } = form.getValues()
    const keys = formLines.map(({ key }) => key)
    for (const [at, key] of keys.entries()) {
      for (const { field, message } of lines?.get(key)?.errors ?? []) if (field) place(`lines.${at}.${fieldOf(field, side)}`, message)
    }
    for (const [path, messages] of Object.entries(error?.fields ?? {})) {
      const own = path.replace('carts.0.', '').replace(/^at$/, 'day')
      place(
        own.replace(/^lines\.(\d+)/, (_, at: string) => `lines.${keys.indexOf(sentKeys?.[Number(at)] ?? '')}`),
        isPartyField(path) ? t(side === 'buys' ? 'unknownSeller' : 'unknownBuyer') : messages.join(' '),
      )
    }
  })
  useEffect(() => {
    void [lines, error]
    placeErrors()
  }, [lines, error])
}
