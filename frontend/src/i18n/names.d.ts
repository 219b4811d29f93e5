declare module 'virtual:names/*' {
  const names: Record<string, unknown>
  export default names
}
