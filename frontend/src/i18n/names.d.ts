declare module 'virtual:names/*' {
  const names: Record<string, unknown>
  export default names
}

declare module 'virtual:words' {
  const words: Readonly<Record<string, string>>
  export default words
}
