/** What is with a day of a calendar. */
export interface Mark {
  /** Off by rule, by law, or by choice. */
  tone: 'rest' | 'holiday' | 'closed'
  /** Why. */
  text: string
}
