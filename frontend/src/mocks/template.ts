/** Enough of the templates' grammar to see something happen. */
export const fill = (template: string, value: (placeholder: string) => string | undefined) => {
  let complete = true
  const text = template.replace(/\{(\w+)\}/g, (_, placeholder: string) => {
    const known = value(placeholder)
    complete &&= known !== undefined
    return known ?? ''
  })
  return complete ? text : null
}
