/** Session state for the API client; set once by session/connect.ts, because api must not import session. */
export const context = {
  token: (): string | null => null,
  language: (): string => 'de',
  tenant: (): number | null => null,
  refused: (_token: string): void => {},
}
