import { shippingNode } from '~/features/logistics/shipping-nodes/resource'

declare module '~/i18n/namespaces' {
  interface Texts {
    shippingMap: typeof import('~/i18n/de/shippingMap.json')
  }
}

/** A page of shipping nodes: all of them, with their legs. */
export const MAP = `${shippingNode.path}/map`
