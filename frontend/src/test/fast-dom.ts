import * as React from 'react'

// Shortcuts past slow parts of jsdom and React. They answer as those do.

// inserting styles is skipped, and jsdom does not render: without style sheets only inline styles count, and
// its default sheet would be matched against each element
window.getComputedStyle = (element) => (element as HTMLElement).style

// jsdom searches the whole document for the labels of each field
for (const { prototype } of [HTMLInputElement, HTMLTextAreaElement, HTMLSelectElement, HTMLButtonElement]) {
  Object.defineProperty(prototype, 'labels', {
    get(this: HTMLInputElement) {
      if (this.type === 'hidden') return null
      return [...this.ownerDocument.getElementsByTagName('label')].filter((label) =>
        // with an id that is there twice, a label belongs to the first element only
        label.htmlFor
          ? label.htmlFor === this.id && this.ownerDocument.getElementById(this.id) === this
          : label.contains(this) && label.control === this,
      )
    },
  })
}

// Testing Library looks up each id of `aria-labelledby` this way
const BY_ID = /^\[id="([^"\\]*)"\]$/
const { querySelector } = Element.prototype
Element.prototype.querySelector = function (this: Element, selector: string) {
  const id = BY_ID.exec(selector)?.[1]
  const element = id ? this.ownerDocument.getElementById(id) : null
  return element && element !== this && this.contains(element) ? element : querySelector.call(this, selector)
} as typeof querySelector

// React records a stack for each created element, up to 10,000 times a second, to show it in warnings
const internals = (React as unknown as Record<string, object>).__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE
if (internals) Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => Number.POSITIVE_INFINITY, set() {} })
