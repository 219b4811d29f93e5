import { shippingNode } from '~/features/logistics/shipping-nodes/resource'

declare module '~/i18n/namespaces' {
  interface Texts {
    shippingMap: typeof import('~/i18n/de/shippingMap.json')
  }
}

/** Path of the map with all shipping nodes and legs. */
export const MAP = `${shippingNode.path}/map`
